import { maskEmail } from './mask-email.ts';
/** The roles a person can have; several may be combined. */
export const ROLES = ['viewer', 'auditor', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a role can allow. `desk.read`: wallets, cards, subscriptions and their periods; `evidence.read`: the raw responses of Invo;
 * `emails.read`: emails in full instead of masked; `deliveries.read`: what Invo delivered by itself, its bytes with `evidence.read`; `refunds.approve`: approval of refunds, and of limits and rights an admin requests;
 * `actions.request`: desk actions, what Invo does for a player; `actions.approve`: what others request of these, their limits and their switches;
 * `balances.export`: asking for balance files and for withdrawals; `balances.read`: the files, which name every player;
 * `notices.read`: one's own notices, also earlier ones after a role was taken away; `payouts.prepare`: runs, holds, adjustments and the accounts they are posted to; `payouts.approve`: what others prepared of these;
 * `payees.read`: payment details, payments, their files and reports, with masked accounts; `payees.show`: their accounts, one at a time, with a fresh password and a row of the audit.
 */
export const CAPABILITIES = [
  'figures.read',
  'desk.read',
  'emails.read',
  'files.export',
  'evidence.read',
  'pulls.start',
  'refunds.request',
  'refunds.approve',
  'subscriptions.change',
  'actions.request',
  'actions.approve',
  'deliveries.read',
  'deliveries.settle',
  'balances.export',
  'balances.read',
  'payouts.prepare',
  'payouts.approve',
  'payees.read',
  'payees.show',
  'people.manage',
  'audit.read',
  'notices.read',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const ROLE_LABELS: Record<Role, string> = {
  viewer: 'Viewer',
  auditor: 'Auditor',
  support: 'Support',
  finance: 'Finance',
  admin: 'Admin',
};

export const ROLE_SENTENCES: Record<Role, string> = {
  viewer: 'Reads figures. Emails are masked; no exports.',
  auditor: 'Reads and exports figures, webhooks, balance files and raw responses. Can’t change anything.',
  support: 'Searches, refunds, changes subscriptions, and requests actions at Invo for players.',
  finance:
    'Pulls months, reads and exports everything, refunds, requests actions for players, prepares payouts, and approves requests of others.',
  admin: 'Manages people and settings, pulls months, reads and exports figures, webhooks and raw responses.',
};

/** What a person with these roles can do, without saying twice what one role shares with another. */
export function formatAbilities(roles: readonly Role[]): string {
  const isBoth = roles.includes('finance') && roles.includes('admin');
  return roles.map((role) => (isBoth && role === 'admin' ? 'Manages people and settings.' : ROLE_SENTENCES[role])).join(' ');
}

const READS = ['figures.read', 'desk.read', 'emails.read', 'files.export', 'evidence.read', 'audit.read', 'deliveries.read'] as const;
const ALLOWED: Record<Role, readonly Capability[]> = {
  viewer: ['figures.read', 'notices.read'],
  auditor: [...READS, 'balances.read', 'payees.read', 'notices.read'],
  support: [
    'figures.read',
    'desk.read',
    'emails.read',
    'refunds.request',
    'subscriptions.change',
    'actions.request',
    'deliveries.read',
    'deliveries.settle',
    'notices.read',
  ],
  finance: CAPABILITIES.filter((each) => each !== 'people.manage'),
  // Nothing that moves money: an admin who refunds has the role finance too.
  admin: [...READS, 'pulls.start', 'people.manage', 'deliveries.settle', 'notices.read'],
};

/** Whether any of a person's roles allows something (product page, roles). */
export function may(roles: readonly Role[], capability: Capability): boolean {
  return roles.some((role) => ALLOWED[role].includes(capability));
}

/** The roles that allow something, for conditions in a statement. */
export function rolesWith(capability: Capability): Role[] {
  return ROLES.filter((role) => may([role], capability));
}

/** A set of roles as it is stored: without repeats, in the order of `ROLES`. */
export function orderRoles(roles: Iterable<Role>): Role[] {
  const held = new Set(roles);
  return ROLES.filter((role) => held.has(role));
}

/** The labels of a person's roles, such as `Finance, Admin`. */
export function formatRoles(roles: readonly Role[]): string {
  return orderRoles(roles)
    .map((role) => ROLE_LABELS[role])
    .join(', ');
}

/** Parses the name of a role; null when there is none of that name. */
export function parseRole(text: unknown): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}

/** Whether a text reported as a name is, or holds, an email, which only roles with `emails.read` see in full. */
export function isEmailName(name: string | null): boolean {
  return name !== null && /[@＠]/.test(name);
}

/** A name as a role may see it: one that is an email is masked for roles without `emails.read`. */
export function maskName(name: string | null, canSeeEmails: boolean): string | null {
  return name !== null && !canSeeEmails && isEmailName(name) ? maskEmail(name) : name;
}

/** The person who acts, as the session has them. */
export interface Actor {
  id: string;
  email: string;
  roles: readonly Role[];
}

/** A person who acts in a session of theirs, in which a fresh password is requested. */
export interface SessionActor extends Actor {
  /** Digest of the session's token. */
  tokenDigest: string;
}
