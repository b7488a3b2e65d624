import 'server-only';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { currentRequest, findClientSource } from '#lib/observability/request-context.ts';
import type { SignInAttempt } from '#lib/people/count-sign-in.ts';
import { type SignInEnd, signInByCode, signInByPassword } from '#lib/people/sign-in.ts';
import { deleteSession } from '#lib/people/writes/people.ts';
import { findSecondStep, startSecondStep } from '#lib/two-factor/check-code.ts';
import { SECOND_STEP_MINUTES } from '#lib/two-factor/rules/code.ts';
import { authSecret, config, db } from './server-context.ts';
import { findTokenDigest, setSessionCookie } from './session.ts';

const KNOWN_DAYS = 180;

/** Signs a person in and sets the cookie; where they have a second factor, their browser gets the token of the second step instead. */
export async function openSession(email: string, password: string): Promise<SignInEnd['kind']> {
  const end = await signInByPassword(db(), { email, password });
  if (end.kind === 'code_needed') await setStepCookie(await startSecondStep(db(), end.personId), SECOND_STEP_MINUTES * 60);
  return await setToken(end);
}

/** Signs in a person whose password and code were right, and sets the cookie. The second step is over, whatever comes of it. */
export async function openSecondSession(person: { personId: string; email: string }, by: string): Promise<SignInEnd['kind']> {
  await setStepCookie('', 0);
  return await setToken(await signInByCode(db(), person, by));
}

async function setToken(end: SignInEnd): Promise<SignInEnd['kind']> {
  if (end.kind === 'opened') await setSessionCookie(end.token);
  return end.kind;
}

/** Ends the session of this request in the database and in the browser. */
export async function endSession(): Promise<void> {
  const tokenDigest = await findTokenDigest();
  if (tokenDigest !== null) await deleteSession(db(), tokenDigest);
  await setSessionCookie(null);
}

/** The token of the second step that this browser has started, and its person; null: none, or its five minutes are over. */
export async function findStartedStep(): Promise<{ token: string; email: string } | null> {
  const token = (await cookies()).get(cookieName('second_step'))?.value ?? '';
  const found = token === '' ? null : await findSecondStep(db(), token);
  return found && { token, email: found.email };
}

/** What an attempt to sign in by this request counts as: its email, where it comes from, and whether its browser is known for that email. */
export async function readSignInAttempt(email: string): Promise<SignInAttempt> {
  const [sent, store] = await Promise.all([headers(), cookies()]);
  const source = { address: currentRequest()?.address, forwardedFor: sent.get('x-forwarded-for') ?? undefined };
  const mark = store.get(cookieName('browser'))?.value ?? '';
  return {
    email,
    source: findClientSource(source, config().trustedProxies),
    browser: verifyBrowserCookie(mark, email, authSecret()) ? mark : null,
  };
}

/** Marks this browser as one in which an email signed in, so that wrong passwords from elsewhere never count against it. */
export async function markBrowser(email: string): Promise<void> {
  await setCookie('browser', signBrowserCookie(email, authSecret()), KNOWN_DAYS * 24 * 60 * 60);
}

async function setStepCookie(token: string, maxAge: number): Promise<void> {
  await setCookie('second_step', token, maxAge);
}

/** Only the pages that sign people in get these cookies. */
async function setCookie(name: string, value: string, maxAge: number): Promise<void> {
  const secure = config().origin.startsWith('https:');
  (await cookies()).set(cookieName(name), value, { httpOnly: true, sameSite: 'lax', secure, maxAge, path: '/sign-in' });
}

function cookieName(name: string): string {
  return `${config().origin.startsWith('https:') ? '__Secure-' : ''}sharebook.${name}`;
}

/** A new mark of a browser for an email: random, and signed together with the email, which is not in it. */
export function signBrowserCookie(email: string, secret: string): string {
  const random = randomBytes(16).toString('base64url');
  return `${random}.${sign(random, email, secret).toString('base64url')}`;
}

/** Whether a mark is ours and was made for that email. */
export function verifyBrowserCookie(mark: string, email: string, secret: string): boolean {
  const [random = '', signature = ''] = mark.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(random, email, secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(random: string, email: string, secret: string): Buffer {
  const digest = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return createHmac('sha256', secret).update(`browser ${random} ${digest}`).digest();
}
