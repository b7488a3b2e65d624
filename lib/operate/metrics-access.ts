import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a request may read the metrics: with a token configured, it must send it as a bearer token. */
export function mayReadMetrics(authorization: string | null, token: string | null): boolean {
  if (!token) return true;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}
