import type { Tone } from '#lib/core/strings.ts';
import {
  BODY_RETENTION_DAYS,
  type BodyProblem,
  type DeliveryState,
  type KeyProblem,
  NOT_IN_REPORT,
  REFUND_WAITING,
  type ReadKind,
  type ReadOutcome,
  type RefusalReason,
  type SecretSlot,
  type SubjectKind,
  stateAfterRead,
} from './rules/delivery.ts';

export interface DeliveryStateText {
  label: string;
  tone: Tone;
  sentence: string;
}

export const DELIVERY_STATE_TEXT: Record<DeliveryState, DeliveryStateText> = {
  received: { label: 'Pending', tone: 'wait', sentence: 'The signature is valid. Sharebook hasn’t read the object from Invo yet.' },
  processed: { label: 'Processed', tone: 'good', sentence: 'The signature is valid. Sharebook read the object from Invo.' },
  failing: { label: 'Failing', tone: 'bad', sentence: 'Sharebook couldn’t process this delivery. Nothing was changed.' },
  conflict: {
    label: 'Conflict',
    tone: 'wait',
    sentence: 'Two deliveries with this idempotency key have different content. Sharebook uses neither and reads the object from Invo.',
  },
  other_game: {
    label: 'Other game',
    tone: 'bad',
    sentence: 'The signature is valid, but the event belongs to another game. Nothing was read or changed.',
  },
  stale: {
    label: 'Stale',
    tone: 'quiet',
    sentence: 'The signature is more than 5 minutes old or ahead. Sharebook ignores its content and reads the object from Invo.',
  },
  unknown_type: {
    label: 'Unknown type',
    tone: 'quiet',
    sentence: 'Sharebook doesn’t know this type of event. It is kept and has no effect.',
  },
};

/** What a processed delivery did that opens no reading. */
const NOTHING_OPENED = 'Sharebook reads nothing for this event type.';
const TEST_DELIVERY = 'Sharebook sent this delivery to itself to check the set-up. It has no effect.';

export const BODY_PROBLEM_TEXT: Record<BodyProblem, string> = {
  not_json: 'The signed body isn’t JSON.',
  duplicate_key: 'The body repeats a field, so its meaning is ambiguous.',
  not_an_envelope: 'The signed body has no event type.',
  no_id: 'The event has no ID that Sharebook can read.',
};

/** Why the body of a delivery isn't stored: its age decides, because bodies that carry a code or name an erased player are gone from the start. */
export function formatNoBody(receivedAt: string, now: string): string {
  const isOld = Date.parse(now) - Date.parse(receivedAt) >= BODY_RETENTION_DAYS * 86_400_000;
  return isOld
    ? `The body isn’t stored: bodies are deleted ${BODY_RETENTION_DAYS} days after they were received. Its digest remains.`
    : 'The body isn’t stored: it carries a code or token, or names a player who was erased. Its digest remains.';
}

export const KEY_PROBLEM_TEXT: Record<KeyProblem, string> = {
  missing: 'Not sent. Repeats are recognized by what the event reports.',
  repeated: 'Sent twice. Repeats are recognized by what the event reports.',
  too_long: 'Longer than 255 characters. Repeats are recognized by what the event reports.',
  not_ascii: 'Not plain text. Repeats are recognized by what the event reports.',
};

export const SUBJECT_LABELS: Record<SubjectKind, string> = {
  order: 'Order',
  transfer: 'Transfer',
  transaction: 'Transaction',
  subscription: 'Subscription',
  subscription_period: 'Period',
  period: 'Period ID',
  client_request: 'Idempotency key of the refund',
  player: 'Player',
  recipient: 'Recipient',
  identity: 'Identity',
  payment_intent: 'Payment intent',
  charge: 'Charge',
  dispute: 'Dispute',
};

export const READ_LABELS: Record<ReadKind, string> = {
  refund: 'Refund',
  period: 'Period',
  subscription: 'Subscription and its periods',
  order: 'Order',
  transfer: 'Transfer',
};

export const READ_OUTCOME_TEXT: Record<ReadOutcome, string> = {
  read: 'Read from Invo and stored.',
  not_found: 'Invo has no such record in this game and environment.',
  refund_look: 'The next check of our refund was brought forward. That check decides the outcome.',
  refund_ended: 'Our refund already has its outcome. Its period was read again.',
  refund_with_person: 'Our refund needs attention. Its period was read again.',
  refund_contradicted: 'Invo reports a refund that Sharebook recorded as not refunded. Check it before you refund this period again.',
  refunded_elsewhere: 'Refunded elsewhere: no refund of Sharebook has this idempotency key. Invo’s report of the period shows the refund.',
  elsewhere_unread: 'The webhook reports a refund made elsewhere. Sharebook couldn’t find its period.',
};

