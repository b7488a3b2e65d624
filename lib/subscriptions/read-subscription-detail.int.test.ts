import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OCTOBER, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { readPeriodDetail } from './read-subscription-detail.ts';
import { listLineEvidence } from './reads.ts';

// Slot 4 of October: 50.00 charged, 15.00 refunded on the day and 35.00 in November (.github/docs/simulated-invo.md).
const PERIOD = 2026100004;

let environment: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  environment = await openTestEnvironment();
  context = { game: await environment.game(), config: environment.config };
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.control('DELETE', 'faults');
  await environment.forgetCalls();
});

/** Longer than Invo takes on a busy machine, so that only Invo's faults fail a read. */
const LONG_DEADLINE = { limit_ms: 60_000 };

const fault = (kind: string, more: Record<string, unknown> = {}) => environment.control('POST', 'faults', [{ kind, times: 9, ...more }]);

test('a period is read live and stored under its ID', async () => {
  const detail = await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
  expect(detail).toMatchObject({
    kind: 'live',
    value: { report: { period: { amount_usd: '50.00' } }, facts: { refunded_to_date_usd: '50.00' } },
  });
  const storedReads = await environment.pool.query<{ kind: string; subject: string }>('select kind, subject from report_read');
  expect(storedReads.rows).toEqual([{ kind: 'period', subject: String(PERIOD) }]);
  expect(await environment.calls()).toHaveLength(1);
});

test('every ID in the answer leads back to the period afterwards', async () => {
  await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
  const ids = await environment.pool.query<{ kind: string; id_text: string; period_id: number }>(
    'select kind, id_text, period_id from known_id order by kind, id_text',
  );
  expect(ids.rows).toContainEqual({ kind: 'order', id_text: `MINT_${PERIOD}`, period_id: PERIOD });
  expect(ids.rows).toContainEqual({ kind: 'transaction', id_text: `TXN_${PERIOD}`, period_id: PERIOD });
  expect(ids.rows.filter(({ kind }) => kind === 'transaction')).toHaveLength(3);
  const players = await environment.pool.query('select player_id, player_email from known_player');
  expect(players.rows).toEqual([{ player_id: 9010, player_email: 'witness-9010@creators.example' }]);
});

describe('when Invo can’t be reached', () => {
  test.each([
    ['is failing', '500', 'upstream_fault'],
    ['closes the connection', 'reset', 'unreachable'],
    ['sends half an answer', 'torn', 'unreachable'],
    ['sends an HTML page', 'html', 'malformed'],
    ['redirects', 'redirect', 'redirected'],
    ['refuses the secret', '401', 'unauthorized'],
    ['says the game is not live', '403', 'not_live'],
  ])('because it %s, the stored answer is returned with its time', async (_, kind, code) => {
    await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
    await environment.pool.query(
      `alter table report_read disable trigger report_read_kept; update report_read set read_at = '2026-11-20T08:00:00Z'`,
    );
    await environment.forgetCalls();
    await fault(kind, kind === 'redirect' ? { location: 'https://elsewhere.example/', status: 302 } : {});
    const detail = await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
    expect(detail).toMatchObject({
      kind: 'stored',
      readAt: '2026-11-20T08:00:00Z',
      error: { code },
      value: { report: { period: { period_id: PERIOD } } },
    });
    expect((await environment.calls()).length, 'at most two tries per read').toBeLessThanOrEqual(2);
  });

  test('because it is slow, the read ends at its limit with a timeout', async () => {
    await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
    await environment.forgetCalls();
    await fault('hold');
    const detail = await readPeriodDetail(context, PERIOD, { limit_ms: 400 });
    expect(detail).toMatchObject({ kind: 'stored', error: { code: 'timeout' } });
    expect((await environment.calls()).length, 'the client itself would have tried again').toBeLessThanOrEqual(1);
  });

  test('because of the rate limit, the read ends without waiting', async () => {
    await fault('429', { retryAfter: 600 });
    const detail = await readPeriodDetail(context, 2026100005, LONG_DEADLINE);
    expect(detail).toMatchObject({ kind: 'nothing', error: { code: 'rate_limited' } });
    // The next read finds the pause in the database, before any call.
    expect(await readPeriodDetail(context, 2026100005, LONG_DEADLINE)).toMatchObject({ kind: 'nothing', error: { code: 'rate_limited' } });
    expect(await environment.calls()).toHaveLength(1);
    await environment.pool.query('delete from rate_bucket');
  });

  test('an answer that breaks the contract doesn’t replace a valid one', async () => {
    await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
    await fault('number_for_string', { path: 'period.amount_usd' });
    expect(await readPeriodDetail(context, PERIOD, LONG_DEADLINE)).toMatchObject({
      kind: 'stored',
      value: { facts: { amount_usd: '50.00' } },
    });
    await environment.control('DELETE', 'faults');
    await environment.pool.query(`update report_read set sha256 = sha256('other')`);
    await fault('500');
    expect(await readPeriodDetail(context, PERIOD, LONG_DEADLINE), 'stored bytes with a wrong digest are not shown').toMatchObject({
      kind: 'nothing',
    });
  });

  test('and the stored bytes are no gzip, or no JSON, nothing is shown: the page states the error of the read', async () => {
    await readPeriodDetail(context, PERIOD, LONG_DEADLINE);
    await fault('500');
    for (const body of [`'torn'`, `decode('1f8b', 'hex')`, `decode('${gzipSync('<html>').toString('hex')}', 'hex')`]) {
      await environment.pool.query(`update report_read set body = ${body}, sha256 = sha256('<html>') where subject = $1`, [String(PERIOD)]);
      expect(await readPeriodDetail(context, PERIOD, LONG_DEADLINE), body).toMatchObject({
        kind: 'nothing',
        error: { code: 'upstream_fault' },
      });
    }
  });

  test('and nothing is stored, the error names the ID to quote', async () => {
    await fault('500');
    const detail = await readPeriodDetail(context, 2026100006, LONG_DEADLINE);
    expect(detail).toMatchObject({ kind: 'nothing', error: { sentence: expect.stringContaining('Quote ') as string } });
  });
});

