import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { VaultState } from '../state/desk.ts';
import type { Json } from '../wire/answer.ts';
import { progressOf } from './progress.ts';

/** How long a code can be seen again. */
export const REVEAL_MS = 10 * 60_000;

/** A reward that a player holds or held. */
export interface VaultEntry {
  id: string;
  number: string;
  program: string;
  state: VaultState['state'];
  unlockedAt: string;
  expiresAt: string;
  redeemedAt: string | null;
  codeMask: string | null;
  /** Until when its code can be seen again; null: it can't be. */
  revealUntil: string | null;
}

const BASE = { program: 'done', unlockedAt: '2026-11-15T10:00:00.000Z', expiresAt: '2026-12-15T10:00:00.000Z' } as const;

/** The vault of a player, newest first, as redeeming and control left it. Only Asa Venn has one. */
export function vaultOf(view: GameView, playerId: number): VaultEntry[] {
  if (playerId !== 910_023 && playerId !== 920_023) return [];
  const isStallPaid = progressOf(view, playerId).stallVisit === 'server';
  const entries = [
    ...(isStallPaid ? [entryOf('06', 'unlocked', { program: 'new' })] : []),
    entryOf('01', 'unlocked'),
    entryOf('02', 'redeemed', {
      redeemedAt: '2026-11-18T08:00:00.000Z',
      codeMask: '••••••••7K2Q',
      revealUntil: formatInstant(view.nowMs + REVEAL_MS),
    }),
    entryOf('03', 'reserved'),
    entryOf('04', 'revoked'),
    entryOf('05', 'expired', { expiresAt: '2026-11-19T00:00:00.000Z' }),
  ];
  return entries.map((entry) => asChanged(view, entry));
}

function entryOf(number: string, state: VaultEntry['state'], more: Partial<VaultEntry> = {}): VaultEntry {
  const id = `00000000-0000-4000-8000-0000000000${number}`;
  return { id, number, state, ...BASE, redeemedAt: null, codeMask: null, revealUntil: null, ...more };
}

function asChanged({ desk, nowMs }: GameView, entry: VaultEntry): VaultEntry {
  const change = desk.vault.get(entry.id);
  if (change === undefined) return entry;
  const { state, redeemedMs, code } = change;
  if (redeemedMs === null || code === null) return { ...entry, state, redeemedAt: null, codeMask: null, revealUntil: null };
  const revealUntil = redeemedMs + REVEAL_MS > nowMs ? formatInstant(redeemedMs + REVEAL_MS) : null;
  return { ...entry, state, redeemedAt: formatInstant(redeemedMs), codeMask: `••••••••${code.slice(-4)}`, revealUntil };
}

/** A reward as a card lists it. */
export function rewardOf(entry: VaultEntry): Json {
  return {
    vault_entry_id: entry.id,
    reward_id: `rwd_${entry.number}`,
    state: entry.state,
    unlocked_at: entry.unlockedAt,
    expires_at: entry.expiresAt,
    redeemed_at: entry.redeemedAt,
    code_masked: entry.codeMask,
    can_redeem: entry.state === 'unlocked',
    can_reveal_again: entry.revealUntil !== null,
    reveal_until: entry.revealUntil,
  };
}
