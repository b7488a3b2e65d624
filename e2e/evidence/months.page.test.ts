import { expect, test } from 'vitest';
import { askInvoTotals, written } from '../pages/invo-totals.ts';
import { visit } from '../pages/visit.ts';

const MONTHS = '/demo/months';

test('the first start pulls fourteen months: thirteen reconciled, and November open', async () => {
  const page = await visit(MONTHS);
  expect(page.row(/^November 2026/).text).toContain('Open');
  expect(page.row(/^October 2026/).text).toContain('Reconciled');
  expect(page.row(/^October 2025/).text).toContain('Reconciled');
  expect(page.text).toContain('Simulated data. No real money moved.');
  expect(page.text).toContain('Attribution report. Invo settles to the partner only and hasn’t paid any recipient.');
});

test('Invo’s notice about attributed money is on the pages that show such money, and not on those about wallets, webhooks or settings', async () => {
  const notice = 'Attribution report. Invo settles to the partner only';
  const has = async (address: string): Promise<boolean> => (await visit(address, 'auditor')).text.includes(notice);
  for (const address of ['/demo/months/2026-10', '/demo/recipients', '/demo/refunds', '/demo/payouts'])
    expect([address, await has(address)]).toEqual([address, true]);
  for (const address of ['/demo/webhooks', '/demo/transfers', '/demo/players/9003', '/settings', '/audit'])
    expect([address, await has(address)]).toEqual([address, false]);
});

test('a month shows Invo’s totals and the change of its net from the month before', async () => {
  const [september, october] = await Promise.all([
    askInvoTotals('2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z'),
    askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'),
  ]);
  const row = (await visit(MONTHS)).region('Months').row(/^October 2026/).text;
  for (const name of ['partner_revenue_usd', 'gross_attributed_usd', 'net_attributed_usd'])
    expect(row, name).toContain(written(october[name] ?? ''));
  expect(row).toContain(written(`-${october['reversed_attributed_usd']}`));
  const growth =
    (100 * (Number(october['net_attributed_usd']) - Number(september['net_attributed_usd']))) / Number(september['net_attributed_usd']);
  expect(row).toContain(`+${growth.toFixed(1)}%`);
});

test('the open month has no change', async () => {
  expect((await visit(MONTHS)).region('Months').row(/^November 2026/).text).not.toContain('%');
});

test('the trend is readable without seeing it, and the open month is hatched and labelled as open', async () => {
  const october = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  const [net, gross, reversed] = ['net', 'gross', 'reversed'].map((name) => written(october[`${name}_attributed_usd`] ?? ''));
  const trend = (await visit(MONTHS)).region('Attributed by month in USD; the table below has the same figures');
  expect(trend.link(`Oct 2026: net attributed ${net}, gross ${gross}, reversed −${reversed}`)).toBe('/demo/months/2026-10');
  expect(trend.links.filter((name) => name.endsWith(', open'))).toEqual([expect.stringMatching(/^Nov 2026: /)]);
  expect(trend.linkElement(/^Nov 2026: /).querySelectorAll('[fill="url(#still-open)"]')).toHaveLength(1);
});

test('a future month has nothing to pull', async () => {
  const page = await visit('/demo/months/2027-01');
  expect(page.headings(2)).toContain('January 2027 hasn’t started');
  expect(page.buttons.filter((name) => /pull/i.test(name))).toEqual([]);
});

test('a viewer sees the months and can’t pull any', async () => {
  const months = await visit(MONTHS, 'viewer');
  expect(months.row(/^November 2026/).text).toContain('Open');
  expect(months.buttons.filter((name) => /pull|update|re-check/i.test(name))).toEqual([]);
  const missing = await visit('/demo/months/2024-01', 'viewer');
  expect(missing.text).toContain('The finance and admin roles can pull it.');
  expect(missing.buttons.filter((name) => /pull/i.test(name))).toEqual([]);
});
