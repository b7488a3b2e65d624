import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
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

test('a subscription is readable on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.goto('/demo/subscriptions/SUB_1767225600_WITN10AL');
  await expect(periods(page)).toBeVisible();
  await expectReadable(page, expectAccessible);
});
