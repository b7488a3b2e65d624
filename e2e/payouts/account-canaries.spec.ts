import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Page } from 'playwright/test';
import { join } from '#e2e/observability/second-web.ts';
import { withoutSettings } from '#e2e/runner/run-sharebook.ts';
import { FIXED_NOW } from '#e2e/runner/seeded-data.ts';
import { type FoundText, findTexts, readStoredTexts } from '#e2e/support/db/stored-texts.ts';
import { partsOf } from '#e2e/support/packs/change-pack.ts';
import { textInBytes } from '#e2e/support/text-in-bytes.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { expect, test } from '../fixtures.ts';
import { ROLES } from '../pages/demo-people.ts';
import { approveRun, confirmSenders, createFiles, handOver, listPayments, present } from '../pages/payment-requests.ts';
import { post, submitRun } from '../pages/payout-requests.ts';
import { SearchBox } from '../pages/search-box.ts';
import { ownData } from '../pages/simulated-invo.ts';

test.use({ role: 'finance', world: 'accounts' });

const RUN = '/demo/payouts/1';
const PAYMENTS = `${RUN}/payments`;
/** Sable Quill, who earned 13.50 in September. */
const RECIPIENT = 9019;
const IBAN = 'DE75 5121 0800 1245 1261 99';
const [ACCOUNT_NUMBER, EMAIL] = ['44556677889', 'hidden.canary@creators.example'];
/** The accounts entered here, and those of the demo's other recipients, whose files pay to their emails; also as an address writes them. */
const ACCOUNT = /DE75\W{0,3}5121\W{0,3}0800\W{0,3}1245|44556677889|hidden\.canary|payee\.\d+(?:@|%40)creators/i;

const OF_PAYOUTS = ['', '/payees', `/payees/${RECIPIENT}`, '/payees/800070', '/senders', '/reports', '/reports/1', '/adjustments'];
const OF_RUN = ['', '?find=9019', '/holds', '/journal', '/statements', '/statements/9019', '/payments', '/approve'];
const PAGES = [...OF_PAYOUTS.map((part) => `/demo/payouts${part}`), ...OF_RUN.map((part) => `${RUN}${part}`)];
const MORE_PAGES = ['/demo/months/2026-09/close', `/demo/recipients/${RECIPIENT}`, '/notices', '/audit', '/settings'];
/** Files that name payments or people, and no account. */
const RUN_FILES = ['export/csv', 'export/xlsx', 'statements/9019/csv', 'journal/generic', 'pack', 'payments/files/1.manifest.json'];
const LISTS = ['payees/file', 'payees/rows?sort=recipient_player_id&dir=asc&limit=200', 'payments/file?run=1'];
const FILES = [
  '/audit/export',
  '/metrics',
  '/readyz',
  ...RUN_FILES.map((file) => `${RUN}/${file}`),
  ...LISTS.map((list) => `/demo/lists/${list}`),
];

