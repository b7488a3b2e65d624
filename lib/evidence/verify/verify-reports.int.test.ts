// @module-tag no-retry

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inUtc } from '#e2e/citus/test-cluster.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { requestDetails } from '#lib/fees/request-details.ts';
import { runDetailJob } from '#lib/fees/run-detail-job.ts';
import { claimDetailJob } from '#lib/fees/writes/detail-queue.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { readPeriodDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { fixReadings, recordDetail } from '#lib/subscriptions/writes.ts';
import { verifyGame } from './verify-game.ts';

let testEnv: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  context = { game: await testEnv.game(), config: testEnv.config };
  // The refund makes the second reading differ; the third has the bytes of the second.
  await readPeriodDetail(context, 2026100002, { limit_ms: 60_000 });
  await testEnv.control('POST', 'refunds', { period_id: 2026100002, amount_usd: '10.00', refunded_at: '2026-11-20T10:00:00.123Z' });
  for (const _ of [2, 3]) await readPeriodDetail(context, 2026100002, { limit_ms: 60_000 });
});
afterAll(() => testEnv.close());

const verify = async (): Promise<string[]> => {
  const { violations } = await verifyGame(testEnv.db, context.game.gameId);
  return violations.map(({ name, subject }) => `${name} of ${subject}`);
};

test('readings of detail reports follow from their bytes', async () => {
  const { responses, violations } = await verifyGame(testEnv.db, context.game.gameId);
  expect([responses, violations]).toEqual([3, []]);
});

test('a figure or a byte that was changed is named with its reading', async () => {
  await testEnv.pool.query('alter table report_read disable trigger user');
  await testEnv.pool.query(`update report_read set chargeback_fees_usd = 14.99 where read_no = 3`);
  expect(await verify()).toEqual(['report_figures of period 2026100002, reading 3']);
  await testEnv.pool.query(
    `update report_read set body = other.body from report_read other where other.game_id = report_read.game_id and other.read_no = 1 and report_read.read_no = 2`,
  );
  expect(await verify(), 'reading 3 has the bytes of reading 2').toEqual([
    'report_digest of period 2026100002, reading 2',
    'report_digest of period 2026100002, reading 3',
  ]);
});

test.each([
  ['no gzip', `'torn'`, `sha256('torn')`],
  ['no JSON', `decode('${gzipSync('<html>').toString('hex')}', 'hex')`, `sha256('<html>')`],
])('a body that is %s is named, and those after it are compared all the same', async (_, body, sha256) => {
  const statement = `update report_read set body = ${body}, sha256 = ${sha256} where read_no = 1`;
  const found = await withTampering(
    testEnv.pool,
    async (client) => void (await client.query(statement)),
    async (db) => (await verifyGame(db, context.game.gameId)).violations.map(({ subject }) => subject),
  );
  // Readings 2 and 3 are those of the test before.
  expect(new Set(found)).toEqual(new Set([1, 2, 3].map((no) => `period 2026100002, reading ${no}`)));
});

test('an answer about a subscription that no longer has its digest is named', async () => {
  await testEnv.pool.query(
    `insert into detail_read (game_id, kind, subject, read_at, body, sha256) values ($1, 'subscription', 'SUB_1', now(), 'torn', sha256('{}'))`,
    [context.game.gameId],
  );
  expect(await verify()).toContain('report_digest of subscription SUB_1, reading 1');
});

