import type { Player, World } from '../model.ts';
import { createVolumeWorld } from './volume-world.ts';

/** The largest number an address can have. */
const NUMBER_MAX = 999_999;
const IDS_FROM = 20_000_000;
/** Every so many addresses one that nobody has. */
const UNKNOWN_EVERY = 10_000;

/** A world of wallets: `load-000001@players.example` and so many more addresses, of which every 10,000th is unknown, and no subscription. */
export function createWalletWorld(addresses: number): World {
  return {
    ...createVolumeWorld([]),
    quietAfterMs: 0,
    subscriptionsOf: () => [],
    player: (email) => loadPlayer(Number(/^load-(\d{6})@players\.example$/.exec(email)?.[1] ?? '0'), addresses),
    *players() {
      for (let number = 1; number <= addresses; number += 1) {
        const player = loadPlayer(number, addresses);
        if (player !== null) yield player;
      }
    },
  };
}

function loadPlayer(number: number, addresses: number): Player | null {
  if (number < 1 || number > addresses || number % UNKNOWN_EVERY === 0) return null;
  const digits = String(number).padStart(6, '0');
  return { playerId: IDS_FROM + number, name: `Load ${digits}`, email: `load-${digits}@players.example`, identityId: `idn_load_${digits}` };
}

/** The coins of a player of this world, in hundredths: the number modulo 1,000, and 25 hundredths; undefined: of another world. */
export function loadCoins(playerId: number): bigint | undefined {
  const number = playerId - IDS_FROM;
  return number >= 1 && number <= NUMBER_MAX ? BigInt((number % 1_000) * 100 + 25) : undefined;
}
