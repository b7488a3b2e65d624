import { compareMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { AttemptAnswer } from '#lib/refunds/rules/ports.ts';
import { NOTHING_REPORTED, type PeriodFacts, type PeriodRefund } from '#lib/refunds/rules/stored.ts';

const REMEMBERS_MS = 24 * 60 * 60_000;

interface Executed {
  key: string;
  period_seq: number;
  amount_usd: string;
  at: number;
  transaction_id: string;
  isReceiptLost: boolean;
}

interface RequestedRefund {
  client_request_id: string;
  period_seq: number;
  amount_usd: string;
}

/** A model of Invo for one subscription: its periods, its refunds, and the keys it remembers for a day. */
export class ModelInvo {
  readonly executed: Executed[] = [];
  readonly calls: { at: number; key: string; bytes: string }[] = [];
  #firstReceived = new Map<string, number>();
  #prices: Record<number, string>;
  #storeCharged: number[];
  #transactions = 0;

  /** `storeCharged`: periods that can't be refunded. */
  constructor(prices: Record<number, string>, storeCharged: number[] = []) {
    this.#prices = prices;
    this.#storeCharged = storeCharged;
  }

  /** Handles a refund request by the rules of the contract. */
  receive(
    bytes: Buffer,
    time: number,
    mishap: 'none' | 'receipt_lost' | 'refuse_5xx' | 'paused' | 'limited' | 'needs_people' | 'adopted',
  ): AttemptAnswer {
    const requested = JSON.parse(bytes.toString('utf8')) as RequestedRefund;
    this.calls.push({ at: time, key: requested.client_request_id, bytes: bytes.toString('hex') });
    if (mishap === 'limited') return refusal(429, 'RATE_LIMITED', 2_000);
    if (mishap === 'paused') return refusal(503, 'FLOW_PAUSED');
    if (mishap === 'refuse_5xx') return refusal(502, 'PROCESSOR_ERROR');
    if (mishap === 'needs_people') return refusal(502, 'REFUND_MISMATCH');
    const known = this.#recall(requested.client_request_id, time);
    if (known) return known.isReceiptLost ? reduced(known.transaction_id) : this.#receipt(known, true);
    const left = this.#leftOf(requested.period_seq);
    if (left === null) return refusal(404, 'PERIOD_NOT_FOUND');
    if (this.#storeCharged.includes(requested.period_seq)) return refusal(409, 'PCSTORE_REFUND_NOT_SUPPORTED');
    if (compareMoney(left, '0') === 0) return refusal(409, 'ALREADY_REFUNDED');
    if (compareMoney(requested.amount_usd, left) > 0) return refusal(400, 'AMOUNT_EXCEEDS_REMAINING');
    const done = this.refund(requested.client_request_id, requested.period_seq, requested.amount_usd, time, mishap === 'receipt_lost');
    return mishap === 'receipt_lost' ? refusal(500, 'INTERNAL_ERROR') : this.#receipt(done, false);
  }

  /** Executes a refund, from Sharebook or elsewhere. */
  refund(key: string, period_seq: number, amount_usd: string, time: number, isReceiptLost = false): Executed {
    const done = { key, period_seq, amount_usd, at: time, transaction_id: `T${++this.#transactions}`, isReceiptLost };
    this.executed.push(done);
    return done;
  }

  period(period_seq: number): PeriodFacts {
    const price = this.#prices[period_seq] ?? '0';
    const ours = this.executed.filter((each) => each.period_seq === period_seq);
    const events: PeriodRefund[] = [];
    let before = '0.00';
    for (const { amount_usd, at, transaction_id } of ours) {
      const after = sumMoney([before, amount_usd]);
      events.push({
        refunded_at: new Date(at).toISOString(),
        refunded_amount_usd: amount_usd,
        cumulative_refunded_before_usd: before,
        cumulative_refunded_after_usd: after,
        is_full_refund: compareMoney(after, price) === 0,
        refund_transaction_id: transaction_id,
        reversed_attributed_usd: null,
        partner_revenue_reversed_usd: null,
      });
      before = after;
    }
    return {
      period_id: 1_000 + period_seq,
      subscription_id: 'SUB_1_model',
      period_seq,
      item_name: 'Model',
      status: compareMoney(before, price) === 0 ? 'refunded' : 'paid',
      period_start: null,
      period_end: null,
      paid_at: '2026-11-01T00:00:00Z',
      amount_usd: price,
      invo_fee_usd: '1.00',
      partner_revenue_settled_usd: '9.00',
      partner_revenue_reversed_usd: '0.00',
      chargeback_fees_usd: null,
      disputed_amount_held_usd: null,
      rail: 'card',
      card_charged_usd: price,
      pcstore_charged_usd: null,
      balance_applied_coins: '0.00',
      refunds_told: true,
      refunded_to_date_usd: before,
      refund_count: events.length,
      latest_refund_at: events.at(-1)?.refunded_at ?? null,
      refund_basis: 'refund_receipts',
      events,
      attribution: null,
      attribution_unavailable_reason: null,
    };
  }

  #leftOf(period_seq: number): string | null {
    const price = this.#prices[period_seq];
    if (price === undefined) return null;
    return subtractMoney(price, sumMoney(this.executed.filter((each) => each.period_seq === period_seq).map((each) => each.amount_usd)));
  }

  // The contract doesn't state how long a key is remembered: the model forgets it a day after its first call.
  #recall(key: string, time: number): Executed | undefined {
    const first = this.#firstReceived.get(key) ?? time;
    this.#firstReceived.set(key, first);
    return time - first > REMEMBERS_MS ? undefined : this.executed.find((each) => each.key === key);
  }

  #receipt(done: Executed, idempotent_replay: boolean): AttemptAnswer {
    const { key, period_seq, amount_usd, transaction_id } = done;
    const event = this.period(period_seq).events.find((each) => each.refund_transaction_id === transaction_id);
    const total = event?.cumulative_refunded_after_usd ?? null;
    const whose = {
      idempotent_replay,
      client_request_id: key,
      subscription_id: 'SUB_1_model',
      period_seq,
      refunded_amount_usd: amount_usd,
      total_refunded_amount_usd: total,
      remaining_refundable_usd: null,
      is_full_refund: null,
    };
    return {
      ...SILENT,
      phase: 'answered',
      status: 200,
      receipt: whose,
      storedReceipt: { ...NOTHING_REPORTED, refunded_amount_usd: amount_usd, total_refunded_amount_usd: total },
      transaction_id,
    };
  }
}

/** An exchange without an answer. */
export const SILENT: AttemptAnswer = {
  phase: 'sent',
  status: null,
  errorCode: null,
  errorId: null,
  retryAfterMs: null,
  facts: {},
  receipt: null,
  reduced: null,
  transportError: null,
  storedReceipt: null,
  transaction_id: null,
  body: null,
};

function refusal(status: number, errorCode: string, retryAfterMs: number | null = null): AttemptAnswer {
  return { ...SILENT, phase: 'answered', status, errorCode, retryAfterMs };
}

function reduced(transaction_id: string): AttemptAnswer {
  return {
    ...SILENT,
    phase: 'answered',
    status: 200,
    reduced: { transaction_id, client_request_id: null, period_seq: null },
    transaction_id,
  };
}
