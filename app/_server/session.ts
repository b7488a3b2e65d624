import 'server-only';
import { headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { cache } from 'react';
import { type Capability, may, parseRole, type Role } from '#lib/core/roles.ts';
import { auth } from './auth.ts';

/** Who is signed in. Everything but `may` is plain data; give a client component the fields it shows, not the person. */
export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
  may(capability: Capability): boolean;
}

/** The person behind this request, with the role they have now; null when nobody is signed in or they were disabled. */
export const findPerson: () => Promise<Person | null> = cache(async () => {
  // The request first: a build that tries this page has none, and needs no configuration then.
  const requestHeaders = await headers();
  const found = await auth().api.getSession({ headers: requestHeaders });
  const role = parseRole(found?.user.role);
  if (!found || !role || found.user.disabledAt) return null;
  const { id, name, email } = found.user;
  return { id, name, email, role, may: (capability) => may(role, capability) };
});

/**
 * The person, if their role allows it. Signed out: goes to the sign-in page and comes back. Not allowed: the page that says so (403).
 * Every page, action and route that shows or does something calls it; nothing else decides.
 */
export async function requirePerson(capability?: Capability): Promise<Person> {
  const person = await findPerson();
  if (!person) redirect(await signInAddress());
  if (capability && !person.may(capability)) forbidden();
  return person;
}

async function signInAddress(): Promise<string> {
  const from = (await headers()).get('x-sharebook-path');
  return from && from !== '/' ? `/sign-in?next=${encodeURIComponent(from)}` : '/sign-in';
}
