import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { findSetUpLink } from '../people/find-set-up-link.ts';
import { findFreePort } from './free-port.ts';
import type { ProcessPlan } from './processes.ts';
import { addressFrom, announce, chooseAddress, webPlan, workerPlan } from './serve.ts';

let database: TestDb;
beforeAll(async () => {
  database = await createTestDb();
});
afterAll(async () => await database.close());

const URL_TEXT = 'https://sharebook.studio.example';

test('with simulated data no link is printed, because a person is chosen on the sign-in page', async () => {
  const lines = await announce(URL_TEXT, true, { NODE_ENV: 'test', DATABASE_URL: database.url });
  expect(lines.join('\n')).toContain('choose a person');
  expect(lines.join('\n')).not.toContain('token');
});

test('without an admin a working set-up link is printed, and with one none is', async () => {
  const start = async (): Promise<string> => (await announce(URL_TEXT, false, { NODE_ENV: 'test', DATABASE_URL: database.url })).join('\n');
  const [, token = ''] = /^https:\/\/sharebook\.studio\.example\/set-up\?token=([\w-]{43})$/m.exec(await start()) ?? [];
  expect(await findSetUpLink(database.db, token)).toMatchObject({ ok: true, purpose: 'first_admin' });
  await seedPerson(database.db, 'ada@studio.example', 'admin');
  expect(await start()).not.toContain('token');
});

test('the web process and the worker know their own login of the database and no other', () => {
  const given = { NODE_ENV: 'test', DATABASE_URL: 'web', DATABASE_WORKER_URL: 'worker', DATABASE_MIGRATE_URL: 'migrate' } as const;
  const loginsOf = ({ env }: ProcessPlan): unknown[] =>
    Object.entries(env).filter(([name, url]) => name.startsWith('DATABASE_') && url !== undefined);
  expect(loginsOf(webPlan(addressFrom(given), given))).toEqual([['DATABASE_URL', 'web']]);
  expect(loginsOf(workerPlan(given))).toEqual([['DATABASE_URL', 'worker']]);
  expect(loginsOf(workerPlan({ NODE_ENV: 'test', DATABASE_URL: 'one' }))).toEqual([['DATABASE_URL', 'one']]);
  const keyed = { NODE_ENV: 'test', SHAREBOOK_PAYEE_KEY: 'key' } as const;
  expect(webPlan(addressFrom(keyed), keyed).env['SHAREBOOK_PAYEE_KEY']).toBe('key');
  expect(workerPlan(keyed).env['SHAREBOOK_PAYEE_KEY']).toBeUndefined();
});

test('the worker of a demo whose months are closed has the login of the pages and the key too, and no other worker has', () => {
  const given = { NODE_ENV: 'test', DATABASE_URL: 'web', DATABASE_WORKER_URL: 'worker', SHAREBOOK_PAYEE_KEY: 'key' } as const;
  const knows = (more: NodeJS.Dict<string>): unknown[] => {
    const { env } = workerPlan({ ...given, ...more });
    return [env['DATABASE_URL'], env['DATABASE_WORKER_URL'], env['SHAREBOOK_PAYEE_KEY']];
  };
  expect(knows({ SHAREBOOK_SIMULATED: '1' })).toEqual(['web', 'worker', 'key']);
  expect(knows({ SHAREBOOK_SIMULATED: '1', SHAREBOOK_DEMO_YEAR: 'off' })).toEqual(['worker', undefined, undefined]);
  expect(knows({ SHAREBOOK_DEMO_YEAR: 'on' })).toEqual(['worker', undefined, undefined]);
});

test('a port that is named must be free, and without one the next free port is taken', async () => {
  const port = await findFreePort();
  const server = net.createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(chooseAddress({ NODE_ENV: 'test', PORT: String(port) })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use. Set PORT`);
  const chosen = await chooseAddress({ NODE_ENV: 'test' });
  expect(chosen.port).toBeGreaterThanOrEqual(3000);
  expect(chosen.url).toBe(`http://127.0.0.1:${chosen.port}`);
  server.close();
});