describe('the fees of a month', () => {
  // The first day of October holds the reference cases alone.
  const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
  const PERIOD = 2026100001;
  let month: TestEnvironment;
  let context: GameContext;
  beforeAll(async () => {
    month = await openTestEnvironment();
    context = { game: await month.game(), config: month.config };
    await month.pull(DAY);
    await requestDetails(month.db, { gameId: context.game.gameId, window: DAY, requestedBy: 'fiona@studio.example' });
    const lease = await claimDetailJob(month.db, 'test', context.game.gameId);
    if (lease === null) throw new Error('no job waits');
    expect(await runDetailJob(context.game, month.config, lease)).toEqual({ ended: 'done' });
  });
  afterAll(() => month.close());

  const found = async (db = month.db): Promise<string[]> =>
    (await verifyGame(db, context.game.gameId)).violations.map(
      ({ name, subject, expected, actual }) => `${name} of ${subject}: ${expected}, not ${actual}`,
    );
  const tampered = (statement: string): Promise<string[]> =>
    withTampering(month.pool, async (client) => void (await client.query(statement)), found);

  test('follow from the readings up to when they were added up, whatever was read or named later', async () => {
    expect(await found()).toEqual([]);
    await month.control('POST', 'refunds', { period_id: PERIOD, amount_usd: '20.00', refunded_at: '2026-11-20T00:00:00Z' });
    await readPeriodDetail(context, PERIOD, { limit_ms: 60_000 });
    const { rows } = await month.pool.query(
      `select card_fee_charged_to_partner_usd as fee from report_read where kind = 'period' and subject = $1 order by read_no`,
      [String(PERIOD)],
    );
    expect(rows).toEqual([{ fee: '0.00' }, { fee: '2.00' }]);
    await month.pool.query(`insert into unattributed_renewal (game_id, window_start, window_end, period_id, subscription_id, settled_from, settled_to)
      values (${context.game.gameId}, '${DAY.start}', '${DAY.end}', 77, 'SUB_77', '${DAY.start}', '${DAY.start}')`);
    expect(await found()).toEqual([]);
  });

  test.each(
    proofCases(2, [
      [
        'a fee',
        `jsonb_set(figures, '{chargeback,amount_usd}', '"14.99"')`,
        'detail_figures of detail reports from 2026-10-01, chargeback: {"amount_usd":"15.00","unrecorded":0}, not {"amount_usd":"14.99","unrecorded":0}',
      ],
      [
        'how many periods were read',
        `jsonb_set(figures, '{cardPeriods,read}', '99')`,
        /^detail_figures of detail reports from 2026-10-01, cardPeriods: /,
      ],
      ['a figure that nothing states', `figures || '{"tip": 1}'`, 'detail_figures of detail reports from 2026-10-01, tip: none, not 1'],
      [
        'a figure that is missing',
        `figures - 'held'`,
        'detail_figures of detail reports from 2026-10-01, held: {"amount_usd":"20.00","unrecorded":0}, not none',
      ],
    ]),
  )('%s that was changed is named', async (_, figures, expected) => {
    const named = await tampered(`update detail_month set figures = ${figures}`);
    expect(named).toHaveLength(1);
    expect(named[0]).toMatch(expected);
  });

  test('of another window than that of their snapshot are named', async () => {
    expect(await tampered(inUtc(`update detail_month set window_end = window_end + interval '1 day'`))).toContainEqual(
      expect.stringMatching(
        /^detail_window of detail reports from 2026-10-01: 2026-10-01T00:00:00Z to 2026-10-02T00:00:00Z, not .*2026-10-03/,
      ),
    );
  });

  test('are added up once every reading that started before is stored', async () => {
    const { db, pool, close } = openWithPool(month.url);
    const storing = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const stored = db.transaction().execute(async (trx) => {
      const answer = {
        gameId: context.game.gameId,
        kind: 'totals' as const,
        subject: 'x',
        contentEncoding: 'identity' as const,
        received: Buffer.from('{}'),
      };
      await recordDetail(trx, {
        ...answer,
        sha256: createHash('sha256').update('{}').digest('hex'),
        figures: null,
        sentAt_ms: performance.now(),
      });
      storing.resolve();
      await goOn.promise;
    });
    await storing.promise;
    const fixed = fixReadings(month.db, context.game.gameId);
    const isWaiting = `select count(*)::int as waits from pg_stat_activity where state = 'active' and query like '%lock_game%'
      and pid <> pg_backend_pid() and datname = current_database()`;
    await expect.poll(async () => (await pool.query(isWaiting)).rows[0].waits).toBe(1);
    goOn.resolve();
    await stored;
    const { rows } = await pool.query(`select read_at from report_read where subject = 'x' and read_at <= $1`, [await fixed]);
    expect(rows).toHaveLength(1);
    await close();
  });
});
