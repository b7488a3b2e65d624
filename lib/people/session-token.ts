import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The name of the session cookie at that public origin. Under https no other host of the domain can set it, and it is valid for the whole site alone. */
export function sessionCookieName(origin: string): string {
  return `${origin.startsWith('https:') ? '__Host-' : ''}sharebook_session`;
}

/** A new token of a session: 32 random bytes. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a session's token. Hex. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The value of the session cookie of a token: the token and its signature. */
export function signToken(token: string, authSecret: string): string {
  return `${token}.${signatureOf(token, authSecret).toString('base64url')}`;
}

/** The digest of the token in a session cookie; null when we didn't sign it, so that a made-up cookie costs no statement. */
export function digestSigned(cookie: string, authSecret: string): string | null {
  const [token = '', signature = '', ...rest] = cookie.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(token, authSecret);
  if (token === '' || rest.length > 0 || given.length !== expected.length) return null;
  return timingSafeEqual(given, expected) ? digestToken(token) : null;
}

const keys = new Map<string, Buffer>();

function signatureOf(token: string, authSecret: string): Buffer {
  const key = keys.get(authSecret) ?? Buffer.from(hkdfSync('sha256', authSecret, '', 'sharebook session cookie', 32));
  keys.set(authSecret, key);
  return createHmac('sha256', key).update(token).digest();
}
