import { afterEach, expect, test, vi } from 'vitest';
import type { ShownPage } from '../pages/shown-page.ts';
import { control } from '../pages/simulated-invo.ts';
import { request, send, visit } from '../pages/visit.ts';

// What the page of a month shows once its pull has ended. Each test has its own month, so that none depends on another. pull.spec.ts watches a pull.
afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('game', { status: 'live', rotation: 'grace' });
});

test('a pull with a wrong secret says so and offers no retry', async () => {
  await control('game', { rotation: 'expired' });
  const page = await pull('2025-07', (shown) => expect(shown.regions('Invo refused the game secret')).toHaveLength(1));
  expect(page.buttons.filter((name) => /^(Pull|Try)/.test(name))).toEqual([]);
});

test('a pull of a game that isn’t live is distinguished from a wrong secret', async () => {
  await control('game', { status: 'suspended' });
  const page = await pull('2025-06', (shown) => expect(shown.regions('The game is neither live nor in testing at Invo')).toHaveLength(1));
  expect(page.text).toMatch(/err_\w+/);
});

test('a month whose totals are off by a cent doesn’t reconcile and isn’t exported as complete', async () => {
  await control('faults', [{ kind: 'totals_cent', field: 'gross_attributed_usd', times: 20, match: { route: 'attribution' } }]);
  await pull('2025-05', (shown) => expect(shown.region('This month doesn’t reconcile').text).toMatch(/a difference of −?0\.01/));
  const file = '/demo/months/2025-05/export/recipients';
  expect((await request(file)).status).toBe(409);
  expect((await request(`${file}?incomplete=1`)).headers.get('content-disposition')).toContain('.incomplete.csv');
  const { complete, reasons } = await readManifest(`${file}.manifest.json?incomplete=1`);
  expect([complete, reasons.join()]).toEqual([false, expect.stringContaining('gross')]);
});

test('a month whose settled gross is off by a cent reconciles with a warning', async () => {
  await control('faults', [{ kind: 'totals_cent', field: 'settled_gross_usd', times: 20, match: { route: 'attribution' } }]);
  const page = await pull('2024-11', (shown) => expect(shown.phrases).toContain('Reconciled with 1 warning'));
  const checks = await visit(page.link('Reconciliation 1 warning'));
  const row = checks.region('Checks that don’t match').row(/^Settled gross equals Invo fee plus partner revenue/);
  expect(row.text).toContain('Warning');
  expect(checks.text).toContain('1 warning doesn’t block the month.');
  expect((await readManifest('/demo/months/2024-11/export/recipients.manifest.json')).complete).toBe(true);
});

test('when Invo requests a wait, the page shows until when, and the pull continues', { tags: 'proof' }, async () => {
  // Of this month alone: the schedule has calls of its own.
  await control('faults', [{ kind: '429', retryAfter: 6, match: { query: { start: '2025-02-01T00:00:00Z' } } }]);
  await pull('2025-02', (shown) => expect(shown.text).toMatch(/Waiting for the rate limit until \d\d:\d\d(:\d\d)? UTC\./));
  await untilShown('2025-02', (shown) => expect(shown.phrases).toContain('Reconciled'));
});

test('a re-check finds no changes', async () => {
  const page = await pull('2026-03', (shown) => expect(shown.text).toMatch(/re-checked [^,]+, no changes/));
  expect(page.phrases).toContain('Reconciled');
});

test('a re-check that doesn’t reconcile leaves the reconciled figures on the page', async () => {
  const netOf = (page: ShownPage): string => page.region('Net attributed').text;
  const before = netOf(await visit('/demo/months/2026-01'));
  await control('faults', [{ kind: 'totals_cent', field: 'net_attributed_usd', times: 50, match: { route: 'attribution' } }]);
  const notice = 'A newer snapshot doesn’t reconcile. The last reconciled figures are shown.';
  const page = await pull('2026-01', (shown) => expect(shown.regions(notice)).toHaveLength(1));
  expect(netOf(page)).toBe(before);
  const { complete, reasons } = await readManifest('/demo/months/2026-01/export/recipients.manifest.json');
  expect([complete, reasons.join()]).toEqual([true, expect.stringContaining('newer')]);
});

/** Pulls or re-checks a month as its button does. Returns its page once it shows what is expected. */
async function pull(month: string, expectShown: (page: ShownPage) => void): Promise<ShownPage> {
  const path = `/demo/months/${month}`;
  const form = (await visit(path)).main.forms.find((fields) => 'isFresh' in fields);
  await send('pullMonth', path, form ?? {}, 'finance');
  return await untilShown(month, expectShown);
}

async function untilShown(month: string, expectShown: (page: ShownPage) => void): Promise<ShownPage> {
  const look = async (): Promise<ShownPage> => {
    const page = await visit(`/demo/months/${month}`);
    expectShown(page);
    return page;
  };
  return await vi.waitFor(look, { timeout: 50_000, interval: 200 });
}

async function readManifest(path: string): Promise<{ complete: boolean; reasons: string[] }> {
  return (await (await request(path)).json()) as { complete: boolean; reasons: string[] };
}
