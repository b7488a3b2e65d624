import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control } from '../pages/simulated-invo.ts';
import { CASES, SubscriptionTool } from '../pages/subscription-tool.ts';

// What Invo refuses: refunds/refusals.spec.ts and refusals.page.test.ts. What can't be changed at all: subscription-tools.page.test.ts.
test.use({ role: 'support' });
test.beforeEach(() => startOver());
test.afterAll(() => startOver());

// Every test starts from the world of e2e/upstream/world/support-table.ts.
async function startOver(): Promise<void> {
  await control('reset');
}

test.describe('changing the price', () => {
  test('I see the effect of a price while I type it, and change it', async ({ page, expectAccessible }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.mira);
    const price = page.getByLabel('New price, USD');
    await price.fill('1,234');
    await expect(page.getByText('Enter the amount without thousands separators, such as 1234.50.')).toBeVisible();
    await price.fill('4,50');
    await expect(page.getByText(/^\$4\.50 applies at the next successful renewal/)).toBeVisible();
    await price.fill('60');
    await expect(page.getByText('This is already the current price, and no price change is pending.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change price…' })).toBeDisabled();
    await price.fill('70');
    await expect(
      page.getByText('$70.00 applies at the next successful renewal, which first bills the current period at $60.00.'),
    ).toBeVisible();
    await expectAccessible(page);
    await price.press('Enter');
    await tool.confirmation.getByRole('button', { name: 'Change price to $70.00' }).click();
    await expect(page.getByText('Applies from 5 Dec 2027 10:00 UTC, with period 2.')).toBeVisible();
    await tool.expectAnswered('old_amount_usd', '$60.00', '$60.00');
    await tool.expectAnswered('pending_amount_usd', '$70.00', '$70.00');
    await tool.expectAnswered('prorated', 'no', 'no');
  });

  test('a price that can never apply needs a confirmation', { tag: '@proof' }, async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.mira);
    await page.getByLabel('New price, USD').fill('120.01');
    await expect(
      page.getByText('This price may not take effect: it is more than twice the last agreed price, or over $500.00.'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change price…' })).toBeDisabled();
    await page.getByRole('checkbox', { name: /^Change the price anyway/ }).check();
    await page.getByRole('button', { name: 'Change price…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Change price to $120.01' }).click();
    await expect(page.getByText('$120.01 is pending', { exact: true })).toBeVisible();
    await expect(
      page.getByText('This price may not take effect: it is more than twice the last agreed price, or over $500.00.'),
    ).toBeVisible();
  });

  test('I can clear a pending price', { tag: '@proof' }, async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.theo);
    await page.getByRole('button', { name: 'Clear pending price of $25.00…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Clear pending price of $25.00' }).click();
    await expect(page.getByText('The pending price is cleared', { exact: true })).toBeVisible();
    await tool.expectAnswered('pending_amount_usd', 'none', 'none');
  });

  test('when the game store charges, a price increase is refused before it is sent, and a lower price is accepted', {
    tag: '@proof',
  }, async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.vik);
    await page.getByLabel('New price, USD').fill('15.01');
    await expect(page.getByText('A price increase needs the player’s consent there').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change price…' })).toBeDisabled();
    await page.getByLabel('New price, USD').fill('10');
    await page.getByRole('button', { name: 'Change price…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Change price to $10.00' }).click();
    await expect(page.getByText('$10.00 is pending', { exact: true })).toBeVisible();
  });

  test('after a lost answer the page says that the change was made, or I refresh it and see that it wasn’t', { tag: '@proof' }, async ({
    page,
  }) => {
    const tool = new SubscriptionTool(page);
    const loseAnswer = async (kind: string): Promise<void> => {
      await control('faults', [{ kind, match: { route: 'amount' } }]);
      await tool.open('price', CASES.mira);
      await stage(page, tool, '70.00');
    };
    await loseAnswer('drop_before');
    await expect(page.getByText('We couldn’t confirm whether the change was made')).toBeVisible();
    await page.getByRole('button', { name: 'Refresh subscription' }).click();
    await expect(page.getByText('The change hasn’t been made yet', { exact: true })).toBeVisible();

    await loseAnswer('drop_after');
    await expect(page.getByText('The change was made', { exact: true })).toBeVisible();
  });

  test('a subscription that changed since I opened the page is refreshed before anything is sent', { tag: '@proof' }, async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.mira);
    await page.getByLabel('New price, USD').fill('70');
    const other = await page.context().newPage();
    const theirs = new SubscriptionTool(other);
    await theirs.open('price', CASES.mira);
    await stage(other, theirs, '65.00');
    await expect(other.getByText('$65.00 is pending', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Change price…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Change price to $70.00' }).click();
    await expect(page.getByText('The subscription has changed since you opened this page')).toBeVisible();
    // The closing confirmation may still hold the same sentence.
    await expect(page.getByRole('region', { name: 'New price' }).getByText('It replaces the pending $65.00.')).toBeVisible();
  });
});

test.describe('changing the card', () => {
  test('I can choose one of the player’s saved cards', { tag: '@proof' }, async ({ page, expectAccessible }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('card', CASES.mira);
    await expect(page.getByRole('radio')).toHaveCount(2);
    await expect(page.getByText('Invo doesn’t report which card is attached.')).toBeVisible();
    await page.getByRole('radio', { name: 'Amex •••• 0005, expires 11/2035' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change card…' }).click();
    await expect(tool.line('Card')).toHaveText('Amex •••• 0005, expires 11/2035');
    await tool.confirmation.getByRole('button', { name: 'Use Amex •••• 0005' }).click();
    await expect(page.getByText('Amex •••• 0005, expires 11/2035, is used for all charges from now on')).toBeVisible();
    await tool.expectAnswered('wallet_only', 'no', 'no');
  });

  test('a wallet-only subscription is charged to a card only after I confirm it', { tag: '@proof' }, async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('card', CASES.ines);
    await page.getByRole('radio').check();
    await page.getByRole('button', { name: 'Change card…' }).click();
    await expect(tool.confirmation).toHaveCount(0);
    await page.getByRole('checkbox', { name: /^Charge this card from now on/ }).check();
    await page.getByRole('button', { name: 'Change card…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Use Mastercard •••• 4444' }).click();
    await expect(page.getByText('The subscription is no longer wallet-only. The card is charged from now on.')).toBeVisible();
  });
});

async function stage(page: Page, tool: SubscriptionTool, amount: string): Promise<void> {
  await page.getByLabel('New price, USD').fill(amount);
  await page.getByRole('button', { name: 'Change price…' }).click();
  await tool.confirmation.getByRole('button', { name: `Change price to $${amount}` }).click();
}
