import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

/** The figure of a step of the money walk. */
const step = (page: Page, label: string | RegExp) => page.getByRole('row', { name: label }).getByRole('cell');
/** A labelled fact of a card. */
const fact = (page: Page, card: string, label: string) =>
  page
    .getByRole('region', { name: card })
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');

test('I see where the money of a period went, fees beside the legs and less than nothing unclamped', async ({ page }) => {
  await page.goto('/demo/periods/2026100002');
  await expect(page.getByRole('heading', { level: 1, name: 'Period 2026100002' })).toBeVisible();
  // 30.00 less 3.00 is 27.00; less 0.75, 15.00 and 20.00 is −8.75.
  await expect(step(page, /^Charged to the player/)).toHaveText(/^30\.00/);
  await expect(step(page, /^Invo fee/)).toHaveText(/^−3\.00/);
  await expect(step(page, /^Partner leg, settled/)).toHaveText(/^27\.00/);
  await expect(step(page, /^International card fee/)).toHaveText(/^−0\.75/);
  await expect(step(page, /^Chargeback fees/)).toHaveText(/^−15\.00/);
  await expect(step(page, /^Held while/)).toHaveText(/^−20\.00/);
  await expect(step(page, /^You keep after fees/)).toHaveText(/^−8\.75/);
  await expect(step(page, /^Attributed to the recipient/)).toHaveText(/^2\.70/);
});

test('I follow the refunds of a period in time, each with before and after', async ({ page }) => {
  await page.goto('/demo/periods/2026100005');
  const refunds = page.getByRole('region', { name: 'Refunds at Invo' }).getByRole('listitem');
  await expect(refunds).toHaveCount(3);
  await expect(refunds.nth(0)).toContainText('1 Oct 2026 11:00:00 UTC');
  for (const [at, told] of [
    [1, ['Given back, USD', '3.33', 'Refunded before', '3.33', 'Refunded after', '6.66', 'taken back from the partner']],
    [2, ['completes the refund', 'Given back, USD', '3.34', 'Refunded before', '6.66', 'Refunded after', '10.00', 'RFD_2026100005_3']],
  ] as const)
    for (const words of told) await expect(refunds.nth(at)).toContainText(words);
  await expect(page.getByText('Refunded in full').first()).toBeVisible();
  await expect(step(page, /^Reversed by refunds/)).toHaveText(/^−0\.90/);
});

test('a coarse refund is marked, and what it took from the partner is unknown, not zero', async ({ page }) => {
  await page.goto('/demo/periods/2026100007');
  const refunds = page.getByRole('region', { name: 'Refunds at Invo' });
  await expect(refunds).toContainText('coarse, from the period’s own row');
  await expect(refunds).toContainText('that is unknown, not zero');
  await expect(step(page, /^Reversed by refunds/)).toHaveText(/^not recorded/);
  await expect(page.getByText('Paid, partly refunded')).toBeVisible();
});

test('I see a base that differs, and that the amount stays as recorded', async ({ page }) => {
  await page.goto('/demo/periods/2026100013');
  await expect(page.getByText(/^Base check:/)).toContainText('the recorded base differs from the expected one');
  await expect(page.getByText(/^Base check:/)).toContainText('95.00');
  await expect(step(page, /^Attributed to the recipient/)).toHaveText(/^9\.50/);
});

test('coins stand beside dollars and are never dollars; what is not recorded is not zero', async ({ page }) => {
  await page.goto('/demo/periods/2026100014');
  await expect(fact(page, 'Paid by wallet', 'Taken from the wallet, coins')).toHaveText(/^2,000\.00 coins/);
  await expect(fact(page, 'Paid by wallet', 'Charged to the card, USD')).toHaveText(/^0\.00/);
  await expect(fact(page, 'The charge', 'Order of the coins')).toContainText('none when the wallet covered the period');
  await page.goto('/demo/periods/2026080004');
  await expect(step(page, /^Card fee on refunds/)).toHaveText(/^not recorded/);
});

