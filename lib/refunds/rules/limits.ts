import { exceedsLimit, limitFor } from '#lib/approvals/rules/approval.ts';
import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { parseTypedAmount, type TypedAmountError } from '#lib/core/typed-input.ts';
import { type PeriodFacts, remainingOf } from './period.ts';

/** Why a period can't be refunded: cases Invo would refuse are refused before asking. */
export const REFUND_BLOCKERS = [
  'never_collected',
  'nothing_charged',
  'already_refunded',
  'store_charged',
  'number_unknown',
  'price_unknown',
  'funding_unknown',
  'refunds_unknown',
] as const;
export type RefundBlocker = (typeof REFUND_BLOCKERS)[number];

/** Why Invo would refuse any refund of the period (document 2, refund body and refund errors); null when one can be requested. */
export function findRefundBlocker(period: PeriodFacts): RefundBlocker | null {
  if (period.paid_at === null || ['pending', 'failed', 'forgiven'].includes(period.status ?? '')) return 'never_collected';
  if (period.amount_usd !== null && signOfMoney(period.amount_usd) <= 0) return 'nothing_charged';
  const remaining = remainingOf(period);
  if (remaining !== null && signOfMoney(remaining) <= 0) return 'already_refunded';
  if (period.status === 'refunded') return 'already_refunded';
  if (period.pcstore_charged_usd !== null && signOfMoney(period.pcstore_charged_usd) > 0) return 'store_charged';
  if (period.rail !== 'card' && period.pcstore_charged_usd === null) return 'funding_unknown';
  if (!period.refunds_told || signOfMoney(period.refunded_to_date_usd) < 0) return 'refunds_unknown';
  if (period.period_seq === null || period.period_seq < 1) return 'number_unknown';
  return remaining === null ? 'price_unknown' : null;
}

/**
 * Parses a typed refund amount: whole cents, above zero and at most what remains. The remaining amount itself may be finer than a cent and
 * may be refunded whole.
 */
export function parseRefundAmount(text: string, period: PeriodFacts): { amount_usd: string } | { error: TypedAmountError } {
  const remaining = remainingOf(period) ?? '0';
  return parseTypedAmount(text, { known_usd: remaining, max_usd: remaining });
}

/** Roles that may request refunds, each with an auto-approval limit; the SQL check of `refund_limit.role` repeats the list. */
export const LIMITED_ROLES = ['support', 'finance', 'admin'] as const satisfies readonly Role[];
export type LimitedRole = (typeof LIMITED_ROLES)[number];

/** Auto-approval limits an admin has set, in USD by role; other roles have the default. */
export type RefundLimits = Partial<Record<LimitedRole, string>>;

/** Default auto-approval limits in USD. */
const DEFAULT_REFUND_LIMITS_USD: Record<LimitedRole, string> = { support: '50.00', finance: '500.00', admin: '500.00' };

/**
 * The USD compared with a limit: everything refunded of the period including this refund, or the amount returned to the card if that is
 * more. A period refunded in parts counts as one refund.
 */
export function limitedAmountOf(estimate: { total_refunded_amount_usd: string; card_refunded_usd: string | null }): string {
  const { total_refunded_amount_usd: total, card_refunded_usd: card } = estimate;
  return card !== null && compareMoney(card, total) > 0 ? card : total;
}

/** Whether a refund of this amount needs a second approver: it exceeds the requester's limit. Roles without a limit always need one. */
export function needsSecondApprover(role: Role, amount_usd: string, limits: RefundLimits = {}): boolean {
  return exceedsLimit(role, amount_usd, { defaults: DEFAULT_REFUND_LIMITS_USD, set: limits });
}

/** The auto-approval limit of a role in USD; null for roles that may not request refunds. */
export function limitOf(role: Role, limits: RefundLimits): string | null {
  return limitFor(role, { defaults: DEFAULT_REFUND_LIMITS_USD, set: limits });
}
