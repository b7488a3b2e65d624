/** The roles a person can have. */
export const ROLES = ['viewer', 'auditor', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a role can allow. `evidence.read`: the raw responses of Invo; `emails.read`: emails in full instead of masked. */
export const CAPABILITIES = [
  'figures.read',
  'emails.read',
  'files.export',
  'evidence.read',
  'pulls.start',
  'refunds.request',
  'refunds.approve',
  'subscriptions.change',
  'people.manage',
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
  auditor: 'Reads and exports everything, including raw responses. Can’t change anything.',
  support: 'Searches, refunds and changes subscriptions. No exports.',
  finance: 'Pulls months, reads and exports everything, refunds, and approves requests of others.',
  admin: 'Everything finance can do, plus people and settings.',
};

const ALLOWED: Record<Role, readonly Capability[]> = {
  viewer: ['figures.read'],
  auditor: ['figures.read', 'emails.read', 'files.export', 'evidence.read'],
  support: ['figures.read', 'emails.read', 'refunds.request', 'subscriptions.change'],
  finance: CAPABILITIES.filter((each) => each !== 'people.manage'),
  admin: CAPABILITIES,
};

/** Whether a role allows something (product page, roles). */
export function may(role: Role, capability: Capability): boolean {
  return ALLOWED[role].includes(capability);
}

/** Parses the name of a role; null when there is none of that name. */
export function parseRole(text: unknown): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}

/**
 * Masks an email for roles without `emails.read`: the first letter of the name and of the host, and the last label stay.
 * Text that is not an email is masked whole. The length of the hidden part does not show.
 */
export function maskEmail(text: string): string {
  const [, first, host, ending] = /^(.)[^@]*@(.)[^@]*?(\.[^.@]+)?$/su.exec(text.trim()) ?? [];
  return first === undefined || host === undefined ? '•••' : `${first}•••@${host}•••${ending ?? ''}`;
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
  role: Role;
}
