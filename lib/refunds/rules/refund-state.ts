import { knownWord } from '#lib/core/parse-enum.ts';

/** Where a refund can be; the SQL check of `refund.state` repeats the list. */
export const REFUND_STATES = [
  'awaiting_approval',
  'approved',
  'sending',
  'waiting',
  'unknown',
  'verifying',
  'attention',
  'landed',
  'refused',
  'not_landed',
  'rejected',
  'withdrawn',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** States nothing leaves; in every other one the period is held: no second refund of it can be asked for. */
export const ENDED_STATES = ['landed', 'refused', 'not_landed', 'rejected', 'withdrawn'] as const satisfies readonly RefundState[];

/** States in which the period is held. */
export const OPEN_STATES: readonly RefundState[] = REFUND_STATES.filter((state) => !isEnded(state));

/** States in which a worker may send it. */
export const SENDABLE_STATES = ['approved', 'waiting', 'unknown'] as const satisfies readonly RefundState[];

/** States that ended without anything carried out: a new refund of the period may be asked for. */
export const NOT_CARRIED_OUT_STATES = ['refused', 'not_landed', 'rejected', 'withdrawn'] as const satisfies readonly RefundState[];

/** States in which nothing goes on before a person has acted. */
export const PERSON_STATES = ['awaiting_approval', 'attention'] as const satisfies readonly RefundState[];

/** Whether nothing will change any more. */
export function isEnded(state: RefundState): boolean {
  return (ENDED_STATES as readonly RefundState[]).includes(state);
}

/** Whether a worker may send it. */
export function isSendable(state: RefundState): boolean {
  return (SENDABLE_STATES as readonly RefundState[]).includes(state);
}

/** The state a row holds. Throws for one that is not on the list. */
export function stateOf(text: string): RefundState {
  return knownWord(REFUND_STATES, text);
}

/** Reads the name of a state; null when there is none of that name. */
export function parseRefundState(text: unknown): RefundState | null {
  return REFUND_STATES.find((state) => state === text) ?? null;
}
