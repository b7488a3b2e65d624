import * as z from 'zod';
import { classifyByCode, classifyForAll, idOf, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { onceStep, REDEEM_SETTLED_MS, readWhilePeopleLook } from '../settling-times.ts';

/** The reward, as the player's vault lists it. */
const request = z.object({ vault_entry_id: z.uuid(), reward_ref: z.string().nullable() });

type Redeemed = {
  vault_entry_id: string | null;
  reward_ref: string | null;
  state: string | null;
  redeemed_at: string | null;
  revealed_again: boolean | null;
  reveal_until: string | null;
  has_code: boolean;
};

/** The refusals that document 1 names without a status, and that of a token. */
const CODES = {
  SDK_TOKEN_MALFORMED: 'not_now',
  already_redeemed: 'refused',
  vault_entry_not_found: 'refused',
  vault_entry_expired: 'refused',
} as const satisfies Record<string, AnswerClass>;

/**
 * Redeems a reward for a player who can't open the game's page. Its code is in the answer and nowhere else (document 1, Redeem response), and clients
 * never repeat the call by themselves: after a lost answer the player's vault says what happened.
 */
export const redeem: Protocol<z.infer<typeof request>, Redeemed, 'never'> = {
  kind: 'redeem',
  group: 'rewards',
  repeats: 'never',
  key: null,
  needsSecondPerson: true,
  family: 'redeem',
  keepsBody: false,
  isForRequester: true,
  decidedBy: 1,
  reading: 'vault',
  unit: null,
  movesCoins: false,
  request,
  subjectOf: ({ vault_entry_id }) => `vault ${vault_entry_id}`,
  inPath: ({ vault_entry_id }) => vault_entry_id,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: (one, other) => one.vault_entry_id === other.vault_entry_id,
  decidingOf: ({ wallet, vault }) => ({
    player_id: wallet?.player_id ?? null,
    vault: vault ? { vault_entry_id: vault.vault_entry_id, state: vault.state } : null,
  }),
  write: () => '',
  pick: ({ vault_entry_id, reward_ref, state, redeemed_at, revealed_again, reveal_until, code }) => {
    const text = textOf(code);
    return {
      answer: {
        vault_entry_id: idOf(vault_entry_id),
        reward_ref: textOf(reward_ref),
        state: textOf(state),
        redeemed_at: textOf(redeemed_at),
        revealed_again: typeof revealed_again === 'boolean' ? revealed_again : null,
        reveal_until: textOf(reveal_until),
        has_code: text !== null,
      },
      passes: text === null ? null : { what: 'reward_code', text },
    };
  },
  classify: (observed, { vault_entry_id }) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'redeem');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    if (status === 200) {
      if (codes.length > 0 || !answer.has_code) return 'open';
      if (answer.vault_entry_id !== null && answer.vault_entry_id !== vault_entry_id) return 'contradiction';
      return answer.revealed_again === true ? 'replayed' : 'done';
    }
    const byCode = classifyByCode(codes, 'redeem', CODES);
    // Document 1 names no code for a token that isn't accepted.
    if (status === 401) return byCode === null || byCode === 'not_now' ? 'not_now' : 'open';
    return status >= 400 && status < 500 && byCode === 'refused' ? 'refused' : 'open';
  },
  next: (answer, status) => onceStep(answer, readWhilePeopleLook(status)),
  judge: (reading, { now, lastSentAt }) => {
    if (reading.kind !== 'vault') return 'open';
    if (reading.state === 'redeemed') return 'done';
    return reading.state === 'unlocked' && now - lastSentAt >= REDEEM_SETTLED_MS ? 'not_done' : 'open';
  },
};
