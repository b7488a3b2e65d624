import { join } from '#e2e/observability/second-web.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { expect, test } from '../fixtures.ts';
import { RefundForm, UNKNOWN_COINS } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { control, ownData } from '../pages/simulated-invo.ts';

/** Changes what only time changes. */
async function query(statement: string): Promise<void> {
  const joined = await join(ownData());
  const { pool, close } = openWithPool(joined.env['DATABASE_MIGRATE_URL'] ?? '');
  try {
    await pool.query(statement);
  } finally {
    await close();
    await joined.stop();
  }
}

// The register lists what the tests before it left. The file of the register and what a viewer sees: refund-register.page.test.ts.
test.use({ role: 'support' });
test.describe.configure({ mode: 'serial' });
const made = { landed: 0, rejected: 0 };

test.beforeAll(async () => void (await control('reset')));

test('a refund above my auto-approval limit is approved by another person, not by me', async ({ page, pageOf }) => {
  const refundId = await new RefundForm(page).request(2024128001, 'rest', 'Request refund of $60.00');
  const mine = new RefundPage(page);
  await mine.expectState('Awaiting approval');
  await expect(mine.actions).toContainText('You requested this refund and it exceeds your auto-approval limit');
  await expect(mine.actions.getByRole('button', { name: /^(Approve|Confirm)/ })).toHaveCount(0);
  const fiona = await pageOf('finance');
  await fiona.goto('/demo/refunds');
  await expect(fiona.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Refunds [1-9]\d* need action$/ })).toBeVisible();
  const waiting = fiona.getByRole('region', { name: 'Refunds that need action' });
  await expect(waiting.getByRole('row', { name: new RegExp(`^Refund ${refundId} `) })).toContainText('You can approve it');
  await waiting.getByRole('link', { name: `Refund ${refundId}`, exact: true }).click();
  const theirs = new RefundPage(fiona);
  await theirs.actions.getByRole('checkbox', { name: UNKNOWN_COINS }).check();
  await theirs.button('Approve refund of $60.00').click();
  await theirs.expectState('Refunded');
  await expect(theirs.timeline).toContainText('Fiona Hale approved this refund');
  await theirs.expectFigure('net_attributed_amount_usd', ['$0.00', '$0.00', 'Matches']);
  await mine.expectState('Refunded');
  made.landed = refundId;
});

test('a refund is rejected with a reason, and the period can be refunded again', { tag: '@proof' }, async ({ page, pageOf }) => {
  const refundId = await new RefundForm(page).request(2024128011, '120.00', 'Request refund of $120.00');
  const fiona = await pageOf('finance');
  const theirs = new RefundPage(fiona);
  await theirs.open(refundId);
  await theirs.actions.getByLabel('Reason').fill('The player changed their mind.');
  await theirs.button('Reject refund of $120.00').click();
  await theirs.expectState('Rejected');
  const mine = new RefundPage(page);
  await mine.expectState('Rejected');
  await expect(mine.timeline).toContainText('“The player changed their mind.”');
  await mine.actions.getByRole('link', { name: 'Start a new refund' }).click();
  await expect(new RefundForm(page).preview).toBeVisible();
  made.rejected = refundId;
});

