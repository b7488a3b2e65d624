import { gunzipSync } from 'node:zlib';
import { expect, test } from '../fixtures.ts';

const OCTOBER = '/demo/months/2026-10';
/** What each tab reads beside its page. */
const PARTS = {
  '': ['recipients', 'recipients-orders', 'comparison', 'addresses'],
  '/reversals': ['reversals', 'reversals-orders'],
  '/lines': ['renewals', 'renewals-orders'],
};

test.describe('a viewer', () => {
  test.use({ role: 'viewer' });

  test('gets no email in the bytes of any page or answer of a month', async ({ page }) => {
    const texts = new Map<string, string>();
    for (const [tab, parts] of Object.entries(PARTS)) {
      // Read as they come: the browser forgets the bytes of an answer once the page moves on.
      const awaited = parts.map(async (part) => {
        const answer = await page.waitForResponse((response) => new URL(response.url()).pathname === `${OCTOBER}/table/${part}`);
        return { answer, bytes: await answer.body() };
      });
      const html = await page.goto(`${OCTOBER}${tab}`);
      texts.set(`${OCTOBER}${tab}`, (await html?.text()) ?? '');
      await page.getByRole('button', { name: /Lowest net|Last player/ }).click();
      for (const { answer, bytes } of await Promise.all(awaited)) {
        const isFile = answer.headers()['content-type'] === 'application/gzip';
        texts.set(new URL(answer.url()).pathname, (isFile ? gunzipSync(bytes) : bytes).toString());
      }
    }
    for (const [path, text] of texts) expect(text, path).not.toContain('@creators.example');
    expect(texts.get(`${OCTOBER}/table/addresses`)).toContain('•••@');
  });
});

test('sorting and jumping in a complete month ask the server nothing, and a search asks it for the rows alone', async ({ page }) => {
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
