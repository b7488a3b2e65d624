import { compareMoney, multiplyMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { type Capability, may, type Role } from '#lib/core/roles.ts';
import { parseTypedUsd, wholeCentsOf } from '#lib/core/typed-input.ts';

/** How something was approved: within the preparer's limit, or by a second person. */
export const APPROVALS = ['policy', 'person'] as const;
export type ApprovalKind = (typeof APPROVALS)[number];

/** Something prepared by one person and waiting for approval. */
export interface ApprovalRequest {
  /** Person id of the preparer. */
  preparedBy: string;
  /** Hex SHA-256 over everything the approver is shown. */
  contentDigest: string;
  /** It exceeded the preparer's limit when it was prepared. Later changes of role or limit don't lift this. */
  needsSecondPerson: boolean;
}

/** The person who decides, and the rights this kind of subject requires. */
export interface Decider {
  id: string;
  roles: readonly Role[];
  /** The right to prepare such a thing; confirming or withdrawing one's own needs only this. */
  prepare: Capability;
  /** The right to approve or reject what others prepared. */
  approve: Capability;
  accounts: ApproverAccounts;
}

/** Whether an account counts as one of two people: enabled, confirmed by two, and with no new role, password link or reset within 24 hours. */
export type AccountStatus = 'counts' | 'disabled' | 'unconfirmed' | 'too_new';

/** The accounts of the two people an act needs: of who decides, and of who prepared it. */
export interface ApproverAccounts {
  own: AccountStatus;
  preparer: AccountStatus;
}

/** How long a password given counts as fresh for an approval. Unit: minutes. */
export const PROOF_MINUTES = 5;

/** Why a person's account doesn't count as one of two people. */
export type AccountRefusal = 'unconfirmed' | 'too_new';
/** Why someone who has the right can't decide on what another person prepared. */
export type ApproverRefusal = AccountRefusal | 'preparer_disabled' | 'preparer_unconfirmed' | 'preparer_too_new';
export type ApprovalRefusal = 'own_request' | 'not_allowed' | 'changed' | ApproverRefusal;

/** Why a person's account doesn't count; null: it does. Disabled people act on nothing: their session has ended. */
export function accountRefusalOf(own: AccountStatus): AccountRefusal | null {
  return own === 'counts' || own === 'disabled' ? null : own;
}

/** Why a person's account prevents even what is within their limits; null: nothing does. One admin alone could add many accounts. */
export function aloneRefusalOf(own: AccountStatus): 'unconfirmed' | null {
  return own === 'unconfirmed' ? own : null;
}

/** Why someone who has the right can't decide on what another person prepared; null: they can. */
export function approverRefusalOf({ own, preparer }: ApproverAccounts): ApproverRefusal | null {
  return accountRefusalOf(own) ?? (preparer === 'counts' ? null : `preparer_${preparer}`);
}

/**
 * Whether a person may approve exactly what they saw. The preparer may confirm their own request only within their limit (`exceedsLimit`
 * is their limit now); anyone else needs the right to approve. A digest other than the shown one means the content changed.
 */
export function decideApproval(
  request: ApprovalRequest,
  decider: Decider,
  { shownDigest, exceedsLimit }: { shownDigest: string; exceedsLimit: boolean },
): { ok: true; approval: ApprovalKind } | { ok: false; reason: ApprovalRefusal } {
  const isOwn = request.preparedBy === decider.id;
  if (isOwn && (request.needsSecondPerson || exceedsLimit)) return { ok: false, reason: 'own_request' };
  if (!may(decider.roles, isOwn ? decider.prepare : decider.approve)) return { ok: false, reason: 'not_allowed' };
  const refusal = isOwn ? aloneRefusalOf(decider.accounts.own) : approverRefusalOf(decider.accounts);
  if (refusal !== null) return { ok: false, reason: refusal };
  if (request.contentDigest !== shownDigest) return { ok: false, reason: 'changed' };
  return { ok: true, approval: isOwn ? 'policy' : 'person' };
}

/** Whether a person may end a request that waits for approval: the preparer withdraws it, an approver rejects it and must say why. */
export function decideDecline(
  request: Pick<ApprovalRequest, 'preparedBy'>,
  decider: Decider,
  why: string,
): { ok: true; becomes: 'withdrawn' | 'rejected' } | { ok: false; reason: 'not_allowed' | AccountRefusal | 'why_missing' } {
  const isOwn = request.preparedBy === decider.id;
  if (!may(decider.roles, isOwn ? decider.prepare : decider.approve)) return { ok: false, reason: 'not_allowed' };
  const refusal = isOwn ? null : accountRefusalOf(decider.accounts.own);
  if (refusal !== null) return { ok: false, reason: refusal };
  if (!isOwn && why === '') return { ok: false, reason: 'why_missing' };
  return { ok: true, becomes: isOwn ? 'withdrawn' : 'rejected' };
}

/** Whether the second step of a two-person decision comes from another person than the first. */
export function isSecondPerson(first: string, second: string): boolean {
  return first !== second;
}

/** Whether an approval still covers the content: it is bound to the digest it was given for. */
export function coversContent(approvedDigest: string | null, contentDigest: string): boolean {
  return approvedDigest !== null && approvedDigest === contentDigest;
}

/** Whether an approval has lapsed: nothing was done under it in the time it is valid for. Instants are milliseconds since 1970. */
export function hasLapsed(approvedAt: number, now: number, validFor_ms: number): boolean {
  return now >= approvedAt + validFor_ms;
}

/** Roles that may request what has auto-approval limits, each with its own. */
export const LIMITED_ROLES = ['support', 'finance'] as const satisfies readonly Role[];
type LimitedRole = (typeof LIMITED_ROLES)[number];

/** A role's limit for one request, and for all that a person with the role had approved automatically within 24 hours. */
export const LIMIT_NAMES = ['support', 'finance', 'support_day', 'finance_day'] as const satisfies readonly (
  | LimitedRole
  | `${LimitedRole}_day`
)[];
export type LimitName = (typeof LIMIT_NAMES)[number];

/** Limits that were set, by name, as they apply now; the others have the default. */
export type SetLimits = Partial<Record<LimitName, string>>;

/** The default limit of a day, as a multiple of the limit of one request. */
export const DAY_LIMIT_FACTOR = 10;

const ACTION_LIMITS = {
  subject: 'desk actions',
  table: 'action_limit',
  amount: 'limit_amount',
  raise: 'raise_amount',
  approve: 'actions.approve',
} as const;
const COIN_LIMITS = { ...ACTION_LIMITS, unit: 'coins', ceilings: { one: '100000.00', day: '1000000.00' } } as const;

/**
 * What has auto-approval limits: the columns of its table, what their names begin with there, the unit, the defaults, what no limit ever exceeds
 * (the SQL checks repeat it), and the right to approve a higher one. Sandbox games have no limits of desk actions.
 */
export const LIMITED = {
  refunds: {
    subject: 'refunds',
    table: 'refund_limit',
    amount: 'limit_usd',
    raise: 'raise_usd',
    approve: 'refunds.approve',
    prefix: '',
    unit: 'usd',
    defaults: { support: '50.00', finance: '500.00' },
    ceilings: { one: '5000.00', day: '50000.00' },
  },
  payments: {
    ...ACTION_LIMITS,
    prefix: 'payments_',
    unit: 'usd',
    defaults: { support: '100.00', finance: '999.99' },
    ceilings: { one: '999.99', day: '9999.90' },
  },
  items: { ...COIN_LIMITS, prefix: 'items_', defaults: { support: '1000.00', finance: '10000.00' } },
  sends: { ...COIN_LIMITS, prefix: 'sends_', defaults: { support: '0.00', finance: '0.00' } },
  transfers: { ...COIN_LIMITS, prefix: 'transfers_', defaults: { support: '0.00', finance: '0.00' } },
} as const satisfies Record<string, LimitFacts>;
export type Limited = keyof typeof LIMITED;
/** What has limits, in the order in which they are shown. */
export const LIMITED_KEYS = ['refunds', 'payments', 'items', 'sends', 'transfers'] as const satisfies readonly Limited[];

interface LimitFacts {
  /** What the audit records changes of. */
  subject: Pausable;
  table: 'refund_limit' | 'action_limit';
  amount: string;
  raise: string;
  approve: Capability;
  prefix: string;
  unit: 'usd' | 'coins';
  defaults: Readonly<Record<LimitedRole, string>>;
  ceilings: { one: string; day: string };
}

/** The highest amount a limit may be set to. */
export function ceilingOf(what: Limited, name: LimitName): string {
  return LIMITED[what].ceilings[isDayLimit(name) ? 'day' : 'one'];
}

/** Whether the limit is for all requests of 24 hours. */
function isDayLimit(name: LimitName): boolean {
  return name.endsWith('_day');
}

/** The limit for 24 hours of the role whose limit it is. */
export function dayLimitNamed(name: LimitName): LimitName {
  return name === 'support' || name === 'support_day' ? 'support_day' : 'finance_day';
}

/** A limit of a role as it applies. */
export function limitNamed(what: Limited, name: LimitName, limits: SetLimits): string {
  const role: LimitedRole = name === 'support' || name === 'support_day' ? 'support' : 'finance';
  const one = limits[role] ?? LIMITED[what].defaults[role];
  return isDayLimit(name) ? (limits[name] ?? multiplyMoney(one, DAY_LIMIT_FACTOR)) : one;
}

/** The auto-approval limit of a person for one request: the highest of their roles; null for roles that may not request it. */
export function limitOf(what: Limited, roles: readonly Role[], limits: SetLimits): string | null {
  return highestOf(roles, { support: limitNamed(what, 'support', limits), finance: limitNamed(what, 'finance', limits) });
}

/** The auto-approval limit of a person for 24 hours; null for roles that may not request it. */
export function dayLimitOf(what: Limited, roles: readonly Role[], limits: SetLimits): string | null {
  return highestOf(roles, { support: limitNamed(what, 'support_day', limits), finance: limitNamed(what, 'finance_day', limits) });
}

function highestOf(roles: readonly Role[], limits: Record<LimitedRole, string>): string | null {
  return (
    LIMITED_ROLES.flatMap((role) => (roles.includes(role) ? [limits[role]] : []))
      .toSorted(compareMoney)
      .at(-1) ?? null
  );
}

/** Without a limit every amount exceeds it. */
function exceedsLimit(limit: string | null, amount: string): boolean {
  return limit === null || compareMoney(amount, limit) > 0;
}

/** What of a request is held against the limits: against that of one request, and against that of 24 hours. */
interface LimitedAmounts {
  one: string;
  day: string;
}

/** What the limits of a person are held against: those of the game, and what was approved automatically for them within 24 hours without this request. */
export interface PersonLimits {
  limits: SetLimits;
  dayBefore: string;
}

/** Why a request needs a second approver: its amount, or what the person had approved automatically within 24 hours; null: it doesn't. */
export function overLimitOf(
  what: Limited,
  roles: readonly Role[],
  amounts: LimitedAmounts,
  { limits, dayBefore }: PersonLimits,
): 'one' | 'day' | null {
  if (exceedsLimit(limitOf(what, roles, limits), amounts.one)) return 'one';
  return exceedsLimit(dayLimitOf(what, roles, limits), sumMoney([dayBefore, amounts.day])) ? 'day' : null;
}

/** What is left of a person's limit for 24 hours; below zero where the limit was lowered meanwhile counts as none. */
export function dayLeftOf(what: Limited, roles: readonly Role[], { limits, dayBefore }: PersonLimits): string {
  const left = subtractMoney(dayLimitOf(what, roles, limits) ?? '0.00', dayBefore);
  return signOfMoney(left) < 0 ? '0.00' : left;
}

// Ten digits before the point exceed any limit in use, and keep a typing slip from becoming one.
const LIMIT = /^\d{1,10}\.\d\d$/;

/** Parses a typed limit in USD: zero or more, in whole cents; null for anything else. */
export function parseLimit(text: string): string | null {
  const read = parseTypedUsd(text);
  const limit_usd = 'error' in read || signOfMoney(read.typed_usd) < 0 ? null : wholeCentsOf(read.typed_usd);
  return limit_usd !== null && LIMIT.test(limit_usd) ? limit_usd : null;
}

/** What can be paused for a whole game, with its table and the rights to resume and to pause it. The audit calls it by its name; payouts are paused by a restore alone. */
export const PAUSABLES = {
  payouts: { table: 'payout_pause', capability: 'payouts.approve' },
  refunds: { table: 'refund_pause', capability: 'refunds.approve', pause: 'refunds.request' },
  'desk actions': { table: 'action_pause', capability: 'actions.approve', pause: 'actions.request' },
} as const satisfies Record<string, { table: string; capability: Capability; pause?: Capability }>;
export type Pausable = keyof typeof PAUSABLES;

/** Why nothing is paused. */
export type PauseRefusal = 'not_allowed' | 'why_missing' | 'why_too_long' | 'why_private' | 'already_paused';

/** Why nothing is resumed. */
export type ResumeRefusal = 'not_allowed' | 'same_person' | 'not_paused' | 'not_as_shown';
export type Resumed = 'resume_requested' | 'resumed';
