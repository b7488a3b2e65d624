import type { Page } from 'playwright/test';
import { verifyPack } from '#lib/packs/verify-pack.ts';
import { expect, ownOrigin, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { prepareRun, submitRun } from '../pages/payout-requests.ts';
import { expectUsable, type Screen } from '../pages/screen-check.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';
import { listFileRoutes, readToEnd, stall } from '../pages/stalled-readers.ts';
import { type Counted, expectFewStatements } from '../pages/statement-counts.ts';

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
  await expect(page.getByRole('link', { name: 'Run 1 waits for your approval' }), 'the person who submitted has no such link').toHaveCount(
    0,
  );

  const ada = await pageOf('admin');
  await ada.goto('/demo/months');
  const link = ada.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notices/ });
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
  await ada.page.getByLabel('Reason').fill('The wrong minimum applied');
  await ada.page.getByRole('button', { name: 'Request to void' }).click();
  await expect(ada.page.getByText('A second person must confirm it.')).toBeVisible();
  await page.goto('/demo/payouts');
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await expect(waiting).toContainText('Confirm voiding run 1, September 2026');
  await waiting.getByRole('link', { name: 'Open run' }).click();
  await page.getByRole('button', { name: 'Void run' }).click();
  await expect(page.getByText('Voided', { exact: true })).toBeVisible();

  await prepareRun(page, '2026-09');
  await submitRun(page, '2026-09');
  await ada.page.goto('/demo/payouts/2/approve');
  await ada.page.getByRole('button', { name: /^Approve \$/ }).click();
  await expect(ada.page.getByText(/^Approved by/)).toBeVisible();
  expect(await ada.readLines(2, Object.keys(SEPTEMBER).map(Number))).toEqual(SEPTEMBER);
  await ada.start('2026-10');
});

const SCREENS: Record<string, Screen> = {
  'the close of a month with a draft': { address: '/demo/months/2026-10/close', title: 'October 2026' },
  'the close of a month with an approved run': { address: '/demo/months/2026-09/close', title: 'September 2026' },
  'the list of runs': { address: '/demo/payouts', title: 'Payouts' },
  'the lines of an approved run': { address: '/demo/payouts/2', title: 'Run 2 · September 2026' },
  'the lines of a draft': { address: '/demo/payouts/3', title: 'Run 3 · October 2026' },
  'the holds of a draft': { address: '/demo/payouts/3/holds', title: 'Run 3 · October 2026' },
  'the journal of a run': { address: '/demo/payouts/2/journal', title: 'Run 2 · September 2026' },
  'the journal of a draft': { address: '/demo/payouts/3/journal', title: 'Run 3 · October 2026' },
  'the statements of a run': { address: '/demo/payouts/2/statements', title: 'Run 2 · September 2026' },
  'the statements of a draft': { address: '/demo/payouts/3/statements', title: 'Run 3 · October 2026' },
  'one statement': { address: '/demo/payouts/2/statements/9019', title: 'Statement, September 2026' },
  'the list of payment details': { address: '/demo/payouts/payees', title: 'Payouts' },
  'the payment details of a recipient': { address: '/demo/payouts/payees/9019', title: 'Payment details of Sable Quill' },
  'a recipient with payouts': { address: '/demo/recipients/9019', title: 'Sable Quill' },
  notices: { address: '/notices', title: 'Notices' },
};

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`I can use ${name} on a desktop and on a phone`, async ({ page, expectAccessible }) => {
    await expectUsable(page, screen, expectAccessible);
  });
}

