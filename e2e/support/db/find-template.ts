import pg from 'pg';
import { inject } from 'vitest';

/**
 * Returns the name of a template database once it is filled. The first file of the run that needs it makes it; the others wait and copy.
 * `fill` fills a database and closes its connections.
 */
export async function findTemplate(content: string, fill: () => Promise<{ database: string }>): Promise<string> {
  const name = `${inject('namePrefix')}${content}`;
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const { database } = await fill();
      await rename(client, database, name);
      for (const worker of inject('workerUrls')) {
        const there = new pg.Client({ connectionString: worker });
        await there.connect();
        await rename(there, database, name);
        await there.end();
      }
    }
    return name;
  } finally {
    await client.end();
  }
}

/** A closed connection is gone on the server a moment later, the servers of a cluster stay connected, and a database with connections can't be renamed. */
async function rename(client: pg.Client, database: string, name: string): Promise<void> {
  await client.query(`alter database ${database} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [database]);
  await client.query(`alter database ${database} rename to ${name}`);
}
