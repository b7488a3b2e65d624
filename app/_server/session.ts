import 'server-only';
import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { cache } from 'react';
import { recordAudit } from '#db/audit/writes.ts';
import { type Capability, may, type Role } from '#lib/core/roles.ts';
import { currentRequest } from '#lib/operate/request-context.ts';
import { digestSigned, readAuthSecret, type Source, sessionCookieName } from './signed-in.ts';
import { config, db, signedIn } from './wiring.ts';

/** Who is signed in. Everything but `may` is plain data; give a client component the fields it shows, not the person. */
export interface Person {
  id: string;
  name: string;
  email: string;
  roles: readonly Role[];
  may(capability: Capability): boolean;
}

/**
 * The person behind this request, with the roles they have now; null when nobody is signed in or they were disabled. A request that only
 * reads may get what this process read up to five seconds ago; one that may change something asks the database.
 */
export const findPerson: () => Promise<Person | null> = () => findPersonIn(sourceOfRequest());

const findPersonIn = cache(async (source: Source): Promise<Person | null> => {
  const tokenDigest = await findTokenDigest();
  const found = tokenDigest === null ? null : await signedIn().findPerson(tokenDigest, source);
  if (found === null) return null;
  const request = currentRequest();
  if (request !== null) request.personId = found.id;
  const { id, name, email, roles } = found;
  return { id, name, email, roles, may: (capability) => may(roles, capability) };
});

/** The digest of the token in this request's cookie; null when there is none that we signed. */
async function findTokenDigest(): Promise<string | null> {
  // The request first: a build that tries this page has none, and needs no configuration then.
  const sent = await cookies();
  const cookie = sent.get(sessionCookieName(config().origin))?.value;
  return cookie === undefined ? null : digestSigned(cookie, readAuthSecret());
}

/** The session of this request as the database has it now: its token's digest, and how long ago the password was given in it. */
export async function findSession(): Promise<{ tokenDigest: string; proved_ms: number } | null> {
  const tokenDigest = await findTokenDigest();
  const found = tokenDigest === null ? null : await signedIn().findPerson(tokenDigest, 'database');
  return tokenDigest === null || found === null ? null : { tokenDigest, proved_ms: found.proved_ms };
}

/**
 * Where this request may learn who is signed in. Our web server knows the method, no header is believed; where it doesn't run (`next dev`),
 * the database is asked.
 */
export function sourceOfRequest(): Source {
  const method = currentRequest()?.method;
  return method === 'GET' || method === 'HEAD' ? 'cache' : 'database';
}

/**
 * The person, if one of their roles allows it. Signed out: goes to the sign-in page and comes back. Not allowed: the page that says so (403).
 * Every page, action and route that shows or does something calls it; nothing else decides. What takes data out asks with `source`
 * `database`, so that a person who was disabled takes nothing.
 */
export async function requirePerson(capability?: Capability, source: Source = sourceOfRequest()): Promise<Person> {
  const person = await findPersonIn(source);
  if (!person) redirect(await signInAddress());
  if (capability && !person.may(capability)) {
    await recordForbidden(person, capability);
    forbidden();
  }
  return person;
}

/** What would have changed something is recorded; a page that isn't shown is not: it can be asked for without end. */
async function recordForbidden({ email }: Person, capability: Capability): Promise<void> {
  const method = currentRequest()?.method;
  if (method === 'POST') await recordAudit(db(), { actor: email, act: 'was refused for their roles', subject: capability });
}

async function signInAddress(): Promise<string> {
  const from = (await headers()).get('x-sharebook-path');
  return from && from !== '/' ? `/sign-in?next=${encodeURIComponent(from)}` : '/sign-in';
}
