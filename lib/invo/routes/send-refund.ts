import * as z from 'zod';
import type { ErrorBody, Invo, WriteResult } from '../invo.ts';
import { subscriptionSegment } from '../request-path.ts';
import {
  count,
  flag,
  ifFits,
  instant,
  maybe,
  money,
  numericId,
  optionalText,
  percent,
  readerOf,
  settledByInvo,
  textId,
} from '../shapes/fields.ts';
import { readErrorBody, textFacts } from '../transport/error-response.ts';

/**
 * What was observed of one sent refund; `lib/refunds/rules` decides what it means for the money. A redirect, an answer that is not a JSON object
 * and a truncated answer are `sent`. `errorCode`: the public code before the older one, else `status` or `error` where they are codes; null on a 200.
 */
export interface RefundAnswer
  extends Pick<WriteResult, 'phase' | 'transportError' | 'status' | 'errorCode' | 'errorId' | 'retryAfterMs' | 'secret' | 'evidence'> {
  /** What Invo gave beside a refusal, or in a 200 that is no full receipt, as text; amounts only where they are plain decimals. */
  facts: Record<string, string>;
  /** The 200 read as a full receipt. */
  receipt: RefundReceipt | null;
  /** The 200 read as the reduced body of a lost receipt: a transaction and no refunded amount. */
  reduced: { transaction_id: string | null; note: string | null; client_request_id: string | null; period_seq: number | null } | null;
  /** The first field that did not fit when a 2xx was neither; null otherwise. */
  unreadable: { path: string; reason: string } | null;
}

/**
 * Sends one refund, exactly once (once more with the other secret when Invo refused the first with a 401), on a new connection.
 * Never throws for an error of Invo; throws an Error for an id or a body no request can carry.
 */
export async function sendRefund(
  { write }: Invo,
  /** `body` is sent as it is: the bytes of the JSON object, the same on every retry. */
  { subscriptionId, body }: { subscriptionId: string; body: Uint8Array },
  signal?: AbortSignal,
): Promise<RefundAnswer> {
  if (body.byteLength === 0) throw new Error('a refund has a body');
  const path = `/api/subscriptions/${subscriptionSegment(subscriptionId)}/refund`;
  const written = await write({ route: { kind: 'refund', subscriptionId }, path, body, signal });
  const { phase, transportError, status, errorId, retryAfterMs, json, evidence, secret } = written;
  return { phase, transportError, status, errorId, retryAfterMs, evidence, secret, ...readAnswer(subscriptionId, status, json, written) };
}

/** What the stored bytes of a whole answer contain. */
export type RereadAnswer = Pick<RefundAnswer, 'errorCode' | 'errorId' | 'facts' | 'receipt' | 'reduced' | 'unreadable'>;

/** Parses the stored bytes of a whole answer again, as when they were received; null when they are no JSON object. */
export function rereadRefundAnswer(subscriptionId: string, status: number, bytes: Buffer): RereadAnswer | null {
  const json = parseObject(bytes);
  if (json === null) return null;
  const reported = readErrorBody({ retryAfter: null }, json, true, 0);
  return { errorId: reported.errorId, ...readAnswer(subscriptionId, status, json, reported) };
}

/** What an answer says by its status, its body and the codes and facts in it. */
function readAnswer(
  subscriptionId: string,
  status: number | null,
  json: Record<string, unknown> | null,
  { errorCode, facts }: Pick<ErrorBody, 'errorCode' | 'facts'>,
): Omit<RereadAnswer, 'errorId'> {
  const isRefusal = status === null || status < 200 || status > 299;
  const read = json === null || isRefusal ? NO_BODY : readRefundBody(status, subscriptionId, json);
  return { errorCode: isRefusal ? errorCode : null, facts: read.receipt === null ? textFacts(facts) : {}, ...read };
}

function parseObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

const NO_BODY = { receipt: null, reduced: null, unreadable: null } as const;

