import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openInvo, REPORT, SECRET } from '../testing/test-client.ts';
import { createRateLimiter } from './calls.ts';

test('a refund appears in the next report, and a later one in a later window', async () => {
  const invo = await openInvo();
  const made = await invo.control('POST', 'refunds', { period_id: 2026100001, amount_usd: '5.00' });
  expect(made.body).toEqual({
    period_id: 2026100001,
    refunded_at: '2026-11-21T12:00:00.000Z',
    refunded_amount_usd: '5.00',
    remaining_refundable_usd: '15.00',
    basis: 'refund_receipts',
  });
  const {
    recipients: [owed],
  } = await invo.report('2026-11-21', '2026-11-22', '&recipient_player_id=9001');
  expect(owed).toMatchObject({ renewal_count: 0, first_paid_at: null, net_attributed_usd: '-0.45' });
  expect(owed.reversals[0]).toMatchObject({
    settled_in_this_window: false,
    reversed_attributed_usd: '0.45',
    partner_revenue_reversed_usd: '4.50',
  });
  const { totals } = await invo.report('2026-10-01', '2026-10-02');
  expect(totals.reversed_attributed_usd).toBe('27.3155');
});

test('the refund that completes a period reverses exactly what is left', async () => {
  const invo = await openInvo();
  for (const amount_usd of ['0.05', '0.05', '19.90']) await invo.control('POST', 'refunds', { period_id: 2026100001, amount_usd });
  const { refunds } = (await invo.ask('/api/subscriptions/reporting/periods/2026100001')).body;
  const shares = (name: string): string[] => refunds.events.map((event: Record<string, string>) => event[name]);
  expect(shares('reversed_attributed_usd')).toEqual(['0.00', '0.00', '1.80']);
  expect(shares('partner_revenue_reversed_usd')).toEqual(['0.05', '0.05', '17.90']);
});

test('a second refund without receipts moves the whole reversal to its window', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'refunds', { period_id: 2026100007, amount_usd: '6.00' });
  expect((await invo.report('2026-10-01', '2026-10-02')).totals.reversals_without_receipts).toBe(0);
  const {
    recipients: [moved],
  } = await invo.report('2026-11-21', '2026-11-22', '&recipient_player_id=9013');
  expect(moved.reversals[0]).toMatchObject({
    reversal_basis: 'period_row',
    reversed_attributed_usd: '2.03',
    refunded_to_date_usd: '18.00',
  });
});

test.each([
  [{ period_id: 1 }, 404, 'PERIOD_NOT_FOUND'],
  [{ period_id: 2026100019 }, 409, 'PERIOD_NOT_REFUNDABLE'],
  [{ period_id: 2026100005 }, 409, 'ALREADY_REFUNDED'],
  [{ period_id: 2026100001, amount_usd: '20.01' }, 400, 'AMOUNT_EXCEEDS_REMAINING'],
  [{ period_id: 2026100001, amount_usd: '-1' }, 400, 'INVALID_AMOUNT'],
])('refund %j is %i %s', async (refund, status, code) => {
  const invo = await openInvo();
  const answered = await invo.control('POST', 'refunds', refund);
  expect([answered.status, answered.body.error_code]).toEqual([status, code]);
});

test('refunds and a set clock survive a restart, and a reset forgets them', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true }));
  const first = await openInvo({ stateFolder, now: undefined });
  await first.control('POST', 'clock', { now: '2026-11-10T00:00:00Z' });
  await first.control('POST', 'refunds', { period_id: 2026100001 });
  await first.close();
  const second = await openInvo({ stateFolder, now: undefined });
  const body = await second.report('2026-11-10', '2026-11-11');
  expect(body.report.generated_at).toBe('2026-11-10T00:00:00.000Z');
  expect(body.recipients.at(-1)).toMatchObject({ recipient: { player_id: 9001 }, net_attributed_usd: '-1.80' });
  await second.control('POST', 'reset');
  const { body: clock } = await second.control('GET', 'clock');
  expect(Date.parse(clock.now)).not.toBe(Date.parse('2026-11-10T00:00:00Z'));
  const third = await openInvo({ stateFolder, now: '2026-11-10T00:00:00Z' });
  expect((await third.report('2026-11-10', '2026-11-11', '&recipient_player_id=9001')).recipients).toEqual([]);
});

