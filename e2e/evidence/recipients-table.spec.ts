import { expect, test } from '../fixtures.ts';
import { LongTable } from '../pages/data-table.ts';

// What a search finds and sums: recipients-table.page.test.ts.
const OCTOBER = '/demo/months/2026-10';

test('the figures of October are those worked out by hand, and hostile names are plain text', async ({ page }) => {
  await page.goto(`${OCTOBER}?sort=recipient_player_id&dir=asc`);
  const table = new LongTable(page, 'recipients');
  await expect(table.row('=SUM(A1)').first()).toBeVisible();
  for (const [Player, name, Gross, Reversed, net] of [
    ['9001', '=SUM(A1)', '4.50', '0.00', '4.50'],
    ['9002', '-1+1', '4.50', '−0.90', '3.60'],
    ['9003', 'Kestrel "Kes" O\'Neil, Guild␊House Three', '9.50', '−0.95', '8.55'],
    ['9004', '\u{1F732} Nova 🎮 [U+202E]live[U+202C]', null, null, null],
    ['9006', '＝HYPERLINK("https://example.invalid","x")', null, null, null],
    ['9007', 'Nul\uFFFDByte <b>&amp;</b>', null, null, null],
    ['9008', 'Player 9008', '0.90', '0.00', '0.90'],
    ['9014', '␉+Tabbed', '3.60', '0.00', '3.60'],
  ] as const) {
    const row = table.grid.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await table.expectCells(row, { Player, ...(Gross === null ? {} : { Gross, Reversed, 'Net attributed': net }) });
  }
});

test('I sort, choose columns and search, and the address restores the same view', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await table.sortBy('Reversed');
  await expect(page).toHaveURL(/sort=reversed_attributed_usd/);
  await expect(table.grid.getByRole('columnheader', { name: 'Reversed' })).toHaveAttribute('aria-sort', 'descending');
  await expect(table.current()).toContainText('Sable Quill');
  await table.sortBy('Reversed');
  await expect(table.grid.getByRole('columnheader', { name: 'Reversed' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.current()).toContainText('0.00');

  await page.getByRole('button', { name: 'Columns' }).click();
  // The view is in the address, which Next changes a moment after the press.
  const column = page.getByRole('checkbox', { name: 'Subscriptions' });
  await column.click();
  await expect(column).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(table.grid.getByRole('columnheader', { name: 'Subscriptions' })).toBeVisible();
  await table.find.fill('Tide');
  await expect(table.total()).toContainText(/^\d+ matching recipients/);
  await table.sortBy('Player');
  await expect(page).toHaveURL(/sort=recipient_player_id/);
  await expect(table.current()).toContainText('Juniper Tide');
  const seen = await table.grid.getByRole('gridcell').allTextContents();
  await page.goto(page.url());
  await expect(table.find).toHaveValue('Tide');
  await expect(table.grid.getByRole('columnheader', { name: 'Subscriptions' })).toBeVisible();
  await expect(table.grid.getByRole('gridcell')).toHaveText(seen);
});

test('a search for an email finds the recipient and never enters the address', { tag: '@proof' }, async ({ page }) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await table.find.fill('witness-9009@creators.example');
  await expect(table.total()).toContainText('1 matching recipient');
  await expect(table.row('Halcyon Drift')).toHaveCount(1);
  expect([...addresses, page.url()].filter((address) => /%40|@|witness-9009/.test(address))).toEqual([]);
});

test('I use the table with the keyboard only, and search before its scripts have come', async ({ page }) => {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(OCTOBER, { waitUntil: 'commit' });
  const table = new LongTable(page, 'recipients');
  await expect(table.find).toBeVisible();
  await page.keyboard.press('/');
  await expect(table.find).toBeFocused();
  await page.keyboard.type('no such');
  scripts.resolve();
  await page.keyboard.type(' name');
  await expect(table.find).toHaveValue('no such name');
  await expect(table.total()).toContainText('No recipients');
  await page.keyboard.press('Escape');
  // The keys act on the visible list: all rows have to be back before its end is requested.
  await expect(table.total()).toContainText(/^75 recipients/);
  await table.grid.focus();
  await page.keyboard.press('End');
  await expect(table.current()).toContainText('Sable Quill');
  await page.keyboard.press('ArrowUp');
  await expect(table.current()).toContainText('Odd Meridian');
  await page.keyboard.press('Home');
  await expect(table.current()).toContainText('Aurora Vale');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await table.grid.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Aurora Vale' })).toBeVisible();
});
