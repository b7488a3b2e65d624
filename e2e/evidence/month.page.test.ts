import { expect, test } from 'vitest';
import { askInvoTotals, written } from '../pages/invo-totals.ts';
import { request, visit } from '../pages/visit.ts';

// Figures by hand. Aurora Vale has 900 followers in October, every third at 9.99 and the rest at 4.99, 20 % after the fee of 10 %:
// 300 × 1.80 + 600 × 0.90 = 1,080.00. Player 9009's line of 60.00 less 6.00 at 25 % is 13.50 in October, fully reversed in November.
const OCTOBER = '/demo/months/2026-10';
const OF_OCTOBER = ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'] as const;

test('a month shows its state, its window and its money flow', async () => {
  const page = await visit(OCTOBER);
  expect(page.phrases).toContain('Reconciled');
  expect(page.text).toContain('1 Oct – 31 Oct 2026 UTC');
  expect(page.links).toContain('Reconciliation 47');
  expect(page.region('Money flow').text).toContain('Kept before card fees');
  expect(page.text).toContain('Card fees on refunds aren’t in this report.');
});

test('the net and the money flow of a month are what Invo states, to the last digit', async () => {
  const totals = await askInvoTotals(...OF_OCTOBER);
  const page = await visit(OCTOBER);
  expect(page.region('Net attributed').text).toContain(`$${written(totals['net_attributed_usd'] ?? '')}`);
  const remaining = units(totals['partner_revenue_usd']) - units(totals['net_attributed_usd']);
  expect(page.region('Money flow').definitions).toEqual([
    written(totals['settled_gross_usd'] ?? ''),
    written(`-${totals['invo_fee_usd']}`),
    written(totals['partner_revenue_settled_usd'] ?? ''),
    written(`-${totals['partner_revenue_reversed_usd']}`),
    written(`-${totals['net_attributed_usd']}`),
    written(`${remaining / 10_000n}.${String(remaining % 10_000n).padStart(4, '0')}`),
  ]);
});

test('every reason without attribution is an open item, and the harmless one is listed separately', async () => {
  const page = await visit(`${OCTOBER}/open-items`);
  for (const reason of ['spend_order_not_found', 'attribution_not_recorded', 'attribution_malformed', 'no_revenue_share_configured'])
    expect(page.main.text).toContain(reason);
  expect(page.main.text).toContain('Investigate before paying');
  expect(page.main.text).toContain('No recipient earns on');
  expect(page.headings().join('\n')).toContain('not found by Invo');
});

test('the reference cases of October are open items with their figures', async () => {
  const page = await visit(`${OCTOBER}/open-items`);
  expect(page.region('Recipients not found by Invo').row(/Player 9008/).cells).toEqual(['1', '0.90', '0.00', '0.90']);
  const base = ['Player 9003', '1 Oct 2026 06:30:00 UTC', '95.00', '90.00', '5.00', '9.50'];
  expect(page.region('Lines with a different base').row(/2026100013/).cells).toEqual(base);
  const coarse = ['Player 9013', '1 Oct 2026 04:00:00 UTC', 'whole period', '2.70', '−1.35', 'not reported'];
  expect(page.region('Reversals without receipts').row(/2026100007/).cells).toEqual(coarse);
});

test('the reconciliation of a month lists every check in groups with both sides, and each matches', async () => {
  const page = await visit(`${OCTOBER}/reconciliation`);
  const checks = page.region(/^Checks of snapshot/);
  expect(checks.text).toContain('47 of 47 checks match.');
  expect(checks.element.querySelectorAll('details')).toHaveLength(5);
  expect(checks.rows.filter(({ cells }) => cells.length > 0)).toEqual([]);
  const rows = page.folded.flatMap(({ rows }) => rows.filter(({ cells }) => cells.length > 0));
  expect(rows).toHaveLength(47);
  expect(rows.filter(({ phrases }) => phrases.includes('Matches'))).toHaveLength(47);
  const figure = written((await askInvoTotals(...OF_OCTOBER))['net_attributed_usd'] ?? '');
  const net = rows.find(({ name }) => name.startsWith('Recipients sum to net attributed'));
  expect(net?.cells).toEqual(['Matches', figure, figure, 'none'].map((cell) => expect.stringContaining(cell)));
  const gross = rows.find(({ name }) => name.startsWith('Lines of each recipient sum to gross'));
  expect(gross?.cells.filter((cell) => cell === '2,424.1294')).toHaveLength(2);
  expect(gross?.text).toContain('Matches');
});

test('a reversal without receipts shows what isn’t reported', async () => {
  const row = (await visit(`${OCTOBER}/reversals?sort=recipient_player_id&dir=asc`)).table('reversals').row(/9013.*2026100007/);
  expect(row.text).toContain('not reported');
  expect(row.text).toContain('−1.35');
});

test.each(['/demo/months/2026-13', '/nowhere/months', '/elsewhere/months', '/demo/subscriptions/%E0%A4%A', '/demo/recipients/123456789'])(
  '%s is not found',
  async (address) => {
    expect((await visit(address)).status).toBe(404);
  },
);

test('one recipient has a page over all months', async () => {
  const page = await visit('/demo/recipients/9009');
  expect(page.row(/^October 2026/).text).toContain('13.50');
  expect(page.row(/^November 2026/).text).toContain('−13.50');
  expect(page.text).toContain('Attribution report. Invo settles to the partner only and hasn’t paid any recipient.');
});

test('the fees of a month aren’t read before someone requests them, and no figure replaces them', async () => {
  const fees = await visit('/demo/months/2026-06/fees');
  expect(fees.text).toContain('Fees of June 2026 are not read');
  expect(fees.regions('After fees')).toEqual([]);
  expect((await visit('/demo/months/2026-06/open-items')).text).toContain('Not searched yet.');
});

test('a month that is not pulled offers a pull', async () => {
  const page = await visit('/demo/months/2024-02');
  expect(page.main.text).toContain('February 2024 is not pulled');
  expect(page.buttons.filter((name) => name.startsWith('Pull'))).not.toEqual([]);
});

test('the open month is provisional and has no complete file', async () => {
  const page = await visit('/demo/months/2026-11');
  expect(page.regions('Provisional: covered until 21 Nov 2026 11:45 UTC')).toHaveLength(1);
  expect(page.headings(2)).toContain('Net attributed so far');
  expect(page.text).toContain('No complete file until the month is over.');
  expect(page.buttons).not.toContain('Export');
});

test('a viewer sees masked emails, can’t export and can’t start a pull', async () => {
  const page = await visit(OCTOBER, 'viewer');
  expect(page.text).toContain('a•••@c•••.example');
  expect(page.html).not.toContain('aurora.vale@creators.example');
  expect(page.buttons).not.toContain('Re-check now');
  expect(page.text).toContain('Your role can’t export files.');
  const rows = await request('/demo/lists/recipients/rows?month=2026-10&sort=net&dir=desc', 'viewer');
  expect(await rows.text()).not.toContain('@creators.example');
  for (const file of ['recipients', 'recipients.manifest.json'])
    expect((await request(`${OCTOBER}/export/${file}`, 'viewer')).status, file).toBe(403);
});

function units(amount = ''): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
}
