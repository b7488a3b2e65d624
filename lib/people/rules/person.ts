import { z } from 'zod';
import { may, type Role } from '#lib/core/roles.ts';

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
  if (parsedName === '' || parsedName.length > 80 || /\p{C}/u.test(parsedName)) return { ok: false, reason: 'bad_name' };
  return { ok: true, identity: { email: parsedEmail.data, name: parsedName } };
}

/** Whether a person can sign in and manage people. */
export function isAbleAdmin(person: { role: Role; hasPassword: boolean; isDisabled: boolean }): boolean {
  return may(person.role, 'people.manage') && person.hasPassword && !person.isDisabled;
}

export interface DemoPerson {
  email: string;
  name: string;
  role: Role;
}

/** The people of the simulated data, one per role. Finance comes first because it is the main job. */
export const DEMO_PEOPLE: DemoPerson[] = [
  { email: 'finance@starfall.example', name: 'Fiona Hale', role: 'finance' },
  { email: 'support@starfall.example', name: 'Sami Okafor', role: 'support' },
  { email: 'auditor@starfall.example', name: 'Anton Reyes', role: 'auditor' },
  { email: 'viewer@starfall.example', name: 'Vera Lind', role: 'viewer' },
  { email: 'admin@starfall.example', name: 'Ada Moreau', role: 'admin' },
];

/** The password of every demo person. Demo people exist in a simulated database only. */
export const DEMO_PASSWORD = 'simulated data only';
