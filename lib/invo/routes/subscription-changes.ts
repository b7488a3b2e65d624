import * as z from 'zod';
import { parseMoney } from '#lib/core/money.ts';
import { isSubscriptionEnded } from '#lib/subscriptions/rules/subscription.ts';
import type { Invo, WriteResult } from '../invo.ts';
import type { Evidence } from '../invo-error.ts';
import { subscriptionSegment } from '../request-path.ts';
import type { InvoErrorCode } from '../rules/error-codes.ts';
import { count, flag, ifFits, instant, type Mismatch, maybe, money, optionalText, readerOf } from '../shapes/fields.ts';
import { textFacts } from '../transport/error-response.ts';
import { savedCard, subscriptionObject } from './support-reads.ts';

/**
 * The outcome of a change. `unknown`: no whole answer, an unreadable one, or a 5xx; repeating these changes is safe once the
 * subscription was read again. `phase` is `not_sent` when no byte was sent.
 */
export type ChangeAnswer<T> =
  | { kind: 'done'; value: T; evidence: Evidence | null }
  | (Reported & { kind: 'refused'; status: number; facts: Record<string, string> })
  | (Reported & {
      kind: 'unknown';
      phase: WriteResult['phase'];
      transportError: InvoErrorCode;
      status: number | null;
      /** The first field of a 2xx that broke the contract. */
      unreadable: Mismatch | null;
    });

type Reported = Pick<WriteResult, 'errorCode' | 'errorId' | 'retryAfterMs' | 'evidence'>;

/** `at_period_end` true ends it when what was paid for ends, false now. */
interface CancelRequest {
  at_period_end: boolean;
  reason?: string;
}

/** `wallet_only` false turns a wallet-only subscription into one paid by card. */
interface CardRequest {
  player_card_id: number;
  wallet_only?: boolean;
}

/** Cancels a subscription, tried once. Throws an Error for an id no request can carry, and nothing else. */
export function sendCancellation(
  invo: Invo,
  subscriptionId: string,
  request: CancelRequest,
  signal?: AbortSignal,
): Promise<ChangeAnswer<Canceled>> {
  return change(invo, subscriptionId, { verb: 'cancel', shape: canceled, findUndone: findUncanceled }, request, signal);
}

/** Changes the price, tried once. Throws an Error for an id or an amount no request can carry, and nothing else. */
export async function sendAmountChange(
  invo: Invo,
  subscriptionId: string,
  amountUsd: string,
  signal?: AbortSignal,
): Promise<ChangeAnswer<AmountChanged>> {
  if (parseMoney(amountUsd) === null) throw new Error('an amount is plain decimal text');
  const verb = { verb: 'amount', shape: amountChanged, findUndone: findUnchangedAmount } as const;
  return change(invo, subscriptionId, verb, { amount_usd: amountUsd }, signal);
}

/** Changes the card, tried once. Throws an Error for an id no request can carry, and nothing else. */
export function sendCardChange(
  invo: Invo,
  subscriptionId: string,
  request: CardRequest,
  signal?: AbortSignal,
): Promise<ChangeAnswer<CardChanged>> {
  const findUndone = (answer: CardChanged): Mismatch | null => findUnchangedCard(answer, request.player_card_id);
  return change(invo, subscriptionId, { verb: 'payment-method', shape: cardChanged, findUndone }, request, signal);
}

/** A change, how its answer reads, and why an answer does not say that it was made. */
interface Verb<T> {
  verb: 'cancel' | 'amount' | 'payment-method';
  shape: z.ZodType<T>;
  findUndone: (answer: T) => Mismatch | null;
}

async function change<T>(
  { write }: Invo,
  subscriptionId: string,
  { verb, shape, findUndone }: Verb<T>,
  request: object,
  signal?: AbortSignal,
): Promise<ChangeAnswer<T>> {
  const path = `/api/subscriptions/${subscriptionSegment(subscriptionId)}/${verb}`;
  const body = Buffer.from(JSON.stringify(request));
  const written = await write({ route: { kind: 'other', subscriptionId }, path, body, signal });
  const { status, json, evidence, errorCode, errorId, retryAfterMs } = written;
  if (status === null || json === null || status >= 500) return unknownOf(written, written.transportError ?? 'upstream_fault', null);
  if (status >= 400) return { kind: 'refused', status, errorCode, errorId, retryAfterMs, facts: textFacts(written.facts), evidence };
  if (status !== 200) return unknownOf(written, 'malformed', { path: 'status', reason: `expected 200, received ${status}` });
  const reading = readerOf<T>(shape, (answer) => findStranger(json, subscriptionId) ?? findUndone(answer))(json);
  if (reading.isSound) return { kind: 'done', value: reading.value, evidence };
  return unknownOf(written, 'malformed', { path: reading.path, reason: reading.reason });
}

