import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { parseTypedUsd, wholeCentsOf } from '#lib/core/typed-amount.ts';

/** Auto-approval limits in USD by role: the defaults, and what an admin has set instead. Roles without a default never approve by policy. */
export interface LimitPolicy<Limited extends Role = Role> {
  defaults: Readonly<Partial<Record<Limited, string>>>;
  set: Readonly<Partial<Record<Limited, string>>>;
}

/** The auto-approval limit of a role in USD; null for roles without one. */
export function limitFor(role: Role, { defaults, set }: LimitPolicy): string | null {
  const standard = defaults[role];
  return standard === undefined ? null : (set[role] ?? standard);
}

/** Whether an amount needs a second person: it exceeds the limit of the role. Roles without a limit always need one. */
export function exceedsLimit(role: Role, amount_usd: string, policy: LimitPolicy): boolean {
  const limit = limitFor(role, policy);
  return limit === null || compareMoney(amount_usd, limit) > 0;
}

// Ten digits before the point exceed any limit in use, and keep a typing slip from becoming one.
const LIMIT = /^\d{1,10}\.\d\d$/;

/** Parses a typed limit in USD: zero or more, in whole cents; null for anything else. */
export function parseLimit(text: string): string | null {
  const read = parseTypedUsd(text);
  const limit_usd = 'error' in read || signOfMoney(read.typed_usd) < 0 ? null : wholeCentsOf(read.typed_usd);
  return limit_usd !== null && LIMIT.test(limit_usd) ? limit_usd : null;
}
