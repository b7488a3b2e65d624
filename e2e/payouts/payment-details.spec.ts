import { expect, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { readSecrets } from '../pages/simulated-invo.ts';

test.use({ role: 'finance', world: 'apart' });

const RECIPIENT = 9019;
const IBAN = 'DE89 3704 0044 0532 0130 00';

test('two people enter, change and import payment details, and a line is paid only while they are in force', { tag: '@proof' }, async ({
  page,
  pageOf,
  expectAccessible,
  sharebook,
}) => {
  test.setTimeout(180_000);
  const ada = await pageOf('admin');
  const fiona = new PayoutPages(page);
  await fiona.start('2026-09');
  expect(await fiona.readLines(1, [RECIPIENT])).toEqual({ 9019: '0.00 13.50 0.00 0.00 0.00 13.50 13.50 0.00 payable' });

  await test.step('The list says who has none, and an entry that is wrong says why', async () => {
    await page.goto('/demo/payouts');
    await page.getByRole('link', { name: 'Payment details', exact: true }).click();
    await expect(page.getByRole('row', { name: /Sable Quill/ })).toContainText('PayPal');
    await expectAccessible(page);
    await page
      .getByRole('row', { name: /Sable Quill/ })
      .getByRole('link')
      .first()
      .click();
    await expect(page.getByText('In force', { exact: true }).first()).toBeVisible();
    await page.getByLabel('Method').selectOption('sepa');
    await page.getByLabel('IBAN').fill('DE88 3704 0044 0532 0130 00');
    await page.getByLabel('Account holder', { exact: true }).fill('Sable Quill');
    await page.getByLabel('Reason').fill('By telephone, to the number in the contract');
    await page.getByRole('button', { name: 'Propose payment details' }).click();
    await expect(page.getByText('The check digits don’t match. Compare it with the original.')).toBeVisible();
    await page.getByLabel('IBAN').fill(IBAN);
    await page.getByRole('button', { name: 'Propose payment details' }).click();
    await expect(page.getByText('You proposed this. Someone else must confirm it.')).toBeVisible();
    await expect(page.getByText('DE •••• 3000').first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('The second person opens the account and confirms it', async () => {
    await ada.goto(`/demo/payouts/payees/${RECIPIENT}`);
    const proposal = ada.getByRole('region', { name: 'Proposed' });
    await proposal.getByRole('button', { name: 'Show in full' }).click();
    await expect(ada.getByText('DE89370400440532013000')).toBeVisible();
    await proposal.getByRole('button', { name: 'Confirm SEPA transfer DE •••• 3000' }).click();
    await expect(ada.getByRole('region', { name: 'In force' })).toContainText('SEPA transfer DE •••• 3000');
    await ada.reload();
    await expect(ada.getByText('DE89370400440532013000')).toHaveCount(0);
  });

  await test.step('Details that are stopped leave the line unpaid, and its chip leads back to them', async () => {
    await page.reload();
    await page.getByLabel('Method').selectOption('none');
    await page.getByLabel('Reason').fill('The account was closed');
    await page.getByRole('button', { name: 'Propose payment details' }).click();
    await expect(page.getByText('You proposed this. Someone else must confirm it.')).toBeVisible();
    await ada.reload();
    await ada.getByRole('button', { name: 'Confirm No payment' }).click();
    await expect(ada.getByRole('region', { name: 'Proposed' })).toHaveCount(0);
    expect(await fiona.readLines(1, [RECIPIENT])).toEqual({ 9019: '0.00 13.50 0.00 0.00 0.00 13.50 0.00 13.50 no_details' });
    const auditor = await pageOf('auditor');
    for (const path of ['payouts/1', `recipients/${RECIPIENT}`, `payouts/payees/${RECIPIENT}`]) {
      const shown = await (await auditor.request.get(`/demo/${path}`)).text();
      expect(shown).toMatch(/payment details/i);
      expect(shown).not.toContain('Enter payment details');
    }
    await page.goto('/demo/payouts/1?show=no_details');
    await page
      .getByRole('row', { name: /Sable Quill/ })
      .getByRole('link', { name: 'No payment details' })
      .click();
    await expect(page).toHaveURL(`/demo/payouts/payees/${RECIPIENT}`);
  });

  await test.step('A file of many is checked, proposed and confirmed as a whole', async () => {
    await page.goto('/demo/payouts/payees');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const sheet = page.getByRole('dialog', { name: 'Import payment details' });
    const choose = async (text: string): Promise<void> =>
      await sheet.getByLabel('CSV file').setInputFiles({ name: 'details.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose(`recipient_player_id,method,email\n${RECIPIENT},paypal,sable@creators.example\n7,paypal,x@y.example`);
    await expect(sheet.getByText('Line 3, recipient_player_id: Invo has reported no recipient with this player ID.')).toBeVisible();
    await choose(`recipient_player_id,method,email\n${RECIPIENT},paypal,sable@creators.example\n800070,paypal,wren@creators.example`);
    await expect(sheet.getByRole('row', { name: /800070/ })).toContainText('PayPal w•••@c•••.example');
    await sheet.getByLabel('Reason').fill('The creators’ new contracts');
    await sheet.getByRole('button', { name: 'Propose 2 changes' }).click();
    await expect(sheet.getByText('2 recipients proposed. They change nothing until a second person confirms them.')).toBeVisible();
    await ada.goto('/demo/payouts/payees');
    const waiting = ada.getByRole('region', { name: 'Proposed import of 2 recipients' });
    await expect(waiting.getByRole('row', { name: /Sable Quill/ })).toContainText('PayPal s•••@c•••.example');
    await waiting.getByRole('button', { name: 'Confirm 2 recipients' }).click();
    await expect(waiting).toHaveCount(0);
    expect(await fiona.readLines(1, [RECIPIENT])).toEqual({ 9019: '0.00 13.50 0.00 0.00 0.00 13.50 13.50 0.00 payable' });
  });

  await test.step('No role without the right sees an account', async () => {
    const vera = await pageOf('viewer');
    const closed = ['payouts/payees', `payouts/payees/${RECIPIENT}`, 'lists/payees/rows?sort=recipient_player_id&dir=asc'];
    for (const path of closed) expect((await vera.request.get(`/demo/${path}`)).status(), path).toBe(403);
    for (const path of ['payouts', 'payouts/1', `recipients/${RECIPIENT}`, 'months/2026-09/close']) {
      const answer = await vera.request.get(`/demo/${path}`);
      expect(answer.status(), path).toBe(200);
      expect(await answer.text()).not.toMatch(/DE89|•••• 3000|sable@creators|s•••@c/);
    }
    expect(sharebook.log.join('\n')).not.toMatch(/DE8[89] ?3704|sable@creators|wren@creators/);
    for (const secret of Object.values(readSecrets())) expect(sharebook.log.some((line) => line.includes(secret))).toBe(false);
  });
});
