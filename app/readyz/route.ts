import path from 'node:path';
import { checkReadiness } from '../_server/check-readiness.ts';
import { config, db } from '../_server/wiring.ts';

export const dynamic = 'force-dynamic';

/** Readiness: 200 when configured and the database answers with every migration applied, else 503 with the reason. */
export async function GET(): Promise<Response> {
  const readiness = await checkReadiness(() => (config(), db()), path.join(process.cwd(), 'db', 'migrations'));
  return Response.json(readiness, { status: readiness.status === 'ready' ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}
