import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'finance', world: 'close-story' });

/**
 * The roll-forward of the reference recipients (.github/docs/simulated-invo.md): opening, earned, reversed, already deducted, adjusted, due, payable, carried forward
 * and the outcome. Every figure is worked out by hand.
 */
const SEPTEMBER = {
  // 1.80 + 2.70 earned wait for the minimum of 10.00.
  9001: '0.00 4.50 0.00 0.00 0.00 4.50 0.00 4.50 below_minimum',
  // 10.00 of 100.00 refunded takes 0.95 of 9.50; the base differs, so the rest is held.
  9003: '0.00 9.50 0.95 0.00 0.00 8.55 0.00 8.55 on_hold',
  9004: '0.00 2.70 0.00 0.00 0.00 2.70 0.00 2.70 below_minimum',
  // Half of 2.2509, rounded to four decimals by Invo, is reversed.
  9005: '0.00 2.2509 1.1255 0.00 0.00 1.1254 0.00 1.1254 below_minimum',
  // August's 13.50 are reversed on the first of September.
  9009: '0.00 0.00 13.50 0.00 0.00 -13.50 0.00 -13.50 negative_balance',
  // 15.00 of September's 50.00 takes 2.70; the last 35.00 of August's takes 6.30.
  9010: '0.00 9.00 9.00 0.00 0.00 0.00 0.00 0.00 nothing_due',
  // 12.00 of 24.00 refunded without a receipt takes half of 2.70.
  9013: '0.00 2.70 1.35 0.00 0.00 1.35 0.00 1.35 below_minimum',
  9019: '0.00 13.50 0.00 0.00 0.00 13.50 13.50 0.00 payable',
  // Held by Fiona.
  9021: '0.00 8.10 0.00 0.00 0.00 8.10 0.00 8.10 on_hold',
  9022: '0.00 0.00 8.10 0.00 0.00 -8.10 0.00 -8.10 negative_balance',
};
const OCTOBER = {
  // 4.50 + 4.50 and an adjustment of 2.00 reach the minimum.
  9001: '4.50 4.50 0.00 0.00 2.00 11.00 11.00 0.00 payable',
  9003: '8.55 9.50 0.95 0.00 0.00 17.10 0.00 17.10 on_hold',
  // September's 2.70 turned out to be refunded: the adjustment takes them back.
  9004: '2.70 2.70 0.00 0.00 -2.70 2.70 0.00 2.70 below_minimum',
  9005: '1.1254 2.2509 1.1255 0.00 0.00 2.2508 0.00 2.2508 below_minimum',
  9009: '-13.50 13.50 0.00 0.00 0.00 0.00 0.00 0.00 nothing_due',
  9010: '0.00 9.00 9.00 0.00 0.00 0.00 0.00 0.00 nothing_due',
  // 20.00 of September's 24.00 are refunded by now: Invo moves the whole reversal, 2.25, to October, of which September deducted 1.35. October's own
  // period reverses 1.35.
  9013: '1.35 2.70 3.60 1.35 0.00 1.80 0.00 1.80 below_minimum',
  // Paid for September, and reversed in October.
  9019: '0.00 0.00 13.50 0.00 0.00 -13.50 0.00 -13.50 negative_balance',
  9021: '8.10 0.00 8.10 0.00 0.00 0.00 0.00 0.00 nothing_due',
  9022: '-8.10 8.10 0.00 0.00 0.00 0.00 0.00 0.00 nothing_due',
};
const RECIPIENTS = Object.keys(SEPTEMBER).map(Number);

