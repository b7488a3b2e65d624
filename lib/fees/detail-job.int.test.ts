// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { listDueDetails } from './reads/detail-jobs.ts';
import { requestDetails, scheduleDetails } from './request-details.ts';
import { afterFeesOf, type DetailFigures, parseDetailFigures } from './rules/detail-figures.ts';
import { type DetailRun, runDetailJob } from './run-detail-job.ts';
import { claimDetailJob } from './writes/detail-queue.ts';

// The first day of October holds the reference cases alone, worked out by hand (.github/docs/simulated-invo.md).
const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };

let testEnv: TestEnvironment;
let gameId: number;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull(DAY);
  ({ gameId } = await testEnv.game());
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  await testEnv.control('DELETE', 'faults');
  await testEnv.forgetCalls();
});

async function read(): Promise<DetailRun> {
  expect(await requestDetails(testEnv.db, { gameId, window: DAY, requestedBy: 'fiona@studio.example' })).toEqual({ ok: true });
  return await runNext();
}

async function runNext(owner = 'test'): Promise<DetailRun> {
  const lease = await claimDetailJob(testEnv.db, owner, gameId);
  if (lease === null) throw new Error('no job waits');
  return await runDetailJob(await testEnv.game(), testEnv.config, lease);
}

async function figures(): Promise<DetailFigures> {
  const { rows } = await testEnv.pool.query<{ figures: unknown }>('select figures from detail_month where window_start = $1', [DAY.start]);
  const parsed = parseDetailFigures(rows[0]?.figures);
  if (parsed === null) throw new Error('no figures');
  return parsed;
}

interface Item {
  reason: string;
  period_id: number | null;
  settled_from: string;
  settled_to: string;
  amount_usd: string | null;
  note: string | null;
}

async function items(): Promise<Item[]> {
  const { rows } = await testEnv.pool.query<Item>(
    'select reason, period_id, settled_from, settled_to, amount_usd, note from unattributed_renewal order by settled_from',
  );
  return rows;
}

const callsTo = async (route: RegExp): Promise<number> => (await testEnv.calls()).filter(({ path }) => route.test(path)).length;
const PERIODS = /\/reporting\/periods\//;
const CYCLES = /\/reporting\/subscriptions\//;
const CONTROLS = /\/reporting\/attribution\?/;

