import { seeded } from '../seeded.ts';
import type { DeskStore } from '../state/desk-store.ts';
import { DESK_COINS } from '../world/desk-people.ts';

export interface Wallet {
  /** Hundredths of a coin; below zero when more was taken back than was left. */
  available: bigint;
  reserved: bigint;
}

/** A player's coins: what the world gives everybody, or what the desk made of it since. */
export function walletOf(desk: DeskStore, playerId: number): Wallet {
  const next = seeded(`wallet|${playerId}`);
  const table = DESK_COINS[playerId];
  const available = BigInt(Math.floor(next() * 400) * 500);
  const reserved = next() < 0.1 ? BigInt(Math.floor(next() * 20) * 500) : 0n;
  return { available: desk.coins(playerId) ?? table ?? available, reserved: table === undefined ? reserved : 0n };
}

/** Gives or takes coins and says what is available then. */
export function changeCoins(desk: DeskStore, playerId: number, delta: bigint): bigint {
  const after = walletOf(desk, playerId).available + delta;
  desk.setCoins(playerId, after);
  return after;
}
