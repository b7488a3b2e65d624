import { expect, test } from '../fixtures.ts';
import { RefundForm, UNKNOWN_COINS } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { callsAtInvo, control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });
// .github/docs/simulated-invo.md lists the players of support's cases and their wallets.
test.beforeAll(async () => void (await control('reset')));

test('I refund a period in full and see the receipt compared with the estimate', async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128008);
  await expect(page.getByText('$45.00 by card')).toBeVisible();
  await form.fill('rest', 'Requested by the player');
  await expect(form.line(form.confirmation, 'Card')).toContainText('$45.00');
  await expect(form.line(form.confirmation, 'Cost to you')).toContainText('$45.00: $40.50 revenue reversed and $4.50 card fee');
  await expect(form.line(form.confirmation, 'Cost to you')).toContainText('Invo keeps its fee of $4.50');
  await expect(form.line(form.confirmation, 'Access')).toContainText(
    'Ends immediately (was until 6 Dec 2027 12:00 UTC; no paid time remains)',
  );
  await expect(form.line(form.confirmation, 'Access')).toContainText('A refund doesn’t cancel the subscription');
  await expect(form.confirmation).toContainText('period 1 (6 Dec 2024 12:00 to 6 Dec 2027 12:00 UTC)');
  await expect(form.confirmation).toContainText('SUB_1733486400_DESKSENA');
  await expect(form.line(form.confirmation, 'Coins')).toContainText('Unknown');
  await expect(form.final('Refund $45.00')).toBeDisabled();
  await form.confirmation.getByRole('checkbox', { name: UNKNOWN_COINS }).check();
  await form.final('Refund $45.00').click();
  await form.expectRefundPage();
  const refund = new RefundPage(page);
  await refund.expectState('Refunded');
  await expect(page.getByText('No recipient has a share in this period, so no reversal is expected.')).toBeVisible();
  await refund.expectFigure('card_refunded_usd', ['$45.00', '$45.00', 'Matches']);
  await refund.expectFigure('card_fee_charged_to_partner_usd', ['$4.50', '$4.50', 'Matches']);
  await expect(refund.timeline).toContainText('Sami Okafor requested this refund, approved automatically');
  expect(await callsAtInvo('SUB_1733486400_DESKSENA')).toEqual({ executed: [1], calls: 1 });
});

test('a partial refund pays coins, and the rest refunds the card charge and takes the coins back', { tag: '@proof' }, async ({ page }) => {
  const form = new RefundForm(page);
  const refund = new RefundPage(page);
  await form.open(2026111432);
  await page.getByLabel('Partial amount').check();
  await page.getByLabel('Amount (USD)').fill('49.99');
  await expect(form.preview).toContainText('Completes the period. $49.99 to the card');
  await page.getByLabel('Amount (USD)').fill('20');
  await expect(form.preview).toContainText('Partial refund. Nothing to the card; +200.00 coins to the wallet.');
  await expect(form.line(form.preview, 'Wallet')).toHaveText(/1,215\.00 → 1,415\.00/);
  await expect(form.line(form.preview, 'Recipient')).toContainText('keeps $5.40 of $9.00 attributed');
  await form.fill('20');
  await form.final('Refund $20.00').click();
  await form.expectRefundPage();
  await refund.expectState('Refunded');
  await refund.expectFigure('balance_delta_coins', ['200.00 coins', '200.00 coins', 'Matches']);
  await refund.expectFigure('card_refunded_usd', ['$0.00', '$0.00', 'Matches']);
  await refund.expectFigure('net_attributed_amount_usd', ['$5.40', '$5.40', 'Matches']);
  await expect(page.getByText('The reversal is expected in November 2026')).toBeVisible();

  await form.open(2026111432);
  await form.fill('rest');
  await expect(form.line(form.confirmation, 'Card')).toContainText('$49.99');
  await expect(form.line(form.confirmation, 'Wallet')).toHaveText(/1,415\.00 → unknown/);
  await form.confirmUnknownCoins();
  await form.final('Refund $29.99').click();
  await form.expectRefundPage();
  await refund.expectState('Refunded');
  await refund.expectFigure('card_refunded_usd', ['$49.99', '$49.99', 'Matches']);
  await refund.expectFigure('partner_revenue_reversed_usd', ['$26.99', '$26.99', 'Matches']);
  await refund.expectFigure('net_attributed_amount_usd', ['$0.00', '$0.00', 'Matches']);
});

test('a refund that may take the wallet below zero needs a second confirmation', { tag: '@proof' }, async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128002);
  await form.fill('rest');
  await expect(form.line(form.confirmation, 'Wallet')).toContainText('20.00 → unknown');
  await expect(form.line(form.confirmation, 'Coins')).toContainText('the wallet may go below zero');
  await expect(form.final('Refund $28.00')).toBeDisabled();
  await form.confirmation.getByRole('checkbox', { name: UNKNOWN_COINS }).check();
  await form.final('Refund $28.00').click();
  await form.expectRefundPage();
  const refund = new RefundPage(page);
  await refund.expectState('Refunded');
  await expect(refund.receipt).toContainText('−100.00 coins');
});

