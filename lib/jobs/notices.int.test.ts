import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmtpServer, startSmtpServer } from '#e2e/support/notices/smtp-server.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { OCTOBER, openTestEnvironment, SECRET, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { insertNotice } from '#lib/notices/writes.ts';
import { readConfig } from '../config.ts';
import { openMailer } from '../notices/open-mailer.ts';
import { createHandlers } from './handlers.ts';

let testEnv: TestEnvironment;
let server: SmtpServer;
let gameId: number;

beforeAll(async () => {
  [testEnv, server] = await Promise.all([openTestEnvironment(), startSmtpServer()]);
  ({ gameId } = await testEnv.game());
  await seedFinance(testEnv, 'fiona');
});
afterAll(() => Promise.all([testEnv.close(), server.close()]));

function handlersOf(hasMailer: boolean, logged: Record<string, unknown>[] = []): ReturnType<typeof createHandlers> {
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  return createHandlers(readConfig({ ...env, SHAREBOOK_DETAIL_REPORTS: 'off' }), {
    open: () => testEnv.game(),
    db: testEnv.db,
    owner: 'test',
    signal: new AbortController().signal,
    log: (event, fields) => logged.push({ event, ...fields }),
    mailer: hasMailer ? openMailer({ url: server.url, from: 'books@studio.example' }) : null,
  });
}

async function listJobs(): Promise<number[]> {
  const { rows } = await testEnv.pool.query(`select data->'gameId' as id from pgboss.job where name = 'notices' and state = 'created'`);
  return rows.map(({ id }) => id);
}

test('a notice wakes the worker, and one that woke nobody is found by the tick, where there is a mail server', async () => {
  await insertNotice(testEnv.db, { gameId, kind: 'month_ready', subject: 'test', windowStart: OCTOBER.start, actorId: null });
  expect(await listJobs()).toEqual([gameId]);
  await testEnv.pool.query(`delete from pgboss.job where name = 'notices'`);
  await handlersOf(false).tick.run(null);
  await handlersOf(false).notices.run(gameId);
  expect([await listJobs(), server.received]).toEqual([[], []]);
  const logged: Record<string, unknown>[] = [];
  await handlersOf(true, logged).tick.run(null);
  expect(await listJobs()).toEqual([gameId]);
  await handlersOf(true, logged).notices.run(gameId);
  expect(server.received.map(({ to }) => to)).toEqual(['fiona@studio.example']);
  expect(logged).toMatchObject([{ event: 'email', game: 'demo', attempt: 1, outcome: 'sent' }]);
  expect(JSON.stringify(logged)).not.toContain('@');
});

test('the tick announces the month that can be closed', { tags: 'proof' }, async () => {
  await testEnv.pull(OCTOBER);
  await testEnv.pull(OCTOBER);
  await handlersOf(false).tick.run(null);
  const { rows } = await testEnv.pool.query(`select window_start from notice where kind = 'month_ready' and subject <> 'test'`);
  expect(rows).toEqual([{ window_start: OCTOBER.start }]);
});
