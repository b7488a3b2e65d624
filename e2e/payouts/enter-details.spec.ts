import { expect, test } from '../fixtures.ts';

test.use({ role: 'finance' });

// payment-details.spec.ts covers stopped details, an import, and a run that pays to them.
test('one person enters payment details, and they are in force once another confirms them', { tag: '@proof' }, async ({ page, pageOf }) => {
  const address = '/demo/payouts/payees/9019';
  await page.goto(address);
  await page.getByLabel('Method').selectOption('sepa');
  await page.getByLabel('IBAN').fill('DE88 3704 0044 0532 0130 00');
  await page.getByLabel('Account holder', { exact: true }).fill('Sable Quill');
  await page.getByLabel('Reason').fill('By telephone, to the number in the contract');
  await page.getByRole('button', { name: 'Propose payment details' }).click();
  await expect(page.getByText('The check digits don’t match. Compare it with the original.')).toBeVisible();
  await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Propose payment details' }).click();
  await expect(page.getByText('You proposed this. Someone else must confirm it.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);

  const ada = await pageOf('admin');
  await ada.goto(address);
  await ada.getByRole('region', { name: 'Proposed' }).getByRole('button', { name: 'Confirm SEPA transfer DE •••• 3000' }).click();
  await expect(ada.getByRole('region', { name: 'In force' })).toContainText('SEPA transfer DE •••• 3000');
  const vera = await pageOf('viewer');
  expect((await vera.request.get(address)).status()).toBe(403);
});
