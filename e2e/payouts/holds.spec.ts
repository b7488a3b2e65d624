import type { Locator, Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { prepareRun, submitRun } from '../pages/payout-requests.ts';

// The first run of a game, from its draft on: each test continues where the one before left it.
test.use({ role: 'finance', world: 'holds' });
test.describe.configure({ mode: 'serial' });

/** The row of the largest amounts, and the ID it shows. */
async function readLine(page: Page, index: number): Promise<{ box: Locator; id: string; payable: string }> {
  const row = lineAt(page, index);
  const id = /(\d+)\s*$/.exec(await row.locator('th label').innerText())?.[1] ?? '';
  return { box: row.getByRole('checkbox'), id, payable: await payableAt(page, index).innerText() };
}

const lineAt = (page: Page, index: number): Locator =>
  page.getByRole('region', { name: 'Lines', exact: true }).locator('tbody tr').nth(index);

const payableAt = (page: Page, index: number): Locator => lineAt(page, index).locator('td').nth(1);

/** Watches what a person reads: the amount payable of a line when a sentence first appears. */
async function watchAmount(page: Page, index: number, sentence: string): Promise<() => Promise<string | undefined>> {
  const line = await payableAt(page, index).elementHandle();
  const watched = await page.evaluateHandle(
    ([cell, text]) => {
      const read: { amount?: string } = {};
      new MutationObserver(() => {
        if (read.amount === undefined && document.body.innerText.includes(text)) read.amount = cell?.textContent ?? '';
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
      return read;
    },
    [line, sentence] as const,
  );
  return async () => (await watched.jsonValue()).amount;
}

const cents = (amount: string): number => Math.round(Number(amount.replaceAll(',', '')) * 100);

test('a preparer selects recipients, holds and excludes them, and releases a hold with a note', { tag: '@proof' }, async ({ page }) => {
  test.setTimeout(180_000);
  await prepareRun(page, '2026-09');
  await page.goto('/demo/payouts/1');
  await page.getByRole('link', { name: 'Holds', exact: true }).click();
  await expect(page.getByText('0 selected, $0.00 payable')).toBeVisible();
  const [first, second] = [await readLine(page, 0), await readLine(page, 1)];
  await first.box.check();
  await second.box.check();
  const sum = ((cents(first.payable) + cents(second.payable)) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  await expect(page.getByText(`2 selected, $${sum} payable`)).toBeVisible();
  await expect(page.getByLabel('Amount (USD)')).toHaveCount(0);
  await second.box.uncheck();

  // A search leaves the selection, and an error leaves what was typed.
  await page.getByRole('searchbox', { name: 'Search name or player ID' }).fill(second.id);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Lines', exact: true }).locator('tbody tr')).toHaveCount(1);
  await expect(page.getByText(/^1 selected/)).toBeVisible();
  await page.getByLabel('Note', { exact: true }).fill('Chargeback on a period');
  await page.getByLabel('Amount (USD)').fill('-1');
  await page.getByRole('button', { name: 'Place hold' }).click();
  await expect(page.getByText('Enter an amount above zero in whole cents, such as 4.50, or leave it empty.')).toBeVisible();
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('Chargeback on a period');
  await page.getByLabel('Amount (USD)').fill('');
  await page.getByLabel('Ends on').fill('2020-01-01');
  await page.getByRole('button', { name: 'Place hold' }).click();
  await expect(page.getByText('Enter a day after today, or leave it empty.')).toBeVisible();
  await page.getByLabel('Ends on').fill('');
  await page.getByRole('button', { name: 'Place hold' }).click();
  await expect(page.getByText('1 recipient on hold.')).toBeVisible();
  const hold = page.getByRole('region', { name: 'Holds in force', exact: true }).getByRole('row', { name: /Chargeback on a period/ });
  await expect(hold).toContainText('Everything due');
  await expect(payableAt(page, 0)).toHaveText('0.00');

  // A key moves from line to line; the exclusion needs a note.
  await first.box.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Exclude from this run' }).click();
  await expect(page.getByText('Enter a note.')).toBeVisible();
  await page.getByLabel('Note on the exclusion').fill('Next month');
  const amountThen = await watchAmount(page, 1, 'excluded from this run.');
  await page.getByRole('button', { name: 'Exclude from this run' }).click();
  await expect(page.getByText('1 recipient excluded from this run.')).toBeVisible();
  await expect(payableAt(page, 1)).toHaveText('0.00');
  expect(await amountThen(), 'no earlier amount is shown beside the sentence').toBe('0.00');

  await hold.getByText('Release', { exact: true }).click();
  await hold.getByLabel('Note on the release').fill('Settled with the bank');
  await hold.getByRole('button', { name: 'Release hold' }).click();
  await expect(hold).toHaveCount(0);
  await expect(payableAt(page, 0)).toHaveText(first.payable);
});

test('a hold on a run in review says that it returns the run to draft, and does', { tag: '@proof' }, async ({ page }) => {
  test.setTimeout(180_000);
  // The exclusion changed the draft, so items may ask for a note again.
  await submitRun(page, '2026-09');
  await page.goto('/demo/months');
  await page.getByRole('link', { name: /^In review · \$/ }).click();
  await page.getByRole('link', { name: 'Holds', exact: true }).click();
  await (await readLine(page, 0)).box.check();
  await expect(page.getByText('A hold returns the run to draft.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Exclude from this run' })).toHaveCount(0);
  await page.getByLabel('Note', { exact: true }).fill('Identity under review');
  await page.getByRole('button', { name: 'Place hold' }).click();
  await expect(page.getByText('1 recipient on hold. The run is a draft again.')).toBeVisible();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
});

test('one person proposes an adjustment, with every bad entry explained at its field, and another confirms it', { tag: '@proof' }, async ({
  page,
  pageOf,
  expectAccessible,
}) => {
  await page.goto('/demo/payouts');
  await page.getByRole('link', { name: 'Adjustments', exact: true }).click();
  await expect(page.getByText('No adjustments yet')).toBeVisible();
  const propose = page.getByRole('button', { name: 'Propose adjustment' });
  const refused = async (fields: Record<string, string>, sentence: string): Promise<void> => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await propose.click();
    await expect(page.getByText(sentence)).toBeVisible();
  };
  await refused({ Recipient: '123456', 'Amount (USD)': '1.00', Reason: ' ' }, 'Enter a reason. The statement of the recipient prints it.');
  await refused({ Reason: 'Paid twice in July' }, 'Invo has reported no recipient with this player ID.');
  await refused({ Recipient: '500001', 'Amount (USD)': '' }, 'Enter an amount in USD, such as 12.50 or −12.50.');
  await refused({ 'Amount (USD)': '0.001' }, 'Use at most two decimal places.');
  await refused({ 'Amount (USD)': '0' }, 'Enter an amount other than zero.');
  await refused({ 'Amount (USD)': '-12.50', 'Run it corrects': '99' }, 'No run has this number.');
  await page.getByLabel('Run it corrects').fill('');
  await page.getByLabel('Kind').selectOption('Transfer to another recipient');
  const review = page.getByRole('button', { name: 'Review transfer' });
  await review.click();
  await expect(page.getByText('Enter the other recipient of the transfer.')).toBeVisible();
  await page.getByLabel('Other recipient', { exact: true }).fill('500003');
  await review.click();
  await expect(page.getByText(/\(player 500001\) loses \$12\.50 and .+ \(player 500003\) gets \$12\.50\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Propose transfer of $12.50' })).toBeVisible();
  await page.getByLabel('Other recipient', { exact: true }).fill('500002');
  await expect(review).toBeVisible();
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('Paid twice in July');
  await page.getByLabel('Kind').selectOption('Correction');
  await propose.click();
  await expect(page.getByText('Proposed. It changes nothing until a second person confirms it.')).toBeVisible();
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  await expectAccessible(page);

  const ada = await pageOf('admin');
  await ada.goto('/demo/payouts/adjustments');
  await ada.getByRole('button', { name: 'Confirm −$12.50' }).click();
  await expect(ada.getByText('Confirmed', { exact: true })).toBeVisible();
  await expect(ada.getByText('in the next run', { exact: true })).toBeVisible();
});

test('a recipient’s page says why they aren’t paid, and takes a minimum of their own', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/recipients/500001');
  await expect(page.getByRole('region', { name: 'Payout runs of this recipient' }).getByRole('row')).toHaveCount(2);
  await page.getByLabel('Minimum payout (USD)').fill('-1');
  await page.getByRole('button', { name: 'Save minimum' }).click();
  await expect(page.getByText('Enter an amount above zero in whole cents, such as 4.50, or leave it empty.')).toBeVisible();
  await expect(page.getByLabel('Minimum payout (USD)')).toHaveValue('-1');
  // Aurora Vale is on hold since the test before; a hold comes first, so another recipient waits for their minimum.
  await page.goto('/demo/recipients/500003');
  await page.getByLabel('Minimum payout (USD)').fill('5000');
  await page.getByRole('button', { name: 'Save minimum' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  const answer = page.getByRole('region', { name: 'Why not paid?' });
  await expect(answer).toContainText(/September 2026, run 1 \(draft\): \$[\d.]+ is below the minimum of \$5,000\.00\./);
});

test('one person proposes a payout policy, and another puts it in force', { tag: '@proof' }, async ({ page, pageOf, expectAccessible }) => {
  await page.goto('/settings');
  await page.getByText('Propose another policy').click();
  await page.getByLabel('Minimum payout', { exact: true }).fill('0');
  await page.getByLabel('A re-check counts for').fill('soon');
  await page.getByRole('button', { name: 'Propose policy' }).click();
  await expect(page.getByText('Enter an amount above zero in whole cents, such as 10.00.')).toBeVisible();
  await expect(page.getByText('Enter 1 to 720 hours.')).toBeVisible();
  await page.getByLabel('Minimum payout', { exact: true }).fill('20.00');
  await page.getByLabel('A re-check counts for').fill('48');
  await page.getByRole('button', { name: 'Propose policy' }).click();
  const proposed = page.getByRole('region', { name: 'Proposed policy' });
  await expect(proposed).toContainText('$20.00');
  await expect(page.getByRole('button', { name: 'Confirm policy' })).toHaveCount(0);
  await expectAccessible(page);

  const ada = await pageOf('admin');
  await ada.goto('/settings');
  await ada.getByRole('button', { name: 'Confirm policy' }).click();
  await expect(ada.getByRole('region', { name: 'Proposed policy' })).toHaveCount(0);
  await expect(ada.getByRole('region', { name: /^Payout policy of/ })).toContainText('48 hours');
});

test.describe('as a viewer', () => {
  test.use({ role: 'viewer' });

  test('a viewer sees the outcomes of a run and no form', { tag: '@proof' }, async ({ page }) => {
    await page.goto('/demo/payouts/1/holds');
    await expect(page.getByRole('region', { name: 'Lines with money due' })).toBeVisible();
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await expect(page.getByText('Release', { exact: true })).toHaveCount(0);
    await page.goto('/demo/payouts/adjustments');
    await expect(page.getByText('−12.50')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Propose adjustment' })).toHaveCount(0);
  });
});
