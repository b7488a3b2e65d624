import 'server-only';
import { type Db, within } from '#db/kit/open.ts';
import { listPendingMigrations } from '#db/kit/pending-migrations.ts';
import { ConfigError } from '#lib/config.ts';

/** The reason is for operators; it contains no address, no password and no error text. */
export type Readiness =
  | { status: 'ready' }
  | { status: 'not ready'; reason: 'not_configured' | 'database_unreachable' }
  | { status: 'not ready'; reason: 'migrations_pending'; migrations: string[] };

const DATABASE_LIMIT_MS = 2_000;

/**
 * Checks, for two seconds at most, that the database answers and has every migration of the folder. Nothing is cached, so readiness
 * recovers with the database.
 */
export async function checkReadiness(open: () => Db, folder: string, limit_ms: number = DATABASE_LIMIT_MS): Promise<Readiness> {
  try {
    const migrations = await within(limit_ms, listPendingMigrations(open(), folder));
    return migrations.length === 0 ? { status: 'ready' } : { status: 'not ready', reason: 'migrations_pending', migrations };
  } catch (error) {
    return { status: 'not ready', reason: error instanceof ConfigError ? 'not_configured' : 'database_unreachable' };
  }
}
