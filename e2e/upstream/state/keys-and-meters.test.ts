import { describe, expect, test } from 'vitest';
import { openDoor, REPORT, SECRET } from '../test-door.ts';
import { createRateLimiter } from './rate-limiter.ts';

const DAY = `${REPORT}?start=2026-10-01&end=2026-10-02`;
const with_ = (key: string): Record<string, string> => ({ 'x-game-secret-key': key });

describe('keys', () => {
  test('missing, wrong or of the other environment is 401 INVALID_GAME_SECRET', async () => {
    const door = await openDoor();
    for (const [path, headers] of [
      [DAY, {}],
      [DAY, with_('nope')],
      [DAY, with_('upstream-sandbox-secret')],
      [`/sandbox${DAY}`, with_(SECRET)],
    ] as const) {
      const { status, body } = await door.ask(path, headers);
      expect([status, body.error_code]).toEqual([401, 'INVALID_GAME_SECRET']);
    }
  });

  test.each([
    ['grace', 200, 200],
    ['current', 200, 401],
    ['previous', 401, 200],
    ['expired', 401, 401],
  ])('in rotation %s the new key gets %i, the old one %i', async (rotation, fresh, old) => {
    const door = await openDoor({ secret: 'new', previousSecret: 'old' });
    await door.control('POST', 'game', { rotation });
    expect([(await door.ask(DAY, with_('new'))).status, (await door.ask(DAY, with_('old'))).status]).toEqual([fresh, old]);
    const { body } = await door.control('GET', 'calls');
    expect(body.calls.map((call: { secretSlot: string }) => call.secretSlot)).toEqual(['current', 'previous']);
  });

  test('a game neither live nor testing is 403', async () => {
    const door = await openDoor();
    await door.control('POST', 'game', { status: 'testing' });
    expect((await door.ask(DAY)).status).toBe(200);
    await door.control('POST', 'game', { status: 'suspended' });
    expect(await door.ask(DAY)).toMatchObject({
      status: 403,
      body: { error: expect.any(String), error_id: expect.any(String), timestamp: expect.any(String) },
    });
  });

  test('the sandbox is a game of its own', async () => {
    const door = await openDoor();
    const { body } = await door.ask(`/sandbox${REPORT}?start=2026-10-01&end=2026-11-01`, with_('upstream-sandbox-secret'));
    expect(body.report.game_id).toBe('90417');
    expect(body.totals.renewals_settled).toBeGreaterThan(5);
    const line = body.recipients[0].periods[0];
    expect((await door.ask(`/api/subscriptions/reporting/periods/${line.period_id}`)).body.error_code).toBe('PERIOD_NOT_FOUND');
    expect((await door.ask(`/api/subscriptions/${line.subscription_id}`)).body.error_code).toBe('SUBSCRIPTION_NOT_FOUND');
  });
});

describe('meters', () => {
  test('the sixty-first report of a minute is refused with retry_after in body and header', async () => {
    const door = await openDoor({ isRateLimited: true, meterNowMs: () => 0 });
    for (let call = 0; call < 60; call += 1) expect((await door.ask(DAY)).status).toBe(200);
    const { status, headers, body } = await door.ask(DAY);
    expect([status, body.error_code]).toEqual([429, 'rate_limit_exceeded']);
    expect(body.retry_after).toBeGreaterThan(50);
    expect(headers.get('retry-after')).toBe(String(body.retry_after));
    expect((await door.ask(`/sandbox${DAY}`, with_('upstream-sandbox-secret'))).status).toBe(200);
    await door.control('POST', 'game', { rateLimit: false });
    expect((await door.ask(DAY)).status).toBe(200);
  });

  test('one subscription may be asked for 120 times a minute by either detail route', async () => {
    const door = await openDoor({ isRateLimited: true, meterNowMs: () => 0 });
    const path = '/api/subscriptions/reporting/subscriptions/SUB_1767225600_WITN01AL/attribution?limit=1';
    for (let call = 0; call < 120; call += 1) expect((await door.ask(path)).status).toBe(200);
    expect((await door.ask(path)).status).toBe(429);
    expect((await door.ask('/api/subscriptions/reporting/periods/2026100001')).status).toBe(429);
    expect((await door.ask('/api/subscriptions/reporting/periods/2026100002')).status).toBe(200);
  });

  test('the minute slides, and a refused call is not counted', () => {
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
