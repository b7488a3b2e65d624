import { afterEach, expect, test } from 'vitest';
import type { ShownPage } from '../pages/shown-page.ts';
import { control } from '../pages/simulated-invo.ts';
import { visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const visitPeriod = async (period: number | string) => await visit(`/demo/periods/${period}`, 'auditor');
/** The figure of one step in “Where the money went”. */
const step = (page: ShownPage, label: RegExp) => page.row(label).cells[0];

test('I see where the money of a period went, with every fee and a negative result unclamped', async () => {
  const page = await visitPeriod(2026100002);
  expect(page.heading).toBe('Period 2026100002');
  // 30.00 less 3.00 is 27.00; less 0.75, 15.00 and 20.00 is −8.75.
  expect(step(page, /^Charged to the player/)).toMatch(/^30\.00/);
  expect(step(page, /^Invo fee/)).toMatch(/^−3\.00/);
  expect(step(page, /^Partner revenue, settled/)).toMatch(/^27\.00/);
  expect(step(page, /^International card fee/)).toMatch(/^−0\.75/);
  expect(step(page, /^Chargeback fees/)).toMatch(/^−15\.00/);
  expect(step(page, /^Held for disputes/)).toMatch(/^−20\.00/);
  expect(step(page, /^Your revenue after fees/)).toMatch(/^−8\.75/);
  expect(step(page, /^Attributed to the recipient/)).toMatch(/^2\.70/);
});

test('I see the refunds of a period in order, each with the amount before and after', async () => {
  const page = await visitPeriod(2026100005);
  const refunds = page.region('Refunds reported by Invo').items.map(({ text }) => text);
  expect(refunds).toHaveLength(3);
  expect(refunds[0]).toContain('1 Oct 2026 11:00:00 UTC');
  for (const [index, words] of [
    [1, ['Refunded, USD', '3.33', 'Refunded before', '3.33', 'Refunded after', '6.66', 'Clawed back from partner revenue']],
    [2, ['Completes the refund', 'Refunded, USD', '3.34', 'Refunded before', '6.66', 'Refunded after', '10.00', 'RFD_2026100005_3']],
  ] as const)
    for (const each of words) expect(refunds[index]).toContain(each);
  expect(page.phrases).toContain('Refunded in full');
  expect(step(page, /^Reversed by refunds/)).toMatch(/^−0\.90/);
});

test('a refund without receipts is marked, and its reversal is not reported, not zero', async () => {
  const page = await visitPeriod(2026100007);
  const refunds = page.region('Refunds reported by Invo');
  expect(refunds.text).toContain('Period row, no receipts');
  expect(refunds.text).toContain('Not reported doesn’t mean zero');
  expect(step(page, /^Reversed by refunds/)).toMatch(/^not reported/);
  expect(page.phrases).toContain('Partially refunded');
});

test('I see a recorded base that doesn’t match, and that the amount stays as recorded', async () => {
  const page = await visitPeriod(2026100013);
  const check = page.phrases.find((phrase) => phrase.startsWith('Base check:'));
  expect(check).toContain('the recorded base doesn’t match');
  expect(check).toContain('95.00');
  expect(step(page, /^Attributed to the recipient/)).toMatch(/^9\.50/);
});

test('coins are shown beside dollars, never as dollars, and a missing figure is not shown as zero', async () => {
  const page = await visitPeriod(2026100014);
  expect(page.region('Paid with wallet').fact('Paid from wallet, coins')).toMatch(/^2,000\.00 coins/);
  expect(page.region('Paid with wallet').fact('Charged to card, USD')).toMatch(/^0\.00/);
  expect(page.region('Charge').fact('Coin order ID')).toContain('none when the wallet covers the period');
  expect(step(await visitPeriod(2026080004), /^Card fee on refunds/)).toMatch(/^not reported/);
});

test('a period that was not paid differs from a paid period without attribution', async () => {
  const unpaid = await visitPeriod(2026100019);
  expect(unpaid.phrases).toContain('Payment failed');
  expect(unpaid.text).toContain('Not paid, so nothing is attributed.');
  expect((await visitPeriod(2026100009)).text).toContain('Paid without attribution: Settlement record unreachable');
});

test('every field of a period is one click away, unchanged', async () => {
  const page = await visitPeriod(2026100007);
  expect(page.regions('All fields')).toEqual([]);
  const fields = page.unfold(/fields as reported by Invo$/).region('All fields');
  expect(fields.row(/^period\.item_id/).cells).toHaveLength(1);
  expect(fields.row(/^refunds\.basis/).text).toContain('period_row');
  expect(step(page, /^Partner revenue, reversed/)).toMatch(/^not reported/);
});

test('the months with lines of a period are one click away', async () => {
  const months = (await visitPeriod(2026100006)).region('Lines in pulled months');
  expect(months.row(/^November 2026 Reversal/).text).toContain('−13.50');
  expect(months.row(/^October 2026 Renewal/).link('October 2026')).toBe('/demo/months/2026-10/lines?find=2026100006');
});

test('when Invo fails I see the stored data and its age', async () => {
  expect(step(await visitPeriod(2026100017), /^Charged to the player/)).toMatch(/^8\.00/);
  await control('faults', [{ kind: '500', times: 20, match: { route: 'period' } }]);
  const page = await visitPeriod(2026100017);
  expect(page.text).toContain('Couldn’t refresh this period. Showing data from');
  expect(step(page, /^Charged to the player/)).toMatch(/^8\.00/);
});

test('a period that Invo doesn’t know is shown as not in this game and environment', async () => {
  const unknown = await visitPeriod(4040404);
  expect(unknown.headings()).toContain('Period 4040404 isn’t in this game and environment');
});

test.each([
  ['2026100006', 'This period is already fully refunded.'],
  ['2026100019', 'No payment was collected for this period'],
  ['2026100017', 'This period was charged through the game store.'],
])('support sees why Invo would refuse a refund of period %s, and the button is disabled', async (period, reason) => {
  const page = await visit(`/demo/periods/${period}`, 'support');
  expect(page.button('Refund…').isDisabled).toBe(true);
  expect(page.text).toContain(reason);
});
