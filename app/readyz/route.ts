import path from 'node:path';
import { checkReadiness, shareReadiness } from '../_server/check-readiness.ts';
import { config, PROBE_MS, probe } from '../_server/server-context.ts';

export const dynamic = 'force-dynamic';

const readiness = shareReadiness(() => checkReadiness(() => (config(), probe()), path.join(process.cwd(), 'db', 'migrations'), PROBE_MS));

/** Readiness: 200 when configured and the database answers with every migration applied, else 503 with the reason. One check a second serves all probes. */
export async function GET(): Promise<Response> {
  const state = await readiness();
  return Response.json(state, { status: state.status === 'ready' ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}