test('I can use the opened form of a payout policy on a phone', async ({ page, expectAccessible }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings');
  await page.getByText('Propose another policy').click();
  await expect(page.getByRole('button', { name: 'Propose policy' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
});

test('the page of a draft leads to where it is submitted', async ({ page }) => {
  await page.goto('/demo/payouts/3');
  await page.getByRole('link', { name: 'Review and submit' }).click();
  await expect(page).toHaveURL('/demo/months/2026-10/close');
  await expect(page.getByRole('heading', { name: 'October 2026' })).toBeVisible();
  await page.goto('/demo/payouts/2');
  await expect(page.getByRole('heading', { name: 'Run 2 · September 2026' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Review and submit' })).toHaveCount(0);
});

test('I select lines of a run by keyboard', async ({ page }) => {
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

/** As in `observability/statements.page.test.ts`. The close of a draft is judged again each time it is opened, one fact after another. */
const STATEMENTS_MAX: Record<string, Counted> = {
  '/[game]/payouts': { path: '/demo/payouts', max: 4 },
  '/[game]/payouts/adjustments': { path: '/demo/payouts/adjustments', max: 4 },
  '/[game]/payouts/payees': { path: '/demo/payouts/payees', max: 6 },
  '/[game]/payouts/payees/[playerId]': { path: '/demo/payouts/payees/9019', max: 7 },
  '/[game]/payouts/[runNo]': { path: '/demo/payouts/2', max: 8 },
  '/[game]/payouts/[runNo]/holds': { path: '/demo/payouts/2/holds', max: 5 },
  '/[game]/payouts/[runNo]/journal': { path: '/demo/payouts/2/journal', max: 4 },
  '/[game]/payouts/[runNo]/statements': { path: '/demo/payouts/2/statements', max: 5 },
  '/[game]/payouts/[runNo]/statements/[playerId]': { path: '/demo/payouts/2/statements/9019', max: 3 },
  '/[game]/lists/[list]/rows': { path: '/demo/lists/run-lines/rows?run=2&sort=due_usd&dir=desc&chip=all&limit=200', max: 3 },
  '/[game]/recipients/[playerId]': { path: '/demo/recipients/9019', max: 4 },
  '/[game]/months/[month]/close': { path: '/demo/months/2026-10/close', max: 32 },
};

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

test('I can download the evidence pack of a run, which is proven without Sharebook, and support can’t', async ({
  page,
  pageOf,
}, testInfo) => {
  await page.goto('/demo/payouts/2');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Evidence pack' }).click()]);
  expect(download.suggestedFilename()).toBe('demo-evidence-run2.zip');
  const file = testInfo.outputPath('pack.zip');
  await download.saveAs(file);
  const { violations, index } = await verifyPack(file);
  expect(violations).toEqual([]);
  expect(index).toMatchObject({ run_no: 2, banner: 'SIMULATED DATA. No real money moved.' });
  const support = await pageOf('support');
  await support.goto('/demo/payouts/2');
  await expect(support.getByRole('heading', { level: 1, name: /^Run 2/ })).toBeVisible();
  await expect(support.getByRole('link', { name: 'Evidence pack' })).toHaveCount(0);
  const refused = await support.request.get('/demo/payouts/2/pack');
  expect([refused.status(), await refused.text()]).toEqual([403, expect.stringMatching(/^Your role can’t take evidence packs\./)]);
});

/** Files of each route that answers with one: every list and every format. */
const FILES: Record<string, string[]> = {
  'audit/export': ['/audit/export'],
  '[game]/lists/[list]/file': ['refunds', 'deliveries', 'payees'].map((list) => `/demo/lists/${list}/file`),
  '[game]/months/[month]/export/[sheet]': ['recipients', 'renewals', 'reversals'].flatMap((sheet) =>
    [sheet, `${sheet}?find=juno`, `${sheet}.xlsx`, `${sheet}.gz`].map((file) => `/demo/months/2026-09/export/${file}`),
  ),
  '[game]/payouts/[runNo]/journal/[layout]': ['/demo/payouts/2/journal/generic'],
  '[game]/payouts/[runNo]/export/[format]': ['/demo/payouts/2/export/csv', '/demo/payouts/2/export/xlsx'],
  '[game]/payouts/[runNo]/statements/[playerId]/[format]': ['pdf', 'csv'].map((format) => `/demo/payouts/2/statements/9019/${format}`),
  '[game]/payouts/[runNo]/statements/zip': ['/demo/payouts/2/statements/zip'],
  '[game]/payouts/[runNo]/pack': ['/demo/payouts/2/pack'],
};

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

test('I can use the approval of a run on a desktop and on a phone', async ({ page, pageOf, expectAccessible }) => {
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
  // 2.70 of player 9004 turn out to be refunded in September.
  await control('refunds', { period_id: 2026090014, refunded_at: '2026-09-20T12:00:00Z' });
  expect(await new PayoutPages(page).recheck('September 2026')).toBe('Changed −$2.70');
  await page.goto('/demo/months/2026-10/close');
  const drift = page.getByRole('listitem').filter({ hasText: '1 period of closed months changed since it was paid' });
  await expect(drift).toContainText('−2.70');
  await drift.getByRole('link', { name: 'Propose an adjustment' }).click();
  const filled = {
    Kind: 'drift',
    Recipient: '9004',
    'Amount (USD)': '-2.70',
    'Run it corrects': '2',
    'Period it corrects': '2026090014',
  };
  for (const [label, value] of Object.entries(filled)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
});
