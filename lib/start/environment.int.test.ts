// @module-tag no-retry
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ensureDatabase } from '#db/kit/administer.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { createTestDb } from '#e2e/support/db/test-db.ts';
import { makeStoppedServer, type StoppedServer } from '#e2e/support/start/stopped-server.ts';
import { type Environment, type EnvironmentOptions, isGameConfigured, prepareEnvironment } from './environment.ts';
import { identifyProcess } from './file-lock.mjs';
import { startPostgres } from './postgres/embedded-postgres.ts';

const REAL_GAME = { INVO_GAME: 'real', INVO_BASE_URL: 'https://invo.example', INVO_GAME_SECRET: 'a-real-secret' };
let stopped: StoppedServer;
let folder: string;
let prepared: Environment[];

beforeAll(async () => {
  stopped = await makeStoppedServer();
});
afterAll(() => stopped.remove());

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-environment-'));
  fs.chmodSync(folder, 0o711);
  prepared = [];
});

function copyServer(): void {
  stopped.copyTo(path.join(folder, 'postgres'));
}

afterEach(async () => {
  for (const environment of prepared) await environment.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function prepare(env: NodeJS.Dict<string>, options: Partial<EnvironmentOptions> = {}): Promise<Environment> {
  const bare = {
    NODE_ENV: 'production',
    PATH: process.env['PATH'],
    SHAREBOOK_DATA: folder,
    SHAREBOOK_POSTGRES_FLAGS: 'fsync=off',
  } as const;
  const environment = await prepareEnvironment({ ...bare, ...env }, { needs: 'database+invo', show: () => undefined, ...options });
  prepared.push(environment);
  return environment;
}

function databaseOf(environment: Environment): string {
  return new URL(environment.env['DATABASE_URL'] ?? '').pathname.slice(1);
}

async function listTables(url: string | undefined): Promise<string[]> {
  return (await ask(url, `select tablename as name from pg_tables where schemaname = 'public'`)).map((row) => String(row['name']));
}

async function ask(url: string | undefined, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Web, worker and migrations have a login each, and the demo people are there for the worker, which can add none. */
async function expectLogins(env: NodeJS.ProcessEnv): Promise<void> {
  const logins = [env['DATABASE_URL'], env['DATABASE_WORKER_URL'], env['DATABASE_MIGRATE_URL']].map((url) => new URL(url ?? '').username);
  expect(logins).toEqual(['sharebook_web', 'sharebook_worker', 'sharebook_migrate']);
  expect(await ask(env['DATABASE_WORKER_URL'], 'select count(*)::int as n from person')).toEqual([{ n: 5 }]);
  const details = await ask(env['DATABASE_WORKER_URL'], 'select count(*)::int as n from payee_detail where confirmed_at is not null');
  expect(details).toEqual([{ n: 230 }]);
  await expect(ask(env['DATABASE_WORKER_URL'], `update payee_detail set confirmed_by = 'x'`)).rejects.toThrow('permission denied');
  await expect(
    ask(env['DATABASE_WORKER_URL'], `insert into person (id, email, name, roles) values ('x', 'x', 'x', '{admin}')`),
  ).rejects.toThrow('permission denied for table person');
}

describe('prepareEnvironment', () => {
  it('everything is simulated when nothing is configured, web, worker and migrations have a login each, and nothing is left running after stop', {
    tags: ['proof'],
  }, async () => {
    const environment = await prepare({});
    expect(environment.isSimulated).toBe(true);
    expect(environment.started.toSorted()).toEqual(['postgres', 'simulated Invo']);
    expect(environment.env).toMatchObject({
      SHAREBOOK_SIMULATED: '1',
      INVO_GAME: 'demo',
      INVO_GAME_NAME: 'Starfall',
      INVO_ENVIRONMENT: 'production',
    });
    expect(databaseOf(environment)).toBe('sharebook_simulated');
    expect((await listTables(environment.env['DATABASE_URL'])).length).toBeGreaterThan(1);
    const reached = await fetch(`${environment.env['INVO_BASE_URL']}/api/subscriptions/reporting/attribution`);
    expect(reached.status).toBe(401);
    await expectLogins(environment.env);
    const pid = Number(fs.readFileSync(path.join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    await environment.stop();
    expect(identifyProcess(pid)).toBeNull();
    await expect(fetch(environment.env['INVO_BASE_URL'] ?? '')).rejects.toThrow();
  });

  it('a data folder from before there were roles retains its rows, which web and worker can no longer change', {
    tags: ['proof'],
  }, async () => {
    copyServer();
    const server = await startPostgres({ folder: path.join(folder, 'postgres'), flags: ['fsync=off'] });
    await ensureDatabase(server.url, 'sharebook');
    await migrateDatabase(server.databaseUrl('sharebook'));
    await ask(server.databaseUrl('sharebook'), `insert into audit (actor, act, subject) values ('ada', 'signed in', 'ada')`);
    await server.stop();
    const { env } = await prepare(REAL_GAME, { needs: 'database' });
    for (const name of ['DATABASE_URL', 'DATABASE_WORKER_URL']) {
      expect(await ask(env[name], 'select actor from audit')).toEqual([{ actor: 'ada' }]);
      await expect(ask(env[name], 'alter table audit disable trigger all')).rejects.toThrow('must be owner of table audit');
      await expect(ask(env[name], 'delete from audit')).rejects.toThrow('permission denied for table audit');
    }
  });

  it('nothing is simulated once a game is configured, and its secrets stay the same and only their user can read them', {
    tags: ['proof'],
  }, async () => {
    copyServer();
    const environment = await prepare({ ...REAL_GAME, SHAREBOOK_SIMULATED: '1' });
    expect([environment.isSimulated, databaseOf(environment), environment.started]).toEqual([false, 'sharebook', ['postgres']]);
    expect(environment.env['SHAREBOOK_SIMULATED']).toBeUndefined();
    expect(environment.env).toMatchObject(REAL_GAME);
    const again = await prepare(REAL_GAME);
    expect(fs.statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(again.env['SHAREBOOK_AUTH_SECRET']).toBe(environment.env['SHAREBOOK_AUTH_SECRET']);
    expect(Buffer.from(environment.env['NEXT_SERVER_ACTIONS_ENCRYPTION_KEY'] ?? '', 'base64')).toHaveLength(32);
    expect(Buffer.from(environment.env['SHAREBOOK_PAYEE_KEY'] ?? '', 'base64')).toHaveLength(32);
    expect(again.env['SHAREBOOK_PAYEE_KEY']).toBe(environment.env['SHAREBOOK_PAYEE_KEY']);
  });

  it('simulated data never enters the given database', { tags: ['proof'] }, async () => {
    const given = new URL(inject('serverUrl'));
    const environment = await prepare({ DATABASE_URL: given.href }, { needs: 'database' });
    expect([databaseOf(environment), new URL(environment.env['DATABASE_URL'] ?? '').port]).toEqual(['sharebook_simulated', given.port]);
    expect(await listTables(given.href)).toEqual([]);
  });

  it('the given database is used as it is for applying migrations', async () => {
    const given = await createTestDb();
    const environment = await prepare({ DATABASE_URL: given.url }, { needs: 'database', isDatabaseLiteral: true });
    expect([environment.env['DATABASE_URL'], environment.started]).toEqual([given.url, []]);
    expect(await ask(given.url, 'select (select count(*) from person) + (select count(*) from payee_detail) as n')).toEqual([{ n: '0' }]);
    await given.close();
  });

  it('a command uses the services of a Sharebook that already runs over the same data folder', { tags: ['proof'] }, async () => {
    copyServer();
    const running = await prepare({}, { isServer: true });
    const command = await prepare({});
    expect(command.env['INVO_BASE_URL']).toBe(running.env['INVO_BASE_URL']);
    expect(command.started).toEqual(['postgres']);
    await command.stop();
    expect((await listTables(running.env['DATABASE_URL'])).length).toBeGreaterThan(1);
  });

  it('a second server over the same data folder is rejected with the process to stop', { tags: ['proof'] }, async () => {
    copyServer();
    await prepare({}, { isServer: true });
    const second = prepare({}, { isServer: true });
    await expect(second).rejects.toThrow(`already running over ${folder} (process ${process.pid}). Stop it first`);
  });

  it('a server starts over the data folder of one that was killed', { tags: ['proof'] }, async () => {
    copyServer();
    fs.writeFileSync(path.join(folder, 'running.json'), JSON.stringify({ url: 'http://127.0.0.1:9', owner: '999999999:1' }));
    expect((await prepare({}, { isServer: true })).started).toContain('simulated Invo');
  });

  it('simulated data of another purpose is stored in a database of its own', { tags: ['proof'] }, async () => {
    copyServer();
    expect(databaseOf(await prepare({}, { needs: 'database', simulatedDatabase: 'sharebook_dev' }))).toBe('sharebook_dev');
  });

  it('half a configuration is rejected before anything is started', async () => {
    await expect(prepare({ INVO_BASE_URL: 'https://invo.example' })).rejects.toThrow('belong together');
    await expect(prepare({ ...REAL_GAME, INVO_BASE_URL: 'http://invo.example' })).rejects.toThrow('https');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('a database of one’s own gets no key of payment details by itself', async () => {
    const given = await createTestDb();
    const environment = await prepare({ ...REAL_GAME, DATABASE_URL: given.url }, { needs: 'database' });
    expect(environment.env['SHAREBOOK_PAYEE_KEY']).toBeUndefined();
    const key = 'a'.repeat(64);
    const keyed = await prepare({ ...REAL_GAME, DATABASE_URL: given.url, SHAREBOOK_PAYEE_KEY: key }, { needs: 'database' });
    expect(keyed.env['SHAREBOOK_PAYEE_KEY']).toBe(key);
    await given.close();
  });

  it('any part of a game counts as a configuration, and a time zone alone does not', () => {
    expect(isGameConfigured({ NODE_ENV: 'test', INVO_GAME_SECRET: 'x' })).toBe(true);
    expect(isGameConfigured({ NODE_ENV: 'test', INVO_TIME_ZONE: 'UTC', INVO_GAME: '' })).toBe(false);
  });
});
