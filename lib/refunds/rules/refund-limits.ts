import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { parseTypedUsd, wholeCentsOf } from '#lib/core/typed-amount.ts';
import type { RefundEstimate } from './estimate-refund.ts';

/** Roles that may ask for refunds, each up to a limit; the SQL check of `refund_limit.role` repeats the list. */
export const LIMITED_ROLES = ['support', 'finance', 'admin'] as const satisfies readonly Role[];
export type LimitedRole = (typeof LIMITED_ROLES)[number];

/** What an admin set roles may refund without a second person, USD by role; roles left out have the default. */
export type RefundLimits = Partial<Record<LimitedRole, string>>;

/** USD a person of a role may refund without a second person, until an admin says otherwise. */
const DEFAULT_REFUND_LIMITS_USD: Record<LimitedRole, string> = { support: '50.00', finance: '500.00', admin: '500.00' };

/**
 * The USD a limit is held against: all that is refunded of the period with this refund, or what goes to the card where that is more. A
 * period refunded in parts is one refund to whoever set the limit.
 */
export function limitedAmountOf(estimate: Pick<RefundEstimate, 'total_refunded_amount_usd' | 'card_refunded_usd'>): string {
  const { total_refunded_amount_usd: total, card_refunded_usd: card } = estimate;
  return card !== null && compareMoney(card, total) > 0 ? card : total;
}

/** Whether a refund of this amount wants a second person: it is above the limit of the one who asks. Roles without a limit always want one. */
export function wantsSecondPerson(role: Role, amount_usd: string, limits: RefundLimits = {}): boolean {
  const limit = limitOf(role, limits);
  return limit === null || compareMoney(amount_usd, limit) > 0;
}

/** The limit of a role in USD; null for roles that may ask for no refund. */
export function limitOf(role: Role, limits: RefundLimits): string | null {
  const limited = LIMITED_ROLES.find((each) => each === role);
  return limited === undefined ? null : (limits[limited] ?? DEFAULT_REFUND_LIMITS_USD[limited]);
}

// Ten digits before the point are more than anybody refunds, and keep a slip of the key from being a limit.
const LIMIT = /^\d{1,10}\.\d\d$/;

/** Reads a limit in USD that a person typed: zero or more, in whole cents; null for anything else. */
export function parseRefundLimit(text: string): string | null {
  const read = parseTypedUsd(text);
  const limit_usd = 'trouble' in read || signOfMoney(read.typed_usd) < 0 ? null : wholeCentsOf(read.typed_usd);
  return limit_usd !== null && LIMIT.test(limit_usd) ? limit_usd : null;
}
