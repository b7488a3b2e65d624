import 'server-only';
import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { type AccountRefusal, accountRefusalOf } from '#lib/approvals/rules/approval.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { type Capability, may, type Role } from '#lib/core/roles.ts';
import { currentRequest, type RequestFacts } from '#lib/observability/request-context.ts';
import { findStoredSession, type StoredSession } from '#lib/people/reads.ts';
import { digestSigned, sessionCookieName, signToken } from '#lib/people/session-token.ts';
import { authSecret, config, db } from './server-context.ts';

/** Who is signed in. Everything but `may` is plain data; give a client component the fields it shows, not the person. */
export interface Person {
  id: string;
  name: string;
  email: string;
  roles: readonly Role[];
  /** Why the account doesn’t count as one of two people; null: it does. */
  accountRefusal: AccountRefusal | null;
  /** Single keys act on pages. */
  hasShortcuts: boolean;
  may(capability: Capability): boolean;
}

/** Who is signed in, also while they still have to set up a second factor: for the pages that sign people in and the set-up itself. */
export interface Self extends Person {
  mustSetUpFactor: boolean;
}

/** The session of a request, as the database has it. */
export interface Session extends StoredSession {
  tokenDigest: string;
}

/** Where a person sets up the second factor that one of their roles needs; until then nothing else opens. */
const SET_UP_PATH = '/sign-in/second-factor';
const SESSION_SECONDS = 8 * 60 * 60;

const read = new WeakMap<RequestFacts, Promise<Session | null>>();

/** The session of this request, read from the database once: a change of roles, status or password applies to the next request. */
export async function findSession(): Promise<Session | null> {
  const request = currentRequest();
  if (request === null) return await readSession();
  const session = read.get(request) ?? readSession();
  read.set(request, session);
  return await session;
}

/** Has the session read again: an action changed something, and the page is drawn after it in the same request. */
export function forgetSession(): void {
  const request = currentRequest();
  if (request !== null) read.delete(request);
}

async function readSession(): Promise<Session | null> {
  const tokenDigest = await findTokenDigest();
  const found = tokenDigest === null ? null : await findStoredSession(db(), tokenDigest);
  const request = currentRequest();
  if (request !== null && found !== null) request.personId = found.id;
  return tokenDigest === null || found === null ? null : { ...found, tokenDigest };
}

/** The digest of the token in this request's cookie; null when there is none that we signed. */
export async function findTokenDigest(): Promise<string | null> {
  // The request first: a build that tries this page has none, and needs no configuration then.
  const sent = await cookies();
  const cookie = sent.get(sessionCookieName(config().origin))?.value;
  return cookie === undefined ? null : digestSigned(cookie, authSecret());
}

/** Gives this browser the token of a session; null takes it away. */
export async function setSessionCookie(token: string | null): Promise<void> {
  const { origin } = config();
  const secure = origin.startsWith('https:');
  const [value, maxAge] = token === null ? ['', 0] : [signToken(token, authSecret()), SESSION_SECONDS];
  (await cookies()).set(sessionCookieName(origin), value, { httpOnly: true, sameSite: 'lax', secure, maxAge, path: '/' });
}

/** The person behind this request; null when nobody is signed in, they were disabled, or they still have to set up a second factor. */
export async function findPerson(): Promise<Person | null> {
  const self = await findSelf();
  return self?.mustSetUpFactor === false ? self : null;
}

/** As `findPerson`, for what a person may do before they have set up a second factor. */
export async function findSelf(): Promise<Self | null> {
  const session = await findSession();
  if (session === null) return null;
  const { id, name, email, roles, account, mustSetUpFactor, hasShortcuts } = session;
  const accountRefusal = accountRefusalOf(account);
  return { id, name, email, roles, accountRefusal, mustSetUpFactor, hasShortcuts, may: (capability) => may(roles, capability) };
}

/**
 * The person, if one of their roles allows it. Signed out: goes to the sign-in page and comes back. A second factor is needed and not set up: goes
 * to the set-up, whatever was requested. Not allowed: the page that says so (403).
 * Every page, action and route that shows or does something calls it; nothing else decides.
 */
export async function requirePerson(capability?: Capability): Promise<Person> {
  const person = await requireSelf();
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
export async function requireSelf(): Promise<Self> {
  return (await findSelf()) ?? redirect(await signInAddress());
}

/** What would have changed something is recorded; a page that isn't shown is not: it can be requested any number of times. */
async function recordRefused({ email }: Person, act: AuditAct, subject: string): Promise<void> {
  const method = currentRequest()?.method;
  if (method === 'POST') await recordAudit(db(), { actor: email, act, subject });
}

async function signInAddress(): Promise<string> {
  const returnPath = (await headers()).get('x-sharebook-path');
  return returnPath && returnPath !== '/' ? `/sign-in?next=${encodeURIComponent(returnPath)}` : '/sign-in';
}
