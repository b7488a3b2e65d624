import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
// Support's cases are as .github/docs/simulated-invo.md lists them, whatever was refunded or canceled before.
test.beforeAll(async () => void (await control('reset')));
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const fact = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');
const periods = (page: Page) => page.getByRole('region', { name: 'Periods' });

test('I see until when the player has access, apart from the billing period', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1734508800_DESKOWEN');
  await expect(page.getByText('Payment failed, retrying')).toBeVisible();
  await expect(page.getByText('Access ended 18 Oct 2026 08:00 UTC')).toBeVisible();
  await expect(fact(page, 'Next payment retry')).toHaveText(/^22 Nov 2026 06:00 UTC/);
  await expect(periods(page).getByRole('row', { name: /^Period 2/ })).toContainText('Pending payment');
});

test('the next charge has the right label in each status', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1795105200_DESKLENA');
  await expect(page.getByText('No access: nothing is paid for')).toBeVisible();
  await expect(fact(page, 'Authentication deadline')).toHaveText(/^22 Nov 2026 06:00 UTC/);
  await expect(page.getByText('Nothing has been billed.')).toBeVisible();
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN01AL');
  await expect(fact(page, 'Next charge')).toHaveText(/^1 Dec 2026 00:00 UTC/);
  await page.goto('/demo/subscriptions/SUB_1733479200_DESKPAVE');
  await expect(fact(page, 'Next action by Invo')).toHaveText(/^none, canceled/);
});

test('a subscription that is set to end shows when it ends and that it isn’t charged again', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1733486400_DESKSENA');
  await expect(page.getByText('Set to end', { exact: true })).toBeVisible();
  await expect(fact(page, 'Cancellation')).toHaveText(/^ends on 6 Dec 2027 12:00 UTC/);
  await expect(page.getByText('Ends without another charge')).toBeVisible();
});

test('a pending price shows whether it can ever apply', async ({ page }) => {
  for (const [subscription, price, note] of [
    ['SUB_1733565600_DESKTHEO', '25.00', 'applies at the next successful renewal'],
    ['SUB_1733569200_DESKUMA1', '45.00', 'may not take effect: it is more than twice the last agreed price'],
    ['SUB_1733572800_DESKUMA2', '520.00', 'may not take effect: it is more than twice the last agreed price'],
  ] as const) {
    await page.goto(`/demo/subscriptions/${subscription}`);
    await expect(fact(page, 'Pending price, USD')).toContainText(price);
    await expect(fact(page, 'Pending price, USD')).toContainText(note);
  }
});

test('periods are listed newest first; partially refunded is still billed, and not paid isn’t without attribution', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN04AL');
  const rows = periods(page).getByRole('row');
  await expect(rows.nth(1)).toContainText('Period 11');
  await expect(rows.nth(1)).toContainText('Partially refunded');
  await expect(rows.nth(1).getByRole('cell')).toContainText([
    '1 Nov 2026 to 1 Dec 2026',
    'Partially refunded',
    'card',
    '50.00',
    '15.00',
    '9.00',
  ]);
  await expect(rows.nth(2)).toContainText('Refunded in full');
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN19AL');
  await expect(rows.nth(1)).toContainText('Payment failed');
  await expect(rows.nth(1)).not.toContainText(/attribution/i);
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN10AL');
  await expect(rows.nth(1)).toContainText('Attribution not recorded');
  await periods(page).getByRole('link', { name: 'Period 11' }).click();
  await expect(page).toHaveURL('/demo/periods/2026110010');
});

test('the revenue share is for future renewals only, and lifetime totals are Invo’s', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN14AL');
  await expect(page.getByRole('region', { name: 'Revenue share for future renewals' })).toContainText('15.00%');
  // Eleven renewals of 20.00: six attributed 1.80 each, five 2.70.
  await expect(fact(page, 'Gross settled')).toHaveText(/^220\.00/);
  await expect(fact(page, 'Gross attributed')).toHaveText(/^24\.30/);
  await control('faults', [{ kind: 'missing_field', path: 'lifetime_totals', match: { route: 'subscription-attribution' } }]);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Lifetime totals' })).toContainText('Not available');
});

