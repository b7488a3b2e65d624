import { type OperatingFigures, readOperatingFigures } from '#lib/games/reads/stored-games.ts';
import { METRICS_REFUSED, mayReadMetrics } from '#lib/observability/instruments.ts';
import { type IntakeFigures, readIntakeFigures } from '#lib/webhooks/reads/intake-status.ts';
import { completeReads, config, db } from '../_server/server-context.ts';
import { measure } from './registry.ts';

export const dynamic = 'force-dynamic';

/**
 * Figures for a monitoring system: this process, durations of requests and statements, pulls by state, use of the rate budgets, webhooks. They contain no name, email or amount.
 * Requests must send SHAREBOOK_METRICS_TOKEN as a bearer token, unless Sharebook is used on its own machine alone.
 */
export async function GET(request: Request): Promise<Response> {
  if (!mayReadMetrics(request.headers.get('authorization'), config()))
    return new Response(METRICS_REFUSED, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  const { text, contentType } = await measure(readFigures, await completeReads().check());
  return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
}

async function readFigures(): Promise<OperatingFigures & { intakes: IntakeFigures[] }> {
  const [figures, intakes] = await Promise.all([readOperatingFigures(db()), readIntakeFigures(db())]);
  return { ...figures, intakes };
}
