import { exceedsLimit, limitFor } from '#lib/approvals/rules/approval.ts';
import { compareMoney, multiplyMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { parseTypedAmount, type TypedAmountError } from '#lib/core/typed-input.ts';
import { remainingOf } from './period.ts';
import type { PeriodFacts } from './stored.ts';

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

/** Roles that may request refunds, each with an auto-approval limit. */
export const LIMITED_ROLES = ['support', 'finance'] as const satisfies readonly Role[];
export type LimitedRole = (typeof LIMITED_ROLES)[number];

/**
 * The limits of a game: a role's for one refund, and for all that a person with the role had approved automatically within 24 hours. The
 * SQL check of `refund_limit.name` repeats the list.
 */
export const LIMIT_NAMES = ['support', 'finance', 'support_day', 'finance_day'] as const satisfies readonly (
  | LimitedRole
  | `${LimitedRole}_day`
)[];
export type LimitName = (typeof LIMIT_NAMES)[number];

/** Limits that were set, in USD by name, as they apply now; the others have the default. */
export type RefundLimits = Partial<Record<LimitName, string>>;

/** Default limits of one refund, in USD. */
const DEFAULT_REFUND_LIMITS_USD: Record<LimitedRole, string> = { support: '50.00', finance: '500.00' };

/** The default limit of a day, as a multiple of the limit of one refund. */
export const DAY_LIMIT_FACTOR = 10;

/** No limit is ever higher, in USD; the SQL check of `refund_limit` repeats both. */
const LIMIT_CEILING_USD = '5000.00';
const DAY_CEILING_USD = '50000.00';

/** The highest amount a limit may be set to, in USD. */
export function ceilingOf(name: LimitName): string {
  return isDayLimit(name) ? DAY_CEILING_USD : LIMIT_CEILING_USD;
}

/** Whether the limit is for all refunds of 24 hours. */
function isDayLimit(name: LimitName): boolean {
  return name.endsWith('_day');
}

/** The limit for 24 hours of the role whose limit it is. */
export function dayLimitNamed(name: LimitName): LimitName {
  return name === 'support' || name === 'support_day' ? 'support_day' : 'finance_day';
}

/** A limit of a role as it applies, in USD. */
export function limitNamed(name: LimitName, limits: RefundLimits): string {
  const role: LimitedRole = name === 'support' || name === 'support_day' ? 'support' : 'finance';
  const perRefund = limits[role] ?? DEFAULT_REFUND_LIMITS_USD[role];
  return isDayLimit(name) ? (limits[name] ?? multiplyMoney(perRefund, DAY_LIMIT_FACTOR)) : perRefund;
}

/**
 * The USD compared with a limit: everything refunded of the period including this refund, or the amount returned to the card if that is
 * more. A period refunded in parts counts as one refund.
 */
export function limitedAmountOf(estimate: { total_refunded_amount_usd: string; card_refunded_usd: string | null }): string {
  return largerOf(estimate.total_refunded_amount_usd, estimate.card_refunded_usd);
}

/** The USD that counts towards the limit of a day: this refund alone, or the amount returned to the card if that is more. */
export function dayAmountOf(estimate: { refunded_amount_usd: string; card_refunded_usd: string | null }): string {
  return largerOf(estimate.refunded_amount_usd, estimate.card_refunded_usd);
}

function largerOf(amount: string, card: string | null): string {
  return card !== null && compareMoney(card, amount) > 0 ? card : amount;
}

type LimitedEstimate = Parameters<typeof limitedAmountOf>[0] & Parameters<typeof dayAmountOf>[0];

/** Why a refund needs a second approver: its amount, or what the person had approved automatically within 24 hours; null: it doesn't. */
export function overLimitOf(
  roles: readonly Role[],
  estimate: LimitedEstimate,
  {
    limits,
    day_usd,
  }: { limits: RefundLimits /** Approved automatically for this person within 24 hours, without this refund. */; day_usd: string },
): 'refund' | 'day' | null {
  if (exceedsLimit(limitOf(roles, limits), limitedAmountOf(estimate))) return 'refund';
  return exceedsLimit(dayLimitOf(roles, limits), sumMoney([day_usd, dayAmountOf(estimate)])) ? 'day' : null;
}

/** The auto-approval limit of a person for one refund, in USD; null for roles that may not request refunds. */
export function limitOf(roles: readonly Role[], limits: RefundLimits): string | null {
  return limitFor(roles, { defaults: DEFAULT_REFUND_LIMITS_USD, set: limits });
}

/** The auto-approval limit of a person for 24 hours, in USD; null for roles that may not request refunds. */
export function dayLimitOf(roles: readonly Role[], limits: RefundLimits): string | null {
  const [support, finance] = [limitNamed('support_day', limits), limitNamed('finance_day', limits)];
  return limitFor(roles, { defaults: { support, finance }, set: {} });
}
