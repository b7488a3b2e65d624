import { expect, ownOrigin, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';

test.use({ role: 'finance', world: 'notices' });

test('Ada learns that Fiona’s run waits for her approval, marks it as read, and switches such notices off', async ({
  page,
  browser,
  signedIn,
  expectAccessible,
}) => {
  test.setTimeout(180_000);
  const fiona = new PayoutPages(page);
  await fiona.prepare('2026-09');
  await fiona.submit();
  await page.goto('/notices');
  await expect(page.getByRole('link', { name: 'Run 1 waits for your approval' }), 'the person who submitted isn’t asked').toHaveCount(0);

  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn('admin') });
  const ada = await context.newPage();
  await ada.goto('/demo/months');
  const link = ada.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notices/ });
  await expect(link).toContainText('unread');
  await link.click();
  const row = ada.getByRole('row', { name: /Run 1 waits for your approval/ });
  await expect(row).toContainText(/September 2026: \$[\d,]+\.\d\d payable to \d+ recipients\. Submitted by Fiona Hale\./);
  await expectAccessible(ada);

  const outbox = ada.getByRole('region', { name: 'Outbox of the simulation' });
  await expect(async () => {
    await ada.reload();
    await expect(outbox.getByRole('region', { name: /: Run 1 waits for your approval, to Ada Moreau/ })).toContainText('To Ada Moreau', {
      timeout: 1_000,
    });
  }).toPass({ timeout: 30_000 });
  await expect(outbox).not.toContainText('To Fiona Hale');

  await row.getByRole('button', { name: 'Mark as read' }).click();
  await expect(row.getByRole('button')).toHaveCount(0);
  await ada.getByLabel('A run waits for your approval').selectOption('Off');
  await ada.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ada.getByText('Saved. It applies to notices from now on.')).toBeVisible();
  await ada.reload();
  await expect(ada.getByLabel('A run waits for your approval')).toHaveValue('off');

  await row.getByRole('link').click();
  await expect(ada).toHaveURL(/\/demo\/payouts\/1$/);
  await context.close();
});