describe('the detail reports of a window', () => {
  test('are read of each card period, refunded period and subscription, and added up', async () => {
    expect(await read()).toEqual({ ended: 'done' });
    const counted = await testEnv.pool.query<{ card: number; subscriptions: number; refunded: number }>(
      `select (select count(distinct period_id) filter (where card_charged_usd > 0) from renewal_line) as card,
         (select count(*) from (select subscription_id from renewal_line union select subscription_id from reversal_line) seen) as subscriptions,
         (select count(distinct period_id) from reversal_line) as refunded`,
    );
    const [expected] = counted.rows;
    const found = await figures();
    // The four renewals without attribution (slots 8 to 11) may be card periods too, and no report names them.
    expect(found.cardPeriods).toEqual({ count: (expected?.card ?? 0) + 4, read: expected?.card });
    expect(found.unnamed).toBe(4);
    expect(found.subscriptions).toEqual({ count: expected?.subscriptions, read: expected?.subscriptions });
    expect(found.refunded).toEqual({ count: expected?.refunded, read: expected?.refunded });
    // Slot 2: 0.75 passed through, 15.00 for a chargeback, 20.00 held (.github/docs/simulated-invo.md).
    expect(found.pass_through).toEqual({ amount_usd: '0.75', unrecorded: 0 });
    expect(found.chargeback).toEqual({ amount_usd: '15.00', unrecorded: 0 });
    expect(found.held).toEqual({ amount_usd: '20.00', unrecorded: 0 });
    expect(await callsTo(CYCLES)).toBeGreaterThanOrEqual(found.subscriptions.count);
  });

  test('leave revenue after fees unstated while a period isn’t read or a fee has no date', async () => {
    const found = await figures();
    // Slot 4 was refunded in October and in November, with one card fee for both; slot 10's refund is listed nowhere.
    expect(found.card_fee.undated).toBeGreaterThan(0);
    expect(found.unlistedRefunds).toBe(1);
    expect(afterFeesOf(found, { partner_revenue_usd: '1.00', reversals_without_receipts: 1 })).toEqual({
      gaps: ['card_periods_not_read', 'refunds_not_listed', 'card_fee_not_dated', 'reversals_without_receipts'],
    });
  });

  test('compare lifetime totals with the lines, where no refund lies outside the pulled time', async () => {
    const { lifetime, subscriptions } = await figures();
    expect(lifetime).toMatchObject({ matching: 5, differing: 0, differences: [] });
    expect(lifetime.matching + lifetime.notComparable).toBe(subscriptions.count);
  });

  test('don’t name three renewals without attribution, which Invo’s totals locate within a minute each', async () => {
    const found = await items();
    expect(found.map(({ reason, amount_usd, period_id }) => ({ reason, amount_usd, period_id }))).toEqual([
      { reason: 'spend_order_not_found', amount_usd: '12.00', period_id: null },
      { reason: 'attribution_not_recorded', amount_usd: '14.00', period_id: null },
      { reason: 'attribution_malformed', amount_usd: '16.00', period_id: null },
    ]);
    const settled = ['2026-10-01T05:10:00Z', '2026-10-01T05:20:00Z', '2026-10-01T05:30:00Z'].map((instant) => Date.parse(instant));
    for (const [index, { settled_from, settled_to }] of found.entries()) {
      expect(Date.parse(settled_from)).toBeLessThanOrEqual(settled[index] ?? 0);
      expect(Date.parse(settled_to)).toBeGreaterThan(settled[index] ?? 0);
      expect(Date.parse(settled_to) - Date.parse(settled_from)).toBeLessThanOrEqual(60_000);
    }
  });

  test('are stored as received: a reading can’t be changed, removed or replaced', async () => {
    for (const statement of [
      `update report_read set read_at = now()`,
      'delete from report_read',
      'truncate report_read',
      `update report_read set body = 'x'`,
    ])
      await expect(testEnv.pool.query(statement)).rejects.toThrow(/report_read(_\d+)? is evidence/);
  });

  test('aren’t read twice: another attempt of the job takes what was read since it was requested', { tags: 'proof' }, async () => {
    const { rows } = await testEnv.pool.query<{ since: string }>('select since from detail_job order by detail_job_id desc limit 1');
    await testEnv.pool.query(
      `insert into detail_job (game_id, window_start, window_end, requested_by, since) values ($1, $2, $3, 'test', $4)`,
      [gameId, DAY.start, DAY.end, rows[0]?.since],
    );
    const before = await figures();
    await testEnv.forgetCalls();
    expect(await runNext()).toEqual({ ended: 'done' });
    expect(await testEnv.calls()).toEqual([]);
    expect(await figures()).toEqual(before);
  });

  test('that differ when they are read again are a new reading, and equal bytes are stored once', { tags: 'proof' }, async () => {
    const subject = '2026100001';
    await testEnv.control('POST', 'refunds', { period_id: 2026100001, amount_usd: '20.00', refunded_at: '2026-11-20T00:00:00Z' });
    const equal = '2026100002';
    expect(await read()).toEqual({ ended: 'done' });
    const { rows } = await testEnv.pool.query<{ subject: string; read_no: number; has_body: boolean; fee: string }>(
      `select subject, read_no, body is not null as has_body, card_fee_charged_to_partner_usd as fee from report_read
       where kind = 'period' and subject = any($1) order by subject, read_no`,
      [[subject, equal]],
    );
    expect(rows).toEqual([
      { subject, read_no: 1, has_body: true, fee: '0.00' },
      { subject, read_no: 2, has_body: true, fee: '2.00' },
      { subject: equal, read_no: 1, has_body: true, fee: '0.00' },
      { subject: equal, read_no: 2, has_body: false, fee: '0.00' },
    ]);
  });

  test('name a renewal whose subscription became known, and keep the note on it', { tags: 'proof' }, async () => {
    await testEnv.pool.query(`insert into person (id, email, name, roles) values ('p1', 'fiona@studio.example', 'Fiona', '{finance}')`);
    await testEnv.pool.query(
      `update unattributed_renewal set note = 'asked Invo', noted_by = 'p1', noted_at = now() where reason = 'spend_order_not_found'`,
    );
    await testEnv.pool.query(`insert into known_subscription (game_id, subscription_id, seen_at)
      select ${gameId}, 'SUB_1767225600_WITN' || slot || 'AL', now() from unnest(array['08', '09', '10', '11']) as slot`);
    expect(await read()).toEqual({ ended: 'done' });
    expect((await items()).map(({ period_id, reason, note }) => ({ period_id, reason, note }))).toEqual([
      { period_id: 2026100008, reason: 'no_revenue_share_configured', note: null },
      { period_id: 2026100009, reason: 'spend_order_not_found', note: 'asked Invo' },
      { period_id: 2026100010, reason: 'attribution_not_recorded', note: null },
      { period_id: 2026100011, reason: 'attribution_malformed', note: null },
    ]);
    const found = await figures();
    expect(found.cardPeriods.read).toBe(found.cardPeriods.count);
    expect([found.unnamed, found.unlistedRefunds]).toEqual([0, 0]);
  });
});

