import { parseEnum } from '#lib/core/strings.ts';

/** The states of a refund; the SQL check of `refund.state` repeats the list. */
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

/** Final states. Every other state blocks the period: no second refund of the period can be requested. */
export const ENDED_STATES = ['landed', 'refused', 'not_landed', 'rejected', 'withdrawn'] as const satisfies readonly RefundState[];

/** States that block the period. */
export const OPEN_STATES: readonly RefundState[] = REFUND_STATES.filter((state) => !isEnded(state));

/** States in which a worker may send the refund. */
export const SENDABLE_STATES = ['approved', 'waiting', 'unknown'] as const satisfies readonly RefundState[];

/** Final states without a refund at Invo: a new refund of the period may be requested. */
export const NOT_CARRIED_OUT_STATES = ['refused', 'not_landed', 'rejected', 'withdrawn'] as const satisfies readonly RefundState[];

/** States that only a person can move on. */
export const PERSON_STATES = ['awaiting_approval', 'attention'] as const satisfies readonly RefundState[];

/** Whether the state is final. */
export function isEnded(state: RefundState): boolean {
  return (ENDED_STATES as readonly RefundState[]).includes(state);
}

/** The state a row holds. Throws for a text that is not on the list. */
export function stateOf(text: string): RefundState {
  return parseEnum(REFUND_STATES, text);
}

/** Parses the name of a state; null for any other value. */
export function parseRefundState(text: unknown): RefundState | null {
  return REFUND_STATES.find((state) => state === text) ?? null;
}

/** Why a refund needs attention; the SQL check of `refund.attention_reason` repeats the list. */
export const ATTENTION_REASONS = [
  'invo_asks_for_a_person',
  'receipt_contradicts',
  'receipt_of_another',
  'content_altered',
  'cannot_be_read',
  'looks_landed',
  'looks_not_landed',
  'period_unclear',
  'not_shown',
  'other_subscription',
  'reported_after_all',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** The outcome that a reading of the period suggests; the SQL check of `refund.proposal` repeats the list. */
export const PROPOSALS = ['landed', 'not_landed'] as const;
export type Proposal = (typeof PROPOSALS)[number];

/**
 * How Sharebook knows that a refund landed: its receipt, a replay of the receipt, an answer without amounts that the period confirms, or
 * two people. The SQL check of `refund.outcome_source` repeats the list.
 */
export const OUTCOME_SOURCES = ['receipt', 'replay', 'reduced', 'people'] as const;
export type OutcomeSource = (typeof OUTCOME_SOURCES)[number];

/** The outcomes two people can record; the SQL check of `refund_decision.decision` repeats the list. */
export const OUTCOME_DECISIONS = ['landed', 'not_landed', 'send_again'] as const;
export type OutcomeDecision = (typeof OUTCOME_DECISIONS)[number];
