import { expect, test } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { heardAtInvo } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });

// What goes wrong between the browser and Sharebook.

const [PERIOD, SUBSCRIPTION] = [2024128006, 'SUB_1733479200_DESKPAVE'];

test('an answer that is lost leaves the form, and confirming it again makes no second refund', async ({ page, expectTrouble }) => {
  expectTrouble(/ERR_FAILED/);
  const form = new RefundForm(page);
  await form.open(PERIOD);
  await form.fill('1.00');
  const before = await heardAtInvo(SUBSCRIPTION);
  await page.route(`**/periods/${PERIOD}/refund`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch({ maxRedirects: 0 });
    return route.abort();
  });
  await form.final('Refund 1.00 USD').click();
  await expect(page.getByText('Sharebook did not answer: whether it was asked for is not known')).toBeVisible();
  await expect(page.getByLabel('Amount, USD')).toHaveValue('1.00');
  await page.unroute(`**/periods/${PERIOD}/refund`);
  await form.goOn();
  await form.final('Refund 1.00 USD').click();
  await form.expectLed();
  await new RefundPage(page).expectState('Refunded');
  expect(await heardAtInvo(SUBSCRIPTION)).toEqual({ executed: [...before.executed, 1], calls: before.calls + 1 });
  await form.open(PERIOD);
  await expect(page.getByRole('region', { name: 'Refunds asked for here' })).toContainText('1.00');
});

test('what is pressed before the page’s scripts run asks for nothing', async ({ page }) => {
  const before = await heardAtInvo(SUBSCRIPTION);
  let isHeld = true;
  await page.route('**/*.js', async (route) => {
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 50));
    await route.continue();
  });
  const opening = page.goto(`/demo/periods/${PERIOD}/refund`);
  await page.getByLabel('A part of it').check();
  await page.getByLabel('Reason', { exact: true }).selectOption('Goodwill');
  await page.getByRole('button', { name: /^Refund [0-9.]+ USD…$/ }).click();
  isHeld = false;
  await opening;
  await expect(page.getByText('It was sent before you had seen what it does')).toBeVisible();
  const form = new RefundForm(page);
  await form.open(PERIOD);
  await form.fill('1.00');
  expect(await heardAtInvo(SUBSCRIPTION)).toEqual(before);
});
