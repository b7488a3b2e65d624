import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { listWrongCounts } from '../pages/invo-counts.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });

test('I confirm a payment that the bank approved, and its coins are credited once', async ({ page, expectAccessible }) => {
  await page.goto('/demo/orders/ORD_BREE_02');
  await page.getByRole('link', { name: 'Confirm payment…' }).click();
  await expect(page.getByText('Invo completes the order and credits 999.00 Lumens to Bree Okoro')).toBeVisible();
  await expectReadable(page, expectAccessible);
  await page.getByRole('button', { name: 'Confirm the payment for Bree Okoro…' }).click();
  await expect(page.getByText('Enter the reference of the ticket.')).toBeVisible();
  await page.getByLabel('Ticket', { exact: true }).fill('T-1042');
  await page.getByRole('button', { name: 'Confirm the payment for Bree Okoro…' }).click();
  await page.getByRole('button', { name: 'Confirm the payment for Bree Okoro', exact: true }).click();
  // The bank hasn't checked it yet.
  await expect(page.getByText('The bank asks the player to confirm the payment.')).toBeVisible();
  await control('challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  await page.getByRole('button', { name: 'Confirm again' }).click();
  await expect(page.getByText('Invo reports the order as completed.')).toBeVisible();
  await expectReadable(page, expectAccessible);
  await page.goto('/demo/orders/ORD_BREE_02');
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Confirm payment…' })).toHaveCount(0);
});

test('a link above my limit is approved by another person, and I see it once', { tag: '@proof' }, async ({
  page,
  pageOf,
  expectAccessible,
}) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('asa.venn@players.example');
  await page.getByRole('link', { name: 'Payment link…' }).click();
  await page.getByLabel('Amount (USD)').fill('150');
  await page.getByLabel('Ticket', { exact: true }).fill('T-1043');
  await page.getByRole('button', { name: 'Make a payment link of $150.00 for Asa Venn…' }).click();
  await page.getByRole('button', { name: 'Request: Make a payment link of $150.00 for Asa Venn' }).click();
  await expect(page.getByText('A second person must approve it first.')).toBeVisible();
  const address = new URL(page.url()).pathname;
  const approver = await pageOf('finance');
  await approver.goto('/demo/actions');
  await expectReadable(approver, expectAccessible);
  await approver.goto(address);
  await approver.getByRole('button', { name: 'Approve: payment link' }).click();
  await expect(approver.getByRole('button', { name: 'Make the link' })).toHaveCount(0);
  await expect(approver.getByText('Ready to send')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('button', { name: 'Show once' }).click();
  await expect(page.getByText(/checkout\?token=/)).toBeVisible();
  await page.reload();
  await expect(page.getByText('Only the screen that requested it can show it, once.')).toBeVisible();
  expect(await page.content()).not.toContain('checkout?token=');
});

test('I collect a transfer with the code that the player reads out', { tag: '@proof' }, async ({ page, pageOf, expectAccessible }) => {
  const [admin, approver] = [await pageOf('admin'), await pageOf('finance')];
  await turnOnTransfers(admin, approver);
  await page.goto('/demo/months');
  await new SearchBox(page).search('asa.venn@players.example');
  await expect(page.getByRole('heading', { name: 'Asa Venn' })).toBeVisible();
  await page.goto('/demo/transfers/TRF_IN');
  await page.getByRole('link', { name: 'Collect with a code…' }).click();
  await expectReadable(page, expectAccessible);
  await page.getByLabel('Claim code').fill('canary-claim-code-TRF_IN');
  await page.getByLabel('Ticket', { exact: true }).fill('T-1044');
  await page.getByRole('button', { name: 'Collect the transfer for Asa Venn…' }).click();
  await admin.reload();
  await admin.getByRole('button', { name: 'Turn off Transfers' }).click();
  await expect(admin.getByRole('row', { name: /^Transfers/ })).toContainText('Off');
  await page.getByRole('button', { name: 'Collect the transfer for Asa Venn', exact: true }).click();
  // Nothing that was emptied is wrong yet, and the notice says what to do.
  const notice = page.getByRole('main').getByRole('alert').filter({ hasText: 'Transfers are turned off for this game.' });
  await expect(notice).toContainText('Enter the code again: the page doesn’t store it.');
  await expect(notice).toBeFocused();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0);
  await turnOnTransfers(admin, approver);
  await page.getByLabel('Claim code').fill('canary-claim-code-TRF_IN');
  await page.getByRole('button', { name: 'Collect the transfer for Asa Venn…' }).click();
  await page.getByRole('button', { name: 'Collect the transfer for Asa Venn', exact: true }).click();
  await expect(page.getByText('Invo reports the transfer as collected.')).toBeVisible();
  await expectReadable(page, expectAccessible);
  expect(await page.content()).not.toContain('canary-claim-code');
  expect(await listWrongCounts()).toEqual([]);
});

/** An admin requests to turn transfers on, and finance confirms it. */
async function turnOnTransfers(admin: Page, approver: Page): Promise<void> {
  await admin.goto('/settings/desk-actions/demo');
  await admin.getByRole('button', { name: 'Ask to turn on Transfers' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Ask to turn on Transfers' }).click();
  await expect(admin.getByRole('button', { name: 'Withdraw the request to turn on Transfers' })).toBeVisible();
  await approver.goto('/settings/desk-actions/demo');
  await approver.getByRole('button', { name: 'Turn on Transfers', exact: true }).click();
  await approver.getByRole('dialog').getByRole('button', { name: 'Turn on Transfers', exact: true }).click();
  await expect(approver.getByRole('button', { name: 'Turn on Transfers', exact: true })).toHaveCount(0);
}
