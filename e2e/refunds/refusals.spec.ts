import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { type RunningSharebook, runOperatorCommand, runSharebook } from '#e2e/runner/run-sharebook.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { expect, test } from '../fixtures.ts';
import { ENDS, type ExpectedRefusal, OF_CARD, OF_PRICE, OF_READS, OF_REPORTS, STAY_OPEN } from '../pages/refusals.ts';
import { signInWith } from '../pages/sign-in-page.ts';
import { createUpstream } from '../upstream/server.ts';

// Every code of the contract's tables of subscription, refund and reporting errors, as the screen shows it (pull-waits.spec.ts covers a
// report's 429). These specs run a Sharebook and a simulated Invo of their own, because some codes leave a refund open.

type Upstream = Awaited<ReturnType<typeof createUpstream>>;
const NOTHING_REFUNDED = 'Nothing was refunded by this request';
const SECRET = 'the-game-of-the-refusals';

// Periods of January 2026, each of another subscription and not refunded: an open refund keeps being retried.
const SLOTS = [1, 13, 3, 8, 9, 11, 14];

test.use({ role: null });
test.describe.configure({ mode: 'serial' });

let upstream: Upstream;
let sharebook: RunningSharebook;
let page: Page;
let origin: string;
let data: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-test-'));
  upstream = await createUpstream({ now: '2026-11-21T12:00:00Z', secret: SECRET });
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  const game = { INVO_GAME: 'harbour', INVO_GAME_NAME: 'Harbour', INVO_BASE_URL: upstream.url, INVO_GAME_SECRET: SECRET };
  sharebook = await runSharebook(port, data, game);
  page = await browser.newPage({ baseURL: origin });
  await page.goto(sharebook.lines.find((line) => line.startsWith(`${origin}/set-up?token=`)) ?? '');
  await page.getByLabel('Email').fill('ines@harbour.example');
  await page.getByLabel('Your name').fill('Ines Holt');
  await page.getByLabel('Password', { exact: true }).fill('a lighthouse nobody painted twice');
  await page.getByLabel('Repeat password').fill('a lighthouse nobody painted twice');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  // An admin refunds nothing; the operator is the second who gives the role finance.
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Edit Ines Holt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ines Holt' });
  await dialog.getByRole('checkbox', { name: /^Finance/ }).check();
  await dialog.getByRole('button', { name: 'Change roles' }).click();
  await expect(dialog.getByText('Finance, Admin: waiting for approval by a second person.')).toBeVisible();
  expect(runOperatorCommand(['confirm-person'], data, game, 'ines@harbour.example\n')).toContain('Roles given: Finance, Admin.');
  await page.goto('/settings');
  await page.waitForURL(/\/sign-in/);
  await signInWith(page, 'ines@harbour.example', 'a lighthouse nobody painted twice');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
});
test.beforeEach(() => control('faults', 'DELETE'));
test.afterAll(async () => {
  await page.close();
  await sharebook.stop();
  await upstream.close();
  fs.rmSync(data, { recursive: true, force: true });
});

// Two subscriptions in turn: Sharebook sends at most fifteen calls a minute on one.
for (const [at, refusal] of ENDS.entries())
  test(`a refund that Invo refuses with ${refusal.code} ends as refused and shows why`, async () => {
    await arm('refund', refusal);
    await requestRefund(at % 2 === 0 ? 2_024_128_001 : 2_024_128_009, '1.00');
    await expectState('Refused');
    await expect(page.getByRole('main')).toContainText(refusal.says);
    if (refusal.status !== 404) await expect(page.getByRole('main')).toContainText(NOTHING_REFUNDED);
    await expect(page.getByRole('main')).toContainText(/err_\w+/);
  });

for (const [at, refusal] of STAY_OPEN.entries())
  test(`a refund that Invo answers with ${refusal.code} stays open and shows what is safe`, async () => {
    await arm('refund', refusal, 100);
    await requestRefund(2_026_010_000 + (SLOTS[at] ?? 0), '1.00');
    await expectState(refusal.state);
    await expect(page.getByRole('main')).toContainText(refusal.says);
  });

