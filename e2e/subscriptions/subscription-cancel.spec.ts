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

test.describe('a cancel', () => {
  test('I see until when access lasts before I cancel, and Invo’s answer beside it after', async ({ page, expectAccessible }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.mira);
    await expect(page.getByRole('radio', { name: /^At the end of what is paid/ })).toBeChecked();
    await expect(page.getByText('It ends on 5 Dec 2027 10:00 UTC, and access with it.')).toBeVisible();
    await expect(page.getByText('It ends now, and nothing more is charged. Access stays until 5 Dec 2027 10:00 UTC')).toBeVisible();
    await page.getByLabel('Reason, if you like').fill('Too dear.');
    await expect(page.getByText('9 of 500')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel this subscription…' }).click();
    await expect(tool.confirmation).toContainText('Cancel Supporter pass of Mira Holt (player 910001)?');
    await expect(tool.line('Subscription')).toHaveText(CASES.mira);
    await expect(tool.line('Price')).toHaveText('60.00 USD');
    await expect(tool.line('Reason')).toHaveText('Too dear.');
    await expectAccessible(page);
    await tool.confirmation.getByRole('button', { name: 'Cancel at the end of what is paid' }).click();
    await expect(page.getByText('The subscription is set to end', { exact: true })).toBeVisible();
    await tool.expectAnswered('access_until', '5 Dec 2027 10:00 UTC', '5 Dec 2027 10:00 UTC');
    await tool.expectAnswered('cancel_at_period_end', 'yes', 'yes');
    await expect(page.getByRole('link', { name: 'Refund a period separately' })).toBeVisible();
    await expectAccessible(page);
    await tool.open('cancel', CASES.mira);
    await expect(page.getByText('It is set to end so already, on 5 Dec 2027 10:00 UTC.')).toBeVisible();
    await expect(page.getByRole('radio', { name: /^At the end of what is paid/ })).toBeDisabled();
  });

  test('where what was paid has run out I am told before that it ends at once, and after', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.owen);
    await expect(page.getByText('What was paid for ended on 18 Oct 2026 08:00 UTC, so Invo ends it at once')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel this subscription…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Cancel, which ends it now' }).click();
    await expect(page.getByText('The subscription has ended', { exact: true })).toBeVisible();
    await expect(page.getByText('Invo ended it at once (NO_PAID_PERIOD)')).toBeVisible();
    await expect(page.getByText('Invo says: “Nothing paid lies ahead, so the subscription ended at once.”')).toBeVisible();
    await tool.expectAnswered('terminated_immediately', 'yes', 'yes');
  });

  test('what has ended is shown with how, and is no error', async ({ page }) => {
    await new SubscriptionTool(page).open('cancel', CASES.pavel);
    await expect(page.getByText('It has ended already')).toBeVisible();
    await expect(page.getByText('Its final state is “Canceled” (canceled).')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel this subscription…' })).toHaveCount(0);
  });

  test('a pause of changes does not hold up a cancel', async ({ page }) => {
    await control('faults', [
      { kind: 'paused', times: 9, match: { route: 'amount' } },
      { kind: 'paused', times: 9, match: { route: 'payment-method' } },
    ]);
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.tomas);
    await page.getByRole('radio', { name: /^Now/ }).check();
    await page.getByRole('button', { name: 'Cancel this subscription…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Cancel now' }).click();
    await expect(page.getByText('The subscription has ended', { exact: true })).toBeVisible();
  });

  test('with the keyboard alone I cancel, and Escape leads back, first to the form and then to the subscription', async ({ page }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.mira);
    await tabTo(page, 'radio');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /^Now/ })).toBeChecked();
    await tabTo(page, 'Cancel this subscription…');
    await page.keyboard.press('Enter');
    await expect(tool.confirmation).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(tool.confirmation).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Cancel this subscription…' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Cancel now');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The subscription has ended', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { level: 1, name: 'Subscription', exact: true })).toBeVisible();
  });
});

test('when Invo is down there is a sentence and no form', async ({ page }) => {
  await control('faults', [{ kind: '503', times: 9, match: { route: 'subscription' } }]);
  await new SubscriptionTool(page).open('cancel', CASES.mira);
  await expect(page.getByText('Without fresh facts from Invo nothing is changed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel this subscription…' })).toHaveCount(0);
  await control('faults', {}, 'DELETE');
  await page.getByRole('button', { name: 'Ask Invo again' }).click();
  await expect(page.getByRole('button', { name: 'Cancel this subscription…' })).toBeVisible();
});

test.describe('as an auditor', () => {
  test.use({ role: 'auditor' });

  test('I may change nothing', async ({ page, expectTrouble }) => {
    expectTrouble(/403/);
    await page.goto(`/demo/subscriptions/${CASES.mira}/cancel`);
    await expect(page.getByRole('button', { name: 'Cancel this subscription…' })).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Cancel a subscription');
  });
});

/** Presses Tab until what has the focus is of that role or carries that text. */
async function tabTo(page: Page, what: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element instanceof HTMLInputElement ? element.type : (element?.textContent ?? '');
    });
    if (focused === what) return;
  }
  throw new Error(`Tab does not lead to ${what}`);
}
