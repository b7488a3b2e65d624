import { expect, test } from '../fixtures.ts';
import { LongTable } from '../pages/data-table.ts';

const OCTOBER = '/demo/months/2026-10';

test('the recipients of October have the figures worked out by hand', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  for (const [player, Renewals, Gross, Reversed, Net] of [
    ['9001', '2', '4.50', '0.00', '4.50'],
    ['9002', '1', '4.50', '−0.90', '3.60'],
    ['9003', '1', '9.50', '−0.95', '8.55'],
    ['9005', '1', '2.2509', '−1.1255', '1.1254'],
    ['9009', '1', '13.50', '0.00', '13.50'],
    ['9010', '1', '9.00', '−9.00', '0.00'],
    ['9012', '1', '0.90', '−0.90', '0.00'],
    ['9013', '1', '2.70', '−1.35', '1.35'],
    ['9014', '1', '3.60', '0.00', '3.60'],
    ['9019', '0', '0.00', '−13.50', '−13.50'],
  ] as const) {
    await table.find.fill(player);
    await expect(table.total()).toContainText('1 matching recipient');
    await table.expectCells(table.grid.getByRole('row').nth(1), { Player: player, Renewals, Gross, Reversed, 'Net attributed': Net });
    await table.expectCells(table.total(), { Renewals, Gross, Reversed, 'Net attributed': Net });
  }
});

test('I sort by a heading and reverse the order', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await table.sortBy('Reversed');
  await expect(page).toHaveURL(/sort=reversed_attributed_usd/);
  await expect(table.grid.getByRole('columnheader', { name: 'Reversed' })).toHaveAttribute('aria-sort', 'descending');
  await expect(table.current()).toContainText('Sable Quill');
  await table.sortBy('Reversed');
  await expect(table.grid.getByRole('columnheader', { name: 'Reversed' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.current()).toContainText('0.00');
});

test('I choose columns, and the address restores the same view', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Subscriptions' }).click();
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

test('a search for an email finds the recipient and never enters the address', async ({ page }) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await table.find.fill('witness-9009@creators.example');
  await expect(table.total()).toContainText('1 matching recipient');
  await expect(table.row('Halcyon Drift')).toHaveCount(1);
  expect([...addresses, page.url()].filter((address) => /%40|@|witness-9009/.test(address))).toEqual([]);
});

test('remarks about a recipient are beside the figures', async ({ page }) => {
  await page.goto(`${OCTOBER}?show=negative`);
  const table = new LongTable(page, 'recipients');
  await expect(table.total()).toContainText('2 matching recipients');
  await table.expectCells(table.total(), { Gross: '0.00', Reversed: '−21.60', 'Net attributed': '−21.60' });
  await table.expectCells(table.row('Sable Quill'), { 'Net attributed': '−13.50', Remarks: 'reverses September' });
  await table.expectCells(table.row('Odd Meridian'), { 'Net attributed': '−8.10' });
});

test('a search without results says so and can be cleared', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await table.find.fill('no such name');
  await expect(table.total()).toContainText('No recipients');
  await table.find.press('Escape');
  await expect(table.total()).toContainText(/^75 recipients/);
});

test('I use the table with the keyboard only', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  await page.keyboard.press('/');
  await expect(table.find).toBeFocused();
  await page.keyboard.type('hal');
  await expect(table.row('Halcyon Drift')).toHaveCount(1);
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

test('names that look like formulas, markup or hidden characters are shown as plain text', async ({ page }) => {
  await page.goto(OCTOBER);
  const table = new LongTable(page, 'recipients');
  for (const [player, name] of [
    ['9001', '=SUM(A1)'],
    ['9002', '-1+1'],
    ['9003', 'Kestrel "Kes" O\'Neil, Guild␊House Three'],
    ['9004', '\u{1F732} Nova 🎮 [U+202E]live[U+202C]'],
    ['9006', '＝HYPERLINK("https://example.invalid","x")'],
    ['9007', 'Nul\uFFFDByte <b>&amp;</b>'],
    ['9008', 'Player 9008'],
    ['9014', '␉+Tabbed'],
  ] as const) {
    await table.find.fill(player);
    await expect(table.total()).toContainText('1 matching recipient');
    await expect(table.grid.getByRole('link', { name, exact: true })).toBeVisible();
  }
});
