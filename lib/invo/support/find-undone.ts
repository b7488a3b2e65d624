import { isSubscriptionEnded } from '#lib/subscriptions/rules/subscription.ts';
import type { Mismatch } from '../reports/echo.ts';
import type { AmountChanged, Canceled, CardChanged } from './change-bodies.ts';

/**
 * Why a 200 to a cancel does not say that it was made; null when it does. Its status is `success`, says the same or is left out, and one fact beside it
 * says so: an end that was set or came, now or before.
 */
export function findUncanceled(answer: Canceled): Mismatch | null {
  const { already_canceled, cancel_at_period_end, terminated_immediately, effective_at, access_until, final_status, subscription } = answer;
  const isSaid = already_canceled === true || cancel_at_period_end === true || terminated_immediately === true;
  const isDated = effective_at !== null || access_until !== null || final_status !== null;
  const isShown = subscription?.cancel_at_period_end === true || isSubscriptionEnded(subscription?.status ?? null);
  return findFailure(answer.status, /^(success|(already_)?cancell?ed)$/) ?? (isSaid || isDated || isShown ? null : SAYS_NOTHING);
}

/** The same of a change of price, whose status the contract leaves open: the new price, or whether a change is queued, says that it was made. */
export function findUnchangedAmount({ status, new_amount_usd, change_queued }: AmountChanged): Mismatch | null {
  if (new_amount_usd === null && change_queued === null) return SAYS_NOTHING;
  return /^(failed|error|rejected|refused)$/i.test(status ?? '') ? NOT_SUCCESS : null;
}

/** The same of a change of card: the card that was set, or whether another was replaced. A card that was not asked for is no success. */
export function findUnchangedCard({ status, replaced, card }: CardChanged, cardId: number): Mismatch | null {
  if (card !== null && card.id !== cardId) return { path: 'card.id', reason: 'not what was asked' };
  return findFailure(status) ?? (replaced === null && card === null ? SAYS_NOTHING : null);
}

const SAYS_NOTHING: Mismatch = { path: 'body', reason: 'expected what the change did' };
const NOT_SUCCESS: Mismatch = { path: 'status', reason: 'expected success' };

function findFailure(status: string | null, done = /^success$/): Mismatch | null {
  return status === null || done.test(status) ? null : NOT_SUCCESS;
}
