import { timingSafeEqual } from 'node:crypto';
import { sha256Of } from '#lib/core/canonical-digest.ts';

/** Whether a request may read the metrics: it must send the configured token as a bearer token; without one, only this machine may read. */
export function mayReadMetrics(authorization: string | null, config: { metricsToken: string | null; isLocal: boolean }): boolean {
  if (config.metricsToken === null) return config.isLocal;
  return timingSafeEqual(sha256Of(authorization ?? ''), sha256Of(`Bearer ${config.metricsToken}`));
}

/** What to do about refused metrics. */
export const METRICS_REFUSED =
  'Send SHAREBOOK_METRICS_TOKEN as a bearer token. Without one, the metrics can be read on the machine itself only.\n';