test('no account of a recipient is in a log, an address, a header, a page, a file of a run, the list of processes or readable in the database', {
  tag: '@proof',
}, async ({ page, pageOf, sharebook }) => {
  test.setTimeout(600_000);
  const ada = await pageOf('admin');
  const seen: FoundText[] = [];
  for (const each of [page, ada]) watch(each, seen);
  const folder = await mkdtemp(path.join(tmpdir(), 'accounts-'));

  await test.step('Two people enter accounts and look at one', async () => {
    await proposeIban(page);
    await importOther(page);
    await ada.goto(`/demo/payouts/payees/${RECIPIENT}`);
    const proposal = ada.getByRole('region', { name: 'Proposed' });
    await proposal.getByRole('button', { name: 'Show in full' }).click();
    await expect(ada.getByText(IBAN.replaceAll(' ', ''))).toBeVisible();
    await proposal.getByRole('button', { name: /^Confirm SEPA transfer/ }).click();
    await expect(ada.getByRole('region', { name: 'In force' })).toContainText('SEPA transfer');
    await ada.goto('/demo/payouts/payees');
    await ada.getByRole('button', { name: 'Confirm 2 recipients' }).click();
    await expect(ada.getByRole('button', { name: 'Confirm 2 recipients' })).toHaveCount(0);
  });

  await test.step('They pay September, and record a bank’s report that has accounts', async () => {
    await payMonth(page, ada);
    const sepa = present((await listPayments(page, 1)).find(({ recipientId }) => recipientId === RECIPIENT));
    await recordAccounts(page, sepa.reference);
    await new SearchBox(page).search(`05.11.2026 SEPA ${IBAN} ${sepa.reference}`);
    await expect(page).toHaveURL(`${PAYMENTS}/${sepa.reference}`);
    for (const address of [...PAGES, ...MORE_PAGES]) await page.goto(address);
    MORE_PAGES.push(`${PAYMENTS}/${sepa.reference}`);
  });

  await test.step('Every role reads every page and file', async () => {
    for (const role of ROLES) {
      const reader = await pageOf(role);
      let readable = 0;
      for (const address of [...PAGES, ...MORE_PAGES, ...FILES]) {
        const answer = await reader.request.get(address);
        if (answer.status() === 200) readable++;
        seen.push([`${role} ${address}`, readText(await answer.body())]);
        seen.push([`address ${role}`, `${answer.url()} ${JSON.stringify(answer.headers())}`]);
      }
      expect(readable, role).toBeGreaterThan(role === 'viewer' || role === 'support' ? 8 : 18);
    }
  });

  await test.step('Commands work with accounts', async () => {
    const [details, report] = [path.join(folder, 'details.csv'), path.join(folder, 'report.csv')];
    await writeFile(details, importText());
    await writeFile(report, `Sent to ${IBAN}, paid 1.00 USD A200701TC8\n`);
    const month = ['--game', 'demo', '--month', '2026-09'];
    for (const argv of [
      ['payment-files', ...month, '--out', path.join(folder, 'files')],
      ['pack', ...month, '--with-accounts', '--out', path.join(folder, 'pack.zip')],
      ['bank-report', '--game', 'demo', '--in', report, '--preview'],
      ['payees', '--game', 'demo', '--in', details, '--preview'],
    ])
      seen.push(...(await runWatched(argv)));
    const files = await Promise.all(['pack.zip', 'files/demo-2026-09-run1-sepa.xml'].map((file) => readFile(path.join(folder, file))));
    expect(
      files.map((bytes) => ACCOUNT.test(readText(bytes))),
      'the search finds an account where one belongs',
    ).toEqual([true, true]);
  });
  await rm(folder, { recursive: true });

  const logged = sharebook.log.map((line): FoundText => ['log', line]);
  expect(logged.length).toBeGreaterThan(20);
  const { env } = await join(ownData());
  const database = new pg.Client({ connectionString: env['DATABASE_URL'] });
  await database.connect();
  const stored = await readStoredTexts(database).finally(() => database.end());
  expect(findTexts(stored, /payment details of recipient|proposed payment details/i).length, 'the audit is read').toBeGreaterThan(0);
  const places = findTexts(seen, /9019/).map((hit) => hit.slice(0, hit.indexOf(':')));
  const readable = ['csv', 'xlsx'].map((format) => `finance ${RUN}/export/${format}`);
  expect(places, 'pages, files and addresses are read').toEqual(
    expect.arrayContaining(['address', `viewer ${RUN}`, `auditor ${PAYMENTS}`, `finance ${RUN}/pack`, ...readable]),
  );
  expect(findTexts([...seen, ...logged, ...stored], ACCOUNT)).toEqual([]);
});

/** Proposes an account by the form, once with a wrong check digit. */
async function proposeIban(page: Page): Promise<void> {
  await page.goto(`/demo/payouts/payees/${RECIPIENT}`);
  await page.getByLabel('Method').selectOption('sepa');
  await page.getByLabel('Account holder', { exact: true }).fill('Sable Quill');
  await page.getByLabel('Reason').fill('From the contract');
  await page.getByLabel('IBAN').fill(IBAN.replace('DE75', 'DE74'));
  await page.getByRole('button', { name: 'Propose payment details' }).click();
  await expect(page.getByText('The check digits don’t match. Compare it with the original.')).toBeVisible();
  await page.getByLabel('IBAN').fill(IBAN);
  await page.getByRole('button', { name: 'Propose payment details' }).click();
  await expect(page.getByText('You proposed this. Someone else must confirm it.')).toBeVisible();
}

const importText = (): string =>
  [
    'recipient_player_id,method,email,routing_number,account_number,account_type,holder_name',
    `800070,ach,,021000021,${ACCOUNT_NUMBER},checking,Wren`,
    `9003,paypal,${EMAIL},,,,`,
  ].join('\n');