test('figures line up, the head of a long table stays visible, and a phone breaks no word', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN14AL');
  await expect(fact(page, 'Gross settled')).toBeVisible();
  const topOf = async (label: string) => (await fact(page, label).boundingBox())?.y;
  await expect(async () => expect(await topOf('Gross settled')).toBe(await topOf('Renewals settled'))).toPass();
  await expect(page.getByText('11 periods, newest first')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 480 });
  await expect(async () => {
    await periods(page).evaluate((frame) => {
      frame.scrollTop = frame.scrollHeight;
    });
    expect(await periods(page).evaluate((frame) => frame.scrollTop), 'more than fits').toBeGreaterThan(0);
    const head = await periods(page)
      .getByRole('columnheader', { name: /^Settled/ })
      .boundingBox();
    expect((head?.y ?? 0) - ((await periods(page).boundingBox())?.y ?? 0), 'the head is still on top').toBeCloseTo(1, 0);
  }).toPass();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(async () => {
    expect((await periods(page).getByRole('link', { name: 'Period 11' }).boundingBox())?.height, 'on one line').toBeLessThan(30);
  }).toPass();
});

test('when Invo fails I see the stored data, or that nothing is stored, with the lines in pulled months', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN17AL');
  await expect(page.getByText('Access until')).toBeVisible();
  await control('faults', [{ kind: 'reset', times: 50 }]);
  await page.reload();
  await expect(page.getByText(/^Couldn’t refresh this subscription and its periods\. Showing data from/)).toBeVisible();
  await expect(page.getByText('Access until')).toBeVisible();
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN18AL');
  await expect(page.getByText('Nothing is stored yet.')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Lines in pulled months' }).getByRole('row', { name: /^October 2026 Renewal/ }),
  ).toContainText('0.54');
});

test('opening a page reads only that page from Invo, not the pages it links to', async ({ page }) => {
  await control('calls', {}, 'DELETE');
  for (const _ of ['the first look', 'the second']) {
    await page.goto('/demo/subscriptions/SUB_1767225600_WITN03AL');
    await expect(periods(page).getByRole('link')).not.toHaveCount(0);
    // The page listens for keys, so anything it prefetches has been requested by then.
    await new SearchBox(page).open();
  }
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { route: string; path: string }[] };
  // Its own calls and those of its periods; other calls aren't made by this page.
  const ofPage = calls.filter(({ path }) => /WITN03AL|\/periods\/\d{6}0003/.test(path)).map(({ route }) => route);
  expect(ofPage.toSorted()).toEqual(['subscription', 'subscription', 'subscription-attribution', 'subscription-attribution']);
});

test('periods that Invo doesn’t find for a subscription it knows are reported', async ({ page }) => {
  await control('faults', [{ kind: '404', code: 'SUBSCRIPTION_NOT_FOUND', match: { route: 'subscription-attribution' } }]);
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN16AL');
  await expect(page.getByRole('region', { name: 'Invo knows this subscription but doesn’t find its periods' })).toBeVisible();
});

test('a subscription of another game is not found', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1_NOTTHERE');
  await expect(page.getByRole('heading', { name: 'This subscription isn’t in this game and environment' })).toBeVisible();
});

test.describe('as support', () => {
  test.use({ role: 'support' });

  test('the tools lead to their pages, and those Invo would refuse are disabled with the reason', async ({ page }) => {
    const base = '/demo/subscriptions/SUB_1767225600_WITN01AL';
    await page.goto(base);
    await expect(page.getByRole('link', { name: 'Refund period 11…' })).toHaveAttribute('href', '/demo/periods/2026110001/refund');
    for (const [word, path] of Object.entries({ 'Cancel subscription…': 'cancel', 'Change price…': 'price', 'Change card…': 'card' }))
      await expect(page.getByRole('link', { name: word })).toHaveAttribute('href', `${base}/${path}`);
    await page.goto('/demo/subscriptions/SUB_1733479200_DESKPAVE');
    await expect(page.getByRole('button', { name: 'Change price…' })).toBeDisabled();
    await expect(page.getByText('Price and card: the subscription has ended, so they can’t be changed.')).toBeVisible();
    await page.goto('/demo/subscriptions/SUB_1767225600_WITN17AL');
    await expect(page.getByRole('button', { name: 'Refund…' })).toBeDisabled();
    await expect(page.getByText('Card: the game store charges this subscription.')).toBeVisible();
    await control('faults', [{ kind: '500', times: 50, match: { route: 'subscription-attribution' } }]);
    await page.goto('/demo/subscriptions/SUB_1767225600_WITN16AL');
    await expect(page.getByText('Refund: the periods couldn’t be read.')).toBeVisible();
  });
});

test('a subscription is readable on a desktop in light mode and on a phone in dark mode', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const subscription of ['SUB_1767225600_WITN10AL', 'SUB_1734508800_DESKOWEN']) {
      await page.goto(`/demo/subscriptions/${subscription}`);
      await expect(periods(page)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing overflows sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