/** The recipient's corrected share of the refunded period; nothing moves (document 2, refund effects). */
const correctedShare = z.object({
  recipient_player_id: ifFits(numericId),
  percent: ifFits(percent),
  original_attributed_amount_usd: ifFits(money),
  refunded_attributed_amount_usd: ifFits(money),
  net_attributed_amount_usd: ifFits(money),
  settled_by_invo: settledByInvo,
});

/**
 * The receipt of a refund (document 2, Refund receipt), in Invo's words. Whose refund it is and what is refunded and left must fit; any
 * other field that does not is not recorded, and the bytes stay stored. Null: not recorded, never zero. `balance_delta_coins` and
 * `new_balance` are coins and may be below zero; `refunded_amount_usd` is this refund alone, `total_refunded_amount_usd` all of the period.
 */
const refundReceipt = z.object({
  status: z.literal('refunded'),
  idempotent_replay: flag,
  refund_key: optionalText,
  client_request_id: optionalText,
  subscription_id: textId,
  period_seq: count,
  transaction_id: textId,
  refunded_amount_usd: money,
  total_refunded_amount_usd: maybe(money),
  remaining_refundable_usd: maybe(money),
  is_full_refund: flag,
  funding_shape: optionalText,
  balance_delta_coins: ifFits(money),
  card_refunded_usd: ifFits(money),
  processor_refund_reference: optionalText,
  processor_refund_adopted: flag,
  invo_fee_retained: flag,
  partner_revenue_reversed_usd: ifFits(money),
  partner_revenue_reversal_mode: optionalText,
  card_fee_charged_to_partner_usd: ifFits(money),
  reason: optionalText,
  refunded_at: ifFits(instant),
  new_balance: ifFits(money),
  revenue_share_attribution: ifFits(correctedShare),
});

type RefundReceipt = z.infer<typeof refundReceipt>;

const readReceipt = readerOf<RefundReceipt>(refundReceipt, () => null);

/**
 * Reads the body of a 2xx to a refund: a full receipt, the reduced one (a transaction, no refunded amount), or neither, with the first
 * field at fault. A reduced body that names another subscription is neither; a full receipt is compared by the caller, which knows the request.
 */
function readRefundBody(
  status: number,
  subscriptionId: string,
  json: Record<string, unknown>,
): Pick<RefundAnswer, 'receipt' | 'reduced' | 'unreadable'> {
  if (status === 200 && isReduced(json)) return { ...NO_BODY, ...readReduced(subscriptionId, json) };
  const reading = readReceipt(json);
  if (reading.isSound) return { ...NO_BODY, receipt: reading.value };
  return { ...NO_BODY, unreadable: { path: reading.path, reason: reading.reason } };
}

function isReduced({ transaction_id, refunded_amount_usd }: Record<string, unknown>): boolean {
  return (transaction_id ?? null) !== null && (refunded_amount_usd ?? null) === null;
}

/** Statuses under which a body without amounts can be a receipt; anything else (pending, failed …) is none. */
const DONE = new Set(['success', 'refunded', 'duplicate', 'already_processed', 'already_refunded']);

function readReduced(subscriptionId: string, json: Record<string, unknown>): Pick<RefundAnswer, 'reduced' | 'unreadable'> {
  const refuse = (path: string, reason: string): Pick<RefundAnswer, 'reduced' | 'unreadable'> => ({
    reduced: null,
    unreadable: { path, reason },
  });
  const status = json.status ?? null;
  if (status !== null && !(typeof status === 'string' && DONE.has(status))) return refuse('status', 'not one of an executed refund');
  if ((json.error_code ?? json.error_code_public ?? null) !== null) return refuse('error_code', 'a receipt carries none');
  const named = json.subscription_id ?? null;
  if (named !== null && named !== subscriptionId) return refuse('subscription_id', 'not what was requested');
  const transaction = textId.safeParse(json.transaction_id);
  if (!transaction.success) return refuse('transaction_id', transaction.error.issues[0]?.message ?? 'refused');
  const note = optionalText.parse(json.note ?? json.message);
  const client_request_id = optionalText.parse(json.client_request_id);
  const period_seq = typeof json.period_seq === 'number' ? json.period_seq : null;
  return { reduced: { transaction_id: transaction.data, note, client_request_id, period_seq }, unreadable: null };
}