for (const refusal of OF_PRICE)
  test(`a price change that Invo answers with ${refusal.code} is explained beside the form`, async () => {
    await arm('amount', refusal);
    await page.goto('/harbour/subscriptions/SUB_1733392800_DESKMIRA/price');
    await page.getByLabel('New price, USD').fill('70');
    await page.getByRole('button', { name: 'Change price…' }).click();
    await page.getByRole('button', { name: 'Change price to $70.00' }).click();
    await expect(page.getByRole('main')).toContainText(refusal.says);
  });

for (const refusal of OF_CARD)
  test(`a card change that Invo answers with ${refusal.code} is explained beside the form`, async () => {
    await arm('payment-method', refusal);
    await page.goto('/harbour/subscriptions/SUB_1733392800_DESKMIRA/card');
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Change card…' }).click();
    await page.getByRole('button', { name: /^Use / }).click();
    await expect(page.getByRole('main')).toContainText(refusal.says);
  });

test('a page that Invo refuses to answer shows why', async () => {
  test.setTimeout(120_000);
  await page.goto('/harbour/subscriptions/SUB_1733392800_DESKMIRA');
  await page.getByRole('link', { name: /Mira/ }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mira Holt' })).toBeVisible();
  for (const { route, at, ...refusal } of OF_READS)
    await test.step(`${refusal.code} at ${at}`, async () => {
      await control('faults', 'DELETE');
      await arm(route, refusal, 100);
      await page.goto(`/harbour/${at}`);
      await expect(page.getByRole('main')).toContainText(refusal.says);
    });
});

test('a pull that Invo refuses shows why on the page of its month', async () => {
  test.setTimeout(600_000);
  for (const [at, refusal] of OF_REPORTS.entries())
    await test.step(String(refusal.code), async () => {
      await control('faults', 'DELETE');
      // Each month precedes the last one: the schedule pulls the months after the first requested one and would be there first.
      const month = `2024-${String(12 - at).padStart(2, '0')}`;
      // For this month alone, so that the schedule's own pulls and this one don't wait for each other.
      await arm('attribution', refusal, 100, { query: { start: `${month}-01T00:00:00Z` } });
      await pull(month);
      await expect(page.getByRole('main')).toContainText(refusal.says, { timeout: 180_000 });
    });
});

async function control(name: string, method: 'POST' | 'DELETE', body?: unknown): Promise<void> {
  const answer = await fetch(`${upstream.controlUrl}/${name}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`control ${name}: ${answer.status} ${await answer.text()}`);
}

async function arm(
  route: string,
  { status, code, facts }: Pick<ExpectedRefusal, 'status' | 'code' | 'facts'>,
  times = 1,
  only: { query?: Record<string, string> } = {},
): Promise<void> {
  await control('faults', 'POST', [
    { kind: 'refuse', match: { route, ...only }, status, code, times, ...(facts === undefined ? {} : { facts }) },
  ]);
}

/** Requests a partial refund of a period, through the form and its confirmation. */
async function requestRefund(periodId: number, amount: string): Promise<void> {
  await page.goto(`/harbour/periods/${periodId}/refund`);
  await page.getByLabel('Partial amount').check();
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByLabel('Reason', { exact: true }).selectOption({ label: 'Goodwill' });
  await page.getByRole('button', { name: `Refund $${amount}…` }).click();
  await page.getByRole('button', { name: `Refund $${amount}`, exact: true }).click();
  await page.waitForURL(/\/refunds\/\d+$/);
}

async function expectState(label: string): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: new RegExp(`^${label}$`) })).toBeVisible();
}

async function pull(month: string): Promise<void> {
  await page.goto(`/harbour/months/${month}`);
  await page
    .getByRole('button', { name: /^Pull / })
    .first()
    .click();
}