// By the body itself: a subscription that does not fit reads as none, and another one may not hide behind that.
function findStranger({ subscription, error_code, error_code_public }: Record<string, unknown>, subscriptionId: string): Mismatch | null {
  if ((error_code ?? error_code_public ?? null) !== null) return { path: 'error_code', reason: 'a change that was made carries none' };
  const named = typeof subscription === 'object' && subscription !== null && 'subscription_id' in subscription;
  const isStranger = named && subscription.subscription_id !== subscriptionId;
  return isStranger ? { path: 'subscription.subscription_id', reason: 'not what was requested' } : null;
}

function unknownOf(
  { phase, status, errorCode, errorId, retryAfterMs, evidence }: WriteResult,
  transportError: InvoErrorCode,
  unreadable: Mismatch | null,
): ChangeAnswer<never> {
  const code = status !== null && status >= 400 ? errorCode : null;
  return { kind: 'unknown', phase, transportError, status, errorCode: code, errorId, retryAfterMs, unreadable, evidence };
}

/**
 * What a cancel did (document 2, Cancel body). Access ends at `access_until`. `terminated_immediately` and `downgrade_reason` come when there
 * was no paid period to end with; `final_status` when it had ended before.
 */
export const canceled = z.object({
  status: optionalText,
  already_canceled: flag,
  cancel_at_period_end: flag,
  effective_at: ifFits(instant),
  current_period_end: ifFits(instant),
  access_until: ifFits(instant),
  paid_through: ifFits(instant),
  terminated_immediately: flag,
  downgrade_reason: optionalText,
  message: optionalText,
  final_status: optionalText,
  pcstore_agreement_status: optionalText,
  pcstore_agreement_canceled: flag,
  subscription: ifFits(subscriptionObject),
});

/** What a change of price did (document 2, Amount body): staged for a renewal to come, or a staged one cleared (`change_queued` false). */
const amountChanged = z.object({
  status: optionalText,
  old_amount_usd: maybe(money),
  new_amount_usd: maybe(money),
  pending_amount_usd: maybe(money),
  change_queued: flag,
  applies_from: ifFits(instant),
  applies_from_period_seq: ifFits(count),
  paid_through: ifFits(instant),
  current_period_end: ifFits(instant),
  prorated: flag,
  subscription: ifFits(subscriptionObject),
});

/** What a change of card did (document 2, Payment-method body): the card that pays from the next charge on. */
const cardChanged = z.object({
  status: optionalText,
  replaced: flag,
  wallet_only: flag,
  card: ifFits(savedCard),
  subscription: ifFits(subscriptionObject),
});

export type Canceled = z.infer<typeof canceled>;
export type AmountChanged = z.infer<typeof amountChanged>;
export type CardChanged = z.infer<typeof cardChanged>;

/**
 * Why a 200 to a cancel does not say that it was made; null when it does. Its status is `success`, says the same or is left out, and one fact beside it
 * says so: an end that was set or came, now or before.
 */
function findUncanceled(answer: Canceled): Mismatch | null {
  const { already_canceled, cancel_at_period_end, terminated_immediately, effective_at, access_until, final_status, subscription } = answer;
  const isReported = already_canceled === true || cancel_at_period_end === true || terminated_immediately === true;
  const isDated = effective_at !== null || access_until !== null || final_status !== null;
  const isShown = subscription?.cancel_at_period_end === true || isSubscriptionEnded(subscription?.status ?? null);
  return findFailure(answer.status, /^(success|(already_)?cancell?ed)$/) ?? (isReported || isDated || isShown ? null : REPORTS_NOTHING);
}

/** The same for a change of price, whose status the contract leaves open: the new price, or whether a change is queued, says that it was made. */
function findUnchangedAmount({ status, new_amount_usd, change_queued }: AmountChanged): Mismatch | null {
  if (new_amount_usd === null && change_queued === null) return REPORTS_NOTHING;
  return /^(failed|error|rejected|refused)$/i.test(status ?? '') ? NOT_SUCCESS : null;
}

/** The same for a change of card: the card that was set, or whether another was replaced. A card that was not requested is no success. */
function findUnchangedCard({ status, replaced, card }: CardChanged, cardId: number): Mismatch | null {
  if (card !== null && card.id !== cardId) return { path: 'card.id', reason: 'not what was requested' };
  return findFailure(status) ?? (replaced === null && card === null ? REPORTS_NOTHING : null);
}

const REPORTS_NOTHING: Mismatch = { path: 'body', reason: 'expected what the change did' };
const NOT_SUCCESS: Mismatch = { path: 'status', reason: 'expected success' };

function findFailure(status: string | null, done = /^success$/): Mismatch | null {
  return status === null || done.test(status) ? null : NOT_SUCCESS;
}
