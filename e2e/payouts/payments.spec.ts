import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright/test';
import { runOperatorCommand } from '#e2e/runner/run-sharebook.ts';
import { FIXED_NOW } from '#e2e/runner/seeded-data.ts';
import { partsOf } from '#e2e/support/packs/change-pack.ts';
import { expect, test } from '../fixtures.ts';
import {
  approveRun,
  confirmIban,
  confirmSenders,
  createFiles,
  type FilePayment,
  formWith,
  handOver,
  listPayments,
  present,
  recordReport,
  reportOf,
} from '../pages/payment-requests.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { look, post, submitRun } from '../pages/payout-requests.ts';
import { ownData } from '../pages/simulated-invo.ts';

// Fiona and Ada pay September in a world of their own: each test continues where the one before left it.
test.use({ role: 'finance', world: 'payments' });
test.describe.configure({ mode: 'serial' });

const RUN = '/demo/payouts/1';
const PAYMENTS = `${RUN}/payments`;
const CLOSE = '/demo/months/2026-09/close';
/** Sable Quill, who earned 13.50 in September, is paid by SEPA. */
const SEPA_RECIPIENT = 9019;
const IBAN = 'DE89370400440532013000';

let report = '';
let returned: FilePayment;
let differing: FilePayment;

test('I enter the rate of a draft that pays by SEPA, and the approver sees what it comes to in euros', { tag: '@proof' }, async ({
  page,
  pageOf,
}) => {
  test.setTimeout(120_000);
  const ada = await pageOf('admin');
  await confirmIban(page, ada, SEPA_RECIPIENT, IBAN);
  await post(page, CLOSE, 'startAction', { game: 'demo', month: '2026-09' });
  expect((await look(page, PAYMENTS)).text).toContain('Payments are created when the run is approved.');

  await page.goto(RUN);
  const card = page.getByRole('region', { name: 'EUR rate' });
  await expect(card).toContainText('1 SEPA payment, $13.50. SEPA moves euros, so the run needs a rate before it can be submitted.');
  await card.getByLabel('USD per EUR').fill('12.5');
  await card.getByLabel('Source').fill('ECB, 30 October 2026');
  await card.getByRole('button', { name: 'Save rate' }).click();
  await expect(card.getByRole('alert')).toBeVisible();
  await card.getByLabel('USD per EUR').fill('1.25');
  await card.getByRole('button', { name: 'Save rate' }).click();
  // 13.50 / 1.25
  await expect(card).toContainText('1 SEPA payment, $13.50: 10.80 EUR.');
  await expect(card).toContainText('Source: ECB, 30 October 2026');
  await expect(card.getByRole('button', { name: 'Change rate' })).toBeVisible();

  await submitRun(page, '2026-09');
  const approval = (await look(ada, `${RUN}/approve`)).region('EUR rate').text;
  expect(approval).toContain('1.25 USD per EUR');
  expect(approval).toContain('10.80 EUR');
  await approveRun(ada, 1);
});

