import type { Page } from 'playwright/test';
import { expect, ownOrigin, test } from '../fixtures.ts';
import { PaymentPages } from '../pages/payment-pages.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { prepareRun, submitRun } from '../pages/payout-requests.ts';
import { expectAllUsable, expectUsable } from '../pages/screen-check.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';
import { listFileRoutes, readToEnd, stall } from '../pages/stalled-readers.ts';
import { expectFewStatements } from '../pages/statement-counts.ts';
import { DRIFT_FORM, FILES, SCREENS, STATEMENTS_MAX } from './payout-addresses.ts';

// Fiona and Ada close September and October in a world of their own: each test continues where the one before left it.
test.use({ role: 'finance', world: 'payouts' });
test.describe.configure({ mode: 'serial' });

/**
 * The roll-forward of the reference recipients (.github/docs/simulated-invo.md) in September: opening, earned, reversed, already deducted, adjusted, due,
 * payable, carried forward and the outcome, worked out by hand. two-months-story.spec.ts follows them to October.
 */
const SEPTEMBER = {
  9001: '0.00 4.50 0.00 0.00 0.00 4.50 0.00 4.50 below_minimum',
  9003: '0.00 9.50 0.95 0.00 0.00 8.55 0.00 8.55 on_hold',
  9005: '0.00 2.2509 1.1255 0.00 0.00 1.1254 0.00 1.1254 below_minimum',
  9009: '0.00 0.00 13.50 0.00 0.00 -13.50 0.00 -13.50 negative_balance',
  9010: '0.00 9.00 9.00 0.00 0.00 0.00 0.00 0.00 nothing_due',
  9019: '0.00 13.50 0.00 0.00 0.00 13.50 13.50 0.00 payable',
};

