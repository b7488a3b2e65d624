import { sha256Of } from '#lib/core/canonical-digest.ts';
import { RECORD_ID, SUBSCRIPTION_ID } from '../../core/ids.ts';
import { type BodyProblem, type DeliveryState, RETRIES_END_SECONDS, type ReadKind, type SubjectKind } from './delivery.ts';
import { type Envelope, idText, isObject, type SignedJson, type SignedObject } from './parse-body.ts';

/** An id an event names. */
export interface Subject {
  kind: SubjectKind;
  idText: string;
}

/** The one thing a delivery opens a reading of. */
export interface OpenedRead {
  kind: ReadKind;
  subject: string;
}

/** What Sharebook posts to itself to check the set-up. Invo sends no event of this type. */
export const TEST_EVENT_TYPE = 'sharebook.set_up_check';

/** The events of the documents, and what each opens a reading of; null: nothing (documents 2 and 3, events). */
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
  'device_approval.approved': null,
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
 * The ids an event names, each once. They are found by name anywhere in `data`, because the documents leave fields of some events open, except in
 * `metadata`: that is the caller's own. Emails are never among them: of a refund's key that holds one there is its digest.
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

/** An idempotency key of a refund that holds an email, as it is stored. */
function digestKey(key: string): string {
  return `${HIDDEN_KEY}${sha256Of(key).toString('hex')}`;
}

/** Whether a stored key of a refund is the digest of one that holds an email. */
export function isHiddenKey(key: string): boolean {
  return key.startsWith(HIDDEN_KEY);
}

function kindOf(kind: SubjectKind, { isTransfer, isOfRecipient }: { isTransfer: boolean; isOfRecipient: boolean }): SubjectKind {
  if (kind === 'transaction' && isTransfer) return 'transfer';
  return isOfRecipient && (kind === 'player' || kind === 'identity') ? 'recipient' : kind;
}

/** What holds the recipient of a revenue share, who isn't the player an event is about (document 2). */
const OF_RECIPIENT = /attribution|revenue_share|recipient/;

/** Every object of the data, outermost first, without those of the caller's metadata. */
function* objectsIn(value: SignedJson | undefined, isOfRecipient = false): Generator<{ object: SignedObject; isOfRecipient: boolean }> {
  if (Array.isArray(value)) for (const each of value) yield* objectsIn(each, isOfRecipient);
  if (!isObject(value)) return;
  yield { object: value, isOfRecipient };
  for (const [name, each] of Object.entries(value))
    if (name !== 'metadata') yield* objectsIn(each, isOfRecipient || OF_RECIPIENT.test(name));
}

/** What a verified delivery opens and how it is kept. */
export interface Followed {
  state: Exclude<DeliveryState, 'conflict'>;
  problem: BodyProblem | null;
  read: OpenedRead | null;
}

/**
 * How a signed event is followed. An event of another game opens nothing; of one that came too late the ids open a reading and nothing else is
 * used; a type the documents don't name is kept as it came. `pinnedId` null: the game has no known id at Invo yet.
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

/** The ids that Invo can be asked for. A refund is found by any text. */
const ASKED_BY: Record<Exclude<ReadKind, 'refund'>, RegExp> = {
  period: /^\d{1,15}$/,
  subscription: SUBSCRIPTION_ID,
  order: RECORD_ID,
  transfer: RECORD_ID,
};

/** What an event opens a reading of; null: nothing. `no_id`: it should, and names nothing that can be read. */
export function openRead(eventType: string, subjects: readonly Subject[]): OpenedRead | null | 'no_id' {
  const kind = Object.hasOwn(EVENT_READS, eventType) ? (EVENT_READS[eventType] ?? null) : null;
  if (kind === null) return null;
  const idOf = (wanted: SubjectKind): string | undefined => subjects.find((each) => each.kind === wanted)?.idText;
  const askFor = (asked: Exclude<ReadKind, 'refund'>): OpenedRead | 'no_id' => {
    const subject = idOf(asked);
    return subject !== undefined && ASKED_BY[asked].test(subject) ? { kind: asked, subject } : 'no_id';
  };
  if (kind !== 'refund') return askFor(kind);
  const key = idOf('client_request');
  // A refund without its key can still be looked up by what it refunds.
  return key === undefined ? askFor('subscription') : { kind, subject: key };
}

/**
 * Whether Invo signed a repeat so long after the receipt that opened the last reading that it can't be one of its retries: an event of its own then,
 * which says no more than an earlier one, such as the next renewal. Only Invo can sign a later time, so copies of a captured delivery never are.
 */
export function isSignedAnew(signedAt_seconds: number, readSignedAt_seconds: number): boolean {
  return signedAt_seconds > readSignedAt_seconds + RETRIES_END_SECONDS;
}

const DELAYS_MINUTES = [1, 5, 15, 60, 180, 360];
/** How long a reading is tried before a person is asked. */
const GIVE_UP_HOURS = 24;

/** Seconds until a reading that failed is tried again, after this many attempts; null: it has been tried for a day, and is a person's now. */
export function readAgainAfter_seconds(attemptCount: number, triedFor_seconds: number): number | null {
  const delay = 60 * (DELAYS_MINUTES[Math.min(attemptCount, DELAYS_MINUTES.length) - 1] ?? 360);
  return triedFor_seconds >= GIVE_UP_HOURS * 3_600 ? null : delay;
}
