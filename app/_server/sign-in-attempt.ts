import 'server-only';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { findClientSource } from '#lib/operate/client-source.ts';
import { currentRequest } from '#lib/operate/request-context.ts';
import type { SignInAttempt } from '#lib/people/count-sign-in.ts';
import { readAuthSecret } from './signed-in.ts';
import { config } from './wiring.ts';

const KNOWN_DAYS = 180;

/** What an attempt to sign in by this request counts as: its email, where it comes from, and whether its browser is known for that email. */
export async function readSignInAttempt(email: string): Promise<SignInAttempt> {
  const [sent, store] = await Promise.all([headers(), cookies()]);
  const from = { address: currentRequest()?.address, forwardedFor: sent.get('x-forwarded-for') ?? undefined };
  const mark = store.get(cookieName())?.value ?? '';
  return {
    email,
    source: findClientSource(from, config().trustedProxies),
    browser: isMarkOf(mark, email, readAuthSecret()) ? mark : null,
  };
}

/** Marks this browser as one in which an email signed in, so that wrong passwords from elsewhere never count against it. */
export async function markBrowser(email: string): Promise<void> {
  const isSecure = config().origin.startsWith('https:');
  (await cookies()).set(cookieName(), makeMark(email, readAuthSecret()), {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: KNOWN_DAYS * 24 * 60 * 60,
    path: '/sign-in',
  });
}

function cookieName(): string {
  return `${config().origin.startsWith('https:') ? '__Secure-' : ''}sharebook.browser`;
}

/** A new mark of a browser for an email: random, and signed together with the email, which is not in it. */
export function makeMark(email: string, secret: string): string {
  const random = randomBytes(16).toString('base64url');
  return `${random}.${sign(random, email, secret).toString('base64url')}`;
}

/** Whether a mark is ours and was made for that email. */
export function isMarkOf(mark: string, email: string, secret: string): boolean {
  const [random = '', signature = ''] = mark.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(random, email, secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(random: string, email: string, secret: string): Buffer {
  const digest = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return createHmac('sha256', secret).update(`browser ${random} ${digest}`).digest();
}
