import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';

test.use({ world: 'apart' });

test('A list is checked, read and downloaded', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.goto('/demo/months');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Balances' }).click();
  await expect(page.getByRole('heading', { name: 'Balances', level: 1 })).toBeVisible();
  const list = 'name;player_email\r\nJuno;juno.marl@players.example\r\nNobody;nobody@players.example\r\nJuno;JUNO.MARL@players.example\r\n';
  await page.getByLabel('CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${list}`) });
  await expect(
    page.getByText(
      '3 lines with 2 emails. Line 4 repeats an earlier email, which is read once and listed on each of its lines. No request was sent to Invo yet.',
    ),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Read 2 balances' }).click();
  await expect(page.getByText('Complete', { exact: true })).toBeVisible({ timeout: 20_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download CSV' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^demo-balances-\d+-[\d-]+\.csv$/);
  const rows = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(
    rows.slice(1).map((row) =>
      row
        .split(',')
        .filter((_, index) => [2, 3, 4, 10, 11].includes(index))
        .join(),
    ),
  ).toEqual([
    '2,juno.marl@players.example,true,Lumens,1200.00',
    '2,juno.marl@players.example,true,Embers,-45.50',
    '3,nobody@players.example,false,,',
    '4,JUNO.MARL@players.example,true,Lumens,1200.00',
    '4,JUNO.MARL@players.example,true,Embers,-45.50',
  ]);
  await expect(page.getByRole('region', { name: 'Coins by currency' })).toContainText('−45.50');
  await expectAccessible(page);
});

test('A list with lines that are no emails names them, and can’t be sent', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/balances');
  await page.getByLabel('Or paste emails').fill('ana@players.example\nnobody\n\nb@@players.example');
  await page.getByRole('button', { name: 'Check the list' }).click();
  await expect(page.getByText('These lines aren’t emails: 2, 4. Correct them and try again. No request was sent to Invo.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Read \d/ })).toHaveCount(0);
  await page.getByLabel('CSV file').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('ana@players.example\nnobody\nb@@players.example\nana@players.example,ben@players.example'),
  });
  await expect(
    page.getByText(/^These lines aren’t emails: 2, 3\. Line 4 has a second email in a column without a heading\./),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Read \d/ })).toHaveCount(0);
});

test('One email on one line is counted in the singular', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/balances');
  await page.getByLabel('Or paste emails').fill('juno.marl@players.example');
  await page.getByRole('button', { name: 'Check the list' }).click();
  await expect(page.getByText('1 line with 1 email. No request was sent to Invo yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Read 1 balance' }).click();
  await expect(page.getByText('on 1 line', { exact: true })).toBeVisible({ timeout: 20_000 });
});

test('Withdrawals are shown as Invo wrote them', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.goto('/demo/balances/withdrawals');
  await expect(page.getByLabel('Available to withdraw, as Invo wrote it')).toContainText('"available_balance": "18250.40"');
  await expect(page.getByLabel('Withdrawal history, as Invo wrote it')).toContainText('WDR_1');
  await expectAccessible(page);
});
