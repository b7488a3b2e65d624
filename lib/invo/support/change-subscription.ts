import type * as z from 'zod';
import { parseMoney } from '#lib/core/money.ts';
import type { InvoErrorCode } from '../invo-error.ts';
import { subscriptionSegment } from '../path-segment.ts';
import { readerOf } from '../reader.ts';
import type { Mismatch } from '../reports/echo.ts';
import type { Evidence } from '../transport/evidence.ts';
import type { WriteToInvo, Written } from '../write/open-writes.ts';
import { type AmountChanged, amountChanged, type Canceled, type CardChanged, canceled, cardChanged } from './change-bodies.ts';
import { findUncanceled, findUnchangedAmount, findUnchangedCard } from './find-undone.ts';
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
interface CancelRequest {
  at_period_end: boolean;
  reason?: string;
}

/** `wallet_only` false turns a wallet-only subscription into one paid by card. */
interface CardRequest {
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
    cancelSubscription: (subscriptionId, request, signal) =>
      change(write, subscriptionId, { verb: 'cancel', shape: canceled, findUndone: findUncanceled }, request, signal),
    changeAmount: async (subscriptionId, amountUsd, signal) => {
      if (parseMoney(amountUsd) === null) throw new Error('an amount is plain decimal text');
      const verb = { verb: 'amount', shape: amountChanged, findUndone: findUnchangedAmount } as const;
      return change(write, subscriptionId, verb, { amount_usd: amountUsd }, signal);
    },
    changeCard: (subscriptionId, request, signal) => {
      const findUndone = (answer: CardChanged): Mismatch | null => findUnchangedCard(answer, request.player_card_id);
      return change(write, subscriptionId, { verb: 'payment-method', shape: cardChanged, findUndone }, request, signal);
    },
  };
}

/** A change, how its answer reads, and why an answer does not say that it was made. */
interface Verb<T> {
  verb: 'cancel' | 'amount' | 'payment-method';
  shape: z.ZodType<T>;
  findUndone: (answer: T) => Mismatch | null;
}

async function change<T>(
  write: WriteToInvo,
  subscriptionId: string,
  { verb, shape, findUndone }: Verb<T>,
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
  const reading = readerOf<T>(shape, (answer) => findStranger(json, subscriptionId) ?? findUndone(answer))(json);
  if (reading.isSound) return { kind: 'done', value: reading.value, evidence };
  return unknownOf(written, 'malformed', { path: reading.path, reason: reading.reason });
}

// By the body itself: a subscription that does not fit reads as none, and another one may not hide behind that.
function findStranger({ subscription, error_code, error_code_public }: Record<string, unknown>, subscriptionId: string): Mismatch | null {
  if ((error_code ?? error_code_public ?? null) !== null) return { path: 'error_code', reason: 'a change that was made carries none' };
  const named = typeof subscription === 'object' && subscription !== null && 'subscription_id' in subscription;
  const isStranger = named && subscription.subscription_id !== subscriptionId;
  return isStranger ? { path: 'subscription.subscription_id', reason: 'not what was asked' } : null;
}

function unknownOf(
  { phase, status, errorCode, errorId, retryAfterMs, evidence }: Written,
  trouble: InvoErrorCode,
  unreadable: { path: string; reason: string } | null,
): ChangeAnswer<never> {
  const code = status !== null && status >= 400 ? errorCode : null;
  return { kind: 'unknown', phase, trouble, status, errorCode: code, errorId, retryAfterMs, unreadable, evidence };
}