test('a payment file can’t be downloaded while its cancellation or a void of its run is requested, and can’t be cancelled once it is handed over', {
  tag: '@proof',
}, async ({ page, pageOf }) => {
  const ada = await pageOf('admin');
  const unsent = await look(page, PAYMENTS);
  expect(unsent.buttons.filter((name) => name.startsWith('Create files for'))).toHaveLength(1);
  expect(unsent.regions(/^File \d/)).toEqual([]);
  await confirmSenders(page, ada);
  await createFiles(page, 1);
  const names = ['Download demo-2026-09-run1-sepa.xml', 'Record hand-over of file 2', 'Request to cancel file 2'];
  expect(await buttonsOfFile(page, 2)).toEqual(expect.arrayContaining(names));
  expect((await look(page, PAYMENTS)).region(/^File 2/).fact('EUR rate')).toContain('1.25 USD per EUR');

  await post(page, PAYMENTS, 'requestCancelAction', { game: 'demo', batchNo: '2', why: 'The wrong note', notUploaded: 'yes' });
  expect(await buttonsOfFile(page, 2), 'the requester can only discard the request').toEqual(['Discard request']);
  expect(await buttonsOfFile(ada, 2)).toEqual(['Cancel file of 1 payment', 'Discard request']);
  expect((await look(ada, '/demo/payouts')).region('Waiting for you').text).toMatch(/Requested by Fiona Hale on .* UTC: “The wrong note”/);
  expect((await page.request.get(`${PAYMENTS}/files/2`)).status(), 'no download beside a request to cancel').toBe(409);
  const request = formWith((await look(page, PAYMENTS)).region(/^File 2/), 'requesterId');
  await post(page, PAYMENTS, 'discardCancelAction', request);

  await post(page, RUN, 'requestVoidAction', { game: 'demo', runId: await runId(page), why: 'The wrong minimum', notUploaded: 'yes' });
  const stopped = await look(page, PAYMENTS);
  expect(stopped.region('Don’t upload the files of this run').text).toContain('Fiona Hale requested to void it.');
  expect(stopped.buttons.filter((name) => name.startsWith('Create files'))).toEqual([]);
  expect(await buttonsOfFile(page, 2), 'a file that was uploaded can still be recorded').toEqual(['Record hand-over of file 2']);
  expect((await page.request.get(`${PAYMENTS}/files/1`)).status(), 'no download beside a request to void').toBe(409);
  await post(page, RUN, 'discardVoidAction', formWith(await look(page, RUN), 'version'));

  const demoReport = `${PAYMENTS}/files/report.csv`;
  expect((await page.request.get(demoReport)).status(), 'the demo bank reports about what it has').toBe(404);
  await handOver(page, 1, 1, 2);
  const [heads = '', ...rows] = (await (await page.request.get(demoReport)).text()).trimEnd().split('\r\n');
  expect(heads).toBe('reference,status,amount,currency,provider_id,date');
  expect(rows.length, 'one report on both files').toBe((await listPayments(page, 1)).length);
  // 13.50 / 1.25
  expect(rows.filter((row) => /^A1\w{8},paid,10\.80,EUR,/.test(row))).toHaveLength(1);
  expect(rows.filter((row) => /^A1\w{8},paid,[\d.]+,USD,/.test(row))).toHaveLength(rows.length - 1);
  const left = await buttonsOfFile(page, 2);
  expect(left, 'a file that was handed over can’t be cancelled').toEqual(expect.not.arrayContaining([names[1], names[2]]));
  expect((await look(page, PAYMENTS)).region(/^File 2/).fact('Handed over')).toContain('Fiona Hale');
});

