import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('shape', { 'order-details': null, 'item-order-details': null });
});

test('an order is found by its ID, says its status in words, and has no refund button but says why', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('ORD_BREE_02');
  await expect(page).toHaveURL('/demo/orders/ORD_BREE_02');
  const card = page.getByRole('region', { name: 'Currency purchase' });
  await expect(card).toContainText('Awaiting bank check');
  await expect(card).toContainText('Nothing has been charged.');
  await expect(card).toContainText('9.99');
  await expect(card).toContainText('This order can’t be refunded from here');
  await expect(page.getByRole('button', { name: /refund/i })).toHaveCount(0);
  expect(await page.content()).not.toMatch(/canary|bree\.okoro@/);
  await card.getByRole('link', { name: 'Bree Okoro' }).click();
  await expect(page).toHaveURL('/demo/players/910024');
});

test('a status nobody documents is shown as it came', async ({ page }) => {
  await page.goto('/demo/orders/ORD_BREE_10');
  await expect(page.getByRole('region', { name: 'Currency purchase' })).toContainText('held_for_review');
});

test('an ID that both order books know shows two orders', async ({ page }) => {
  await page.goto('/demo/orders/ORD_BREE_05');
  await expect(page.getByText('They are two different orders.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Item purchase' })).toContainText('Sail dye');
});

test('an order of several items is listed with the price of all of them', async ({ page }) => {
  await page.goto('/demo/orders/ITO_ASA_01');
  await expect(page.getByRole('region', { name: 'Item purchase' })).toContainText('37.50');
  await new SearchBox(page).search('asa.venn@players.example');
  await expect(page).toHaveURL('/demo/players/910023');
  await page.goto('/demo/players/910023/orders');
  const row = page.getByRole('region', { name: 'Orders known to Sharebook' }).getByRole('row', { name: /ITO_ASA_01/ });
  await expect(row).toContainText('37.50');
  await expect(row).not.toContainText('12.50');
});

test('the order of a renewal leads to its period, and is not counted as a second charge', async ({ page }) => {
  await page.goto('/demo/orders/MINT_2026100001');
  await expect(page.getByRole('region', { name: 'This order charged a subscription renewal' })).toContainText('not a second one');
  await expect(page.getByText('can’t be refunded from here')).toHaveCount(0);
  await page.getByRole('link', { name: 'period 2026100001' }).click();
  await expect(page).toHaveURL('/demo/periods/2026100001');
});

test('an answer about another order is no answer', async ({ page }) => {
  await control('shape', { 'order-details': 'other', 'item-order-details': 'other' });
  await page.goto('/demo/orders/ORD_BREE_04');
  await expect(page.getByText('Couldn’t load this order from Invo. Nothing is stored yet.')).toBeVisible();
  await expect(page.getByText('Refunded in full')).toHaveCount(0);
});

test('a stored order is shown with its age while Invo is away, and an unknown ID is said to be unknown', async ({ page }) => {
  await page.goto('/demo/orders/ORD_BREE_07');
  await expect(page.getByRole('region', { name: 'Currency purchase' })).toContainText('Dispute lost');
  await control('faults', [{ kind: '503', times: 50 }]);
  await page.reload();
  await expect(page.getByText(/Showing data from/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Currency purchase' })).toContainText('Dispute lost');
  await control('faults', {}, 'DELETE');
  await page.goto('/demo/orders/ORD_NOWHERE');
  await expect(page.getByRole('heading', { name: 'Order ORD_NOWHERE isn’t in this game and environment' })).toBeVisible();
});

test('an ID that could lead to another address is not found, and Invo isn’t asked', async ({ page, expectTrouble }) => {
  expectTrouble(/404/);
  await control('calls', {}, 'DELETE');
  for (const id of ['a%2Fb', '%2e%2e', 'a%20b', 'x'.repeat(101)])
    expect((await page.request.get(`/demo/orders/${id}`)).status(), id).toBe(404);
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { path: string }[] };
  expect(calls.filter(({ path }) => path.includes('order-details'))).toEqual([]);
});

test('an order is readable on a desktop in light mode and on a phone in dark mode', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/demo/orders/ORD_BREE_03');
    await page.getByText('All fields').click();
    await expect(page.getByText('campaign').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing overflows sideways').toBe(width);
    await expectAccessible(page);
  }
});

test.describe('as a viewer', () => {
  test.use({ role: 'viewer' });

  test('a viewer has no desk: no order, transfer or tab of a player, and no link to them', async ({ page, expectTrouble }) => {
    expectTrouble(/403/);
    for (const path of [
      'orders/ORD_BREE_03',
      'transfers',
      'transfers/TRF_CLAIM',
      ...['', '/cards', '/orders', '/subscriptions', '/loyalty', '/transfers'].map((tab) => `players/910023${tab}`),
    ])
      expect((await page.request.get(`/demo/${path}`)).status(), path).toBe(403);
    await page.goto('/demo/months');
    await expect(page.getByRole('link', { name: 'Transfers' })).toHaveCount(0);
    const box = new SearchBox(page);
    await box.search('ORD_BREE_03');
    await expect(box.answer).toContainText('No local');
  });
});
