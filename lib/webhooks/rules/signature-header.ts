import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyProblem, SecretSlot } from './delivery.ts';

/** The parts of a delivery's signature header. Nothing in it is verified yet. */
export interface SignatureHeader {
  /** The signed time, in whole seconds since 1970, as it was written. */
  signedAt: string;
  /** One to four hex digests. */
  signatures: string[];
}

/** A delivery signed further than this from its arrival, either way, is too old to be believed (document 2, Limits). */
export const TOLERANCE_SECONDS = 300;

const HEADER = /^t=(\d{10})((?:,v1=[0-9a-fA-F]{64}){1,4})$/;

/** Parses `t=<seconds>,v1=<hex>` with one to four values; null for anything else, such as a repeated header (document 2, Authentication). */
export function parseSignatureHeader(text: string | null): SignatureHeader | null {
  const [, seconds, values] = HEADER.exec(text ?? '') ?? [];
  if (seconds === undefined || values === undefined) return null;
  return {
    signedAt: seconds,
    signatures: values
      .split(',v1=')
      .slice(1)
      .map((value) => value.toLowerCase()),
  };
}

/** Whether a signed time lies too far from the moment of arrival. Both in whole seconds: 300 is accepted, 301 isn't. */
export function isStale(signedAt_seconds: number, receivedAt: string): boolean {
  return Math.abs(Math.floor(Date.parse(receivedAt) / 1_000) - signedAt_seconds) > TOLERANCE_SECONDS;
}

/** An idempotency key that can be used, or why it can't. It is not signed, so a bad one costs no delivery. */
export function parseKey(text: string | null): { key: string; problem: null } | { key: null; problem: KeyProblem } {
  if (text === null || text === '') return { key: null, problem: 'missing' };
  // Repeated headers arrive joined.
  if (text.includes(', ')) return { key: null, problem: 'repeated' };
  if (text.length > HEADER_TEXT_MAX) return { key: null, problem: 'too_long' };
  return PRINTABLE.test(text) ? { key: text, problem: null } : { key: null, problem: 'not_ascii' };
}

/** A header that is only shown; null: absent, or nothing to show. */
export function parseShownHeader(text: string | null): string | null {
  return text !== null && text !== '' && text.length <= HEADER_TEXT_MAX && PRINTABLE.test(text) ? text : null;
}

const HEADER_TEXT_MAX = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;

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
