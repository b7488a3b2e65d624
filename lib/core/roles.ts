/** What a person can be; each role is a sentence anyone can check against the job. */
export const ROLES = ['viewer', 'auditor', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What can be allowed. `evidence.read`: the bytes Invo sent; `emails.read`: addresses in full instead of masked. */
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
  viewer: 'Reads the figures; e-mails are masked, no files.',
  auditor: 'Reads everything down to the bytes Invo sent and takes files; changes nothing.',
  support: 'Looks anything up, refunds and changes subscriptions; takes no files.',
  finance: 'Pulls months, reads everything, takes files; refunds, and approves what others asked for.',
  admin: 'Does what finance does, and says who may do what.',
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

/** Reads the name of a role; null when there is none of that name. */
export function parseRole(text: unknown): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}

/**
 * An e-mail address as those see it who may not read it: the first letter of the name and of the host, and the last label.
 * What is not an address is masked whole. The length of what is hidden does not show.
 */
export function maskEmail(text: string): string {
  const [, first, host, ending] = /^(.)[^@]*@(.)[^@]*?(\.[^.@]+)?$/su.exec(text.trim()) ?? [];
  return first === undefined || host === undefined ? '•••' : `${first}•••@${host}•••${ending ?? ''}`;
}
