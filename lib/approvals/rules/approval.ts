import { compareMoney, signOfMoney } from '#lib/core/money.ts';
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

/** Auto-approval limits in USD by role: the defaults, and what an admin has set instead. Roles without a default never approve by policy. */
export interface LimitPolicy<Limited extends Role = Role> {
  defaults: Readonly<Partial<Record<Limited, string>>>;
  set: Readonly<Partial<Record<Limited, string>>>;
}

/** The auto-approval limit of a person in USD: the highest of their roles; null when none has one. */
export function limitFor(roles: readonly Role[], { defaults, set }: LimitPolicy): string | null {
  const limits = roles.flatMap((role) => {
    const standard = defaults[role];
    return standard === undefined ? [] : [set[role] ?? standard];
  });
  return limits.toSorted(compareMoney).at(-1) ?? null;
}

/** Whether an amount needs a second person: it exceeds the limit. Without a limit it always does. */
export function exceedsLimit(limit_usd: string | null, amount_usd: string): boolean {
  return limit_usd === null || compareMoney(amount_usd, limit_usd) > 0;
}

// Ten digits before the point exceed any limit in use, and keep a typing slip from becoming one.
const LIMIT = /^\d{1,10}\.\d\d$/;

/** Parses a typed limit in USD: zero or more, in whole cents; null for anything else. */
export function parseLimit(text: string): string | null {
  const read = parseTypedUsd(text);
  const limit_usd = 'error' in read || signOfMoney(read.typed_usd) < 0 ? null : wholeCentsOf(read.typed_usd);
  return limit_usd !== null && LIMIT.test(limit_usd) ? limit_usd : null;
}

/** What can be paused for a whole game, with its table and the right that resuming needs. The audit calls it by its name. */
export const PAUSABLES = {
  payouts: { table: 'payout_pause', capability: 'payouts.approve' },
  refunds: { table: 'refund_pause', capability: 'refunds.approve' },
  'desk actions': { table: 'action_pause', capability: 'actions.approve' },
} as const satisfies Record<string, { table: string; capability: Capability }>;
export type Pausable = keyof typeof PAUSABLES;

/** Why nothing is resumed. */
export type ResumeRefusal = 'not_allowed' | 'same_person' | 'not_paused' | 'not_as_shown';
export type Resumed = 'resume_requested' | 'resumed';
