import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The name of the session cookie at that public origin. */
export function sessionCookieName(origin: string): string {
  return `${origin.startsWith('https:') ? '__Secure-' : ''}sharebook.session_token`;
}

/** The secret that signs session cookies. Throws when it is missing or short. */
export function readAuthSecret(): string {
  const secret = process.env.SHAREBOOK_AUTH_SECRET ?? '';
  if (secret.length < 32)
    throw new Error('SHAREBOOK_AUTH_SECRET is missing or shorter than 32 characters; `npm start` creates and stores one.');
  return secret;
}

/** What is stored of a session's token. Hex. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The digest of the token in a session cookie as the browser sent it, decoded; null when we didn't sign it. */
export function digestSigned(cookie: string, secret: string): string | null {
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const signature = Buffer.from(cookie.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(token).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? digestToken(token) : null;
}
