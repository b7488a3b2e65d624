import { expect, test } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { CARD_REFUSALS, ENDS, type ExpectedRefusal, PRICE_REFUSALS, READ_REFUSALS, REPORT_REFUSALS, STAY_OPEN } from '../pages/refusals.ts';
import { control } from '../pages/simulated-invo.ts';
import { CASES, SubscriptionTool } from '../pages/subscription-tool.ts';

// One refusal of each shape, as a person meets it; refusals.page.test.ts and pull-refusals.int.test.ts have every code. A world of its
// own: what answers 429 makes the whole game wait, so it comes last.
test.use({ role: 'support', world: 'apart' });
test.describe.configure({ mode: 'serial' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('a refund that Invo refuses ends as refused, shows why, and that nothing was refunded', { tag: '@proof' }, async ({ page }) => {
  const refusal = await arm('refund', named(ENDS, 'AMOUNT_EXCEEDS_REMAINING'));
  await new RefundForm(page).request(2024128001, '1.00', 'Refund $1.00');
  await new RefundPage(page).expectState('Refused');
  const main = page.getByRole('main');
  await expect(main).toContainText(refusal.says);
  await expect(main).toContainText('Nothing was refunded by this request');
  await expect(main).toContainText(/Quote err_\w+ to Invo\./);
  await expect(page.getByRole('button', { name: 'Copy the error ID', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Start a new refund' }).click();
  await expect(new RefundForm(page).preview).toBeVisible();
});

test('a price change that Invo refuses is explained beside the form', { tag: '@proof' }, async ({ page }) => {
  const refusal = await arm('amount', named(PRICE_REFUSALS, 'PCSTORE_REAUTHORIZATION_REQUIRED'));
  await new SubscriptionTool(page).open('price', CASES.mira);
  await page.getByLabel('New price, USD').fill('70');
  await page.getByRole('button', { name: 'Change price…' }).click();
  await page.getByRole('button', { name: 'Change price to $70.00' }).click();
  await expect(page.getByRole('main')).toContainText(refusal.says);
});

test('a card change that Invo refuses is explained beside the form', { tag: '@proof' }, async ({ page }) => {
  const refusal = await arm('payment-method', named(CARD_REFUSALS, 'PAYMENT_METHOD_EXPIRED'));
  await new SubscriptionTool(page).open('card', CASES.mira);
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Change card…' }).click();
  await page.getByRole('button', { name: /^Use / }).click();
  await expect(page.getByRole('main')).toContainText(refusal.says);
});

test.describe('as finance', () => {
  test.use({ role: 'finance' });

  test('a pull that Invo refuses shows why on the page of its month', { tag: '@proof' }, async ({ page }) => {
    // For this month alone, so that the schedule's own pulls and this one don't wait for each other.
    const refusal = await arm('attribution', named(REPORT_REFUSALS, 'WINDOW_INVALID'), { query: { start: '2024-12-01T00:00:00Z' } });
    await page.goto('/demo/months/2024-12');
    await page
      .getByRole('button', { name: /^Pull / })
      .first()
      .click();
    await expect(page.getByRole('main')).toContainText(refusal.says, { timeout: 60_000 });
  });
});

test('a refund for which Invo requests a wait stays open and shows what is safe', { tag: '@proof' }, async ({ page }) => {
  const refusal = await arm('refund', named(STAY_OPEN, 'RATE_LIMITED'));
  await new RefundForm(page).request(2024128009, '1.00', 'Refund $1.00');
  await new RefundPage(page).expectState('Retrying');
  await expect(page.getByRole('main')).toContainText(refusal.says);
});

test('a page that Invo refuses to answer says that it waits', { tag: '@proof' }, async ({ page }) => {
  const refusal = named(READ_REFUSALS, 'rate_limit_exceeded');
  await arm(refusal.route, refusal);
  await page.goto(`/demo/${refusal.at}`);
  await expect(page.getByRole('main')).toContainText(refusal.says);
});

function named<Refusal extends ExpectedRefusal>(refusals: Refusal[], code: string): Refusal {
  const found = refusals.find((refusal) => refusal.code === code);
  if (!found) throw new Error(`No refusal has the code ${code}.`);
  return found;
}

async function arm<Refusal extends ExpectedRefusal>(
  route: string,
  refusal: Refusal,
  only: { query?: Record<string, string> } = {},
): Promise<Refusal> {
  const { status, code, facts } = refusal;
  await control('faults', [
    { kind: 'refuse', match: { route, ...only }, status, code, times: 100, ...(facts === undefined ? {} : { facts }) },
  ]);
  return refusal;
}
