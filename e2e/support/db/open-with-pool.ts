import type pg from 'pg';
import { type OpenDb, openDb, poolOf } from '#db/kit/open.ts';

/** An open database whose pool a test uses or watches; Sharebook itself has the handle alone. */
export interface OpenWithPool extends OpenDb {
  pool: pg.Pool;
}

/** Opens a database as `openDb` does, with its pool. */
export function openWithPool(...args: Parameters<typeof openDb>): OpenWithPool {
  const open = openDb(...args);
  return { ...open, pool: poolOf(open.db) };
}
