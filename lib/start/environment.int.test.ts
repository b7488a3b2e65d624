import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createTestDb } from '#db/kit/testing/test-db.ts';
import { type Ground, type GroundOptions, isGameConfigured, prepareGround } from './environment.ts';
import { identifyProcess } from './process-identity.ts';

const REAL_GAME = { INVO_GAME: 'real', INVO_BASE_URL: 'https://invo.example', INVO_GAME_SECRET: 'a-real-secret' };
let folder: string;
let grounds: Ground[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-ground-'));
  fs.chmodSync(folder, 0o711);
  grounds = [];
});

afterEach(async () => {
  for (const ground of grounds) await ground.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function prepare(env: NodeJS.Dict<string>, options: Partial<GroundOptions> = {}): Promise<Ground> {
  const bare = {
    NODE_ENV: 'production',
    PATH: process.env['PATH'],
    SHAREBOOK_DATA: folder,
    SHAREBOOK_POSTGRES_FLAGS: 'fsync=off',
  } as const;
  const ground = await prepareGround({ ...bare, ...env }, { needs: 'database+invo', show: () => undefined, ...options });
  grounds.push(ground);
  return ground;
}

function databaseOf(ground: Ground): string {
  return new URL(ground.env['DATABASE_URL'] ?? '').pathname.slice(1);
}

async function listTables(url: string | undefined): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`);
  await client.end();
  return rows.map((row) => row.name);
}

describe('the ground', () => {
  it('is all simulated when nothing is configured, and goes without a trace', async () => {
    const ground = await prepare({});
    expect(ground.isSimulated).toBe(true);
    expect(ground.started.toSorted()).toEqual(['postgres', 'simulated Invo']);
    expect(ground.env).toMatchObject({
      SHAREBOOK_SIMULATED: '1',
      INVO_GAME: 'demo',
      INVO_GAME_NAME: 'Starfall',
      INVO_ENVIRONMENT: 'production',
    });
    expect(databaseOf(ground)).toBe('sharebook_simulated');
    expect((await listTables(ground.env['DATABASE_URL'])).length).toBeGreaterThan(1);
    const reached = await fetch(`${ground.env['INVO_BASE_URL']}/api/subscriptions/reporting/attribution`);
    expect(reached.status).toBe(401);
    const pid = Number(fs.readFileSync(path.join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    await ground.stop();
    expect(identifyProcess(pid)).toBeNull();
    await expect(fetch(ground.env['INVO_BASE_URL'] ?? '')).rejects.toThrow();
  });

  it('holds nothing simulated once a game is configured', async () => {
    const ground = await prepare({ ...REAL_GAME, SHAREBOOK_SIMULATED: '1' });
    expect([ground.isSimulated, databaseOf(ground), ground.started]).toEqual([false, 'sharebook', ['postgres']]);
    expect(ground.env['SHAREBOOK_SIMULATED']).toBeUndefined();
    expect(ground.env).toMatchObject(REAL_GAME);
  });

  it('keeps simulated data out of a database that was given', async () => {
    const given = new URL(inject('serverUrl'));
    const ground = await prepare({ DATABASE_URL: given.href });
    expect([databaseOf(ground), new URL(ground.env['DATABASE_URL'] ?? '').port]).toEqual(['sharebook_simulated', given.port]);
    expect(await listTables(given.href)).toEqual([]);
  });

  it('uses a given database as it is for applying migrations', async () => {
    const given = await createTestDb();
    const ground = await prepare({ DATABASE_URL: given.url }, { needs: 'database', isDatabaseLiteral: true });
    expect([ground.env['DATABASE_URL'], ground.started]).toEqual([given.url, []]);
    await given.close();
  });

  it('is joined, not doubled, by a command beside a Sharebook that runs', async () => {
    const running = await prepare({}, { isShared: true });
    const command = await prepare({});
    expect(command.env['INVO_BASE_URL']).toBe(running.env['INVO_BASE_URL']);
    expect(command.started).toEqual(['postgres']);
    await command.stop();
    expect((await listTables(running.env['DATABASE_URL'])).length).toBeGreaterThan(1);
  });

  it('refuses half a configuration before it starts anything', async () => {
    await expect(prepare({ INVO_BASE_URL: 'https://invo.example' })).rejects.toThrow('belong together');
    await expect(prepare({ ...REAL_GAME, INVO_BASE_URL: 'http://invo.example' })).rejects.toThrow('https');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('keeps its secrets from other users, and the same ones', async () => {
    const first = await prepare(REAL_GAME);
    const second = await prepare(REAL_GAME);
    expect(fs.statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(second.env['SHAREBOOK_AUTH_SECRET']).toBe(first.env['SHAREBOOK_AUTH_SECRET']);
    expect(Buffer.from(first.env['NEXT_SERVER_ACTIONS_ENCRYPTION_KEY'] ?? '', 'base64')).toHaveLength(32);
  });

  it('takes any part of a game for a configuration, and a time zone alone for none', () => {
    expect(isGameConfigured({ NODE_ENV: 'test', INVO_GAME_SECRET: 'x' })).toBe(true);
    expect(isGameConfigured({ NODE_ENV: 'test', INVO_TIME_ZONE: 'UTC', INVO_GAME: '' })).toBe(false);
  });
});
