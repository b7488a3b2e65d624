import 'server-only';
import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { cache } from 'react';
import { type Capability, may, type Role } from '#lib/core/roles.ts';
import { currentRequest } from '#lib/operate/request-context.ts';
import { digestSigned, readAuthSecret, type Source, sessionCookieName } from './signed-in.ts';
import { config, signedIn } from './wiring.ts';

/** Who is signed in. Everything but `may` is plain data; give a client component the fields it shows, not the person. */
export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
  may(capability: Capability): boolean;
}

/**
 * The person behind this request, with the role they have now; null when nobody is signed in or they were disabled. A request that only
 * reads may get what this process read up to five seconds ago; one that may change something asks the database.
 */
export const findPerson: () => Promise<Person | null> = () => findPersonIn(sourceOfRequest());

const findPersonIn = cache(async (source: Source): Promise<Person | null> => {
  // The request first: a build that tries this page has none, and needs no configuration then.
  const sent = await cookies();
  const cookie = sent.get(sessionCookieName(config().origin))?.value;
  const tokenDigest = cookie === undefined ? null : digestSigned(cookie, readAuthSecret());
  const found = tokenDigest === null ? null : await signedIn().findPerson(tokenDigest, source);
  if (found === null) return null;
  const request = currentRequest();
  if (request !== null) request.personId = found.id;
  const { id, name, email, role } = found;
  return { id, name, email, role, may: (capability) => may(role, capability) };
});

/**
 * Where this request may learn who is signed in. Our web server knows the method, no header is believed; where it doesn't run (`next dev`),
 * the database is asked.
 */
export function sourceOfRequest(): Source {
  const method = currentRequest()?.method;
  return method === 'GET' || method === 'HEAD' ? 'cache' : 'database';
}

/**
 * The person, if their role allows it. Signed out: goes to the sign-in page and comes back. Not allowed: the page that says so (403).
 * Every page, action and route that shows or does something calls it; nothing else decides. What takes data out asks with `source`
 * `database`, so that a person who was disabled takes nothing.
 */
export async function requirePerson(capability?: Capability, source: Source = sourceOfRequest()): Promise<Person> {
  const person = await findPersonIn(source);
  if (!person) redirect(await signInAddress());
  if (capability && !person.may(capability)) forbidden();
  return person;
}

async function signInAddress(): Promise<string> {
  const from = (await headers()).get('x-sharebook-path');
  return from && from !== '/' ? `/sign-in?next=${encodeURIComponent(from)}` : '/sign-in';
}
