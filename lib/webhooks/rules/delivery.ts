import type { RefundState } from '#lib/refunds/rules/state.ts';

/**
 * The states of a delivery; the SQL check of `delivery.state` repeats the list. `received`: not read yet; `failing`: the reading
 * failed for a day or contradicts stored facts, or the body can't be followed; `stale`: signed more than five minutes from its arrival, so its facts are not used.
 */
export const DELIVERY_STATES = ['received', 'processed', 'failing', 'conflict', 'other_game', 'stale', 'unknown_type'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** States that need a person to resolve the delivery. */
export const ATTENTION_STATES = ['failing', 'conflict', 'other_game'] as const satisfies readonly DeliveryState[];

/** Why an idempotency key could not be used; the SQL check of `delivery.key_problem` repeats the list. */
export const KEY_PROBLEMS = ['missing', 'repeated', 'too_long', 'not_ascii'] as const;
export type KeyProblem = (typeof KEY_PROBLEMS)[number];

/** Why a signed body can't be followed; the SQL check of `delivery.body_problem` repeats the list. */
export const BODY_PROBLEMS = ['not_json', 'duplicate_key', 'not_an_envelope', 'no_id'] as const;
export type BodyProblem = (typeof BODY_PROBLEMS)[number];

/** What an id in an event names; the SQL check of `delivery_subject.kind` repeats the list. */
export const SUBJECT_KINDS = [
  'order',
  'transfer',
  'transaction',
  'subscription',
  'subscription_period',
  'period',
  'client_request',
  'player',
  'recipient',
  'identity',
  'payment_intent',
  'charge',
  'dispute',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What a delivery can trigger a reading of; the SQL checks of `delivery.read_kind` and `delivery_read.kind` repeat the list. */
export const READ_KINDS = ['refund', 'period', 'subscription', 'order', 'transfer'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/**
 * The outcome of a reading; the SQL check of `delivery_read.outcome` repeats the list. `refund_look`: the next check of our refund was brought
 * forward; `refund_ended`: our refund has its outcome; `refund_with_person`: only a person can continue our refund; `refund_contradicted`: our refund
 * ended without a refund at Invo; `refunded_elsewhere`: made outside Sharebook, and the report of its period shows it; `elsewhere_unread`: made outside
 * Sharebook, and its period was not found.
 */
export const READ_OUTCOMES = [
  'read',
  'not_found',
  'refund_look',
  'refund_ended',
  'refund_with_person',
  'refund_contradicted',
  'refunded_elsewhere',
  'elsewhere_unread',
] as const;
export type ReadOutcome = (typeof READ_OUTCOMES)[number];

/** The error of a reading whose report doesn't show the refund that a webhook reports. */
export const NOT_IN_REPORT = 'not_in_report';

/** The error of a reading that is postponed: Invo requested a wait before the next call of our refund, and no webhook shortens it. */
export const REFUND_WAITING = 'refund_waiting';

/** Outcomes of a refund that wasn't made here. */
export const ELSEWHERE_OUTCOMES = ['refunded_elsewhere', 'elsewhere_unread'] as const satisfies readonly ReadOutcome[];

/** The state of the deliveries that triggered a reading: `failing` if its outcome needs a person. */
export function stateAfterRead(kind: ReadKind, outcome: ReadOutcome): 'processed' | 'failing' {
  const isUnclear = outcome === 'refund_contradicted' || outcome === 'elsewhere_unread' || (kind === 'refund' && outcome === 'not_found');
  return isUnclear ? 'failing' : 'processed';
}

/** What a webhook that reports a refund as made means for our refund in each state. `refund_sending`: the refund's own call gets the answer first. */
export const REFUND_REPORTED: Record<
  RefundState,
  Extract<ReadOutcome, 'refund_look' | 'refund_ended' | 'refund_with_person' | 'refund_contradicted'> | 'refund_sending'
> = {
  awaiting_approval: 'refund_with_person',
  approved: 'refund_sending',
  sending: 'refund_sending',
  // Once its wait is over, its next call gets the answer first.
  waiting: 'refund_sending',
  unknown: 'refund_look',
  verifying: 'refund_look',
  attention: 'refund_with_person',
  landed: 'refund_ended',
  refused: 'refund_contradicted',
  not_landed: 'refund_contradicted',
  rejected: 'refund_contradicted',
  withdrawn: 'refund_contradicted',
};

/** The longest body that is accepted. */
export const BODY_BYTES_MAX = 256 * 1024;

/** Days after which the body of a delivery is deleted. Keys and digests stay. */
export const BODY_RETENTION_DAYS = 90;

/** Which configured signing secret verified a delivery, `both` during a rotation; the SQL checks of `secret_slot` repeat the list. */
export const SECRET_SLOTS = ['current', 'previous', 'both'] as const;
export type SecretSlot = (typeof SECRET_SLOTS)[number];

/** Why a delivery was refused and not stored; the SQL check of `delivery_refusal.reason` repeats the list. */
export const REFUSAL_REASONS = [
  'content_type',
  'content_encoding',
  'too_large',
  'too_slow',
  'header',
  'signature',
  'no_secret',
  'not_stored',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Whether a state needs a person until the delivery is resolved. */
export function needsPerson(state: DeliveryState): boolean {
  return ATTENTION_STATES.some((each) => each === state);
}

/**
 * Invo's six waits after a first attempt, 30 seconds, 2 minutes, 10 minutes, 1 hour, 6 hours and 24 hours, each after the one before (document 2,
 * Events). A delivery that isn't accepted in that time is not sent again.
 */
export const RETRIES_END_SECONDS = 30 + 120 + 600 + 3_600 + 21_600 + 86_400;

/** Whether the last delivery is older than all of Invo's retries, so that nothing shows any more that webhooks still arrive. */
export function isSilent(lastReceivedAt: string, now: string): boolean {
  return Date.parse(now) - Date.parse(lastReceivedAt) > RETRIES_END_SECONDS * 1_000;
}

const ROTATION_DAYS = 7;

/**
 * The progress of a rotation of the signing secret. `unseen`: no recent delivery used the previous secret: before the first delivery of a
 * rotation and long after the last; `over`: Invo stopped signing with it, which it does for seven days (document 2, Authentication).
 */
export function rotationOf(previousUsedAt: string | null, now: string): 'unseen' | 'going_on' | 'over' {
  if (previousUsedAt === null) return 'unseen';
  return Date.parse(now) - Date.parse(previousUsedAt) > ROTATION_DAYS * 86_400_000 ? 'over' : 'going_on';
}