test('Fiona prepares the run of September, and Ada alone learns that it waits for her approval', async ({ page, pageOf }) => {
  test.setTimeout(180_000);
  const fiona = new PayoutPages(page);
  await fiona.prepare('2026-09');
  await fiona.submit();
  await page.goto('/notices');
  await expect(page.getByRole('heading', { level: 1, name: 'Notices' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Run 1 waits for your approval' }), 'its submitter has no such link').toHaveCount(0);

  const ada = await pageOf('admin');
  await ada.goto('/demo/months');
  const link = ada.getByRole('link', { name: /^Notices/ });
  await expect(link).toContainText('unread');
  await link.click();
  const row = ada.getByRole('row', { name: /Run 1 waits for your approval/ });
  await expect(row).toContainText(/September 2026: \$[\d,]+\.\d\d payable to \d+ recipients\. Submitted by Fiona Hale\./);
  const outbox = ada.getByRole('region', { name: 'Outbox of the simulation' });
  // It is sent in the background; a page that is read without a browser shows when.
  await expect.poll(async () => await (await ada.request.get('/notices')).text()).toContain('Run 1 waits for your approval, to Ada Moreau');
  await ada.reload();
  await expect(outbox.getByRole('region', { name: /: Run 1 waits for your approval, to Ada Moreau/ })).toContainText('To Ada Moreau');
  await expect(outbox).not.toContainText('To Fiona Hale');
  await row.getByRole('button', { name: 'Mark as read' }).click();
  await expect(row.getByRole('button')).toHaveCount(0);
  await ada.getByText('Months and payout runs').click();
  await ada.getByLabel('A run waits for your approval').selectOption('Off');
  await ada.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ada.getByText('Saved. It applies to notices from now on.')).toBeVisible();
  await ada.reload();
  await expect(ada.getByLabel('A run waits for your approval')).toHaveValue('off');
  await row.getByRole('link').click();
  await expect(ada).toHaveURL(/\/demo\/payouts\/1$/);
});

test('Ada approves the run, both void it, and September is drafted again to the same figures', async ({ page, pageOf }) => {
  test.setTimeout(180_000);
  const ada = new PayoutPages(await pageOf('admin'));
  await ada.approve(1);
  expect(await ada.readLines(1, Object.keys(SEPTEMBER).map(Number))).toEqual(SEPTEMBER);
  await ada.page.getByRole('textbox', { name: 'Reason' }).fill('The wrong minimum applied');
  await ada.page.getByRole('button', { name: 'Request to void' }).click();
  await expect(ada.page.getByText('A second person must confirm it.')).toBeVisible();
  await page.goto('/demo/payouts');
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await expect(waiting).toContainText('Confirm voiding run 1, September 2026');
  await waiting.getByRole('link', { name: 'Open run' }).click();
  await page.getByRole('button', { name: 'Void run' }).click();
  await expect(page.getByText('Voided', { exact: true })).toBeVisible();
  await new PaymentPages(page, 1).expectVoided();

  await prepareRun(page, '2026-09');
  await submitRun(page, '2026-09');
  await ada.page.goto('/demo/payouts/2/approve');
  await ada.page.getByRole('button', { name: /^Approve \$/ }).click();
  await expect(ada.page.getByText(/^Approved by/)).toBeVisible();
  expect(await ada.readLines(2, Object.keys(SEPTEMBER).map(Number))).toEqual(SEPTEMBER);
  await ada.start('2026-10');
});

test('Fiona and Ada pay the run of September: two make the sender account, one payment goes elsewhere, the others in a file', async ({
  page,
  pageOf,
  expectAccessible,
}) => {
  test.setTimeout(180_000);
  const [fiona, ada] = [new PaymentPages(page, 2), new PaymentPages(await pageOf('admin'), 2)];
  await fiona.open();
  await fiona.expectNoSender();
  await fiona.proposeSender();
  await ada.confirmSender();
  await fiona.open();
  const elsewhere = await fiona.proposeElsewhere();
  await ada.confirmElsewhere();
  await fiona.open();
  const { reference, text } = await fiona.createFile();
  expect(text, 'a payment that went elsewhere is in no file').not.toContain(elsewhere);
  await ada.cancelAfter(fiona, reference);
  const again = await fiona.createFile();
  expect(again.text, 'a cancelled file’s references are never used again').not.toContain(reference);
  await fiona.handOver();
  await fiona.recordReport(again);
  await fiona.findByBankLine(again.reference);
  await expectAccessible(page);
  await page.goto('/demo/payouts');
  await expect(page.getByRole('row', { name: /September 2026, run 2/ })).toContainText(/Exported 2 of \d+ paid/);

  const vera = await pageOf('viewer');
  const run = '/demo/payouts/2';
  const own = [
    `${run}/payments`,
    `${run}/payments/${again.reference}`,
    '/demo/payouts/senders',
    '/demo/payouts/reports',
    '/demo/payouts/reports/1',
  ];
  for (const path of [...own, `${run}/payments/files/3`, '/demo/lists/payments/file?run=2'])
    expect((await vera.request.get(path)).status(), path).toBe(403);
  for (const path of [...own, run, '/demo/payouts'])
    expect(await (await page.request.get(path)).text(), `no account in ${path}`).not.toMatch(/payee\.\d+@creators/);
});

test('I can use every page of payouts on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  test.setTimeout(180_000);
  await expectAllUsable(page, SCREENS, expectAccessible);
});

test('I can use the opened form of a payout policy on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings');
  await page.getByText('Propose another policy').click();
  await expect(page.getByRole('button', { name: 'Propose policy' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
});

test('the page of a draft leads to where it is submitted', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/payouts/3');
  await page.getByRole('link', { name: 'Review and submit' }).click();
  await expect(page).toHaveURL('/demo/months/2026-10/close');
  await expect(page.getByRole('heading', { name: 'October 2026' })).toBeVisible();
  await page.goto('/demo/payouts/2');
  await expect(page.getByRole('heading', { name: 'Run 2 · September 2026' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Review and submit' })).toHaveCount(0);
});

test('I select lines of a run by keyboard', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/payouts/3');
  const grid = page.getByRole('grid', { name: 'lines' });
  await grid.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(2);
  await page.keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await expect(page.getByRole('dialog', { name: /^Hold 1 recipient, \$[\d,.]+ payable$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(0);
});

/** Reads as the person of a page. */
const readAs =
  (page: Page) =>
  async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await page.request.get(path);
    return { status: answer.status(), text: await answer.text() };
  };

test('no page of payouts sends more statements than it may', async ({ page }) => {
  await expectFewStatements(readAs(page), STATEMENTS_MAX);
});

test('I can download the evidence pack of a run, which is proven without Sharebook, and support can’t', async ({ page, pageOf }) => {
  expect(await new PayoutPages(page).downloadPack(2)).toMatchObject({ fileName: 'demo-evidence-run2.zip', violations: [] });
  const support = await pageOf('support');
  await support.goto('/demo/payouts/2');
  await expect(support.getByRole('heading', { level: 1, name: /^Run 2/ })).toBeVisible();
  await expect(support.getByRole('link', { name: 'Evidence pack' })).toHaveCount(0);
  expect((await support.request.get('/demo/payouts/2/pack')).status()).toBe(403);
});

test('readers of any file who stop reading leave the pages their connections', { tag: '@proof' }, async ({ pageOf }) => {
  const page = await pageOf('admin');
  // The files of journals need the names of the accounts.
  await page.goto('/settings/accounts/demo');
  for (const [index, field] of (await page.locator('fieldset input').all()).entries()) await field.fill(`A${index}`);
  await page.getByRole('button', { name: 'Save accounts' }).click();
  await expect(page.getByText('Saved as account map 1.')).toBeVisible();
  await page.goto('/demo/payouts/2/statements');
  await page.getByRole('button', { name: 'All statements (ZIP)' }).click();
  await expect.poll(async () => (await page.request.get('/demo/payouts/2/statements/zip')).status()).toBe(200);
  const list = await page.request.post('/demo/balances/list', { headers: { origin: ownOrigin() }, data: 'juno.marl@players.example' });
  const { job } = (await list.json()) as { job: number };
  const balances = [`/demo/balances/${job}/csv`, `/demo/balances/${job}/xlsx`];
  await expect.poll(async () => (await page.request.get(`/demo/balances/${job}/csv`)).status()).toBe(200);
  const files = { ...FILES, '[game]/balances/[job]/[format]': balances };
  expect(Object.keys(files).toSorted()).toEqual(listFileRoutes().toSorted());
  for (const address of Object.values(files).flat()) {
    const readers = await Promise.all(Array.from({ length: 12 }, () => stall(page, address)));
    expect((await page.request.get('/demo/payouts')).status(), `a page beside readers of ${address}`).toBe(200);
    const answered = readers.find(({ statusCode }) => statusCode === 200) ?? readers[0];
    expect(answered?.statusCode, address).toBe(200);
    // A file that reads in parts over a connection of the pages is broken off.
    expect(answered && (await readToEnd(answered)), address).toBeGreaterThan(0);
    for (const reader of readers) reader.destroy();
  }
});

test('I can use the approval of a run on a desktop and on a phone', { tag: '@proof' }, async ({ page, pageOf, expectAccessible }) => {
  test.setTimeout(120_000);
  await submitRun(await pageOf('admin'), '2026-10');
  await expectUsable(page, { address: '/demo/payouts/3/approve', title: 'Approve run 3 · October 2026' }, expectAccessible);
  await expectFewStatements(readAs(page), { '/[game]/payouts/[runNo]/approve': { path: '/demo/payouts/3/approve', max: 18 } });
});

/** The totals of a window are read with a limit of 1, its pages with one of 100. */
const failing = (limit: string) => control('faults', [{ kind: 'html', times: 99, match: { route: 'attribution', query: { limit } } }]);

test('a run in review whose month couldn’t be compared with Invo waits until the approver re-checks the month', { tag: '@proof' }, async ({
  page,
  pageOf,
}) => {
  test.setTimeout(180_000);
  const ada = await pageOf('admin');
  await failing('1');
  await ada.goto('/demo/months/2026-10/close');
  await ada.getByRole('button', { name: 'Re-check now', exact: true }).click();
  await expect(ada.getByRole('region', { name: 'The last pull of October 2026 failed' })).toBeVisible({ timeout: 60_000 });
  await ada.goto('/demo/payouts/3');
  await expect(ada.getByRole('region', { name: 'The last pull of this month failed' })).toContainText('The run stays in review.');
  await control('faults', {}, 'DELETE');

  const approve = page.getByRole('button', { name: /^Approve \$/ });
  await page.goto('/demo/payouts/3/approve');
  await expect(page.getByRole('region', { name: 'The last pull of this month failed' })).toBeVisible();
  await expect(approve).toHaveCount(0);
  await hold({ route: 'attribution' });
  await page.getByRole('button', { name: 'Re-check now (1 call)' }).click();
  await expect(page.getByRole('region', { name: 'A pull of this month hasn’t ended' })).toContainText('The run stays in review.');
  await untilHeld();
  await expect(page).toHaveURL('/demo/payouts/3/approve');
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(approve).toHaveCount(0);
  await letGo();
  await expect(page.getByText('Nothing changed since submission')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/^Re-checked with Invo on /)).toBeVisible();
  await expect(approve).toBeVisible();
});

test('a run in review whose re-check found other totals is named on every page and returns to draft', { tag: '@proof' }, async ({
  page,
  expectAccessible,
}) => {
  test.setTimeout(180_000);
  await control('refunds', { period_id: 2026100014, refunded_at: '2026-10-20T12:00:00Z' });
  await failing('100');
  await page.goto('/demo/months/2026-10');
  await page.getByRole('button', { name: 'Re-check now', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Invo reports other totals for October 2026' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: 'The last pull of October 2026 failed' })).toBeVisible({ timeout: 60_000 });
  await page.goto('/demo/payouts/3');
  await expect(page.getByRole('region', { name: 'Invo reports other totals' })).toBeVisible();
  await page.goto('/demo/payouts/3/approve');
  await expect(page.getByRole('region', { name: 'Invo reports other totals' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve \$/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Return run 3 to draft' }).click();
  await expect(page.getByText('Run 3 isn’t in review')).toBeVisible();
  await page.goto('/demo/months/2026-10/close');
  await expect(page.getByRole('region', { name: 'Blocks submission' })).toContainText('Invo reports other totals');
  await control('faults', {}, 'DELETE');
});

test('a closed month that changed says so in the list of months, and leads to its adjustment, filled in', { tag: '@proof' }, async ({
  page,
}) => {
  test.setTimeout(120_000);
  await control('refunds', { period_id: 2026090014, refunded_at: '2026-09-20T12:00:00Z' });
  expect(await new PayoutPages(page).recheck('September 2026')).toBe('Changed −$2.70');
  await page.goto('/demo/months/2026-10/close');
  const drift = page.getByRole('listitem').filter({ hasText: '1 period of closed months changed since it was paid' });
  await expect(drift).toContainText('−2.70');
  await drift.getByRole('link', { name: 'Propose an adjustment' }).click();
  for (const [label, value] of Object.entries(DRIFT_FORM)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
});
