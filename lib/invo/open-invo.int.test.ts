import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Diary, newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { proofSize } from '#e2e/support/proof.ts';
import { createUpstream, type Upstream } from '#e2e/upstream/server.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import type { Invo } from './invo.ts';
import { openInvo } from './open-invo.ts';
import type { AttributionReport } from './routes/attribution-report.ts';
import { readAttributionReport } from './routes/attribution-report.ts';
import { readPeriodReport } from './routes/period-report.ts';
import { readSubscriptionReport } from './routes/subscription-report.ts';
import type { Limits } from './settings.ts';

const WINDOW = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
let upstream: Upstream;
let diary: Diary;

beforeAll(async () => {
  upstream = await createUpstream({
    now: '2026-11-15T12:00:00Z',
    secret: 'canary-current',
    previousSecret: 'canary-old',
    sandboxSecret: 'canary-sandbox',
  });
});
beforeEach(() => {
  upstream.reset();
  diary = newDiary();
});
afterAll(() => upstream.close());

function openClient(secret = 'canary-current', previousSecret?: string, prefix = '', limits: Partial<Limits> = {}): Invo {
  const access = {
    baseUrl: upstream.url + prefix,
    secret,
    environment: 'production',
    ...(previousSecret === undefined ? {} : { previousSecret }),
  } as const;
  return openInvo({ ...patientSettings(upstream.url, diary, { tries: 3, ...limits }), access });
}

