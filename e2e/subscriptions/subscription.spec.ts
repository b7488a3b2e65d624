import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
// Support's cases stand as README.md lists them, whatever was refunded or canceled before.
test.beforeAll(async () => void (await control('reset')));
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const fact = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');
const cycles = (page: Page) => page.getByRole('region', { name: 'Cycles' });

test('I see whether the player has access, apart from the billing window', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1734508800_DESKOWEN');
  await expect(page.getByText('A charge failed and is being retried')).toBeVisible();
  await expect(page.getByText('Access ended 18 Oct 2026 08:00 UTC')).toBeVisible();
  await expect(fact(page, 'Next retry of the failed charge')).toHaveText(/^22 Nov 2026 06:00 UTC/);
  await expect(cycles(page).getByRole('row', { name: /^Number 2/ })).toContainText('Not paid yet');
});

test('the next charge is called what it is in each state', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1795105200_DESKLENA');
  await expect(page.getByText('No access: nothing is paid for')).toBeVisible();
  await expect(fact(page, 'The player must pass the bank’s check by')).toHaveText(/^22 Nov 2026 06:00 UTC/);
  await expect(page.getByText('Nothing was ever billed.')).toBeVisible();
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN01AL');
  await expect(fact(page, 'Next charge')).toHaveText(/^1 Dec 2026 00:00 UTC/);
  await page.goto('/demo/subscriptions/SUB_1733479200_DESKPAVE');
  await expect(fact(page, 'Next touch by Invo')).toHaveText(/^none, it is canceled/);
});

test('one that will end says when, and that nothing more is charged', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1733486400_DESKSENA');
  await expect(page.getByText('will end')).toBeVisible();
  await expect(fact(page, 'Cancellation')).toHaveText(/^ends on 6 Dec 2027 12:00 UTC/);
  await expect(page.getByText('It ends without a further charge')).toBeVisible();
});

test('a staged price says whether it can ever apply', async ({ page }) => {
  for (const [subscription, price, told] of [
    ['SUB_1733565600_DESKTHEO', '25.00', 'applies at the next successful renewal'],
    ['SUB_1733569200_DESKUMA1', '45.00', 'staged, will never be applied: it is more than double'],
    ['SUB_1733572800_DESKUMA2', '520.00', 'staged, will never be applied: it is above 500.00 USD'],
  ] as const) {
    await page.goto(`/demo/subscriptions/${subscription}`);
    await expect(fact(page, 'Staged price, USD')).toContainText(price);
    await expect(fact(page, 'Staged price, USD')).toContainText(told);
  }
});

test('cycles are newest first: partly refunded is still billed, never paid is not unattributed', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN04AL');
  const rows = cycles(page).getByRole('row');
  await expect(rows.nth(1)).toContainText('Number 11');
  await expect(rows.nth(1)).toContainText('Paid, partly refunded');
  await expect(rows.nth(1).getByRole('cell')).toContainText([
    '1 Nov 2026 to 1 Dec 2026',
    'Paid, partly refunded',
    'card',
    '50.00',
    '15.00',
    '9.00',
  ]);
  await expect(rows.nth(2)).toContainText('Refunded in full');
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN19AL');
  await expect(rows.nth(1)).toContainText('Never paid, the charge failed');
  await expect(rows.nth(1)).not.toContainText('unattributed');
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN10AL');
  await expect(rows.nth(1)).toContainText('Attribution was not recorded');
  await cycles(page).getByRole('link', { name: 'Number 11' }).click();
  await expect(page).toHaveURL('/demo/periods/2026110010');
});

test('the share is for future renewals only, and the whole life is in Invo’s sums', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN14AL');
  await expect(page.getByRole('region', { name: 'Share, for future renewals only' })).toContainText('15.00 %');
  // Eleven renewals of 20.00: six attributed 1.80 each, five 2.70.
  await expect(fact(page, 'Settled')).toHaveText(/^220\.00/);
  await expect(fact(page, 'Attributed')).toHaveText(/^24\.30/);
  await control('faults', [{ kind: 'missing_field', path: 'lifetime_totals', match: { route: 'subscription-attribution' } }]);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Over its whole life' })).toContainText('Not available');
});

