/** The signature header of a delivery, taken apart. Nothing in it is proven yet. */
export interface SignatureHeader {
  /** The signed time, in whole seconds since 1970. */
  signedAt_seconds: number;
  /** One to four hex digests. */
  signatures: string[];
}

/** A delivery signed further than this from its arrival, either way, is too old to be believed (document 2, Limits). */
const TOLERANCE_SECONDS = 300;

const HEADER = /^t=(\d{10})((?:,v1=[0-9a-fA-F]{64}){1,4})$/;

/** Parses `t=<seconds>,v1=<hex>` with one to four values; null for anything else, such as a header that came twice (document 2, Authentication). */
export function parseSignatureHeader(text: string | null): SignatureHeader | null {
  const [, seconds, values] = HEADER.exec(text ?? '') ?? [];
  if (seconds === undefined || values === undefined) return null;
  return {
    signedAt_seconds: Number(seconds),
    signatures: values
      .split(',v1=')
      .slice(1)
      .map((value) => value.toLowerCase()),
  };
}

/** Whether a signed time lies too far from the moment of arrival. Both in whole seconds: 300 is taken, 301 is not. */
export function isStale(signedAt_seconds: number, receivedAt: string): boolean {
  return Math.abs(Math.floor(Date.parse(receivedAt) / 1_000) - signedAt_seconds) > TOLERANCE_SECONDS;
}
