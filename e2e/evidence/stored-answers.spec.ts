import { expect, test } from '../fixtures.ts';

const OCTOBER = '/demo/months/2026-10';

test('sorting and jumping in a complete month send no request, and a search requests the rows alone', async ({ page }) => {
  const parts = ['renewals', 'renewals-orders', 'addresses'].map((part) =>
    page.waitForResponse((answer) => answer.url().includes(`/table/${part}?`)),
  );
  await page.goto(`${OCTOBER}/lines`);
  await Promise.all(parts);
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-busy', 'false');
  const requests: string[] = [];
  page.on('request', (request) => {
    // The browser may ask for the icon again when the address changes; links in sight are prefetched whenever it has time.
    if (request.resourceType() === 'other' || request.headers()['next-router-prefetch']) return;
    requests.push(`${request.resourceType()} ${request.url()}`);
  });
  await page.getByRole('button', { name: /^Last player/ }).click();
  await expect(grid.getByRole('row').filter({ hasText: '500060' })).toBeVisible();
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click();
  await expect(grid.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'descending');
  await expect(grid).toHaveAttribute('aria-busy', 'false');
  expect(requests).toEqual([]);
  await page.getByRole('textbox', { name: /^Search player/ }).fill('2026100004');
  await expect(grid).toHaveAttribute('aria-rowcount', '3');
  expect(requests.map((each) => new URL(each.split(' ')[1] ?? '').pathname)).toEqual(['/demo/lists/renewals/rows']);
});
