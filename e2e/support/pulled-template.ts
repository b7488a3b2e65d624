import pg from 'pg';
import { inject } from 'vitest';

/**
 * The name of a template database in which `fill` has pulled these months. The first file of the run that needs them makes it; the
 * others wait and copy. `fill` gets a copy of the migrated template and closes its connections.
 */
export async function findPulledTemplate(months: readonly string[], fill: () => Promise<{ database: string }>): Promise<string> {
  const name = `pulled_${months.join('_').replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const { database } = await fill();
      // A closed connection is gone on the server a moment later, and a database with connections can't be renamed.
      await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [database]);
      await client.query(`alter database ${database} rename to ${name}`);
    }
    return name;
  } finally {
    await client.end();
  }
}
