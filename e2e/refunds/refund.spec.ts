import { expect, ownOrigin, test } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { control, heardAtInvo, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });
// The players of support's cases and their wallets stand as README.md lists them.
test.beforeAll(async () => void (await control('reset')));

test('I refund a period in full and see the receipt beside what was expected', async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128008);
  await expect(page.getByText('45.00 USD by card')).toBeVisible();
  await form.fill('rest', 'Requested by the player');
  await expect(form.line(form.confirmation, 'To the card')).toContainText('45.00 USD');
  await expect(form.line(form.confirmation, 'Costs you')).toContainText('45.00 USD: 40.50 revenue reversed and 4.50 card fee');
  await expect(form.line(form.confirmation, 'Costs you')).toContainText('Invo keeps its fee of 4.50 USD');
  await expect(form.line(form.confirmation, 'Access')).toContainText(
    'ends at once (it was paid through 6 Dec 2027 12:00 UTC; nothing paid is left)',
  );
  await expect(form.line(form.confirmation, 'Access')).toContainText('A refund does not cancel');
  await expect(form.confirmation).toContainText('period number 1 (6 Dec 2024 12:00 to 6 Dec 2027 12:00 UTC)');
  await expect(form.confirmation).toContainText('SUB_1733486400_DESKSENA');
  await form.final('Refund 45.00 USD').click();
  await form.expectLed();
  const refund = new RefundPage(page);
  await refund.expectState('Refunded');
  await expect(page.getByText('Nobody has a share in this period: no reversal is expected.')).toBeVisible();
  await refund.expectFigure('card_refunded_usd', ['45.00 USD', '45.00 USD', 'the same']);
  await refund.expectFigure('card_fee_charged_to_partner_usd', ['4.50 USD', '4.50 USD', 'the same']);
  await expect(refund.story).toContainText('Sami Okafor asked for a refund, approved by policy');
  expect(await heardAtInvo('SUB_1733486400_DESKSENA')).toEqual({ executed: [1], calls: 1 });
});

test('a part gives coins and nothing to the card, and the rest returns the charge and takes the coins back', async ({ page }) => {
  const form = new RefundForm(page);
  const refund = new RefundPage(page);
  await form.open(2026111432);
  await page.getByLabel('A part of it').check();
  await page.getByLabel('Amount, USD').fill('49.99');
  await expect(form.preview).toContainText('Completes the period. 49.99 USD back to the card');
  await page.getByLabel('Amount, USD').fill('20');
  await expect(form.preview).toContainText('A part of the period. Nothing goes back to the card; +200.00 coins into the wallet.');
  await expect(form.line(form.preview, 'Wallet')).toHaveText(/1,215\.00 → 1,415\.00/);
  await expect(form.line(form.preview, 'Recipient')).toContainText('5.40 USD left of 9.00 attributed');
  await form.fill('20');
  await form.final('Refund 20.00 USD').click();
  await form.expectLed();
  await refund.expectState('Refunded');
  await refund.expectFigure('balance_delta_coins', ['200.00 coins', '200.00 coins', 'the same']);
  await refund.expectFigure('card_refunded_usd', ['0.00 USD', '0.00 USD', 'the same']);
  await refund.expectFigure('net_attributed_amount_usd', ['5.40 USD', '5.40 USD', 'the same']);
  await expect(page.getByText('Its reversal is expected in November 2026')).toBeVisible();

  await form.open(2026111432);
  await form.fill('rest');
  await expect(form.line(form.confirmation, 'To the card')).toContainText('49.99 USD');
  await expect(form.line(form.confirmation, 'Wallet')).toHaveText(/1,415\.00 → 1,215\.00/);
  await form.final('Refund 29.99 USD').click();
  await form.expectLed();
  await refund.expectState('Refunded');
  await refund.expectFigure('card_refunded_usd', ['49.99 USD', '49.99 USD', 'the same']);
  await refund.expectFigure('partner_revenue_reversed_usd', ['26.99 USD', '26.99 USD', 'the same']);
  await refund.expectFigure('net_attributed_amount_usd', ['0.00 USD', '0.00 USD', 'the same']);
});

test('a wallet that goes below zero wants a second confirmation', async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128002);
  await form.fill('rest');
  await expect(form.line(form.confirmation, 'Wallet')).toContainText('20.00 → −100.00 Lumens, below zero');
  await expect(form.final('Refund 28.00 USD')).toBeDisabled();
  await page.getByRole('checkbox', { name: 'I know that the player’s wallet goes below zero, to −100.00 coins.' }).check();
  await form.final('Refund 28.00 USD').click();
  await form.expectLed();
  const refund = new RefundPage(page);
  await refund.expectState('Refunded');
  await refund.expectFigure('new_balance', ['−100.00 coins', '−100.00 coins', 'the same']);
});

test('an outcome that is not known becomes known by itself, and the refund happens once', async ({ page }) => {
  test.setTimeout(240_000);
  // The third try is followed by half a minute in which the outcome is not known.
  await control('faults', { kind: 'drop_after', match: { route: 'refund', subscription_id: 'SUB_1734508800_DESKOWEN' }, times: 3 });
  const form = new RefundForm(page);
  await form.ask(2024128004, '4,00', 'Refund 4.00 USD');
  const refund = new RefundPage(page);
  await refund.expectState('Outcome not known yet');
  await expect(page.getByText('Do not refund this period anywhere else.')).toBeVisible();
  await expect(page.getByText(/Next try at .* It is tried until /)).toBeVisible();
  await refund.expectState('Refunded', 100_000);
  await expect(refund.story).toContainText('Try 4: carried out by an earlier try, the stored receipt came');
  await expect(refund.story.getByText('no answer, outcome not known')).toHaveCount(3);
  expect((await heardAtInvo('SUB_1734508800_DESKOWEN')).executed).toEqual([1]);
});