test('control refuses browsers, unknown paths and unknown values', async () => {
  const invo = await openInvo();
  expect((await fetch(`${invo.controlUrl}/calls`, { headers: { origin: 'http://127.0.0.1:3000' } })).status).toBe(403);
  expect((await invo.control('POST', 'clock', { now: 'tomorrow' })).status).toBe(400);
  expect((await invo.control('POST', 'game', { rotation: 'sideways' })).status).toBe(400);
  expect((await invo.control('POST', 'faults', [{ kind: 'gremlin' }])).status).toBe(400);
  expect((await invo.control('GET', 'gremlins')).status).toBe(404);
});

const DAY = `${REPORT}?start=2026-10-01&end=2026-10-02`;
const with_ = (key: string): Record<string, string> => ({ 'x-game-secret-key': key });

describe('secrets', () => {
  test('a missing or wrong secret, or one of the other environment, is 401 INVALID_GAME_SECRET', async () => {
    const invo = await openInvo();
    for (const [path, headers] of [
      [DAY, {}],
      [DAY, with_('nope')],
      [DAY, with_('upstream-sandbox-secret')],
      [`/sandbox${DAY}`, with_(SECRET)],
    ] as const) {
      const { status, body } = await invo.ask(path, headers);
      expect([status, body.error_code]).toEqual([401, 'INVALID_GAME_SECRET']);
    }
  });

  test.each([
    ['grace', 200, 200],
    ['current', 200, 401],
    ['previous', 401, 200],
    ['expired', 401, 401],
  ])('in rotation %s the new secret gets %i, the old one %i', async (rotation, fresh, old) => {
    const invo = await openInvo({ secret: 'new', previousSecret: 'old' });
    await invo.control('POST', 'game', { rotation });
    expect([(await invo.ask(DAY, with_('new'))).status, (await invo.ask(DAY, with_('old'))).status]).toEqual([fresh, old]);
    const { body } = await invo.control('GET', 'calls');
    expect(body.calls.map((call: { secretSlot: string }) => call.secretSlot)).toEqual(['current', 'previous']);
  });

  test('a game neither live nor testing is 403', async () => {
    const invo = await openInvo();
    await invo.control('POST', 'game', { status: 'testing' });
    expect((await invo.ask(DAY)).status).toBe(200);
    await invo.control('POST', 'game', { status: 'suspended' });
    expect(await invo.ask(DAY)).toMatchObject({
      status: 403,
      body: { error: expect.any(String), error_id: expect.any(String), timestamp: expect.any(String) },
    });
  });

  test('the sandbox is a separate game', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`/sandbox${REPORT}?start=2026-10-01&end=2026-11-01`, with_('upstream-sandbox-secret'));
    expect(body.report.game_id).toBe('90417');
    expect(body.totals.renewals_settled).toBeGreaterThan(5);
    const line = body.recipients[0].periods[0];
    expect((await invo.ask(`/api/subscriptions/reporting/periods/${line.period_id}`)).body.error_code).toBe('PERIOD_NOT_FOUND');
    expect((await invo.ask(`/api/subscriptions/${line.subscription_id}`)).body.error_code).toBe('SUBSCRIPTION_NOT_FOUND');
  });
});

describe('rate limits', () => {
  test('the sixty-first report of a minute is refused with retry_after in body and header', async () => {
    const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
    for (let call = 0; call < 60; call += 1) expect((await invo.ask(DAY)).status).toBe(200);
    const { status, headers, body } = await invo.ask(DAY);
    expect([status, body.error_code]).toEqual([429, 'rate_limit_exceeded']);
    expect(body.retry_after).toBeGreaterThan(50);
    expect(headers.get('retry-after')).toBe(String(body.retry_after));
    expect((await invo.ask(`/sandbox${DAY}`, with_('upstream-sandbox-secret'))).status).toBe(200);
    await invo.control('POST', 'game', { rateLimit: false });
    expect((await invo.ask(DAY)).status).toBe(200);
  });

  test('one subscription may be requested 120 times a minute by either detail route', async () => {
    const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
    const path = '/api/subscriptions/reporting/subscriptions/SUB_1767225600_WITN01AL/attribution?limit=1';
    for (let call = 0; call < 120; call += 1) expect((await invo.ask(path)).status).toBe(200);
    expect((await invo.ask(path)).status).toBe(429);
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026100001')).status).toBe(429);
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026100002')).status).toBe(200);
  });

  test('the minute slides, and a refused call does not count', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const meter = [{ key: 'game', max: 2 }];
    expect([limiter.take(meter), limiter.take(meter), limiter.take(meter)]).toEqual([null, null, 60]);
    now = 59_500;
    expect(limiter.take(meter)).toBe(1);
    now = 60_000;
    expect(limiter.take(meter)).toBeNull();
  });
});