test('figures stand beside each other, the head of a long list stays in sight, and a telephone breaks no word', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN14AL');
  const topOf = async (label: string) => (await fact(page, label).boundingBox())?.y;
  expect(await topOf('Settled')).toBe(await topOf('Renewals settled'));
  await expect(page.getByText('11, newest first')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 480 });
  await cycles(page).evaluate((frame) => {
    frame.scrollTop = frame.scrollHeight;
  });
  expect(await cycles(page).evaluate((frame) => frame.scrollTop), 'more than fits').toBeGreaterThan(0);
  const head = await cycles(page)
    .getByRole('columnheader', { name: /^Settled/ })
    .boundingBox();
  expect((head?.y ?? 0) - ((await cycles(page).boundingBox())?.y ?? 0), 'the head is still on top').toBeCloseTo(1, 0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await cycles(page).getByRole('link', { name: 'Number 11' }).boundingBox())?.height, 'on one line').toBeLessThan(30);
});

test('when Invo fails I see what it said last; what was never read is told, with what the months hold', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN17AL');
  await expect(page.getByText('Has access until')).toBeVisible();
  await control('faults', [{ kind: 'reset', times: 50 }]);
  await page.reload();
  await expect(page.getByText(/^Invo could not be asked about this subscription and its cycles: this is what it said/)).toBeVisible();
  await expect(page.getByText('Has access until')).toBeVisible();
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN18AL');
  await expect(page.getByText('and no earlier answer is held')).toBeVisible();
  await expect(page.getByRole('region', { name: 'In the months' }).getByRole('row', { name: /^October 2026 Renewal/ })).toContainText(
    '0.54',
  );
});

test('opening a page asks Invo for it alone, not for what its links lead to', async ({ page }) => {
  await control('calls', {}, 'DELETE');
  for (const _ of ['the first look', 'the second']) {
    await page.goto('/demo/subscriptions/SUB_1767225600_WITN03AL');
    await expect(cycles(page).getByRole('link')).not.toHaveCount(0);
    // It listens to the keys: whatever it would fetch of its own accord, it has asked for by then.
    await new SearchBox(page).open();
  }
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { route: string; path: string }[] };
  // Beside its own those of its periods: what else is asked meanwhile is not this page's doing.
  const ofPage = calls.filter(({ path }) => /WITN03AL|\/periods\/\d{6}0003/.test(path)).map(({ route }) => route);
  expect(ofPage.toSorted()).toEqual(['subscription', 'subscription', 'subscription-attribution', 'subscription-attribution']);
});

test('cycles that Invo does not find beside a subscription it knows are told', async ({ page }) => {
  await control('faults', [{ kind: '404', code: 'SUBSCRIPTION_NOT_FOUND', match: { route: 'subscription-attribution' } }]);
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN16AL');
  await expect(page.getByRole('region', { name: 'Invo knows this subscription and does not find its cycles' })).toBeVisible();
});

test('one of another game is not found, by Invo’s own word', async ({ page }) => {
  await page.goto('/demo/subscriptions/SUB_1_NOTTHERE');
  await expect(page.getByRole('heading', { name: 'This subscription is not in this game and environment' })).toBeVisible();
});

test.describe('as support', () => {
  test.use({ role: 'support' });

  test('the tools lead on, and those Invo would refuse are closed with the reason', async ({ page }) => {
    const base = '/demo/subscriptions/SUB_1767225600_WITN01AL';
    await page.goto(base);
    await expect(page.getByRole('link', { name: 'Refund number 11…' })).toHaveAttribute('href', '/demo/periods/2026110001/refund');
    for (const [word, path] of Object.entries({ 'Cancel…': 'cancel', 'Change price…': 'price', 'Change card…': 'card' }))
      await expect(page.getByRole('link', { name: word })).toHaveAttribute('href', `${base}/${path}`);
    await page.goto('/demo/subscriptions/SUB_1733479200_DESKPAVE');
    await expect(page.getByRole('button', { name: 'Change price…' })).toBeDisabled();
    await expect(page.getByText('Invo changes neither once a subscription has ended.')).toBeVisible();
    await page.goto('/demo/subscriptions/SUB_1767225600_WITN17AL');
    await expect(page.getByRole('button', { name: 'Refund…' })).toBeDisabled();
    await expect(page.getByText('this subscription is paid through the game store.')).toBeVisible();
    await control('faults', [{ kind: '500', times: 50, match: { route: 'subscription-attribution' } }]);
    await page.goto('/demo/subscriptions/SUB_1767225600_WITN16AL');
    await expect(page.getByText('Refund: the cycles could not be read, so no period can be offered.')).toBeVisible();
  });
});

test('I can read a subscription on a desk by day and on a telephone by night', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const subscription of ['SUB_1767225600_WITN10AL', 'SUB_1734508800_DESKOWEN']) {
      await page.goto(`/demo/subscriptions/${subscription}`);
      await expect(cycles(page)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing sticks out sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
