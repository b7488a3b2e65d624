import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { callsAtInvo, control } from '../pages/simulated-invo.ts';

test.use({ role: 'support', world: 'webhooks' });
test.describe.configure({ mode: 'serial' });

const [PERIOD, SUBSCRIPTION] = [2024128006, 'SUB_1733479200_DESKPAVE'];

async function send(eventType: string, data: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<void> {
  await control('deliveries/send', { event_type: eventType, data, ...more });
}

function row(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text });
}

// Fields, bytes and files of deliveries: deliveries.page.test.ts.
test('before the first delivery the page says what to register, and I can check the set-up', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/webhooks');
  await expect(page.getByText('Nothing received yet').first()).toBeVisible();
  await expect(page.getByText('/api/invo/demo/webhook').first()).toBeVisible();
  await expect(page.getByText('INVO_WEBHOOK_SECRET')).toBeVisible();
  await page.getByRole('button', { name: 'Check the set-up' }).click();
  await page.getByRole('button', { name: 'Send test delivery' }).click();
  await expect(page.getByText('verified and stored a delivery signed with the current secret')).toBeVisible();
  await page.goto('/demo/webhooks');
  await expect(row(page, 'Set-up check')).toContainText('Processed');
  await expect(page.getByText('Nothing received yet'), 'a test is no delivery of Invo').toBeVisible();
});

test('a refund nobody answered for ends soon after Invo delivers that it was made', { tag: '@proof' }, async ({ page }) => {
  const own = { route: 'refund' };
  // Two answers are lost, so that the next call is some time away. No delivery shortens a wait that Invo requests.
  await control('faults', [
    { kind: 'reset', when: 'after', match: own },
    { kind: 'reset', when: 'after', match: own },
  ]);
  const form = new RefundForm(page);
  await form.open(PERIOD);
  await form.fill('1.00');
  await form.final('Refund $1.00').click();
  await form.expectRefundPage();
  const refund = new RefundPage(page);
  await refund.expectState('Unknown');
  await expect.poll(async () => (await callsAtInvo(SUBSCRIPTION)).calls, { timeout: 30_000 }).toBe(2);
  await control('deliveries/run');
  await refund.expectState('Refunded');
  expect(await callsAtInvo(SUBSCRIPTION)).toEqual({ executed: [1], calls: 3 });
  await page.goto('/demo/webhooks');
  await row(page, 'subscription.refunded').getByRole('link').first().click();
  await expect(page.getByText('The next check of our refund was brought forward.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'SUB_1733479200_DESKPAVE', exact: true })).toBeVisible();
});

test('a refund made in Invo’s console shows up as refunded elsewhere', { tag: '@proof' }, async ({ page }) => {
  await control('refunds', { period_id: 2026100002, amount_usd: '5.00' });
  await control('deliveries/run');
  await page.goto('/demo/webhooks?show=elsewhere');
  await expect(row(page, 'SUB_1767225600_WITN02AL, period 10')).toContainText('Refunded elsewhere');
  await page.goto('/demo/periods/2026100002');
  await page.getByRole('region', { name: 'Refunded elsewhere' }).getByRole('link').click();
  await expect(page.getByText('Refunded elsewhere: no refund of Sharebook has this idempotency key.')).toBeVisible();
  await page.goto('/demo/refunds');
  await page.getByRole('link', { name: '1 refund made elsewhere' }).click();
  await expect(row(page, 'SUB_1767225600_WITN02AL, period 10')).toBeVisible();
});

test('two deliveries under one key are shown side by side, and a person settles them', { tag: '@proof' }, async ({
  page,
  expectAccessible,
}) => {
  const data = { order_id: 'ORD_BESIDE', player_email: 'vera@players.example', currency_amount: '500.00' };
  await send('purchase.completed', data, { key: 'whk_beside' });
  await send('purchase.completed', { ...data, currency_amount: '550.00' }, { key: 'whk_beside' });
  await page.goto('/demo/webhooks?show=conflict');
  await row(page, 'ORD_BESIDE').getByRole('link').first().click();
  const both = page.getByRole('region', { name: 'Both deliveries' });
  await expect(both.getByRole('row').nth(1)).toContainText(/currency_amount\s*500\.00\s*550\.00/);
  await expectAccessible(page);
  await page.getByLabel('What you checked, and which delivery is right').fill('Order page says 500.00.');
  await page.getByRole('button', { name: 'Settle conflict' }).click();
  await expect(page.getByText('“Order page says 500.00.”')).toBeVisible();
  await expect(page.getByText('Conflict, settled')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Settle conflict' })).toBeHidden();
  const result = page.getByRole('region', { name: 'Read from Invo' });
  const before = await result.innerText();
  await page.getByRole('button', { name: 'Read order again' }).click();
  await expect(result, 'it is read again').not.toHaveText(before, { timeout: 30_000, useInnerText: true });
  await expect(result).not.toContainText('Next attempt', { timeout: 30_000 });
  await expect(page.getByText('Read requested.'), 'the result is here').toHaveCount(0);
});

test('events of another game, of unknown types and unreadable ones are stored, and those that need me are counted', {
  tag: '@proof',
}, async ({ page }) => {
  await send('purchase.completed', { order_id: 'ORD_FOREIGN' }, { mangles: ['other_tenant'] });
  await send('wallet.migrated', { wallet: 'w-1' });
  await send('purchase.completed', { order_id: 'ORD_UNREADABLE' }, { mangles: ['not_json'] });
  await send('purchase.completed', { order_id: 'ORD_STALE' }, { mangles: ['stale_301'] });
  await send('purchase.completed', { order_id: 'ORD_FORGED' }, { mangles: ['bad_signature'] });
  await page.goto('/demo/webhooks');
  await expect(row(page, 'Order ORD_FOREIGN')).toContainText('Other game');
  await expect(row(page, 'wallet.migrated')).toContainText('Unknown type');
  await expect(row(page, 'Unreadable')).toContainText('Failing');
  await expect(row(page, 'Order ORD_STALE')).toContainText('Stale');
  await expect(row(page, 'ORD_FORGED')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Webhooks 2 need attention' })).toBeVisible();
  await row(page, 'Order ORD_FOREIGN').getByRole('link').first().click();
  await page.getByLabel('Why this game’s address gets events of another game').fill('Registered twice by mistake.');
  await page.getByRole('button', { name: 'Mark other game as known' }).click();
  await expect(page.getByText('Other game, settled')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Webhooks 1 need attention' })).toBeVisible();
});
