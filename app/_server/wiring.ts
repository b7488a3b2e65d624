import 'server-only';
import type pg from 'pg';
import { type Db, type OpenDb, openDb } from '#db/kit/open.ts';
import { type Config, readConfig } from '#lib/config.ts';

// One per process: a second copy of this module (development reloads it) must not open a second pool.
const kept = globalThis as typeof globalThis & { sharebookWiring?: { config?: Config; open?: OpenDb } };

/** The validated configuration. Read when first asked for, so that a build needs none. */
export function config(): Config {
  const wiring = (kept.sharebookWiring ??= {});
  return (wiring.config ??= readConfig(process.env));
}

/** The database, through one pool per process that connects when first used. */
export function db(): Db {
  return open().db;
}

/** The same connections for what Kysely does not do: COPY and cursors. */
export function pool(): pg.Pool {
  return open().pool;
}

function open(): OpenDb {
  const wiring = (kept.sharebookWiring ??= {});
  return (wiring.open ??= openDb(config().databaseUrl));
}
