import { readOperatingFigures } from '#db/games/reads.ts';
import { mayReadMetrics } from '#lib/operate/metrics-access.ts';
import { completeReads, config, db } from '../_server/wiring.ts';
import { measure } from './registry.ts';

export const dynamic = 'force-dynamic';

/**
 * Figures for a monitoring system: this process, durations of requests and statements, pulls by state, use of the rate budgets. They contain no name, email or amount.
 * With SHAREBOOK_METRICS_TOKEN set, requests must send it as a bearer token.
 */
export async function GET(request: Request): Promise<Response> {
  if (!mayReadMetrics(request.headers.get('authorization'), config().metricsToken))
    return new Response('Send the metrics token as a bearer token.\n', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  const { text, contentType } = await measure(() => readOperatingFigures(db()), await completeReads().check());
  return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
}
