import { z } from 'zod';
import { may, type Role } from '#lib/core/roles.ts';
import { isBlank } from '#lib/core/typed-input.ts';

export interface Identity {
  /** Lower case. */
  email: string;
  name: string;
}

/** Fewest characters of a password. */
export const PASSWORD_LENGTH_MIN = 12;

/** Most characters of a password, so that hashing one costs what was measured. */
export const PASSWORD_LENGTH_MAX = 128;

export type IdentityParsed = { ok: true; identity: Identity } | { ok: false; reason: 'bad_email' | 'bad_name' };

const emailSchema = z.email().max(254);

/** Parses an email and a name. A name has 1 to 80 characters and no control characters; runs of spaces become one. */
export function parseIdentity({ email, name }: { email: string; name: string }): IdentityParsed {
  const parsedEmail = emailSchema.safeParse(email.trim().toLowerCase());
  if (!parsedEmail.success) return { ok: false, reason: 'bad_email' };
  const parsedName = name.trim().replace(/\s+/gu, ' ');
  if (isBlank(parsedName) || parsedName.length > 80 || /\p{C}/u.test(parsedName)) return { ok: false, reason: 'bad_name' };
  return { ok: true, identity: { email: parsedEmail.data, name: parsedName } };
}

/** Names that notices and the audit use for what isn't a person. */
const RESERVED_NAMES: readonly string[] = ['the operator', 'sharebook', 'invo'];

/** Whether a name is reserved or reads like the name of one of the other people: notices tell people apart by it. */
export function isNameTaken(name: string, others: readonly { name: string }[]): boolean {
  const folded = foldName(name);
  return RESERVED_NAMES.includes(folded) || others.some((other) => foldName(other.name) === folded);
}

function foldName(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Whether a person can sign in and manage people. */
export function isAbleAdmin(person: { roles: readonly Role[]; hasPassword: boolean; isDisabled: boolean }): boolean {
  return may(person.roles, 'people.manage') && person.hasPassword && !person.isDisabled;
}

/** How long an account waits, after a role, a password link or a reset, until it counts as one of two people; not at all in simulated data. */
export interface AccountWait {
  accountWait_hours: number;
}

/** What a person, or the operator, did about an account. The first three confirm it alone. */
const CONFIRMATION_BASES = [
  'set_up_link',
  'simulated',
  'upgrade',
  'invitation',
  'password_link',
  'factor_reset',
  'enabled',
  'confirmation',
] as const;
export type ConfirmationBasis = (typeof CONFIRMATION_BASES)[number];

/** What makes an account doubtful: who did it could have given the account to another person. */
export const DOUBTS = ['password_link', 'factor_reset', 'enabled'] as const satisfies readonly ConfirmationBasis[];

/** Whether something makes an account doubtful. */
export function isDoubt(basis: ConfirmationBasis): boolean {
  return DOUBTS.some((each) => each === basis);
}

/** The roles that are given by two people: they approve, or decide who does. */
const GIVEN_BY_TWO = ['finance', 'admin'] as const satisfies readonly Role[];

/** Whether new roles hold one that two people give and the person doesn't have yet. */
export function needsSecondPerson(before: readonly Role[], after: readonly Role[]): boolean {
  return GIVEN_BY_TWO.some((role) => after.includes(role) && !before.includes(role));
}

/** What an invited person has until their roles are approved: those that one person gives, or reading figures. */
export function rolesBeforeApproval(wanted: readonly Role[]): Role[] {
  const others = wanted.filter((role) => !needsSecondPerson([], [role]));
  return others.length === 0 ? ['viewer'] : others;
}

/** The first people with the role finance of an installation, who don't wait: with fewer nobody could approve what another prepared. */
const FOUNDERS_MAX = 2;

/** Whether a person is, or becomes by these roles, one of the first two with the role finance. */
export function isFounder(
  person: { id: string; hadFinance: boolean },
  roles: readonly Role[],
  people: readonly { id: string; hadFinance: boolean }[],
): boolean {
  const others = people.filter(({ id, hadFinance }) => hadFinance && id !== person.id).length;
  return (person.hadFinance || roles.includes('finance')) && others < FOUNDERS_MAX;
}

/** Roles whose sessions end when they are not used, and after how many minutes. */
export const IDLE_ROLES = ['finance', 'admin'] as const satisfies readonly Role[];
export const IDLE_MINUTES = 30;

export interface DemoPerson {
  email: string;
  name: string;
  roles: Role[];
}

/** The people of the simulated data. Finance comes first because it is the main job; the admin is the second who can approve. */
export const DEMO_PEOPLE: DemoPerson[] = [
  { email: 'finance@starfall.example', name: 'Fiona Hale', roles: ['finance'] },
  { email: 'support@starfall.example', name: 'Sami Okafor', roles: ['support'] },
  { email: 'auditor@starfall.example', name: 'Anton Reyes', roles: ['auditor'] },
  { email: 'viewer@starfall.example', name: 'Vera Lind', roles: ['viewer'] },
  { email: 'admin@starfall.example', name: 'Ada Moreau', roles: ['finance', 'admin'] },
];

/** The password of every demo person. Demo people exist in a simulated database only. */
export const DEMO_PASSWORD = 'simulated data only';
