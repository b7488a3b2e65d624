import type * as z from 'zod';
import { parseMoney } from '../../domain/money.ts';
import type { InvoErrorCode } from '../invo-error.ts';
import { subscriptionSegment } from '../path-segment.ts';
import { readerOf } from '../reader.ts';
import type { Evidence } from '../transport/evidence.ts';
import type { WriteToInvo, Written } from '../write/open-writes.ts';
import { type AmountChanged, amountChanged, type Canceled, type CardChanged, canceled, cardChanged } from './change-bodies.ts';
import type { Subscription } from './subscription-object.ts';
import { textFacts } from './text-facts.ts';

/**
 * What became of a change. `unknown`: no whole answer, one nobody can read, or a 5xx; repeating these changes is harmless once the
 * subscription was read again. `phase` is `not_sent` when no byte left us.
 */
export type ChangeAnswer<T> =
  | { kind: 'done'; value: T; evidence: Evidence | null }
  | {
      kind: 'refused';
      status: number;
      errorCode: string | null;
      errorId: string | null;
      retryAfterMs: number | null;
      facts: Record<string, string>;
      evidence: Evidence | null;
    }
  | {
      kind: 'unknown';
      phase: 'not_sent' | 'sent' | 'answered';
      trouble: InvoErrorCode;
      status: number | null;
      errorCode: string | null;
      errorId: string | null;
      retryAfterMs: number | null;
      /** The first field of a 2xx that broke the contract. */
      unreadable: { path: string; reason: string } | null;
      evidence: Evidence | null;
    };

/** `at_period_end` true ends it when what was paid for ends, false now. */
export interface CancelRequest {
  at_period_end: boolean;
  reason?: string;
}

/** `wallet_only` false turns a wallet-only subscription into one paid by card. */
export interface CardRequest {
  player_card_id: number;
  wallet_only?: boolean;
}

/** The three changes of a subscription, each tried once. They throw an Error for an id or an amount no request can carry, and nothing else. */
export interface SubscriptionChanges {
  cancelSubscription(subscriptionId: string, request: CancelRequest, signal?: AbortSignal): Promise<ChangeAnswer<Canceled>>;
  changeAmount(subscriptionId: string, amountUsd: string, signal?: AbortSignal): Promise<ChangeAnswer<AmountChanged>>;
  changeCard(subscriptionId: string, request: CardRequest, signal?: AbortSignal): Promise<ChangeAnswer<CardChanged>>;
}

/** Opens the three changes over one way for writes. */
export function openSubscriptionChanges(write: WriteToInvo): SubscriptionChanges {
  return {
    cancelSubscription: (subscriptionId, request, signal) => change(write, subscriptionId, 'cancel', canceled, request, signal),
    changeAmount: async (subscriptionId, amountUsd, signal) => {
      if (parseMoney(amountUsd) === null) throw new Error('an amount is plain decimal text');
      return change(write, subscriptionId, 'amount', amountChanged, { amount_usd: amountUsd }, signal);
    },
    changeCard: (subscriptionId, request, signal) => change(write, subscriptionId, 'payment-method', cardChanged, request, signal),
  };
}

async function change<T extends { subscription: Subscription | null }>(
  write: WriteToInvo,
  subscriptionId: string,
  verb: 'cancel' | 'amount' | 'payment-method',
  shape: z.ZodType<T>,
  request: object,
  signal?: AbortSignal,
): Promise<ChangeAnswer<T>> {
  const path = `/api/subscriptions/${subscriptionSegment(subscriptionId)}/${verb}`;
  const body = Buffer.from(JSON.stringify(request));
  const written = await write({ route: { kind: 'other', subscriptionId }, path, body, signal });
  const { status, json, evidence, errorCode, errorId, retryAfterMs } = written;
  if (status === null || json === null || status >= 500) return unknownOf(written, written.trouble ?? 'upstream_fault', null);
  if (status >= 400) return { kind: 'refused', status, errorCode, errorId, retryAfterMs, facts: textFacts(written.facts), evidence };
  if (status !== 200) return unknownOf(written, 'malformed', { path: 'status', reason: `expected 200, received ${status}` });
  const reading = readerOf<T>(shape, ({ subscription }) =>
    subscription === null || subscription.subscription_id === subscriptionId
      ? null
      : { path: 'subscription.subscription_id', reason: 'not what was asked' },
  )(json);
  if (reading.isSound) return { kind: 'done', value: reading.value, evidence };
  return unknownOf(written, 'malformed', { path: reading.path, reason: reading.reason });
}

function unknownOf(
  { phase, status, errorCode, errorId, retryAfterMs, evidence }: Written,
  trouble: InvoErrorCode,
  unreadable: { path: string; reason: string } | null,
): ChangeAnswer<never> {
  const code = status !== null && status >= 400 ? errorCode : null;
  return { kind: 'unknown', phase, trouble, status, errorCode: code, errorId, retryAfterMs, unreadable, evidence };
}
