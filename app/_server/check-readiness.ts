import 'server-only';
import { listPendingMigrations } from '#db/kit/administer.ts';
import { type Db, within } from '#db/kit/open.ts';
import { ConfigError } from '#lib/config.ts';

/** The reason is for operators; it contains no address, no password and no error text. */
export type Readiness =
  | { status: 'ready' }
  | { status: 'not ready'; reason: 'not_configured' | 'database_unreachable' }
  | { status: 'not ready'; reason: 'migrations_pending'; migrations: string[] };

/** How long an answer counts: however many probes come, the database is queried once in that time, and readiness recovers with it. */
const FRESH_MS = 1_000;

/** Checks readiness for all who ask: those who come during a check, and within a second after it, get its answer. `now`: milliseconds of a monotonic clock. */
export function shareReadiness(check: () => Promise<Readiness>, now: () => number = () => performance.now()): () => Promise<Readiness> {
  let shared: { answer: Promise<Readiness>; until: number } | null = null;
  return () => {
    if (shared !== null && now() < shared.until) return shared.answer;
    const own = { answer: check(), until: Number.POSITIVE_INFINITY };
    shared = own;
    void own.answer.finally(() => (own.until = now() + FRESH_MS));
    return own.answer;
  };
}

/** Checks, within a limit, that the database answers and has every migration of the folder. */
export async function checkReadiness(open: () => Db, folder: string, limit_ms: number): Promise<Readiness> {
  try {
    const migrations = await within(limit_ms, listPendingMigrations(open(), folder));
    return migrations.length === 0 ? { status: 'ready' } : { status: 'not ready', reason: 'migrations_pending', migrations };
  } catch (error) {
    return { status: 'not ready', reason: error instanceof ConfigError ? 'not_configured' : 'database_unreachable' };
  }
}
