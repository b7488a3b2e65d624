import { createHash, randomBytes } from 'node:crypto';

/** How long a one-time link opens something. */
export const LINK_HOURS = 24;

/** A new secret for a one-time link: 256 random bits, written for an address. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a link's token. null: the text cannot be a token. */
export function digestLinkToken(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : null;
}