test('I choose another report while the first is checked, record it, and accept a row that differs with a note', { tag: '@proof' }, async ({
  page,
}) => {
  const payments = await listPayments(page, 1);
  const paypal = payments.filter(({ method }) => method === 'paypal');
  [returned, differing] = [present(paypal[0]), present(paypal[1])];
  report = reportOf([
    [returned.reference, 'Returned', returned.amount_usd],
    [differing.reference, 'Completed', '0.35'],
    ...paypal.slice(2).map(({ reference, amount_usd }) => [reference, 'Completed', amount_usd] as const),
  ]);
  await page.goto('/demo/payouts/reports');
  await page.getByRole('button', { name: 'Add report' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a bank report' });
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/reports/import', async (route) => {
    if (route.request().postData()?.includes('Older')) await released;
    await route.continue();
  });
  const choose = async (name: string, text: string): Promise<void> =>
    await sheet.getByLabel('Report', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('older.csv', reportOf([['', 'Older', '1.00']]));
  await choose('newer.csv', report);
  const result = sheet.getByText(`${paypal.length} rows: ${paypal.length - 2} paid, 1 returned, 1 differs.`);
  await expect(result).toBeVisible();
  const answered = page.waitForResponse('**/reports/import');
  release(undefined);
  await (await answered).finished();
  await expect(result).toBeVisible();
  await page.unroute('**/reports/import');
  await sheet.getByRole('button', { name: 'Record report' }).click();
  await sheet.getByRole('link', { name: 'report 1' }).click();

  expect((await look(page, `${PAYMENTS}/${differing.reference}`)).text).toContain('Report 1, row 3, about this payment: Amount');
  await page.getByRole('button', { name: 'Accept row 3 of report 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accept row 3 of report 1' });
  await dialog.getByRole('button', { name: 'Accept row' }).click();
  await expect(dialog.getByText('Enter a note.')).toBeVisible();
  await dialog.getByLabel('Note').fill('The bank’s letter shows the whole amount');
  await dialog.getByRole('button', { name: 'Accept row' }).click();
  await expect(page.getByRole('row', { name: /Report 1, row 3/ })).toContainText('Accepted');
  await expect(page.getByText('Decided', { exact: true })).toBeVisible();
  const story = (await look(page, `${PAYMENTS}/${differing.reference}`)).text;
  expect(story).toContain('The provider reports it as paid.');
  expect(story).toMatch(/Accepted by Fiona Hale on .* UTC: “The bank’s letter shows the whole amount”/);
  const past = await look(page, '/demo/payouts/reports/1?after=3');
  expect([past.text.includes('No further rows'), past.buttons.includes('Show rows')], 'rows after the last').toEqual([true, false]);
});

test('I read a stored report as the bank wrote it and download it, and who may not see accounts can’t', { tag: '@proof' }, async ({
  page,
  pageOf,
}) => {
  await page.goto('/demo/payouts/reports/1');
  await page.getByRole('button', { name: 'Show rows' }).click();
  await expect(page.getByLabel('Rows in full')).toContainText(`${differing.reference} · Completed · 0.35 · USD`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download report 1' }).click()]);
  expect(download.suggestedFilename()).toBe('bank-report-1.csv');
  expect(await readFile(await download.path(), 'utf8')).toBe(report);

  const paths = [
    PAYMENTS,
    `${PAYMENTS}/${differing.reference}`,
    '/demo/payouts/reports',
    '/demo/payouts/reports/1',
    '/demo/payouts/senders',
  ];
  const auditor = await pageOf('auditor');
  for (const path of paths) {
    const shown = await look(auditor, path);
    expect(shown.status, path).toBe(200);
    expect(
      shown.main.buttons.filter((name) => /Show|Download|Record|Accept|Set aside|Create|Confirm|Add/.test(name)),
      path,
    ).toEqual([]);
    for (const html of [shown.html, (await look(page, path)).html]) expect(html, `no account in ${path}`).not.toMatch(ACCOUNTS);
  }
  expect((await look(auditor, `${PAYMENTS}/${differing.reference}`)).fact('Account')).toContain('p•••@c•••.example');
  expect((await auditor.request.get('/demo/payouts/reports/1/file')).status()).toBe(403);
  for (const role of ['viewer', 'support'] as const) {
    const other = await pageOf(role);
    for (const path of [...paths, '/demo/payouts/reports/1/file', `${PAYMENTS}/files/1`])
      expect((await other.request.get(path)).status(), `${path} for ${role}`).toBe(403);
  }
});

test('a payment that was returned is re-issued by two people under a new reference', { tag: '@proof' }, async ({ page, pageOf }) => {
  const ada = await pageOf('admin');
  const sum = `$${returned.amount_usd}`;
  await page.goto(`${PAYMENTS}/${returned.reference}`);
  await expect(page.getByText('Returned', { exact: true }).first()).toBeVisible();
  const card = page.getByRole('region', { name: 'Pay again' });
  await card.getByLabel('Reason').fill('The mailbox was full');
  await card.getByRole('button', { name: `Propose to re-issue ${sum}` }).click();
  await expect(page.getByText('You proposed this. Someone else must confirm it.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);

  await ada.goto('/demo/payouts');
  await ada.getByRole('region', { name: 'Waiting for you' }).getByRole('link', { name: 'Review payment' }).click();
  await ada.getByRole('button', { name: `Confirm re-issue of ${sum}` }).click();
  await expect(ada.getByText('Re-issued', { exact: true }).first()).toBeVisible();
  await ada
    .getByRole('region', { name: 'Payment', exact: true })
    .getByRole('link', { name: /^[A-Z0-9]{10}$/ })
    .last()
    .click();
  await expect(ada.getByText('Not in a file', { exact: true }).first()).toBeVisible();
  await expect(ada.getByText(`requested this payment to replace ${returned.reference}`)).toBeVisible();
});

test('while payouts are paused after a restore, pages offer nothing about payments, until two people resume', {
  tag: '@proof',
}, async ({ page, pageOf }) => {
  const ada = await pageOf('admin');
  const offered = async (): Promise<string[]> => {
    const [run, reports] = [await look(page, PAYMENTS), await look(page, '/demo/payouts/reports')];
    return [run, reports].flatMap(({ main }) => main.buttons.filter((name) => /^(?:Create files|Download|Add report)/.test(name)));
  };
  expect(await offered()).toContain('Add report');
  runOperatorCommand(['restore-check', '--restored'], ownData(), { SHAREBOOK_NOW: FIXED_NOW }, '');
  expect(await offered()).toEqual([]);
  expect((await look(page, PAYMENTS)).region('Payouts for Starfall are paused').text).toContain('no payment file created, downloaded');
  for (const person of [page, ada])
    await post(person, PAYMENTS, 'resumePayoutsAction', { game: 'demo', version: (await look(person, PAYMENTS)).hidden('version') });
  expect(await offered()).toContain('Add report');
});

test('I close a run that is paid by one press beside its sums', { tag: '@proof' }, async ({ page }) => {
  await createFiles(page, 1);
  await handOver(page, 1, 3);
  expect((await look(page, PAYMENTS)).buttons).not.toContain('Close run 1');
  const payments = await listPayments(page, 1);
  const again = present(payments.find(({ recipientId }) => recipientId === returned.recipientId));
  const sepa = present(payments.find(({ recipientId }) => recipientId === SEPA_RECIPIENT));
  await recordReport(
    page,
    reportOf([
      [again.reference, 'Completed', again.amount_usd],
      [sepa.reference, 'Completed', '10.80', 'EUR'],
    ]),
  );
  await page.goto(PAYMENTS);
  const progress = page.getByRole('region', { name: 'Progress of payments' });
  await expect(progress).toContainText(`${payments.length} payments, $`);
  await expect(progress).toContainText('All are paid.');
  await progress.getByRole('button', { name: 'Close run 1' }).click();
  await expect(page.getByText('Closed', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close run 1' })).toHaveCount(0);
});

test('from a payment I reach the bytes that Invo sent, which state its figure, in two clicks', { tag: '@proof' }, async ({ page }) => {
  const sepa = present((await listPayments(page, 1)).find(({ recipientId }) => recipientId === SEPA_RECIPIENT));
  await page.goto(`${PAYMENTS}/${sepa.reference}`);
  const pages = new PayoutPages(page);
  await pages.click(page.getByRole('link', { name: 'The line of run 1' }));
  const [download] = await Promise.all([page.waitForEvent('download'), pages.click(page.getByRole('link', { name: 'Evidence pack' }))]);
  expect(pages.clicks).toBeLessThanOrEqual(3);
  const parts = partsOf(await readFile(await download.path()));
  const snapshot = parts.get('evidence/snapshot.json')?.toString() ?? '';
  const responses = [...parts].filter(([name]) => name.startsWith('evidence/responses/')).map(([, bytes]) => gunzipSync(bytes));
  // 13.50 is what Invo's answer states of the recipient.
  const stating = responses.filter((bytes) => readGross(bytes, SEPA_RECIPIENT) === 13.5);
  expect(stating.length).toBeGreaterThan(0);
  for (const bytes of stating) expect(snapshot).toContain(createHash('sha256').update(bytes).digest('hex'));
});

/** What an answer of Invo states as the gross of a recipient; null: it doesn't name them. */
function readGross(answer: Buffer, playerId: number): number | null {
  const { recipients = [] } = JSON.parse(answer.toString()) as {
    recipients?: { recipient: { player_id: number }; gross_attributed_usd: string }[];
  };
  const found = recipients.find(({ recipient }) => recipient.player_id === playerId);
  return found === undefined ? null : Number(found.gross_attributed_usd);
}

const ACCOUNTS = new RegExp(`${IBAN}|payee\\.\\d+@creators|DE02120300000000202051`);

/** What the card of a file offers. */
async function buttonsOfFile(page: Page, batchNo: number): Promise<string[]> {
  const card = (await look(page, PAYMENTS)).region(new RegExp(`^File ${batchNo},`));
  return card.buttons.filter((name) => !name.startsWith('Copy'));
}

async function runId(page: Page): Promise<string> {
  return (await look(page, RUN)).hidden('runId');
}