/** Proposes accounts by a file, once with an error that names its row. */
async function importOther(page: Page): Promise<void> {
  await page.goto('/demo/payouts/payees');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const sheet = page.getByRole('dialog', { name: 'Import payment details' });
  const choose = async (text: string): Promise<void> =>
    await sheet.getByLabel('CSV file').setInputFiles({ name: 'details.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose(importText().replace('021000021', '021000022'));
  await expect(sheet.getByText(/^Line 2, routing_number: /)).toBeVisible();
  await choose(importText());
  await sheet.getByLabel('Reason').fill('From the contracts');
  await sheet.getByRole('button', { name: 'Propose 2 changes' }).click();
  await expect(sheet.getByText(/^2 recipients proposed\./)).toBeVisible();
}

/** Closes September, creates and downloads its files, and hands them over. */
async function payMonth(page: Page, ada: Page): Promise<void> {
  await post(page, '/demo/months/2026-09/close', 'startAction', { game: 'demo', month: '2026-09' });
  await page.goto(RUN);
  const card = page.getByRole('region', { name: 'EUR rate' });
  await card.getByLabel('USD per EUR').fill('1.25');
  await card.getByLabel('Source').fill('ECB, 30 October 2026');
  await card.getByRole('button', { name: 'Save rate' }).click();
  await expect(card.getByRole('button', { name: 'Change rate' })).toBeVisible();
  await submitRun(page, '2026-09');
  await approveRun(ada, 1);
  await confirmSenders(page, ada);
  await createFiles(page, 1);
  await page.goto(PAYMENTS);
  for (const button of await page.getByRole('button', { name: /^Download demo-2026-09-run1/ }).all()) {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(await readFile(await download.path(), 'utf8'), 'a payment file has accounts').toMatch(ACCOUNT);
  }
  await handOver(page, 1, 1, 2);
}

/** Adds a report that names accounts of recipients, looks at its rows and downloads it. */
async function recordAccounts(page: Page, reference: string): Promise<void> {
  await page.goto('/demo/payouts/reports');
  await page.getByRole('button', { name: 'Add report' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a bank report' });
  const heads = 'reference,status,amount,currency,provider_id,date,account';
  const rows = [`${reference},Completed,0.35,EUR,B1,2026-11-05,${IBAN}`, `,Completed,4.00,USD,B2,2026-11-05,${EMAIL} ${ACCOUNT_NUMBER}`];
  await sheet.getByLabel('Or paste lines').fill([heads, ...rows].join('\n'));
  await sheet.getByRole('button', { name: 'Check pasted lines' }).click();
  await expect(sheet.getByText('2 rows: 1 differs, 1 is not ours.')).toBeVisible();
  await sheet.getByRole('button', { name: 'Record report' }).click();
  await sheet.getByRole('link', { name: 'report 1' }).click();
  await page.getByRole('button', { name: 'Show rows' }).click();
  await expect(page.getByLabel('Rows in full')).toContainText(ACCOUNT_NUMBER);
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download report 1' }).click()]);
}

/** Every address that a browser requests, redirects among them, and every header of an answer. */
function watch(page: Page, seen: FoundText[]): void {
  page.on('request', (request) => seen.push(['address', `${request.method()} ${request.url()} ${request.headers()['referer'] ?? ''}`]));
  page.on('response', (answer) => seen.push(['header', JSON.stringify(answer.headers())]));
}

/** A body as text, a ZIP with the text of each of its entries. */
function readText(body: Buffer): string {
  if (!body.toString('latin1').startsWith('PK\u0003\u0004')) return textInBytes(body);
  return [...partsOf(body)].map(([name, bytes]) => `${name} ${textInBytes(bytes)}`).join('\n');
}

const run = promisify(execFile);

/** Runs a command and lists all processes again and again until it ends. Returns each list with the command in it, and what it printed. */
async function runWatched(argv: string[]): Promise<FoundText[]> {
  const [name = ''] = argv;
  const env = {
    ...withoutSettings(process.env),
    SHAREBOOK_NOW: FIXED_NOW,
    SHAREBOOK_DATA: ownData(),
  } as NodeJS.Dict<string> as NodeJS.ProcessEnv;
  const child: ChildProcess = spawn(process.execPath, ['lib/start/command.ts', ...argv], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => printed.push(piece.toString()));
  let isOver = false;
  const ended = once(child, 'close').finally(() => {
    isOver = true;
  });
  const lists: string[] = [];
  while (!isOver) lists.push((await run('ps', ['axww', '-o', 'args'], { maxBuffer: 64 * 1024 * 1024 })).stdout);
  const [code] = (await ended) as [number | null];
  expect(code, `${name}: ${printed.join('')}`).toBe(0);
  expect(
    lists.some((list) => list.includes(`lib/start/command.ts ${name}`)),
    `the list has ${name}`,
  ).toBe(true);
  return [...lists.map((list): FoundText => [`processes beside ${name}`, list]), [`output of ${name}`, printed.join('')]];
}
