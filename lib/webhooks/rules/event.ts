import { sha256Of } from '#lib/core/canonical-digest.ts';
import { RECORD_ID, SUBSCRIPTION_ID } from '../../core/typed-input.ts';
import { type BodyProblem, type DeliveryState, RETRIES_END_SECONDS, type ReadKind, type SubjectKind } from './delivery.ts';
import { type Envelope, idText, isObject, type SignedJson, type SignedObject } from './parse-body.ts';

/** An id an event names. */
export interface Subject {
  kind: SubjectKind;
  idText: string;
}

/** The one subject that a delivery triggers a reading of. */
export interface OpenedRead {
  kind: ReadKind;
  subject: string;
}

/** What Sharebook posts to itself to check the set-up. Invo sends no event of this type. */
export const TEST_EVENT_TYPE = 'sharebook.set_up_check';

/** A faster cue for an approval on a phone than the next poll, and not a replacement (document 3, Events). */
export const PHONE_APPROVED = 'device_approval.approved';

/** The documented events, and what each triggers a reading of; null: nothing (documents 2 and 3, events). */
const EVENT_READS: Readonly<Record<string, ReadKind | null>> = {
  'purchase.completed': 'order',
  'purchase.failed': 'order',
  'purchase.refunded': 'order',
  'purchase.disputed': 'order',
  'purchase.fraud_warning': 'order',
  'subscription.refunded': 'refund',
  'subscription.canceled': 'subscription',
  'subscription.renewed': 'subscription',
  'transfer.claim_pending': 'transfer',
  'transfer.sent': 'transfer',
  'transfer.received': 'transfer',
  'transfer.claim_expired': 'transfer',
  'transfer.refunded': 'transfer',
  [PHONE_APPROVED]: null,
  [TEST_EVENT_TYPE]: null,
};

const NAMES: Readonly<Record<string, SubjectKind>> = {
  order_id: 'order',
  transaction_id: 'transaction',
  transfer_id: 'transfer',
  subscription_id: 'subscription',
  period_id: 'period',
  client_request_id: 'client_request',
  player_id: 'player',
  identity_id: 'identity',
  payment_intent_id: 'payment_intent',
  charge_id: 'charge',
  dispute_id: 'dispute',
};

const SUBJECTS_MAX = 50;

/**
 * The ids an event names, each once. They are matched by name anywhere in `data`, because the documents leave fields of some events open, except in
 * `metadata`, which belongs to the caller. Emails are never included: a refund's key that contains one is replaced by its digest.
 */
export function findSubjects({ eventType, data }: Pick<Envelope, 'eventType' | 'data'>): Subject[] {
  const found = new Map<string, Subject>();
  const add = (kind: SubjectKind, text: string | null): void => {
    const isEmail = text?.includes('@') === true;
    const idText = isEmail && kind === 'client_request' ? digestKey(text) : text;
    if (idText !== null && (!isEmail || idText !== text) && found.size < SUBJECTS_MAX) found.set(`${kind} ${idText}`, { kind, idText });
  };
  for (const { object, isOfRecipient } of objectsIn(data)) {
    for (const [name, value] of Object.entries(object)) {
      const kind = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
      if (kind !== undefined) add(kindOf(kind, { isTransfer: eventType.startsWith('transfer.'), isOfRecipient }), idText(value));
    }
    const [subscriptionId, seq] = [idText(object['subscription_id']), idText(object['period_seq'])];
    // With a space between them: an id with one of its own names no period.
    if (subscriptionId !== null && !subscriptionId.includes(' ') && seq !== null && /^\d{1,9}$/.test(seq))
      add('subscription_period', `${subscriptionId} ${seq}`);
  }
  return [...found.values()];
}

const HIDDEN_KEY = 'sha256:';

/** An idempotency key of a refund that contains an email, as it is stored. */
function digestKey(key: string): string {
  return `${HIDDEN_KEY}${sha256Of(key).toString('hex')}`;
}

/** Whether a stored key of a refund is the digest of one that contains an email. */
export function isHiddenKey(key: string): boolean {
  return key.startsWith(HIDDEN_KEY);
}

function kindOf(kind: SubjectKind, { isTransfer, isOfRecipient }: { isTransfer: boolean; isOfRecipient: boolean }): SubjectKind {
  if (kind === 'transaction' && isTransfer) return 'transfer';
  return isOfRecipient && (kind === 'player' || kind === 'identity') ? 'recipient' : kind;
}

