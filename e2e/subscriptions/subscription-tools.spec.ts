import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control } from '../pages/simulated-invo.ts';
import { CASES, SubscriptionTool } from '../pages/subscription-tool.ts';

test.use({ role: 'support' });
test.beforeEach(() => startOver());
test.afterAll(() => startOver());

// Every test begins in the world as it is told in e2e/upstream/world/desk-table.ts.
async function startOver(): Promise<void> {
  await control('reset');
}

test.describe('change the price', () => {
  test('I see what a price will do while I type it, and stage it', async ({ page, expectAccessible }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.mira);
    const price = page.getByLabel('New price, USD');
    await price.fill('1,234');
    await expect(page.getByText('Write it without separators of thousands, such as 1234.50.')).toBeVisible();
    await price.fill('4,50');
    await expect(page.getByText(/^4\.50 USD is staged\./)).toBeVisible();
    await price.fill('60');
    await expect(page.getByText('That is the price now, and none is staged: there is nothing to change.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change the price…' })).toBeDisabled();
    await price.fill('70');
    await expect(
      page.getByText('70.00 USD is staged. It applies at the next successful renewal, which first bills the current window at 60.00 USD.'),
    ).toBeVisible();
    await expectAccessible(page);
    await price.press('Enter');
    await tool.confirmation.getByRole('button', { name: 'Stage 70.00 USD' }).click();
    await expect(page.getByText('It applies from: 5 Dec 2027 10:00 UTC, with period 2.')).toBeVisible();
    await tool.expectAnswered('old_amount_usd', '60.00 USD', '60.00 USD');
    await tool.expectAnswered('pending_amount_usd', '70.00 USD', '70.00 USD');
    await tool.expectAnswered('prorated', 'no', 'no');
    await expectAccessible(page);
  });

  test('a price that can never apply wants a second tick', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.mira);
    await page.getByLabel('New price, USD').fill('120.01');
    await expect(page.getByText('It would be staged and never applied, since it is more than double 60.00 USD.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change the price…' })).toBeDisabled();
    await page.getByRole('checkbox', { name: /^Stage it all the same/ }).check();
    await page.getByRole('button', { name: 'Change the price…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Stage 120.01 USD' }).click();
    await expect(page.getByText('120.01 USD is staged', { exact: true })).toBeVisible();
    await expect(page.getByText('It will never be applied, since it is more than double 60.00 USD.')).toBeVisible();
  });

  test('I clear a staged price by its own button', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.theo);
    await page.getByRole('button', { name: 'Clear the staged price of 25.00 USD…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Clear the staged 25.00 USD' }).click();
    await expect(page.getByText('The staged price is cleared', { exact: true })).toBeVisible();
    await tool.expectAnswered('pending_amount_usd', 'none', 'none');
  });

  test('where the store charges, a raise is refused before it is sent, and a lower price is staged', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.vik);
    await page.getByLabel('New price, USD').fill('15.01');
    await expect(page.getByText('there a price cannot be raised without the player agreeing again').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change the price…' })).toBeDisabled();
    await page.getByLabel('New price, USD').fill('10');
    await page.getByRole('button', { name: 'Change the price…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Stage 10.00 USD' }).click();
    await expect(page.getByText('10.00 USD is staged', { exact: true })).toBeVisible();
  });

  test('what has ended keeps its price, and says why', async ({ page }) => {
    await new SubscriptionTool(page).open('price', CASES.pavel);
    await expect(page.getByText('Its price can no longer be changed')).toBeVisible();
  });

  test('after no answer I read the subscription again, which says whether it happened', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    for (const [kind, verdict] of [
      ['drop_before', 'It has not happened so far'],
      ['drop_after', 'It happened'],
    ] as const) {
      await control('faults', [{ kind, match: { route: 'amount' } }]);
      await tool.open('price', CASES.mira);
      await stage(page, tool, '70.00');
      await expect(page.getByText('We do not know whether it happened')).toBeVisible();
      await expect(page.getByText('Nothing is lost by asking again: read the subscription first.')).toBeVisible();
      await page.getByRole('button', { name: 'Read the subscription again' }).click();
      await expect(page.getByText(verdict, { exact: true })).toBeVisible();
    }
  });

  test('what Invo refuses stands beside the price, in a sentence with the reference', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    const facts = { current_amount_usd: '60.00', requested_amount_usd: '70.00' };
    await control('faults', [{ kind: 'refuse', status: 409, code: 'PCSTORE_REAUTHORIZATION_REQUIRED', facts, match: { route: 'amount' } }]);
    await tool.open('price', CASES.mira);
    await stage(page, tool, '70.00');
    await expect(page.getByRole('alert').filter({ hasText: 'cannot be raised from $60.00 to $70.00' })).toContainText(
      /Quote err_\S+ to Invo/,
    );
  });

  test('a subscription that changed since I looked is shown anew before anything is sent', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('price', CASES.mira);
    await page.getByLabel('New price, USD').fill('70');
    const other = await page.context().newPage();
    const theirs = new SubscriptionTool(other);
    await theirs.open('price', CASES.mira);
    await stage(other, theirs, '65.00');
    await expect(other.getByText('65.00 USD is staged', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Change the price…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Stage 70.00 USD' }).click();
    await expect(page.getByText('The subscription has changed since you looked')).toBeVisible();
    await expect(page.getByText('It takes the place of the staged 65.00 USD.')).toBeVisible();
  });
});

