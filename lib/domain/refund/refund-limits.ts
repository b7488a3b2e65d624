import { compareMoney } from '../money.ts';
import type { Role } from '../roles.ts';

/** USD a person of a role may refund without a second person, until an admin says otherwise. */
export const DEFAULT_REFUND_LIMITS_USD = { support: '50.00', finance: '500.00', admin: '500.00' } as const;
export type LimitedRole = keyof typeof DEFAULT_REFUND_LIMITS_USD;

/** Whether a refund of this amount wants a second person: it is above the limit of the one who asks. Roles without a limit always want one. */
export function wantsSecondPerson(role: Role, amount_usd: string, limits: Partial<Record<LimitedRole, string>> = {}): boolean {
  const limit = limitOf(role, limits);
  return limit === null || compareMoney(amount_usd, limit) > 0;
}

/** The limit of a role in USD; null for roles that may ask for no refund. */
export function limitOf(role: Role, limits: Partial<Record<LimitedRole, string>>): string | null {
  if (role !== 'support' && role !== 'finance' && role !== 'admin') return null;
  return limits[role] ?? DEFAULT_REFUND_LIMITS_USD[role];
}
