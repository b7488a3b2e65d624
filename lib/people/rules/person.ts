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

/** Whether a person can sign in and manage people. */
export function isAbleAdmin(person: { roles: readonly Role[]; hasPassword: boolean; isDisabled: boolean }): boolean {
  return may(person.roles, 'people.manage') && person.hasPassword && !person.isDisabled;
}

/** Whether new roles give the right to approve to a person who doesn't have it. */
export function givesApproval(before: readonly Role[], after: readonly Role[]): boolean {
  return may(after, 'refunds.approve') && !may(before, 'refunds.approve');
}

/** People who ever had the right to approve before a further one needs approval: with fewer there is nobody to ask. */
const FOUNDERS_MAX = 2;

/** Whether a person is one of the first two with the right to approve: nobody can approve them, and they don't wait. */
export function isFounder(person: { id: string }, people: readonly { id: string; approvesFrom: string | null }[]): boolean {
  return people.filter(({ id, approvesFrom }) => approvesFrom !== null && id !== person.id).length < FOUNDERS_MAX;
}

/** What an invited person has until their roles are approved: those that don't approve, or reading figures. */
export function rolesBeforeApproval(wanted: readonly Role[]): Role[] {
  const others = wanted.filter((role) => !may([role], 'refunds.approve'));
  return others.length === 0 ? ['viewer'] : others;
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