test('two people close two months with a hold, a voided run, a change after closing and adjustments, to the last digit', {
  tag: '@proof',
}, async ({ page, pageOf }) => {
  test.setTimeout(300_000);
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await pageOf('admin'))];

  await test.step('Fiona holds two recipients from the lines of the run, and releases one', async () => {
    await fiona.prepare('2026-09');
    await page.goto('/demo/payouts/1');
    await select(page, '9019');
    await select(page, '9021');
    await expect(page.getByText('2 selected, $13.50 payable')).toBeVisible();
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Hold 2 recipients, $13.50 payable' })).toBeVisible();
    await page.getByLabel('Note', { exact: true }).fill('Bank details under review');
    await page.getByRole('button', { name: 'Place hold' }).click();
    await expect(page.getByText('2 recipients on hold.')).toBeVisible();
    expect(await fiona.readLines(1, [9019])).toEqual({ 9019: '0.00 13.50 0.00 0.00 0.00 13.50 0.00 13.50 on_hold' });
    await page.goto('/demo/payouts/1/holds');
    const hold = page.getByRole('region', { name: 'Holds in force', exact: true }).getByRole('row', { name: /Sable Quill/ });
    await hold.getByText('Release', { exact: true }).click();
    await hold.getByLabel('Note on the release').fill('Confirmed by telephone');
    await hold.getByRole('button', { name: 'Release hold' }).click();
    await expect(hold).toHaveCount(0);
    expect(await fiona.readLines(1, RECIPIENTS)).toEqual(SEPTEMBER);
  });

  await test.step('The approved run is voided by two people, and the month drafted again to the same figures', async () => {
    await page.goto('/demo/months/2026-09/close');
    await fiona.answer();
    await fiona.submit();
    await ada.approve(1);
    await ada.page.getByRole('textbox', { name: 'Reason' }).fill('The wrong minimum applied');
    await ada.page.getByRole('button', { name: 'Request to void' }).click();
    await expect(ada.page.getByText('A second person must confirm it.')).toBeVisible();
    await page.goto('/demo/payouts');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await expect(waiting).toContainText('Confirm voiding run 1, September 2026');
    await waiting.getByRole('link', { name: 'Open run' }).click();
    await page.getByRole('button', { name: 'Void run' }).click();
    await expect(page.getByText('Voided', { exact: true })).toBeVisible();
    await fiona.prepare('2026-09');
    await fiona.submit();
    await ada.approve(2);
    expect(await ada.readLines(2, RECIPIENTS)).toEqual(SEPTEMBER);
  });

  await test.step('Invo reports another September, and the months show it', async () => {
    await control('refunds', { period_id: 2026090014, refunded_at: '2026-09-20T12:00:00Z' });
    await control('refunds', { period_id: 2026090007, amount_usd: '8.00', refunded_at: '2026-10-12T12:00:00Z', basis: 'period_row' });
    // 2.70 more is reversed, and the 1.35 without a receipt leave September.
    expect(await fiona.recheck('September 2026')).toBe('Changed −$1.35');
    expect(await fiona.recheck('October 2026')).toBe('Changed −$2.25');
  });

  await test.step('The change leads to an adjustment, and a second one reaches a minimum', async () => {
    await fiona.start('2026-10');
    const drift = page.getByRole('listitem').filter({ hasText: '1 period of closed months changed since it was paid' });
    // The 1.35 that moved to October are deducted there.
    await expect(drift).toContainText('−2.70');
    await drift.getByRole('link', { name: 'Propose an adjustment' }).click();
    const filled = {
      Kind: 'drift',
      Recipient: '9004',
      'Amount (USD)': '-2.70',
      'Run it corrects': '2',
      'Period it corrects': '2026090014',
    };
    for (const [label, value] of Object.entries(filled)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
    const propose = async (fields: Record<string, string>, kind: string): Promise<void> => {
      await page.getByLabel('Kind').selectOption(kind);
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Propose adjustment' }).click();
      await expect(page.getByRole('row', { name: new RegExp(fields['Reason'] ?? '') })).toBeVisible();
    };
    const changed = { Recipient: '9004', 'Amount (USD)': '-2.70', Reason: 'Refunded on 20 September' };
    await propose({ ...changed, 'Run it corrects': '2', 'Period it corrects': '2026090014' }, 'Changed evidence of an earlier month');
    await propose({ Recipient: '9001', 'Amount (USD)': '2.00', Reason: 'Promised in August' }, 'Goodwill');
    await ada.page.goto('/demo/payouts');
    await expect(ada.page.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem')).toHaveCount(2);
    await ada.page.getByRole('link', { name: 'Review adjustment' }).first().click();
    // A button is named Confirming… until its adjustment is confirmed.
    const left = ada.page.getByRole('button', { name: /^Confirm/ });
    await expect(left).toHaveCount(2);
    for (const [amount, others] of [['−$2.70', 1] as const, ['$2.00', 0] as const]) {
      await ada.page.getByRole('button', { name: `Confirm ${amount}`, exact: true }).click();
      await expect(left).toHaveCount(others);
    }
  });

  await test.step('October carries everything on, and the list of runs has both', async () => {
    await page.goto('/demo/months/2026-10/close');
    await fiona.answer();
    await fiona.submit();
    await ada.approve(3);
    expect(await ada.readLines(3, RECIPIENTS)).toEqual(OCTOBER);
    await ada.page.goto('/demo/payouts');
    const runs = ada.page.getByRole('region', { name: 'Payout runs' });
    await expect(runs.getByRole('row')).toContainText(['Run', 'October 2026, run 3', 'September 2026, run 2', 'September 2026, run 1']);
    await expect(runs.getByRole('row', { name: /run 1/ })).toContainText('Voided');
  });
});

/** Finds a line of the run and selects it; what was selected before stays so. */
async function select(page: Page, id: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Search name/ }).fill(id);
  const box = page.getByRole('checkbox', { name: `Select ${id}` });
  await box.click();
  await expect(box).toBeChecked();
}
