import 'server-only';
import { betterAuth } from 'better-auth';
import { nextCookies } from 'better-auth/next-js';
import { config, db } from '../wiring.ts';
import { authOptions } from './auth-options.ts';

let kept: ReturnType<typeof createAuth> | undefined;

/** Sessions and passwords. Its HTTP routes are mounted nowhere: sign-in and sign-out are our own actions, counted and checked there. */
export function auth(): ReturnType<typeof createAuth> {
  return (kept ??= createAuth());
}

function createAuth() {
  return betterAuth({ ...authOptions({ db: db(), origin: config().origin, secret: readSecret() }), plugins: [nextCookies()] });
}

function readSecret(): string {
  const secret = process.env.SHAREBOOK_AUTH_SECRET ?? '';
  if (secret.length < 32)
    throw new Error('SHAREBOOK_AUTH_SECRET is missing or shorter than 32 characters; `npm start` makes and keeps one.');
  return secret;
}