test('a refund whose outcome Sharebook can’t determine is resolved by two people', { tag: '@proof' }, async ({ page, pageOf }) => {
  await control('faults', { kind: 'lookup_failed', match: { route: 'refund', subscription_id: 'SUB_1733400000_DESKINES' } });
  const refundId = await new RefundForm(page).request(2024128003, '2.00', 'Refund $2.00');
  const mine = new RefundPage(page);
  await mine.expectState('Needs attention');
  await expect(page.getByText(/Don’t refund this period anywhere else/).first()).toBeVisible();
  await mine.button('Read the period now').click();
  await expect(mine.timeline).toContainText('Read the period to check the outcome: $0.00 of $20.00 refunded, 0 refunds.');
  await mine.actions.getByLabel(/^Not refunded/).check();
  await mine.actions.getByLabel('What you checked and what you found').fill('The period shows nothing.');
  await mine.button('Record outcome').click();
  await expect(mine.actions).toContainText('needs a reading of the period at least 30 minutes after the last attempt');
  await mine.actions.getByLabel(/^Retry the request/).check();
  await mine.button('Record outcome').click();
  await expect(mine.actions).toContainText('You recorded the outcome. A second approver must confirm it.');
  await expect(mine.actions.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  const fiona = await pageOf('finance');
  const theirs = new RefundPage(fiona);
  await theirs.open(refundId);
  await expect(theirs.actions).toContainText('“The period shows nothing.”');
  await theirs.button('Confirm: retry the refund of $2.00').click();
  await theirs.expectState('Refunded');
  await mine.expectState('Refunded');
});

test('anyone who can request refunds can pause them all, and two approvers resume them', { tag: '@proof' }, async ({ page, pageOf }) => {
  await page.goto('/demo/refunds');
  await page.getByRole('button', { name: 'Pause refunds', exact: true }).click();
  await page.getByLabel('Reason').fill('Receipts look wrong.');
  await page.getByRole('button', { name: 'Pause refunds for Starfall' }).click();
  const notice = page.getByRole('region', { name: 'Refunds for Starfall are paused' });
  await expect(notice).toContainText('Paused by Sami Okafor on');
  await expect(notice).toContainText('“Receipts look wrong.”');
  await new RefundForm(page).request(2024128010, '1.00', 'Refund $1.00');
  const held = new RefundPage(page);
  await held.expectState('Queued');
  await expect(notice).toBeVisible();
  const [fiona, ada] = [await pageOf('finance'), await pageOf('admin')];
  await fiona.goto('/demo/refunds');
  await fiona.getByRole('button', { name: 'Ask to resume refunds' }).click();
  await expect(fiona.getByText('You asked to resume refunds')).toBeVisible();
  await expect(fiona.getByRole('button', { name: /resume refunds/i })).toHaveCount(0);
  await held.expectState('Queued');
  await ada.goto('/demo/refunds');
  await ada.getByRole('button', { name: 'Resume refunds' }).click();
  await expect(ada.getByRole('region', { name: /are paused/ })).toHaveCount(0);
  await held.expectState('Refunded');
});

test('an admin lowers the auto-approval limit of support at once, and a second person approves the higher one', { tag: '@proof' }, async ({
  page,
  pageOf,
}) => {
  const ada = await pageOf('admin');
  const set = async (amount: string): Promise<void> => {
    await ada.goto('/settings');
    await ada.getByLabel('Support limit (USD)').fill(amount);
    await ada.getByRole('button', { name: 'Save limits for Starfall' }).click();
  };
  await set('-1');
  await expect(ada.getByText('Enter zero or more, such as 50.00.')).toBeVisible();
  await set('3.00');
  await expect(ada.getByText('Limits saved. They apply to what is requested from now on.')).toBeVisible();
  try {
    await new RefundForm(page).open(2024128006);
    await page.getByLabel('Partial amount').check();
    await page.getByLabel('Amount (USD)').fill('3.00');
    await expect(page.getByText('Within your auto-approval limit of $3.00. It is sent as soon as you confirm.')).toBeVisible();
    await page.getByLabel('Amount (USD)').fill('3.01');
    await expect(page.getByText('Needs a second approver: your auto-approval limit is $3.00')).toBeVisible();
  } finally {
    // With this limit every other refund by support would need a second approver.
    await set('50.00');
    await expect(ada.getByText('Saved. The higher limit applies once a second person approves.')).toBeVisible();
    const fiona = await pageOf('finance');
    await fiona.goto('/settings');
    await fiona.getByRole('button', { name: 'Approve limit of $50.00' }).click();
    // Its button is named Approving… until then.
    await expect(fiona.getByText(/to raise it to \$50\.00/)).toHaveCount(0);
  }
});

test('the register is filtered by state and text, and its URL contains the view', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.goto('/demo/refunds?show=not_carried_out');
  const register = page.getByRole('grid', { name: 'refunds' });
  await expect(register.getByRole('row', { name: new RegExp(`^Refund ${made.rejected} `) })).toContainText('Rejected');
  await expect(register.getByRole('row').filter({ hasText: /^Refund \d+Refunded/ })).toHaveCount(0);
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Refunded', exact: true }).click();
  await expect(page).toHaveURL(/show=landed/);
  await page.getByRole('textbox', { name: /^Filter by/ }).fill('2024128001');
  const landed = register.getByRole('row', { name: new RegExp(`^Refund ${made.landed} `) });
  await expect(landed).toContainText('60.00');
  await expect(register.getByRole('row').filter({ hasText: /2024128(?!001)/ })).toHaveCount(0);
  await page.goto('/demo/refunds');
  await expect(page.getByRole('heading', { level: 1, name: 'Refunds' })).toBeVisible();
  await expectReadable(page, expectAccessible);
  await register.getByRole('link', { name: `Refund ${made.landed}`, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Refund ${made.landed}`, exact: true })).toBeVisible();
  await expectReadable(page, expectAccessible);
});

test('an approval requires the password when it was given long ago, and what was entered stays in the form', { tag: '@proof' }, async ({
  page,
  pageOf,
}) => {
  const refundId = await new RefundForm(page).request(2024128011, '130.00', 'Request refund of $130.00');
  const fiona = await pageOf('finance');
  const theirs = new RefundPage(fiona);
  await theirs.open(refundId);
  await expect(theirs.actions).toContainText(`Refund ${made.rejected} of this period, $120.00, rejected, was open`);
  await query(`update person_session set proved_at = proved_at - interval '5 minutes 1 second'`);
  const approve = theirs.button('Approve refund of $130.00');
  await approve.click();
  await expect(theirs.actions.getByText('In simulated data everyone’s password is “simulated data only”.')).toBeVisible();
  await theirs.actions.getByLabel('Your password').fill('not the password');
  await approve.click();
  await expect(theirs.actions).toContainText('Incorrect password. Nothing was changed.');
  await theirs.actions.getByLabel('Your password').fill('simulated data only');
  await approve.click();
  await theirs.expectState('Refunded');
});

test('an admin alone gives nobody the right to approve: a second person approves it', { tag: '@proof' }, async ({ pageOf }) => {
  const [ada, fiona] = [await pageOf('admin'), await pageOf('finance')];
  const email = `nell.${Date.now()}@starfall.example`;
  await ada.goto('/settings');
  await ada.getByRole('button', { name: 'Add person' }).click();
  const dialog = ada.getByRole('dialog', { name: 'Add person' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nell Frost');
  await dialog.getByRole('checkbox', { name: /^Finance/ }).check();
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await expect(dialog.getByText('The roles finance and admin wait for a second person.')).toBeVisible();
  await ada.goto('/settings');
  const row = ada.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText('Waiting for approval: Viewer, Finance');
  const waiting = ada.getByRole('region', { name: 'Waiting for approval' });
  await expect(waiting.getByRole('button', { name: 'Approve roles of Nell Frost' })).toHaveCount(0);
  await fiona.goto('/settings');
  await fiona.getByRole('button', { name: 'Approve roles of Nell Frost' }).click();
  // Others of this Sharebook may wait.
  await expect(fiona.getByRole('region', { name: 'Waiting for approval' }).getByText('Nell Frost')).toHaveCount(0);
  await ada.goto('/settings');
  await expect(row).toContainText('Finance');
  await ada.goto(`/audit?subject=${encodeURIComponent(email)}`);
  const entries = ada.getByRole('region', { name: 'Audit entries' });
  await expect(entries.getByRole('row').filter({ hasText: 'approved roles' })).toContainText('finance@starfall.example');
  const [download] = await Promise.all([ada.waitForEvent('download'), ada.getByRole('link', { name: 'Export these entries' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^audit-.*Z\.filtered\.csv$/);
});