async function control(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${upstream.controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

async function allPages(invo: Invo): Promise<AttributionReport[]> {
  const pages: AttributionReport[] = [];
  for (let offset = 0; ; offset += 100) {
    const { value } = await readAttributionReport(invo, { ...WINDOW, limit: 100, offset });
    pages.push(value);
    if (!value.pagination.has_more) return pages;
  }
}

describe('a month of the simulated Invo', () => {
  it('a month of the simulated Invo is read whole, page by page, and its recipients add up to its totals', async () => {
    const pages = await allPages(openClient());
    const recipients = pages.flatMap((page) => page.recipients);
    const totals = pages[0]?.totals;
    expect(pages.length).toBeGreaterThan(1);
    expect(recipients).toHaveLength(totals?.recipient_count ?? -1);
    for (const field of ['gross_attributed_usd', 'reversed_attributed_usd', 'net_attributed_usd'] as const) {
      expect(compareMoney(sumMoney(recipients.map((entry) => entry[field])), totals?.[field] ?? '')).toBe(0);
    }
    for (const entry of recipients) expect(entry.periods_truncated).toBe(entry.periods.length < entry.renewal_count);
    expect(diary).toMatchObject({ takes: pages.length, sleeps: [] });
  });
  it('the lines of a month lead to their subscriptions and periods', async () => {
    const invo = openClient();
    const { value } = await readAttributionReport(invo, { ...WINDOW, limit: 2 });
    const line = value.recipients[0]?.periods[0];
    if (!line) throw new Error('the month has no line');
    const cycles = await readSubscriptionReport(invo, line.subscription_id);
    expect(cycles.value.periods.map((cycle) => cycle.period_id)).toContain(line.period_id);
    const period = await readPeriodReport(invo, line.period_id);
    expect(period.value.period).toMatchObject({ amount_usd: line.amount_usd, paid_at: line.paid_at });
    expect(
      (await readSubscriptionReport(invo, line.subscription_id, { status: ['failed'], limit: 1 })).value.periods.length,
    ).toBeLessThanOrEqual(1);
  });
  it('a report can be narrowed to one recipient or one subscription', async () => {
    const invo = openClient();
    const { value } = await readAttributionReport(invo, { ...WINDOW, limit: 1 });
    const entry = value.recipients[0];
    const one = await readAttributionReport(invo, { ...WINDOW, recipientPlayerId: entry?.recipient.player_id ?? -1 });
    expect(one.value.recipients.map((each) => each.net_attributed_usd)).toEqual([entry?.net_attributed_usd]);
    const subscriptionId = entry?.periods[0]?.subscription_id ?? '';
    expect((await readAttributionReport(invo, { ...WINDOW, subscriptionId })).value.recipients.length).toBeGreaterThan(0);
  });
  it('the sandbox has its own prefix, secret and data', async () => {
    const production = await readAttributionReport(openClient(), WINDOW);
    const sandbox = await readAttributionReport(openClient('canary-sandbox', undefined, '/sandbox'), WINDOW);
    expect(sandbox.evidence.request).toMatch(/^\/sandbox\/api/);
    expect(sandbox.value.report.game_id).not.toBe(production.value.report.game_id);
    await expect(readAttributionReport(openClient('canary-sandbox'), WINDOW)).rejects.toMatchObject({ code: 'unauthorized' });
  });
  it('unknown records are refused with an ID to quote', async () => {
    const invo = openClient();
    await expect(readPeriodReport(invo, 1)).rejects.toMatchObject({
      code: 'not_found',
      errorCode: 'PERIOD_NOT_FOUND',
      errorId: expect.any(String),
    });
    await expect(readSubscriptionReport(invo, 'SUB_1_AAAAAAAA')).rejects.toMatchObject({
      code: 'not_found',
      errorCode: 'SUBSCRIPTION_NOT_FOUND',
    });
    await expect(readAttributionReport(invo, { start: WINDOW.end, end: WINDOW.start })).rejects.toMatchObject({
      code: 'rejected',
      errorCode: 'WINDOW_INVALID',
    });
  });
  it('a game that is not live is refused, and the old secret works during its grace period', async () => {
    await control('game', { rotation: 'previous' });
    await readAttributionReport(openClient('canary-current', 'canary-old'), WINDOW);
    expect(diary.previousUsed).toBe(1);
    await control('game', { status: 'suspended', rotation: 'grace' });
    await expect(readAttributionReport(openClient(), WINDOW)).rejects.toMatchObject({ code: 'not_live', status: 403 });
  });
});

describe('armed faults', () => {
  it.each(proofSize(['429', '502', 'torn'], ['429', '500', '502', '503', 'reset', 'torn', 'stall']))(
    'a read that meets the fault %s is retried and then answered',
    async (kind) => {
      // Each stalled answer is waited for.
      const [times, limits] = kind === 'stall' ? [1, { idleMs: 5_000 }] : [2, {}];
      await control('faults', { kind, times });
      await readAttributionReport(openClient('canary-current', undefined, '', limits), WINDOW);
      expect(diary).toMatchObject({ takes: times + 1 });
      expect(diary.sleeps).toHaveLength(times);
    },
  );
  it.each([
    ['html', 'malformed'],
    ['redirect', 'redirected'],
    // 160 MB to inflate; of a pull it is also tried in faults.int.test.ts.
    ...proofSize([], [['bomb', 'too_large']]),
    ['wrong_window', 'malformed'],
    ['settled_by_invo_true', 'malformed'],
    ['number_for_string', 'malformed'],
    ['missing_field', 'malformed'],
    ['nan', 'malformed'],
    ['big_id', 'malformed'],
    ['403', 'not_live'],
  ])('a read that meets the fault %s is refused as %s, and made once', async (kind, code) => {
    await control('faults', { kind, location: 'http://127.0.0.1:1/', megabytes: 160 });
    await expect(readAttributionReport(openClient(), WINDOW)).rejects.toMatchObject({ code, isRetryable: false });
    expect(diary).toMatchObject({ takes: 1 });
  });
  it('a report of another game is refused once one game is pinned', async () => {
    const gameId = (await readAttributionReport(openClient(), WINDOW)).value.report.game_id;
    await control('faults', { kind: 'wrong_game' });
    const access = { baseUrl: upstream.url, secret: 'canary-current', environment: 'production', gameId } as const;
    await expect(readAttributionReport(openInvo({ ...patientSettings(upstream.url, diary), access }), WINDOW)).rejects.toMatchObject({
      code: 'malformed',
      path: 'report.game_id',
    });
  });
  it('a window that is too large is refused with its count', async () => {
    await control('faults', { kind: '400', code: 'WINDOW_TOO_LARGE', facts: { settled_renewals: 20_400, max_renewals: 20_000 } });
    await expect(readAttributionReport(openClient(), WINDOW)).rejects.toMatchObject({
      code: 'window_too_large',
      facts: { settled_renewals: 20_400, max_renewals: 20_000 },
    });
  });
  it.each(['unknown_fields', 'unknown_reason'])('an answer with the fault %s is stored without an error', async (kind) => {
    await control('faults', { kind });
    await readAttributionReport(openClient(), WINDOW);
  });
});
