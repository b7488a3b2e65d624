import { recordAudit } from '../audit/writes.ts';
import type { Actor } from '../core/roles.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError } from '../invo/invo-error.ts';
import { type LoyaltyOffer, readOffers, readVault, type VaultEntry } from '../invo/routes/loyalty-of-player.ts';
import { mintPlayerToken, type PlayerToken, withPlayerToken } from '../invo/routes/player-token.ts';
import type { KnownPlayer } from './read-player.ts';

/** A person who acts as a player, and what for; the audit records it before each token is minted. */
export interface ActsAs {
  actor: Actor;
  purpose: 'to read the vault' | 'to redeem a reward' | 'to send a desk action' | 'to ask the phone';
}

/** `no_identity`: the wallet names no identity that a token could be compared with, so none is minted. */
export type AsPlayer<T> = { ok: true; value: T; token: string } | { ok: false; error: InvoFailure | 'no_identity' };

/** Reads the rewards that a player holds or held, as the player; nothing of them is stored. Null for one that isn't readable. */
export async function readVaultOf(
  context: GameContext,
  player: KnownPlayer,
  acts: ActsAs,
  deadline: Deadline = {},
): Promise<AsPlayer<(VaultEntry | null)[]>> {
  return await asPlayer(context, player, acts, async (mint) => await readWith(context, mint, readVault, deadline), deadline);
}

/** Mints a token for one press that acts as the player. */
export async function mintTokenOf(
  context: GameContext,
  player: KnownPlayer,
  acts: ActsAs,
  deadline: Deadline = {},
): Promise<AsPlayer<null>> {
  return await asPlayer(context, player, acts, async (mint) => ({ value: null, token: (await mint()).token }), deadline);
}

/** Reads the programs and the rewards of a player, as the player, with one token. */
export async function readOffersAndVault(
  context: GameContext,
  player: KnownPlayer,
  acts: ActsAs,
): Promise<AsPlayer<{ offers: (LoyaltyOffer | null)[]; vault: (VaultEntry | null)[] }>> {
  return await asPlayer(context, player, acts, async (mint) => {
    const { value: offers, token } = await readWith(context, mint, readOffers, {});
    const vault = await askWithin(context, {}, (invo, signal) => readVault(invo, token, signal));
    return { value: { offers, vault }, token };
  });
}

type Mint = () => Promise<PlayerToken>;

async function asPlayer<T>(
  context: GameContext,
  { subject, balances }: KnownPlayer,
  { actor, purpose }: ActsAs,
  read: (mint: Mint) => Promise<{ value: T; token: string }>,
  deadline: Deadline = {},
): Promise<AsPlayer<T>> {
  const identityId = balances.kind === 'live' ? balances.value.player.identity_id : null;
  if (identityId === null) return { ok: false, error: 'no_identity' };
  const { db, gameId } = context.game;
  const mint = async (): Promise<PlayerToken> => {
    await recordAudit(db, {
      actor: actor.email,
      gameId,
      act: 'acted as a player',
      subject: `player ${subject.playerId}`,
      detail: { purpose },
    });
    return await askWithin(context, deadline, (invo, signal) => mintPlayerToken(invo, { email: subject.email, identityId }, signal));
  };
  try {
    return { ok: true, ...(await read(mint)) };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    return { ok: false, error: toInvoFailure(error, { isPlayer: true, isUnstored: true }) };
  }
}

/** Reads with a token, and once with a new one when Invo refuses the first; returns the token that was accepted. */
async function readWith<T>(
  context: GameContext,
  mint: Mint,
  read: (invo: Parameters<typeof readVault>[0], token: string, signal: AbortSignal) => Promise<T>,
  deadline: Deadline,
): Promise<{ value: T; token: string }> {
  return await withPlayerToken(mint, async (token) => {
    const value = await askWithin(context, deadline, async (invo, signal) => await read(invo, token, signal));
    return { value, token };
  });
}
