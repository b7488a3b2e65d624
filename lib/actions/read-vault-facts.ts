import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { VaultEntry } from '../invo/routes/loyalty-of-player.ts';
import { type ActsAs, readVaultOf } from '../players/act-as-player.ts';
import { type KnownPlayer, readPlayerLoyalty } from '../players/read-player.ts';
import type { FactsReader } from './facts-reader.ts';
import type { ActionBlocker, ActionFacts, Reading } from './rules/action-facts.ts';

type VaultFacts = NonNullable<ActionFacts['vault']>;

interface EntryOf {
  entryId: string;
  reader: FactsReader;
}

/** What a redemption depends on: the reward must be the player's, and unlocked, or redeemed with a code that may be shown again. */
export async function readVaultFacts(
  context: GameContext,
  player: KnownPlayer,
  { entryId, reader }: EntryOf,
): Promise<
  | { kind: 'vault'; facts: VaultFacts; token: string }
  | { kind: 'blocked'; blocker: ActionBlocker }
  | { kind: 'no_answer'; error: InvoFailure }
> {
  const read = await readVaultOf(context, player, actsOf(reader, 'to redeem a reward'), reader);
  if (!read.ok)
    return read.error === 'no_identity' ? { kind: 'blocked', blocker: 'no_identity' } : { kind: 'no_answer', error: read.error };
  const entry = entryOf(read.value, entryId);
  if (entry === null) return { kind: 'blocked', blocker: 'no_reward' };
  if (entry.state !== 'unlocked' && entry.state !== 'redeemed') return { kind: 'blocked', blocker: 'reward_state' };
  const again = entry.state === 'redeemed' ? await readRevealOf(context, player, entryId) : null;
  if (again?.can_reveal_again === false) return { kind: 'blocked', blocker: 'code_shown_before' };
  const { state, reward_ref, expires_at } = entry;
  const facts = {
    kind: 'vault' as const,
    vault_entry_id: entryId,
    state,
    reward_ref,
    expires_at,
    can_reveal_again: again?.can_reveal_again ?? null,
    reveal_until: again?.reveal_until ?? null,
  };
  return { kind: 'vault', facts, token: read.token };
}

/** Reads the state of a reward as the player; of the answer nothing else is stored. */
export async function readVaultState(
  context: GameContext,
  player: KnownPlayer,
  { entryId, reader }: EntryOf,
): Promise<{ reading: Reading } | { error: InvoFailure | null }> {
  const read = await readVaultOf(context, player, actsOf(reader, 'to read the vault'), reader);
  if (!read.ok) return { error: read.error === 'no_identity' ? null : read.error };
  const state = entryOf(read.value, entryId)?.state ?? null;
  const unread = { reward_ref: null, expires_at: null, can_reveal_again: null, reveal_until: null };
  return { reading: { kind: 'vault', vault_entry_id: entryId, state, ...unread } };
}

function entryOf(vault: (VaultEntry | null)[], entryId: string): VaultEntry | null {
  return vault.find((entry) => entry?.vault_entry_id === entryId) ?? null;
}

/** What the player's cards say of the code of a redeemed reward; null: no card lists it, or they can't be read. */
async function readRevealOf(
  context: GameContext,
  player: KnownPlayer,
  entryId: string,
): Promise<{ can_reveal_again: boolean | null; reveal_until: string | null } | null> {
  const read = await readPlayerLoyalty(context, player);
  if (read.kind !== 'live') return null;
  const rewards = read.value.cards.flatMap((each) => (each.kind === 'known' ? (each.card.rewards ?? []) : []));
  return rewards.find((reward) => reward?.vault_entry_id === entryId) ?? null;
}

function actsOf({ actor }: FactsReader, purpose: ActsAs['purpose']): ActsAs {
  if (actor === undefined) throw new Error('only a person acts as a player');
  return { actor, purpose };
}
