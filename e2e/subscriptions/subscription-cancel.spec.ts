import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control } from '../pages/simulated-invo.ts';
import { CASES, SubscriptionTool } from '../pages/subscription-tool.ts';

test.use({ role: 'support' });
test.beforeEach(() => startOver());
test.afterAll(() => startOver());

// Every test starts from the world of e2e/upstream/world/support-table.ts.
async function startOver(): Promise<void> {
  await control('reset');
}

test.describe('canceling', () => {
  test('I see until when access lasts before I cancel, and Invo’s answer afterwards', async ({ page, expectAccessible }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.mira);
    await expect(page.getByRole('radio', { name: /^At the end of the paid period/ })).toBeChecked();
    await expect(page.getByText('The subscription and access end on 5 Dec 2027 10:00 UTC.')).toBeVisible();
    await expect(
      page.getByText('The subscription ends now, with no more charges. Access continues until 5 Dec 2027 10:00 UTC'),
    ).toBeVisible();
    await page.getByLabel('Reason (optional)').fill('Too much.');
    await expect(page.getByText('9 of 500')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel subscription…' }).click();
    await expect(tool.confirmation).toContainText('Cancel Supporter pass for Mira Holt (player 910001)?');
    await expect(tool.line('Subscription ID')).toHaveText(CASES.mira);
    await expect(tool.line('Price')).toHaveText('$60.00');
    await expect(tool.line('Reason')).toHaveText('Too much.');
    await expectAccessible(page);
    await tool.confirmation.getByRole('button', { name: 'Cancel at the end of the paid period' }).click();
    await expect(page.getByText('The subscription is set to end', { exact: true })).toBeVisible();
    await tool.expectAnswered('access_until', '5 Dec 2027 10:00 UTC', '5 Dec 2027 10:00 UTC');
    await tool.expectAnswered('cancel_at_period_end', 'yes', 'yes');
    await expect(page.getByRole('link', { name: 'Refund a period' })).toBeVisible();
    await expectAccessible(page);
    await tool.open('cancel', CASES.mira);
    await expect(page.getByText('Already set to end on 5 Dec 2027 10:00 UTC.')).toBeVisible();
    await expect(page.getByRole('radio', { name: /^At the end of the paid period/ })).toBeDisabled();
  });

  test('when the paid period is over, the page says before and after that the subscription ends immediately', { tag: '@proof' }, async ({
    page,
  }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.owen);
    await expect(
      page.getByText('The paid period ended on 18 Oct 2026 08:00 UTC, so the subscription and access end immediately.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Cancel subscription…' }).click();
    await tool.confirmation.getByRole('button', { name: 'Cancel immediately' }).click();
    await expect(page.getByText('The subscription has ended', { exact: true })).toBeVisible();
    await expect(page.getByText('Invo ended it immediately (NO_PAID_PERIOD)')).toBeVisible();
    await expect(page.getByText('Message from Invo: “Nothing paid lies ahead, so the subscription ended at once.”')).toBeVisible();
    await tool.expectAnswered('terminated_immediately', 'yes', 'yes');
  });

  test('I can cancel with the keyboard alone, and Escape leads back to the form and then to the subscription', { tag: '@proof' }, async ({
    page,
  }) => {
    const tool = new SubscriptionTool(page);
    await tool.open('cancel', CASES.mira);
    await tabTo(page, 'radio');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /^Now/ })).toBeChecked();
    await tabTo(page, 'Cancel subscription…');
    await page.keyboard.press('Enter');
    await expect(tool.confirmation).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(tool.confirmation).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Cancel subscription…' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Cancel now');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The subscription has ended', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { level: 1, name: 'Subscription', exact: true })).toBeVisible();
  });
});

/** Presses Tab until the focused element has that input type or text. */
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
