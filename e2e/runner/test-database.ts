import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { type DatabaseUrls, removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';

const PREFIX = 'sharebook-test-';
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
  // Thousands of connections are opened in a run; by default each of them hashes its password 4,096 times.
  'scram_iterations=1',
];
const TEMPLATE = 'sharebook_template';

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
    templateName: string;
    /** The connections of the template's logins, and of one that may do what web and worker may. */
    loginUrls: DatabaseUrls & { both: string };
  }
}

/** Starts one throw-away server for the run, with one migrated database that every test file copies. */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX));
  fs.chmodSync(folder, 0o711);
  const server = await startPostgres({ folder, flags: FLAGS });
  await hashPasswordAgain(server.url);
  const logins = await server.openDatabase(TEMPLATE);
  await migrateDatabase(logins.migrate);
  project.provide('serverUrl', server.url);
  project.provide('templateName', TEMPLATE);
  project.provide('loginUrls', { ...logins, both: await addLoginOfBoth(server.databaseUrl(TEMPLATE)) });
  return async () => {
    await server.stop();
    await removeAbandonedPostgres(folder);
  };
}

/** The administrator's password was hashed before the server ran with its settings. */
async function hashPasswordAgain(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { username, password } = new URL(url);
  await client.query(`alter role ${username} password '${password}'`);
  await client.end();
}

async function addLoginOfBoth(administrator: string): Promise<string> {
  const login = Object.assign(new URL(administrator), { username: 'sharebook_tests' });
  const client = new pg.Client({ connectionString: administrator });
  await client.connect();
  await client.query(`create role sharebook_tests login password '${login.password}' in role sharebook_web, sharebook_worker`);
  await client.end();
  return login.href;
}

/** A run that was killed leaves its server behind; the next one clears it away. */
async function removeAbandoned(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(os.tmpdir(), name);
    // A folder without notes of users belongs to a run that is just starting.
    if (isOurs(folder) && fs.existsSync(path.join(folder, 'users'))) await removeAbandonedPostgres(folder);
  }
}

function isOurs(folder: string): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.();
}