/** A processed delivery whose object wasn't simply read: Invo has none, or its refund or period was checked, as the card of the reading states. */
const NOT_FOUND_SENTENCE = 'The signature is valid. Sharebook asked Invo, which has no such record in this game and environment.';
const OTHER_OUTCOME_SENTENCE = 'The signature is valid. The result is under “Read from Invo”.';

/** Why the last attempt of a reading failed. */
export function formatAttempt(error: string, attemptCount: number): string {
  if (error === REFUND_WAITING) return 'Invo asked Sharebook to wait before it retries our refund. The next attempt follows that retry.';
  if (error === NOT_IN_REPORT) return `Attempt ${attemptCount}: Invo’s report of the period doesn’t show this refund.`;
  return `Attempt ${attemptCount} failed (${error}).`;
}

/** What a delivery means, in a sentence or two, with the reason if its reading needs a person. */
export function formatDelivery({
  state,
  isTest,
  bodyProblem,
  reading,
}: {
  state: DeliveryState;
  isTest: boolean;
  bodyProblem: BodyProblem | null;
  reading: { kind: ReadKind; outcome: ReadOutcome | null } | null;
}): string {
  if (isTest) return TEST_DELIVERY;
  const { sentence } = DELIVERY_STATE_TEXT[state];
  if (bodyProblem !== null) return `${BODY_PROBLEM_TEXT[bodyProblem]} ${sentence}`;
  if (state === 'processed' && reading === null) return NOTHING_OPENED;
  const outcome = reading?.outcome ?? null;
  if (state === 'processed' && outcome !== null && outcome !== 'read')
    return outcome === 'not_found' ? NOT_FOUND_SENTENCE : OTHER_OUTCOME_SENTENCE;
  const isUnclear = state === 'failing' && reading !== null && outcome !== null && stateAfterRead(reading.kind, outcome) === 'failing';
  return isUnclear ? READ_OUTCOME_TEXT[outcome] : sentence;
}

export const SLOT_LABELS: Record<SecretSlot, string> = {
  current: 'current secret',
  previous: 'previous secret',
  both: 'current and previous secrets',
};

export const REFUSAL_LABELS: Record<RefusalReason, string> = {
  content_type: 'not application/json',
  content_encoding: 'encoded body',
  too_large: 'longer than 256 KiB',
  too_slow: 'body not complete after 10 seconds',
  header: 'signature header missing or malformed',
  signature: 'signature not accepted',
  no_secret: 'no signing secret configured',
  not_stored: 'couldn’t be stored',
};

/** What an object of a delivery is called in the list: `Order 90412`. */
export function formatAbout(kind: SubjectKind, id: string): string {
  if (kind === 'subscription') return id;
  if (kind === 'subscription_period') return `${id.split(' ')[0]}, period ${id.split(' ')[1]}`;
  return `${kind === 'period' ? 'Period' : SUBJECT_LABELS[kind]} ${id}`;
}

/** What may be lost with a gap, and what isn't. */
export const GAP_SENTENCE =
  'Invo retries a delivery for 31 h 12 min 30 s. Deliveries from a longer outage may be lost. Sharebook still reads reports, refunds and subscriptions. To recover orders and transfers it has never seen, replay them in Invo’s console.';

/** The result of checking the set-up, for the person who pressed the button. */
export function formatSetUpFailure(address: string, reason: 'no_secret' | 'not_reached' | 'answered', status: number | null): string {
  if (reason === 'no_secret')
    return 'No signing secret is configured, so every delivery is answered with 503. Set it and restart Sharebook.';
  if (reason === 'not_reached')
    return `Sharebook couldn’t reach ${address} within 10 seconds. Check SHAREBOOK_URL, DNS, the certificate and the proxy.`;
  if (status === 401)
    return 'The address answered 401: another Sharebook with another signing secret is behind it, or a proxy changes the body.';
  if (status === 400)
    return 'The address answered 400: the clock of the database differs by more than 5 minutes, or a proxy drops headers.';
  if (status === 503) return 'The address answered 503: the delivery couldn’t be stored. Check the database.';
  if (status !== null && status >= 300 && status < 400)
    return `The address answered ${status}, a redirect. Invo follows none: register the final address and set SHAREBOOK_URL to it.`;
  return `The address answered ${status ?? 'nothing'}. A proxy in front of Sharebook doesn’t pass the request on.`;
}

/** How long ago or ahead a delivery was signed when it arrived; near the limit of 5 minutes to the second. */
export function formatSkew(signedAt: string, receivedAt: string): string {
  const seconds = Math.round((Date.parse(receivedAt) - Date.parse(signedAt)) / 1_000);
  return `${formatLength(Math.abs(seconds))} ${seconds < 0 ? 'after' : 'before'} receipt`;
}

function formatLength(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds >= 600 || seconds % 60 === 0) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The address Invo delivers the webhooks of a game to. */
export function webhookAddress(origin: string, slug: string): string {
  return `${origin}/api/invo/${slug}/webhook`;
}