test('only Invo’s own 404 means that a period doesn’t exist', async () => {
  expect(await readPeriodDetail(context, 77, LONG_DEADLINE)).toEqual({ kind: 'not_found' });
  await fault('404', { code: 'PERIOD_NOT_FOUND', codePublic: 'RESOURCE_NOT_FOUND' });
  expect(await readPeriodDetail(context, 78, LONG_DEADLINE)).toEqual({ kind: 'not_found' });
  await environment.control('DELETE', 'faults');
  await fault('html', { status: 404 });
  expect(await readPeriodDetail(context, 79, LONG_DEADLINE)).toMatchObject({ kind: 'nothing', error: { code: 'not_found' } });
});

test('leaving the page ends the call', async () => {
  await fault('hold');
  const leave = new AbortController();
  const detail = readPeriodDetail(context, 2026100006, { ...LONG_DEADLINE, signal: leave.signal });
  const waitingBefore = await environment.heldCount();
  await expect.poll(() => environment.heldCount()).toBe(waitingBefore + 1);
  leave.abort();
  expect(await detail).toMatchObject({ kind: 'nothing', error: { code: 'aborted' } });
});

test('the lines of the period in pulled months are listed', async () => {
  const game = { gameId: context.game.gameId, slug: 'demo', environment: 'production', timeZone: 'UTC' } as const;
  expect(await listLineEvidence(environment.db, game, { periodId: PERIOD })).toEqual({ renewals: [], reversals: [] });
  await environment.pull({ start: OCTOBER.start, end: '2026-10-02T00:00:00Z' });
  await environment.pull({ start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' });
  const { renewals, reversals } = await listLineEvidence(environment.db, game, { periodId: PERIOD });
  expect(renewals).toEqual([
    expect.objectContaining({
      month: '2026-10',
      recipientPlayerId: 9010,
      amount_usd: '50.00',
      attributed_amount_usd: '9.00',
      periodSeq: 10,
    }),
  ]);
  expect(reversals.map(({ month, reversed_attributed_usd }) => [month, reversed_attributed_usd])).toEqual([
    ['2026-11', '6.30'],
    ['2026-10', '2.70'],
  ]);
  const all = await listLineEvidence(environment.db, game, { subscriptionId: 'SUB_1767225600_WITN04AL' });
  expect(all.renewals.map(({ periodId }) => periodId)).toEqual([2026110004, PERIOD]);
});
