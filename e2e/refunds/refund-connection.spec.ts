import { expect, test } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { callsAtInvo } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });

// Failures between the browser and Sharebook.

const [PERIOD, SUBSCRIPTION] = [2024128006, 'SUB_1733479200_DESKPAVE'];

test('when the response is lost the form stays, and confirming it again creates no second refund', async ({ page, allowConsoleError }) => {
  allowConsoleError(/ERR_FAILED/);
  const form = new RefundForm(page);
  await form.open(PERIOD);
  await form.fill('1.00');
  const before = await callsAtInvo(SUBSCRIPTION);
  await page.route(`**/periods/${PERIOD}/refund`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch({ maxRedirects: 0 });
    return route.abort();
  });
  await form.final('Refund $1.00').click();
  await expect(page.getByText('We couldn’t confirm whether the refund was requested')).toBeVisible();
  await expect(page.getByLabel('Amount (USD)')).toHaveValue('1.00');
  await page.unroute(`**/periods/${PERIOD}/refund`);
  await form.continue();
  await form.final('Refund $1.00').click();
  await form.expectRefundPage();
  await new RefundPage(page).expectState('Refunded');
  expect(await callsAtInvo(SUBSCRIPTION)).toEqual({ executed: [...before.executed, 1], calls: before.calls + 1 });
  await form.open(PERIOD);
  await expect(page.getByRole('region', { name: 'Refunds in Sharebook' })).toContainText('1.00');
});

test('a form sent before the page’s scripts run requests nothing', { tag: '@proof' }, async ({ page }) => {
  const before = await callsAtInvo(SUBSCRIPTION);
  let isWaiting = true;
  await page.route('**/*.js', async (route) => {
    while (isWaiting) await new Promise((resolve) => setTimeout(resolve, 50));
    await route.continue();
  });
  const opening = page.goto(`/demo/periods/${PERIOD}/refund`);
  await page.getByLabel('Partial amount').check();
  await page.getByLabel('Reason', { exact: true }).selectOption('Goodwill');
  await page.getByRole('button', { name: /^Refund \$[0-9.]+…$/ }).click();
  isWaiting = false;
  await opening;
  await expect(page.getByText('The form was sent before you reviewed the refund')).toBeVisible();
  const form = new RefundForm(page);
  await form.open(PERIOD);
  await form.fill('1.00');
  expect(await callsAtInvo(SUBSCRIPTION)).toEqual(before);
});
