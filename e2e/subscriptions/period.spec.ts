import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo } from '../pages/simulated-invo.ts';

// A world of its own: a refund of another file would change the figures.
test.use({ role: 'auditor', world: 'periods' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

/** The figure of one step in “Where the money went”. */
const step = (page: Page, label: string | RegExp) => page.getByRole('row', { name: label }).getByRole('cell');
/** The value of a label in a card. */
const fact = (page: Page, card: string, label: string) =>
  page
    .getByRole('region', { name: card })
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');

test('I see where the money of a period went, with every fee and a negative result unclamped', async ({ page }) => {
  await page.goto('/demo/periods/2026100002');
  await expect(page.getByRole('heading', { level: 1, name: 'Period 2026100002' })).toBeVisible();
  // 30.00 less 3.00 is 27.00; less 0.75, 15.00 and 20.00 is −8.75.
  await expect(step(page, /^Charged to the player/)).toHaveText(/^30\.00/);
  await expect(step(page, /^Invo fee/)).toHaveText(/^−3\.00/);
  await expect(step(page, /^Partner revenue, settled/)).toHaveText(/^27\.00/);
  await expect(step(page, /^International card fee/)).toHaveText(/^−0\.75/);
  await expect(step(page, /^Chargeback fees/)).toHaveText(/^−15\.00/);
  await expect(step(page, /^Held for disputes/)).toHaveText(/^−20\.00/);
  await expect(step(page, /^Your revenue after fees/)).toHaveText(/^−8\.75/);
  await expect(step(page, /^Attributed to the recipient/)).toHaveText(/^2\.70/);
});

test('I see the refunds of a period in order, each with the amount before and after', async ({ page }) => {
  await page.goto('/demo/periods/2026100005');
  const refunds = page.getByRole('region', { name: 'Refunds reported by Invo' }).getByRole('listitem');
  await expect(refunds).toHaveCount(3);
  await expect(refunds.nth(0)).toContainText('1 Oct 2026 11:00:00 UTC');
  for (const [at, told] of [
    [1, ['Refunded, USD', '3.33', 'Refunded before', '3.33', 'Refunded after', '6.66', 'Clawed back from partner revenue']],
    [2, ['Completes the refund', 'Refunded, USD', '3.34', 'Refunded before', '6.66', 'Refunded after', '10.00', 'RFD_2026100005_3']],
  ] as const)
    for (const words of told) await expect(refunds.nth(at)).toContainText(words);
  await expect(page.getByText('Refunded in full').first()).toBeVisible();
  await expect(step(page, /^Reversed by refunds/)).toHaveText(/^−0\.90/);
});

test('a refund without receipts is marked, and its reversal is not reported, not zero', async ({ page }) => {
  await page.goto('/demo/periods/2026100007');
  const refunds = page.getByRole('region', { name: 'Refunds reported by Invo' });
  await expect(refunds).toContainText('Period row, no receipts');
  await expect(refunds).toContainText('Not reported doesn’t mean zero');
  await expect(step(page, /^Reversed by refunds/)).toHaveText(/^not reported/);
  await expect(page.getByText('Partially refunded')).toBeVisible();
});

test('I see a recorded base that doesn’t match, and that the amount stays as recorded', async ({ page }) => {
  await page.goto('/demo/periods/2026100013');
  await expect(page.getByText(/^Base check:/)).toContainText('the recorded base doesn’t match');
  await expect(page.getByText(/^Base check:/)).toContainText('95.00');
  await expect(step(page, /^Attributed to the recipient/)).toHaveText(/^9\.50/);
});

test('coins are shown beside dollars, never as dollars, and a missing figure is not shown as zero', async ({ page }) => {
  await page.goto('/demo/periods/2026100014');
  await expect(fact(page, 'Paid with wallet', 'Paid from wallet, coins')).toHaveText(/^2,000\.00 coins/);
  await expect(fact(page, 'Paid with wallet', 'Charged to card, USD')).toHaveText(/^0\.00/);
  await expect(fact(page, 'Charge', 'Coin order ID')).toContainText('none when the wallet covers the period');
  await page.goto('/demo/periods/2026080004');
  await expect(step(page, /^Card fee on refunds/)).toHaveText(/^not reported/);
});

test('a period that was not paid differs from a paid period without attribution', async ({ page }) => {
  await page.goto('/demo/periods/2026100019');
  await expect(page.getByText('Payment failed', { exact: true })).toBeVisible();
  await expect(page.getByText('Not paid, so nothing is attributed.')).toBeVisible();
  await page.goto('/demo/periods/2026100009');
  await expect(page.getByText(/Paid without attribution: Settlement record unreachable/)).toBeVisible();
});

test('I can show Invo’s field names with the keyboard', async ({ page }) => {
  await page.goto('/demo/periods/2026100002');
  const name = page.getByRole('region', { name: 'Where the money went' }).getByText('fee_legs.disputed_amount_held_usd');
  await expect(page.getByTitle('fee_legs.disputed_amount_held_usd')).toBeVisible();
  await expect(name).toBeHidden();
  const toggle = page.getByRole('button', { name: /field names/ });
  await expect(async () => {
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(name).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

test('every field of a period is one click away, unchanged', async ({ page }) => {
  await page.goto('/demo/periods/2026100007');
  const line = page.getByRole('region', { name: 'All fields' });
  await expect(line).toBeHidden();
  await page.getByText(/fields as reported by Invo$/).click();
  await expect(line.getByRole('row', { name: /^period\.item_id/ })).toBeVisible();
  await expect(line.getByRole('row', { name: /^refunds\.basis/ })).toContainText('period_row');
  await expect(step(page, /^Partner revenue, reversed/)).toHaveText(/^not reported/);
});

test('the months with lines of a period are one click away', async ({ page }) => {
  await page.goto('/demo/periods/2026100006');
  const months = page.getByRole('region', { name: 'Lines in pulled months' });
  await expect(months.getByRole('row', { name: /^November 2026 Reversal/ })).toContainText('−13.50');
  await months
    .getByRole('row', { name: /^October 2026 Renewal/ })
    .getByRole('link', { name: 'October 2026' })
    .click();
  await expect(page).toHaveURL('/demo/months/2026-10/lines?find=2026100006');
});

test('when Invo fails I see the stored data and its age', async ({ page }) => {
  await page.goto('/demo/periods/2026100017');
  await expect(step(page, /^Charged to the player/)).toHaveText(/^8\.00/);
  await control('faults', [{ kind: '500', times: 20, match: { route: 'period' } }]);
  await page.reload();
  await expect(page.getByText(/^Couldn’t refresh this period\. Showing data from/)).toBeVisible();
  await expect(step(page, /^Charged to the player/)).toHaveText(/^8\.00/);
});

test('while Invo is slow the page says that it is loading, and then it shows the lines in pulled months', async ({ page }) => {
  await hold({ route: 'period' });
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent !== 'Period 2026100018' || !document.body.textContent.includes('Loading from Invo…'))
        return;
      Object.assign(globalThis, { stoodWhileAsking: true });
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/demo/periods/2026100018', { waitUntil: 'commit' });
  await expect(page.getByText('Couldn’t load this period from Invo. Nothing is stored yet.')).toBeVisible();
  expect(await page.evaluate(() => 'stoodWhileAsking' in globalThis)).toBe(true);
  await letGo();
  await expect(
    page.getByRole('region', { name: 'Lines in pulled months' }).getByRole('row', { name: /^October 2026 Renewal/ }),
  ).toContainText('0.54');
});

test('a period that Invo doesn’t know is shown as not in this game and environment', async ({ page, expectTrouble }) => {
  expectTrouble(/404 \(Not Found\)/);
  await page.goto('/demo/periods/4040404');
  await expect(page.getByRole('heading', { name: 'Period 4040404 isn’t in this game and environment' })).toBeVisible();
  await page.goto('/demo/periods/abc');
  await expect(page.getByRole('heading', { level: 1, name: '“abc” isn’t a period ID' })).toBeVisible();
});

test.describe('as support', () => {
  test.use({ role: 'support' });

  test('when Invo would refuse a refund, the button is disabled and the reason is shown', async ({ page }) => {
    for (const [period, reason] of [
      ['2026100006', 'This period is already fully refunded.'],
      ['2026100019', 'No payment was collected for this period'],
      ['2026100017', 'This period was charged through the game store.'],
    ] as const) {
      await page.goto(`/demo/periods/${period}`);
      await expect(page.getByRole('button', { name: 'Refund…' })).toBeDisabled();
      await expect(page.getByText(reason)).toBeVisible();
    }
  });
});

test('a period is readable on a desktop in light mode and on a phone in dark mode', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height, periods } of [
    { colorScheme: 'light', width: 1440, height: 900, periods: ['2026100013', '4040404'] },
    { colorScheme: 'dark', width: 390, height: 844, periods: ['2026100007', '2026100019'] },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const period of periods) {
      await page.goto(`/demo/periods/${period}`);
      await expect(page.getByText('Loading from Invo…')).toHaveCount(0);
      await expect(page.getByText('Lines in pulled months').first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing overflows sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
