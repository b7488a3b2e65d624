import 'server-only';
import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { nextCookies } from 'better-auth/next-js';
import { headers } from 'next/headers';
import { recordAudit } from '#db/audit/writes.ts';
import { config, db } from '../wiring.ts';
import { authOptions } from './auth-options.ts';

let kept: ReturnType<typeof createAuth> | undefined;

/** The sign-in library. Its HTTP routes are not mounted: sign-in and sign-out are our own actions, which count and check. */
export function auth(): ReturnType<typeof createAuth> {
  return (kept ??= createAuth());
}

function createAuth() {
  return betterAuth({ ...authOptions({ db: db(), origin: config().origin, secret: readSecret() }), plugins: [nextCookies()] });
}

function readSecret(): string {
  const secret = process.env.SHAREBOOK_AUTH_SECRET ?? '';
  if (secret.length < 32)
    throw new Error('SHAREBOOK_AUTH_SECRET is missing or shorter than 32 characters; `npm start` creates and stores one.');
  return secret;
}

/** Signs a person in and sets the cookie. False for a wrong email, a wrong password and a disabled person alike. */
export async function openSession(email: string, password: string): Promise<boolean> {
  try {
    await auth().api.signInEmail({ body: { email, password }, headers: await headers() });
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return false;
    throw error;
  }
  await recordAudit(db(), { actor: email.toLowerCase(), act: 'signed in', subject: 'Sharebook' });
  return true;
}
