import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretSlot } from './rules/delivery.ts';
import type { SignatureHeader } from './rules/signature-header.ts';

/** The signing secrets of a game: the current one, and the one before it while it is rotated. */
export interface SigningSecrets {
  current: string;
  previous?: string | undefined;
}

/**
 * Which secret signed these bytes; null: none did (document 2, Authentication). Every secret is compared with every value of the
 * header, and no comparison ends early, so the duration doesn't reveal how close a forgery was.
 */
export function verifySignature(body: Uint8Array, { signedAt, signatures }: SignatureHeader, secrets: SigningSecrets): SecretSlot | null {
  const given = signatures.map((text) => Buffer.from(text, 'hex'));
  const isSignedBy = (secret: string): boolean => {
    const expected = signDelivery(body, signedAt, secret);
    return given.reduce((found, each) => timingSafeEqual(each, expected) || found, false);
  };
  const isCurrent = isSignedBy(secrets.current);
  const isPrevious = secrets.previous !== undefined && isSignedBy(secrets.previous);
  if (isCurrent && isPrevious) return 'both';
  return isCurrent ? 'current' : isPrevious ? 'previous' : null;
}

/** HMAC-SHA256 over the signed time, a period and the bytes as they were received. */
export function signDelivery(body: Uint8Array, signedAt: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${signedAt}.`).update(body).digest();
}
