import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Db, openDb, poolOf } from '#db/kit/open.ts';
import { compareCopies, sendOneByOne } from '#e2e/citus/test-cluster.ts';

export interface TestDb {
  name: string;
  db: Db;
  pool: pg.Pool;
  /** Connection text, for a second pool or a process of its own. */
  url: string;
  /** Connection text of the logins that Sharebook itself uses, and of one with the rights of web and worker; the others are the administrator's. */
  logins: Record<'web' | 'worker' | 'migrate' | 'both', string>;
  close(): Promise<void>;
}

/** However busy the machine is, a test that waits for a connection gets one. */
export const PATIENT = { connect_ms: 60_000 };

/**
 * Copies the migrated template, or another, into a database of its own for one test file. Only in `*.int.test.ts` files.
 * Before that it drops the databases that this process has closed: dropping one while its pool closes ends in an uncaught 57P01.
 */
export async function createTestDb(template: string = inject('templateName'), { isTemplate = false } = {}): Promise<TestDb> {
  const name = `${inject('namePrefix')}${randomBytes(8).toString('hex')}`;
  const serverUrl = inject('serverUrl');
  const servers = [serverUrl, ...inject('workerUrls')];
  const unused = closedNames.splice(0);
  await Promise.all(servers.map((each) => copyTemplate(each, template, name, { unused, isShared: servers.length > 1 })));
  const inIt = (login: string): string => Object.assign(new URL(login), { pathname: `/${name}` }).href;
  const { web, worker, migrate, both } = inject('loginUrls');
  const url = inIt(serverUrl);
  const { db, close } = openDb(url, servers.length > 1 ? { ...PATIENT, prepare: `set citus.propagate_set_commands = 'local'` } : PATIENT);
  if (servers.length > 1) sendOneByOne(poolOf(db));
  return {
    name,
    db,
    pool: poolOf(db),
    url,
    logins: { web: inIt(web), worker: inIt(worker), migrate: inIt(migrate), both: inIt(both) },
    close: async () => {
      await close();
      if (servers.length > 1) await compareCopies(url);
      if (!isTemplate) closedNames.push(name);
    },
  };
}

/** Names of closed databases, for the other test files of the process. Guarantee of the cast: only this file sets it. */
const shared = globalThis as { closedTestDatabases?: string[] };
const closedNames = (shared.closedTestDatabases ??= []);
const IN_USE = '55006';

async function copyTemplate(
  serverUrl: string,
  template: string,
  name: string,
  { unused, isShared }: { unused: string[]; isShared: boolean },
): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // One that a process of a test still uses goes with the server.
    for (const each of unused) await client.query(`drop database if exists ${each}${isShared ? ' with (force)' : ''}`).catch(ignoreInUse);
    // The servers of a cluster stay connected to each other.
    if (isShared) {
      await client.query(`alter database ${template} with allow_connections false`).catch(ignoreSameChange);
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [template]);
    }
    await client.query(`create database ${name} template ${template} strategy file_copy owner sharebook_owner`);
  } finally {
    await client.end();
  }
}

/** Another process changes it at the same moment, to the same. */
function ignoreSameChange(error: { message: string }): void {
  if (error.message !== 'tuple concurrently updated') throw error as Error;
}

function ignoreInUse(error: { code?: string }): void {
  if (error.code !== IN_USE) throw error as Error;
}
