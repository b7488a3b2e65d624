import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listLineEvidence } from '#db/subscriptions/reads/list-line-evidence.ts';
import type { GameContext } from '../games/game-context.ts';
import { type Ground, OCTOBER, openGround } from '../testing/open-ground.ts';
import { readPeriodDetail } from './read-period-detail.ts';

// Slot 4 of October: 50.00 charged, 15.00 given back on the day and 35.00 in November (e2e/README.md).
const PERIOD = 2026100004;

let ground: Ground;
let desk: GameContext;
beforeAll(async () => {
  ground = await openGround();
  desk = { game: await ground.game(), config: ground.config };
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.control('DELETE', 'faults');
  await ground.forgetCalls();
});

/** Longer than Invo takes, however busy the machine: what is told of then is Invo's own doing. */
const PATIENT = { limit_ms: 60_000 };

const fault = (kind: string, more: Record<string, unknown> = {}) => ground.control('POST', 'faults', [{ kind, times: 9, ...more }]);

test('a period is read as Invo says now, and kept under its id', async () => {
  const detail = await readPeriodDetail(desk, PERIOD, PATIENT);
  expect(detail).toMatchObject({
    kind: 'live',
    value: { report: { period: { amount_usd: '50.00' } }, facts: { refunded_to_date_usd: '50.00' } },
  });
  const kept = await ground.pool.query<{ kind: string; subject: string }>('select kind, subject from detail_read');
  expect(kept.rows).toEqual([{ kind: 'period', subject: String(PERIOD) }]);
  expect(await ground.calls()).toHaveLength(1);
});

test('every id of the answer leads back to the period afterwards', async () => {
  await readPeriodDetail(desk, PERIOD, PATIENT);
  const ids = await ground.pool.query<{ kind: string; id_text: string; period_id: number }>(
    'select kind, id_text, period_id from known_id order by kind, id_text',
  );
  expect(ids.rows).toContainEqual({ kind: 'order', id_text: `MINT_${PERIOD}`, period_id: PERIOD });
  expect(ids.rows).toContainEqual({ kind: 'transaction', id_text: `TXN_${PERIOD}`, period_id: PERIOD });
  expect(ids.rows.filter(({ kind }) => kind === 'transaction')).toHaveLength(3);
  const players = await ground.pool.query('select player_id, player_email from known_player');
  expect(players.rows).toEqual([{ player_id: 9010, player_email: 'witness-9010@creators.example' }]);
});

describe('when Invo cannot be asked', () => {
  test.each([
    ['is failing', '500', 'upstream_fault'],
    ['hangs up', 'reset', 'unreachable'],
    ['stops in the middle', 'torn', 'unreachable'],
    ['answers a page for people', 'html', 'malformed'],
    ['leads elsewhere', 'redirect', 'redirected'],
    ['refuses the secret', '401', 'unauthorized'],
    ['says the game is not live', '403', 'not_live'],
  ])('because it %s, the page shows what Invo said last and when', async (_, kind, code) => {
    await readPeriodDetail(desk, PERIOD, PATIENT);
    await ground.pool.query(`update detail_read set read_at = '2026-11-20T08:00:00Z'`);
    await ground.forgetCalls();
    await fault(kind, kind === 'redirect' ? { location: 'https://elsewhere.example/', status: 302 } : {});
    const detail = await readPeriodDetail(desk, PERIOD, PATIENT);
    expect(detail).toMatchObject({
      kind: 'stored',
      readAt: '2026-11-20T08:00:00Z',
      trouble: { code },
      value: { report: { period: { period_id: PERIOD } } },
    });
    expect((await ground.calls()).length, 'a person waits for two tries at most').toBeLessThanOrEqual(2);
  });

  test('because it is slow, the page waits no longer than its limit and says so', async () => {
    await readPeriodDetail(desk, PERIOD, PATIENT);
    await ground.forgetCalls();
    await fault('hold');
    const detail = await readPeriodDetail(desk, PERIOD, { limit_ms: 400 });
    expect(detail).toMatchObject({ kind: 'stored', trouble: { code: 'timeout' } });
    expect((await ground.calls()).length, 'the client itself would have tried again').toBeLessThanOrEqual(1);
  });

  test('because everybody has to wait, the page says that and does not wait along', async () => {
    await fault('429', { retryAfter: 600 });
    const detail = await readPeriodDetail(desk, 2026100005, PATIENT);
    expect(detail).toMatchObject({ kind: 'nothing', trouble: { code: 'rate_limited' } });
    // The next one meets the pause in the book, before any call.
    expect(await readPeriodDetail(desk, 2026100005, PATIENT)).toMatchObject({ kind: 'nothing', trouble: { code: 'rate_limited' } });
    expect(await ground.calls()).toHaveLength(1);
    await ground.pool.query('delete from rate_bucket');
  });

  test('a body that breaks the contract is not kept in place of the sound one', async () => {
    await readPeriodDetail(desk, PERIOD, PATIENT);
    await fault('number_for_string', { path: 'period.amount_usd' });
    expect(await readPeriodDetail(desk, PERIOD, PATIENT)).toMatchObject({ kind: 'stored', value: { facts: { amount_usd: '50.00' } } });
    await ground.control('DELETE', 'faults');
    await ground.pool.query(`update detail_read set sha256 = sha256('other')`);
    await fault('500');
    expect(await readPeriodDetail(desk, PERIOD, PATIENT), 'kept bytes that are not those received are not shown').toMatchObject({
      kind: 'nothing',
    });
  });

  test('and nothing is held, it says so with the reference to quote', async () => {
    await fault('500');
    const detail = await readPeriodDetail(desk, 2026100006, PATIENT);
    expect(detail).toMatchObject({ kind: 'nothing', trouble: { sentence: expect.stringContaining('Quote ') as string } });
  });
});

test('only Invo’s own 404 says that a period is not there', async () => {
  expect(await readPeriodDetail(desk, 77, PATIENT)).toEqual({ kind: 'not_found' });
  await fault('404', { code: 'PERIOD_NOT_FOUND', codePublic: 'RESOURCE_NOT_FOUND' });
  expect(await readPeriodDetail(desk, 78, PATIENT)).toEqual({ kind: 'not_found' });
  await ground.control('DELETE', 'faults');
  await fault('html', { status: 404 });
  expect(await readPeriodDetail(desk, 79, PATIENT)).toMatchObject({ kind: 'nothing', trouble: { code: 'not_found' } });
});

test('whoever leaves the page ends the call', async () => {
  await fault('hold');
  const leave = new AbortController();
  const detail = readPeriodDetail(desk, 2026100006, { ...PATIENT, signal: leave.signal });
  const held = await ground.heldCount();
  await expect.poll(() => ground.heldCount()).toBe(held + 1);
  leave.abort();
  expect(await detail).toMatchObject({ kind: 'nothing', trouble: { code: 'aborted' } });
});

test('beside it stands what the months hold of the period', async () => {
  const { game } = desk;
  expect(await listLineEvidence(ground.db, game, { periodId: PERIOD })).toEqual({ renewals: [], reversals: [] });
  await ground.pull({ start: OCTOBER.start, end: '2026-10-02T00:00:00Z' });
  await ground.pull({ start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' });
  const { renewals, reversals } = await listLineEvidence(ground.db, game, { periodId: PERIOD });
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
  const all = await listLineEvidence(ground.db, game, { subscriptionId: 'SUB_1767225600_WITN04AL' });
  expect(all.renewals.map(({ periodId }) => periodId)).toEqual([2026110004, PERIOD]);
});
