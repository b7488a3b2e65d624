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

/** Where a person sets up the second factor that one of their roles needs; until then nothing else opens. */
const SET_UP_PATH = '/sign-in/second-factor';

/**
 * The person behind this request, with the roles they have now; null when nobody is signed in, they were disabled, or they still have to set up
 * a second factor. A request that only reads may get what this process read up to five seconds ago; one that may change something asks the
 * database.
 */
export async function findPerson(): Promise<Person | null> {
  const self = await findSelf();
  return self?.mustSetUpFactor === false ? self : null;
}

/** Who is signed in, also while they still have to set up a second factor: for the pages that sign people in and the set-up itself. */
export interface Self extends Person {
  mustSetUpFactor: boolean;
}

/** As `findPerson`, for what a person may do before they have set up a second factor. */
export const findSelf: () => Promise<Self | null> = () => findSelfIn(sourceOfRequest());

const findSelfIn = cache(async (source: Source): Promise<Self | null> => {
  const tokenDigest = await findTokenDigest();
  const found = tokenDigest === null ? null : await signedIn().findPerson(tokenDigest, source);
  if (found === null) return null;
  const request = currentRequest();
  if (request !== null) request.personId = found.id;
  const { id, name, email, roles, mustSetUpFactor } = found;
  return { id, name, email, roles, mustSetUpFactor, may: (capability) => may(roles, capability) };
});

/** The digest of the token in this request's cookie; null when there is none that we signed. */
async function findTokenDigest(): Promise<string | null> {
  // The request first: a build that tries this page has none, and needs no configuration then.
  const sent = await cookies();
  const cookie = sent.get(sessionCookieName(config().origin))?.value;
  return cookie === undefined ? null : digestSigned(cookie, readAuthSecret());
}

/** A session as the database has it now. */
export interface Session {
  /** Digest of its token. */
  tokenDigest: string;
  /** How long ago the password was given in it, and the code where the person has a second factor. Unit: milliseconds. */
  proved_ms: number;
  hasFactor: boolean;
}

/** The session of this request as the database has it now. */
export async function findSession(): Promise<Session | null> {
  const tokenDigest = await findTokenDigest();
  const found = tokenDigest === null ? null : await signedIn().findPerson(tokenDigest, 'database');
  return tokenDigest === null || found === null ? null : { tokenDigest, proved_ms: found.proved_ms, hasFactor: found.hasFactor };
}

/**
 * Where this request may learn who is signed in. Our web server knows the method, no header is believed; without it,
 * the database is asked.
 */
export function sourceOfRequest(): Source {
  const method = currentRequest()?.method;
  return method === 'GET' || method === 'HEAD' ? 'cache' : 'database';
}

/**
 * The person, if one of their roles allows it. Signed out: goes to the sign-in page and comes back. A second factor is needed and not set up: goes
 * to the set-up, whatever was asked for. Not allowed: the page that says so (403).
 * Every page, action and route that shows or does something calls it; nothing else decides. What takes data out asks with `source`
 * `database`, so that a person who was disabled takes nothing.
 */
export async function requirePerson(capability?: Capability, source: Source = sourceOfRequest()): Promise<Person> {
  const person = await requireSelf(source);
  if (person.mustSetUpFactor) {
    await recordRefused(person, 'was refused before setting up two-factor authentication', capability ?? 'Sharebook');
    redirect(SET_UP_PATH);
  }
  if (capability && !person.may(capability)) {
    await recordRefused(person, 'was refused for their roles', capability);
    forbidden();
  }
  return person;
}

/** Who is signed in, also while they still have to set up a second factor. Only its set-up uses it: a test lists the files. */
export async function requireSelf(source: Source = sourceOfRequest()): Promise<Self> {
  return (await findSelfIn(source)) ?? redirect(await signInAddress());
}

/** What would have changed something is recorded; a page that isn't shown is not: it can be asked for without end. */
async function recordRefused({ email }: Person, act: string, subject: string): Promise<void> {
  const method = currentRequest()?.method;
  if (method === 'POST') await recordAudit(db(), { actor: email, act, subject });
}

async function signInAddress(): Promise<string> {
  const from = (await headers()).get('x-sharebook-path');
  return from && from !== '/' ? `/sign-in?next=${encodeURIComponent(from)}` : '/sign-in';
}