/** The field with the recipient of a revenue share, who isn't the player an event is about (document 2). */
const OF_RECIPIENT = /attribution|revenue_share|recipient/;

/** Every object of the data, outermost first, without those of the caller's metadata. */
function* objectsIn(value: SignedJson | undefined, isOfRecipient = false): Generator<{ object: SignedObject; isOfRecipient: boolean }> {
  if (Array.isArray(value)) for (const each of value) yield* objectsIn(each, isOfRecipient);
  if (!isObject(value)) return;
  yield { object: value, isOfRecipient };
  for (const [name, each] of Object.entries(value))
    if (name !== 'metadata') yield* objectsIn(each, isOfRecipient || OF_RECIPIENT.test(name));
}

/** What a verified delivery triggers and how it is stored. */
export interface Followed {
  state: Exclude<DeliveryState, 'conflict'>;
  problem: BodyProblem | null;
  read: OpenedRead | null;
}

/**
 * Decides how a signed event is followed. An event of another game triggers nothing. Of a late one, only the ids are used, to trigger a reading. An
 * undocumented type is stored unchanged. `pinnedId` null: the game's id at Invo isn't known yet.
 */
export function followEvent(
  { eventType, tenantId }: Pick<Envelope, 'eventType' | 'tenantId'>,
  subjects: readonly Subject[],
  { pinnedId, isStale }: { pinnedId: string | null; isStale: boolean },
): Followed {
  if (eventType !== TEST_EVENT_TYPE && pinnedId !== null && tenantId !== pinnedId)
    return { state: 'other_game', problem: null, read: null };
  const read = openRead(eventType, subjects);
  const problem = read === 'no_id' ? read : null;
  const opened = read === 'no_id' ? null : read;
  if (isStale) return { state: 'stale', problem, read: opened };
  if (!Object.hasOwn(EVENT_READS, eventType)) return { state: 'unknown_type', problem, read: null };
  if (problem !== null) return { state: 'failing', problem, read: null };
  return { state: opened === null ? 'processed' : 'received', problem, read: opened };
}

/** The ids that can be requested from Invo. A refund is found by any text. */
const READABLE_IDS: Record<Exclude<ReadKind, 'refund'>, RegExp> = {
  period: /^\d{1,15}$/,
  subscription: SUBSCRIPTION_ID,
  order: RECORD_ID,
  transfer: RECORD_ID,
};

/** What an event triggers a reading of; null: nothing. `no_id`: it should, but names nothing that can be read. */
export function openRead(eventType: string, subjects: readonly Subject[]): OpenedRead | null | 'no_id' {
  const kind = Object.hasOwn(EVENT_READS, eventType) ? (EVENT_READS[eventType] ?? null) : null;
  if (kind === null) return null;
  const idOf = (wanted: SubjectKind): string | undefined => subjects.find((each) => each.kind === wanted)?.idText;
  const openKind = (opened: Exclude<ReadKind, 'refund'>): OpenedRead | 'no_id' => {
    const subject = idOf(opened);
    return subject !== undefined && READABLE_IDS[opened].test(subject) ? { kind: opened, subject } : 'no_id';
  };
  if (kind !== 'refund') return openKind(kind);
  const key = idOf('client_request');
  // A refund without its key can still be found by what it refunds.
  return key === undefined ? openKind('subscription') : { kind, subject: key };
}

/**
 * Whether Invo signed a repeat so long after the receipt that triggered the last reading that it can't be one of its retries. It is then a new event
 * with equal facts, such as the next renewal. Only Invo can sign a later time, so copies of a captured delivery never qualify.
 */
export function isSignedAnew(signedAt_seconds: number, readSignedAt_seconds: number): boolean {
  return signedAt_seconds > readSignedAt_seconds + RETRIES_END_SECONDS;
}

const DELAYS_MINUTES = [1, 5, 15, 60, 180, 360];
/** How long a reading is retried before it needs a person. */
const GIVE_UP_HOURS = 24;

/** Seconds until a failed reading is retried, after this many attempts; null: it was retried for a day and now needs a person. */
export function readAgainAfter_seconds(attemptCount: number, triedFor_seconds: number): number | null {
  const delay = 60 * (DELAYS_MINUTES[Math.min(attemptCount, DELAYS_MINUTES.length) - 1] ?? 360);
  return triedFor_seconds >= GIVE_UP_HOURS * 3_600 ? null : delay;
}