test('a disputed charge says so on the period and in the form, and needs a second confirmation', { tag: '@proof' }, async ({ page }) => {
  const reported = 'Invo reports $15.00 in chargeback fees and $20.00 held while the charge is disputed for this period.';
  await page.goto('/demo/periods/2026100002');
  await expect(page.getByText(reported)).toBeVisible();
  const form = new RefundForm(page);
  await form.open(2026100002);
  await expect(form.line(form.preview, 'Disputed')).toContainText(reported);
  await form.fill('5');
  await expect(form.final('Refund $5.00')).toBeDisabled();
  await page
    .getByRole('checkbox', { name: /^Invo reports \$15\.00.* I understand that the player may already have been paid back\.$/ })
    .check();
  await form.final('Refund $5.00').click();
  await form.expectRefundPage();
  await new RefundPage(page).expectState('Refunded');
});

test('an unknown outcome is resolved automatically, and the refund is made once', { tag: '@proof' }, async ({ page }) => {
  test.setTimeout(240_000);
  // After the third attempt the outcome stays unknown for half a minute.
  await control('faults', { kind: 'drop_after', match: { route: 'refund', subscription_id: 'SUB_1734508800_DESKOWEN' }, times: 3 });
  const form = new RefundForm(page);
  await form.request(2024128004, '4,00', 'Refund $4.00');
  const refund = new RefundPage(page);
  await refund.expectState('Unknown');
  await expect(page.getByText('Don’t refund this period anywhere else.')).toBeVisible();
  await expect(page.getByText(/Next attempt: .* Retries end on /)).toBeVisible();
  await refund.expectState('Refunded', 100_000);
  await expect(refund.timeline).toContainText('Attempt 4: Already refunded by an earlier attempt; Invo returned the stored receipt');
  await expect(refund.timeline.getByText('No response, outcome unknown')).toHaveCount(3);
  expect((await callsAtInvo('SUB_1734508800_DESKOWEN')).executed).toEqual([1]);
});

test('when the period changes while the form is open, the form shows the new figures and my entries stay', { tag: '@proof' }, async ({
  page,
}) => {
  const form = new RefundForm(page);
  await form.open(2024128007);
  await form.fill('6.00');
  await control('refunds', { period_id: 2024128007, amount_usd: '5.00' });
  await form.final('Refund $6.00').click();
  await expect(page.getByText('Refunded amount changed from $0.00 to $5.00.')).toBeVisible();
  await expect(page.getByLabel('Amount (USD)')).toHaveValue('6.00');
  await expect(page.getByLabel('Full remaining amount, $20.00')).toBeVisible();
  await form.continue();
  await expect(form.line(form.confirmation, 'Period total')).toHaveText('$11.00 refunded, $14.00 remaining');
});

test('a double click, a second tab and the back button create one refund', { tag: '@no-retry' }, async ({ page, context }) => {
  const second = await context.newPage();
  const [form, other] = [new RefundForm(page), new RefundForm(second)];
  await form.open(2024128009);
  await other.open(2024128009);
  await form.fill('rest');
  await other.fill('rest');
  for (const each of [form, other]) await each.confirmUnknownCoins();
  await hold({ route: 'refund', subscription_id: 'SUB_1733565600_DESKTHEO' });
  await form.final('Refund $20.00').dblclick();
  await form.expectRefundPage();
  await other.final('Refund $20.00').click();
  await expect(second.getByText('This period already has an open refund, so this one was not requested')).toBeVisible();
  await untilHeld();
  await letGo();
  await new RefundPage(page).expectState('Refunded');
  await page.goBack();
  await expect(page.getByText(/already fully refunded|Refund \$20\.00/).first()).toBeVisible();
  if (await form.final('Refund $20.00').isVisible()) {
    await form.confirmUnknownCoins();
    await form.final('Refund $20.00').click();
  }
  await second.goto('/demo/periods/2024128009/refund');
  await expect(second.getByText('This period is already fully refunded.')).toBeVisible();
  expect(await callsAtInvo('SUB_1733565600_DESKTHEO')).toEqual({ executed: [1], calls: 1 });
});

test('a refund can be requested with the keyboard alone, and Escape goes back', { tag: '@proof' }, async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128010);
  await page.getByRole('link', { name: 'View period' }).focus();
  for (
    let tabs = 0;
    tabs < 8 && !(await page.getByLabel('Full remaining amount').evaluate((each) => each === document.activeElement));
    tabs++
  )
    await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2.50');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Goodwill');
  await page.keyboard.press('Tab');
  await page.keyboard.type('As agreed');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Refund $2.50…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Refund $2.50?' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Refund $2.50…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(form.final('Refund $2.50')).toBeFocused();
  await page.keyboard.press('Enter');
  await form.expectRefundPage();
  await new RefundPage(page).expectState('Refunded');
  await expect(page.getByText('Sent to Invo as “As agreed”')).toBeVisible();
});

test('the form and its confirmation work on a laptop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  const form = new RefundForm(page);
  await form.open(2024128003);
  await expectReadable(page, expectAccessible);
  await page.setViewportSize({ width: 390, height: 844 });
  await form.fill('1.00');
  await expectReadable(page, expectAccessible);
});
