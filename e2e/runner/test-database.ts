import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createLogins } from '#db/kit/administer.ts';
import { distributeDatabase } from '#db/kit/distribute.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { type DatabaseUrls, removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { createOnCluster, dropFromCluster, letOwnerLogIn, listServers } from '../citus/test-cluster.ts';

const PREFIX = 'sharebook-test-';
/** A copy of the template is a thousand files, and a run makes three hundred copies: in memory they cost less, and a slow disk delays no test. */
const IN_MEMORY = '/dev/shm';
/** Databases that are in use, with their log. */
const FREE_BYTES_MIN = 3e9;
const FLAGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'jit=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'checkpoint_timeout=1h',
  'shared_buffers=512MB',
];
const TEMPLATE = 'sharebook_template';
/** Connection of the administrator of a Citus cluster, on which the tests then run. */
const CLUSTER = process.env['SHAREBOOK_CITUS_URL'];
const ROLES = path.resolve(import.meta.dirname, '../../db/roles.sql');

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
    /** Connections of the administrator to the other servers of a cluster. */
    workerUrls: string[];
    templateName: string;
    /** Of the names of all databases of the run. */
    namePrefix: string;
    /** The connections of the template's logins, and of one that may do what web and worker may. */
    loginUrls: DatabaseUrls & { both: string };
  }
}

/** Starts one throw-away server for the run, with one migrated database that every test file copies. */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  if (CLUSTER !== undefined) return await setUpOnCluster(project, CLUSTER);
  await removeAbandoned();
  const folder = fs.mkdtempSync(path.join(hasFreeMemory() ? IN_MEMORY : os.tmpdir(), PREFIX));
  fs.chmodSync(folder, 0o711);
  const server = await startPostgres({ folder, flags: FLAGS });
  const logins = await server.openDatabase(TEMPLATE);
  await migrateDatabase(logins.migrate);
  project.provide('serverUrl', server.url);
  project.provide('workerUrls', []);
  project.provide('templateName', TEMPLATE);
  project.provide('namePrefix', 'test_');
  project.provide('loginUrls', { ...logins, both: await addLoginOfBoth(server.databaseUrl(TEMPLATE)) });
  return async () => {
    await server.stop();
    await removeAbandonedPostgres(folder);
  };
}

/** A template on each server of the cluster; a test file copies all of them. */
async function setUpOnCluster(project: TestProject, cluster: string): Promise<() => Promise<void>> {
  const servers = await listServers(cluster);
  const template = `${TEMPLATE}_${process.pid}`;
  const administrator = await createOnCluster(servers, template);
  const [web, worker, migrate] = ['web', 'worker', 'migrate'].map((name) =>
    Object.assign(new URL(administrator), { username: `sharebook_${name}`, password: 'sharebook' }),
  );
  if (!web || !worker || !migrate) throw new Error('no logins');
  await createLogins(administrator, fs.readFileSync(ROLES, 'utf8'), [web, worker, migrate]);
  await letOwnerLogIn(administrator);
  await migrateDatabase(migrate.href);
  await distributeDatabase(administrator);
  project.provide('serverUrl', cluster);
  project.provide('workerUrls', servers.slice(1));
  project.provide('templateName', template);
  const prefix = `test_${process.pid}_`;
  project.provide('namePrefix', prefix);
  project.provide('loginUrls', { web: web.href, worker: worker.href, migrate: migrate.href, both: await addLoginOfBoth(administrator) });
  return async () => await dropFromCluster(servers, [template, prefix]);
}

function hasFreeMemory(): boolean {
  if (!fs.existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = fs.statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, os.freemem()) > FREE_BYTES_MIN;
}

async function addLoginOfBoth(administrator: string): Promise<string> {
  const login = Object.assign(new URL(administrator), { username: 'sharebook_tests' });
  const client = new pg.Client({ connectionString: administrator });
  await client.connect();
  // A role belongs to all databases of a server: of two runs on one cluster each leaves it to the other.
  const { rowCount } = await client.query(`select from pg_roles where rolname = 'sharebook_tests'`);
  if (rowCount === 0)
    await client.query(`create role sharebook_tests login password '${login.password}' in role sharebook_web, sharebook_worker`);
  await client.end();
  return login.href;
}

/** A run that was killed leaves its server behind; the next one clears it away. */
async function removeAbandoned(): Promise<void> {
  for (const parent of [os.tmpdir(), IN_MEMORY].filter((each) => fs.existsSync(each))) {
    for (const name of fs.readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
      const folder = path.join(parent, name);
      // A folder without notes of users belongs to a run that is just starting.
      if (isOurs(folder) && fs.existsSync(path.join(folder, 'users'))) await removeAbandonedPostgres(folder);
    }
  }
}

function isOurs(folder: string): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.();
}