const countReadings = async (): Promise<number> =>
  Number((await testEnv.pool.query<{ count: number }>(`select count(*) from report_read where kind = 'period'`)).rows[0]?.count);

test('a report that Invo doesn’t know, or that breaks the contract, stays not read and stops nothing', { tags: 'proof' }, async () => {
  const before = await countReadings();
  await testEnv.control('POST', 'faults', [
    { kind: '404', code: 'PERIOD_NOT_FOUND', times: 1, match: { route: 'period' } },
    { kind: 'number_for_string', path: 'fee_legs.chargeback_fees_usd', times: 1, match: { route: 'period' } },
  ]);
  expect(await read()).toEqual({ ended: 'done' });
  expect(await callsTo(PERIODS)).toBe((await countReadings()) - before + 2);
});

test('a subscription whose lifetime totals differ from the lines is listed with both sides', { tags: 'proof' }, async () => {
  const subscription_id = 'SUB_1767225600_WITN12AL';
  const puts = { 'lifetime_totals.gross_attributed_usd': '99.99' };
  await testEnv.control('POST', 'faults', [{ kind: 'put', puts, match: { route: 'subscription-attribution', subscription_id } }]);
  expect(await read()).toEqual({ ended: 'done' });
  const { lifetime } = await figures();
  // Eleven renewals from January to November, 0.90 attributed of each. The refund above put slot 1 out of comparison.
  expect(lifetime).toMatchObject({ matching: 3, differing: 1 });
  expect(lifetime.differences).toEqual([
    { subscription_id, invo_gross_usd: '99.99', own_gross_usd: '9.90', invo_reversed_usd: '0.00', own_reversed_usd: '0.00' },
  ]);
});

test('a job that can’t reach Invo fails with the reason and leaves what it read', async () => {
  await testEnv.control('POST', 'faults', [{ kind: '403', times: 1_000, match: { route: 'period' } }]);
  expect(await read()).toMatchObject({ ended: 'failed', code: 'not_live' });
  expect((await figures()).subscriptions).toEqual({ count: 14, read: 14 });
  const due = await listDueDetails(testEnv.db, gameId);
  expect(due, 'tried again after six hours').toEqual([]);
});

describe('the schedule', () => {
  test('requests a month that is complete, and one whose snapshot changed since', { tags: 'proof', timeout: 240_000 }, async () => {
    const month = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
    await testEnv.pull(month);
    await testEnv.pool.query(
      `insert into detail_setting (game_id, card_periods, subscriptions, set_by) values ($1, 'off', 'off', 'test')`,
      [gameId],
    );
    const game = await testEnv.game();
    const queued = async (): Promise<unknown[]> =>
      (await testEnv.pool.query(`select window_start from detail_job where state = 'queued' order by detail_job_id`)).rows;
    await scheduleDetails(game);
    await scheduleDetails(game);
    expect(await queued()).toEqual([{ window_start: month.start }]);
    expect(await runNext()).toEqual({ ended: 'done' });
    await scheduleDetails(game);
    expect(await queued()).toEqual([]);
    await testEnv.pull(month, { isFresh: true });
    await scheduleDetails(game);
    expect(await queued()).toEqual([{ window_start: month.start }]);
  });

  test('requests nothing of a month that isn’t over, nor can a person', async () => {
    const open = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
    await testEnv.pull(open);
    expect(await requestDetails(testEnv.db, { gameId, window: open, requestedBy: 'x' })).toEqual({ ok: false, reason: 'not_complete' });
    expect((await listDueDetails(testEnv.db, gameId)).map(({ window }) => window.start)).not.toContain(open.start);
  });
});

test('the search spends 60 calls of a month in a day, then waits', { tags: ['proof'], timeout: 240_000 }, async () => {
  await testEnv.pool.query(`delete from unattributed_renewal; delete from known_subscription where subscription_id ~ 'WITN'`);
  // Sixty calls of today, about parts that the search doesn't ask for.
  await testEnv.pool.query(
    `insert into report_read (game_id, kind, subject, read_no, read_at, body, sha256)
     select $1, 'totals', '2026-10-01T12:00:00Z 2026-10-01T12:00:' || lpad(n::text, 2, '0') || 'Z', 1, clock_now(), 'x', sha256('x')
     from generate_series(0, 59) as n`,
    [gameId],
  );
  // A new snapshot: answers about the one before don't count.
  await testEnv.pull(DAY, { isFresh: true });
  await testEnv.forgetCalls();
  expect(await read()).toEqual({ ended: 'done' });
  expect(await callsTo(CONTROLS)).toBe(0);
  const { rows } = await testEnv.pool.query<{ hours: number }>(
    `select round(extract(epoch from search_next_at - now()) / 3600)::int as hours from detail_month where window_start = $1`,
    [DAY.start],
  );
  expect(rows).toEqual([{ hours: 24 }]);
});