test.describe('change the card', () => {
  test('I choose one of the player’s saved cards', async ({ page, expectAccessible }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('card', CASES.mira);
    await expect(page.getByRole('radio')).toHaveCount(2);
    await expect(page.getByText('Invo never shows which card is attached now')).toBeVisible();
    await page.getByRole('radio', { name: 'Amex •••• 0005, expires 11/2035' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change the card…' }).click();
    await expect(tool.line('Card')).toHaveText('Amex •••• 0005, expires 11/2035');
    await tool.confirmation.getByRole('button', { name: 'Use Amex •••• 0005' }).click();
    await expect(page.getByText('Amex •••• 0005, expires 11/2035, pays whatever is charged from now on')).toBeVisible();
    await tool.expectAnswered('wallet_only', 'no', 'no');
  });

  test('a wallet-only subscription is charged to a card only after I ticked that I mean it', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('card', CASES.ines);
    await page.getByRole('radio').check();
    await page.getByRole('button', { name: 'Change the card…' }).click();
    await expect(tool.confirmation).toHaveCount(0);
    await page.getByRole('checkbox', { name: /^Charge this card from now on/ }).check();
    await page.getByRole('button', { name: 'Change the card…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Use Mastercard •••• 4444' }).click();
    await expect(page.getByText('The subscription is no longer wallet-only: the card is charged from now on.')).toBeVisible();
  });

  test('a card removed meanwhile is told beside the cards', async ({ page }) => {
    await control('faults', [{ kind: 'card_removed', match: { route: 'payment-method' } }]);
    const tool = new SubscriptionTool(page);
    await tool.open('card', CASES.mira);
    await page.getByRole('radio', { name: /^Mastercard/ }).check();
    await page.getByRole('button', { name: 'Change the card…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Use Mastercard •••• 5454' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'The card was removed while it was being set.' })).toBeVisible();
  });

  test('where the store charges there is no card to change', async ({ page }) => {
    await new SubscriptionTool(page).open('card', CASES.vik);
    await expect(page.getByText('The subscription is charged through the store, not by card.')).toBeVisible();
  });
});

async function stage(page: Page, tool: SubscriptionTool, amount: string): Promise<void> {
  await page.getByLabel('New price, USD').fill(amount);
  await page.getByRole('button', { name: 'Change the price…' }).click();
  await tool.confirmation.getByRole('button', { name: `Stage ${amount} USD` }).click();
}