test('never paid is told apart from paid and attributed to nobody', async ({ page }) => {
  await page.goto('/demo/periods/2026100019');
  await expect(page.getByText('Never paid, the charge failed')).toBeVisible();
  await expect(page.getByText('Never paid, so nothing could be attributed.')).toBeVisible();
  await page.goto('/demo/periods/2026100009');
  await expect(page.getByText(/Paid, and attributed to nobody: Settlement record unreachable/)).toBeVisible();
});

test('I switch on Invo’s own field names by the keyboard', async ({ page }) => {
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

test('every field of the line is one fold away, as it came', async ({ page }) => {
  await page.goto('/demo/periods/2026100007');
  const line = page.getByRole('region', { name: 'The whole line' });
  await expect(line).toBeHidden();
  await page.getByText(/fields, each as Invo gave it$/).click();
  await expect(line.getByRole('row', { name: /^period\.item_id/ })).toBeVisible();
  await expect(line.getByRole('row', { name: /^refunds\.basis/ })).toContainText('period_row');
  await expect(step(page, /^Partner leg, reversed/)).toHaveText(/^not recorded/);
});

test('the months that hold its lines are one step away', async ({ page }) => {
  await page.goto('/demo/periods/2026100006');
  const months = page.getByRole('region', { name: 'In the months' });
  await expect(months.getByRole('row', { name: /^November 2026 Reversal/ })).toContainText('−13.50');
  await months
    .getByRole('row', { name: /^October 2026 Renewal/ })
    .getByRole('link', { name: 'October 2026' })
    .click();
  await expect(page).toHaveURL('/demo/months/2026-10/lines?find=2026100006');
});

test('when Invo fails I see what it said last and how old it is', async ({ page }) => {
  await page.goto('/demo/periods/2026100017');
  await expect(step(page, /^Charged to the player/)).toHaveText(/^8\.00/);
  await control('faults', [{ kind: '500', times: 20, match: { route: 'period' } }]);
  await page.reload();
  await expect(page.getByText(/^Invo could not be asked about this period: this is what it said/)).toBeVisible();
  await expect(step(page, /^Charged to the player/)).toHaveText(/^8\.00/);
});

test('while Invo is thinking the page stands and says so, and after a while it says what the months hold', async ({ page }) => {
  await hold({ route: 'period' });
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent !== 'Period 2026100018' || !document.body.textContent.includes('Asking Invo…')) return;
      Object.assign(globalThis, { stoodWhileAsking: true });
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/demo/periods/2026100018', { waitUntil: 'commit' });
  await expect(page.getByText('Invo could not be asked about this period, and no earlier answer is held')).toBeVisible();
  expect(await page.evaluate(() => 'stoodWhileAsking' in globalThis)).toBe(true);
  await letGo();
  await expect(page.getByRole('region', { name: 'In the months' }).getByRole('row', { name: /^October 2026 Renewal/ })).toContainText(
    '0.54',
  );
});

test('a period that is not there is “not in this game and environment” by Invo’s own word', async ({ page, expectTrouble }) => {
  expectTrouble(/404 \(Not Found\)/);
  await page.goto('/demo/periods/4040404');
  await expect(page.getByRole('heading', { name: 'Period 4040404 is not in this game and environment' })).toBeVisible();
  await page.goto('/demo/periods/abc');
  await expect(page.getByRole('heading', { level: 1, name: '“abc” is no period id' })).toBeVisible();
});

test.describe('as support', () => {
  test.use({ role: 'support' });

  test('where Invo would refuse a refund, the door is closed and the reason stands beside it', async ({ page }) => {
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

test('I can read a period on a desk by day and on a telephone by night', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height, periods } of [
    { colorScheme: 'light', width: 1440, height: 900, periods: ['2026100013', '4040404'] },
    { colorScheme: 'dark', width: 390, height: 844, periods: ['2026100007', '2026100019'] },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const period of periods) {
      await page.goto(`/demo/periods/${period}`);
      await expect(page.getByText('Asking Invo…')).toHaveCount(0);
      await expect(page.getByText('In the months').first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing sticks out sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