test('a refusal of Invo’s is a sentence with what to do, its reference, and a way to begin anew', async ({ page }) => {
  await control('faults', { kind: 'no_payment_reference', match: { route: 'refund', subscription_id: 'SUB_1733479200_DESKPAVE' } });
  await new RefundForm(page).ask(2024128006, 'rest', 'Refund 25.00 USD');
  await new RefundPage(page).expectState('Refused by Invo');
  await expect(
    page.getByText(
      /has no reference to refund by\. Nothing was refunded by this request\. Ask Invo to correct the record\. Quote err_\w+ to Invo\./,
    ),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy the error id', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Start a new refund of this period' }).click();
  await expect(new RefundForm(page).preview).toBeVisible();
});

test('a period that Invo would not refund has the reason instead of a form', async ({ page }) => {
  await page.goto('/demo/periods/2021128013/refund');
  await expect(
    page.getByText('This period was charged through the game store. Invo cannot refund those; the player asks the store.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Refund/ })).toHaveCount(0);
  await page.goto('/demo/periods/2026118012/refund');
  await expect(page.getByText('Nothing was ever collected for this period, so there is nothing to give back.')).toBeVisible();
  await page.goto('/demo/periods/2024128013/refund');
  await expect(page.getByText('Refunds in coins only.')).toBeVisible();
});

test('without fresh facts no refund begins, and I can try again', async ({ page }) => {
  await control('faults', { kind: '500', match: { route: 'period' }, times: 2 });
  await page.goto('/demo/periods/2024128007/refund');
  await expect(page.getByText('Without fresh facts from Invo no refund begins')).toBeVisible();
  await control('faults', {}, 'DELETE');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(new RefundForm(page).preview).toBeVisible();
});

test('a period that changed while the form was open is shown as it is now, with what I had filled in', async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128007);
  await form.fill('6.00');
  await control('refunds', { period_id: 2024128007, amount_usd: '5.00' });
  await form.final('Refund 6.00 USD').click();
  await expect(page.getByText('Refunded so far was 0.00 USD and is 5.00 USD.')).toBeVisible();
  await expect(page.getByLabel('Amount, USD')).toHaveValue('6.00');
  await expect(page.getByLabel('All that is left, 20.00 USD')).toBeVisible();
  await form.goOn();
  await expect(form.line(form.confirmation, 'Of this period')).toHaveText('11.00 USD refunded in all, 14.00 USD left');
});

test('pressing twice, a second tab and going back make one refund', async ({ page, context }) => {
  const second = await context.newPage();
  const [form, other] = [new RefundForm(page), new RefundForm(second)];
  await form.open(2024128009);
  await other.open(2024128009);
  await form.fill('rest');
  await other.fill('rest');
  await hold({ route: 'refund', subscription_id: 'SUB_1733565600_DESKTHEO' });
  await form.final('Refund 20.00 USD').dblclick();
  await form.expectLed();
  await other.final('Refund 20.00 USD').click();
  await expect(second.getByText('A refund of this period is open already, so this one was not asked for')).toBeVisible();
  await untilHeld();
  await letGo();
  await new RefundPage(page).expectState('Refunded');
  await page.goBack();
  await expect(page.getByText(/refunded in full already|Refund 20\.00 USD/).first()).toBeVisible();
  if (await form.final('Refund 20.00 USD').isVisible()) await form.final('Refund 20.00 USD').click();
  await second.goto('/demo/periods/2024128009/refund');
  await expect(second.getByText('This period is refunded in full already; nothing is left to give back.')).toBeVisible();
  expect(await heardAtInvo('SUB_1733565600_DESKTHEO')).toEqual({ executed: [1], calls: 1 });
});

test('the keyboard alone is enough, and Escape goes back', async ({ page }) => {
  const form = new RefundForm(page);
  await form.open(2024128010);
  await page.getByRole('link', { name: 'The period' }).focus();
  for (let tabs = 0; tabs < 8 && !(await page.getByLabel('All that is left').evaluate((each) => each === document.activeElement)); tabs++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2.50');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Goodwill');
  await page.keyboard.press('Tab');
  await page.keyboard.type('As agreed');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Refund 2.50 USD…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Refund 2.50 USD?' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Refund 2.50 USD…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(form.final('Refund 2.50 USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await form.expectLed();
  await new RefundPage(page).expectState('Refunded');
  await expect(page.getByText('Sent to Invo as “As agreed”')).toBeVisible();
});

test('I can use the form and its confirmation on a desk by day and on a telephone by night', async ({ page, expectAccessible }) => {
  const form = new RefundForm(page);
  for (const { colorScheme, ...size } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await form.open(2024128003);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `nothing sticks out of ${ownOrigin()}`).toBe(size.width);
    await expectAccessible(page);
    await form.fill('1.00');
    await expectAccessible(page);
  }
});
