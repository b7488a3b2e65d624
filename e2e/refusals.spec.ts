import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { findPort, type OwnSharebook, startSharebook } from './pages/own-sharebook.ts';
import { createUpstream } from './upstream/server.ts';

// Every code of the contract's tables of subscription, refund and reporting errors, as somebody reads it who asked (a report's 429 is
// told by pull-waits.spec.ts). A Sharebook and a
// simulated Invo of their own: some of these leave a refund open, and nobody else may meet it.

type Upstream = Awaited<ReturnType<typeof createUpstream>>;
interface Told {
  status: number;
  code: string | null;
  facts?: Record<string, unknown>;
  says: RegExp;
}

const NOTHING_REFUNDED = 'Nothing was refunded by this request';
const SECRET = 'the-game-of-the-refusals';

const ENDS: Told[] = [
  { status: 400, code: 'CLIENT_REQUEST_ID_REQUIRED', says: /found no key on the refund/ },
  { status: 400, code: 'CLIENT_REQUEST_ID_INVALID', says: /could not read the key/ },
  { status: 400, code: 'CLIENT_REQUEST_ID_TOO_LONG', says: /key of the refund is longer/ },
  { status: 400, code: 'CLIENT_REQUEST_ID_RESERVED', says: /begins with letters Invo keeps for itself/ },
  { status: 400, code: 'INVALID_PERIOD_SEQ', says: /could not read the number of the period/ },
  { status: 404, code: 'PERIOD_NOT_FOUND', says: /does not know this period/ },
  { status: 400, code: 'INVALID_AMOUNT', says: /could not use the amount/ },
  {
    status: 400,
    code: 'AMOUNT_EXCEEDS_REMAINING',
    facts: { remaining_refundable_usd: '2.20', already_refunded_usd: '17.80' },
    says: /17\.80 USD of 20\.00 was already refunded; 2\.20 is left/,
  },
  { status: 400, code: 'INVALID_BODY', says: /could not read the request as a whole/ },
  { status: 404, code: 'SUBSCRIPTION_NOT_FOUND', says: /does not know this subscription/ },
  { status: 409, code: 'NO_PAID_PERIOD', says: /Nothing has been collected on this subscription/ },
  { status: 409, code: 'PERIOD_NOT_REFUNDABLE', facts: { period_status: 'forgiven' }, says: /never collected \(it is forgiven\)/ },
  {
    status: 409,
    code: 'ALREADY_REFUNDED',
    facts: { refunded_amount_usd: '20.00', amount_usd: '20.00' },
    says: /refunded in full before: 20\.00 USD of 20\.00/,
  },
  { status: 409, code: 'PCSTORE_REFUND_NOT_SUPPORTED', says: /only the store can give it back/ },
  { status: 409, code: 'MINT_ORDER_MISSING', says: /cannot find the order/ },
  { status: 409, code: 'NO_PAYMENT_REFERENCE', says: /has no reference to refund by/ },
];

const STAY_OPEN: (Told & { state: string })[] = [
  { status: 502, code: 'REFUND_LOOKUP_FAILED', says: /could not find out what became of the refund/, state: 'Needs two people' },
  { status: 502, code: 'REFUND_MISMATCH', says: /does not match Invo’s record/, state: 'Needs two people' },
  { status: 502, code: 'PROCESSOR_ERROR', says: /processor refused or failed/, state: 'Outcome not known yet' },
  { status: 503, code: 'service_unavailable', says: /unavailable for a moment/, state: 'Outcome not known yet' },
  { status: 503, code: 'FLOW_PAUSED', says: /paused these requests for maintenance/, state: 'Outcome not known yet' },
  { status: 500, code: 'INTERNAL_ERROR', says: /failed on its side/, state: 'Outcome not known yet' },
  {
    status: 429,
    code: 'RATE_LIMITED',
    facts: { retry_after: 40 },
    says: /More than 20 refund requests in a minute/,
    state: 'Will be sent again',
  },
];

const OF_PRICE: Told[] = [
  { status: 409, code: 'SUBSCRIPTION_TERMINAL', says: /The subscription has ended/ },
  {
    status: 409,
    code: 'PCSTORE_REAUTHORIZATION_REQUIRED',
    facts: { current_amount_usd: '60.00', requested_amount_usd: '70.00' },
    says: /cannot be raised from 60\.00 to 70\.00 USD/,
  },
  { status: 503, code: 'paused', says: /has paused changes of price and card/ },
];

const OF_CARD: Told[] = [
  { status: 404, code: 'PAYMENT_METHOD_NOT_FOUND', says: /not among this player’s saved cards/ },
  { status: 400, code: 'PAYMENT_METHOD_EXPIRED', says: /That card has expired/ },
  { status: 400, code: 'PAYMENT_METHOD_INVALID', says: /cannot charge that card/ },
  { status: 400, code: 'PAYMENT_METHOD_REQUIRED', says: /No card was named/ },
  { status: 409, code: 'WALLET_ONLY_SUBSCRIPTION', says: /paid from the wallet only/ },
  { status: 400, code: 'WALLET_ONLY_CONFLICT', says: /cannot be wallet-only and have a card/ },
  { status: 409, code: 'NOT_A_CARD_SUBSCRIPTION', says: /charged through the store, not by card/ },
  { status: 409, code: 'PAYMENT_METHOD_UNAVAILABLE', says: /removed while it was being set/ },
];

// The 429 comes last: it makes everybody of the game wait.
const OF_READS: (Told & { route: string; at: string })[] = [
  {
    route: 'subscription',
    at: 'subscriptions/SUB_1733392800_DESKMIRA',
    status: 400,
    code: 'INVALID_FIELD_VALUE',
    says: /could not read an id or a value/,
  },
  {
    route: 'subscription',
    at: 'subscriptions/SUB_1733392800_DESKMIRA',
    status: 404,
    code: 'SUBSCRIPTION_NOT_FOUND',
    says: /not in this game and environment/,
  },
  { route: 'player-subscriptions', at: 'players/910001', status: 400, code: 'PLAYER_EMAIL_REQUIRED', says: /without an e-mail/ },
  { route: 'player-subscriptions', at: 'players/910001', status: 400, code: 'PLAYER_EMAIL_TOO_LONG', says: /longer than Invo accepts/ },
  { route: 'player-subscriptions', at: 'players/910001', status: 400, code: 'STATUS_INVALID', says: /does not know one of the statuses/ },
  { route: 'player-subscriptions', at: 'players/910001', status: 400, code: 'PAGINATION_INVALID', says: /has no such page/ },
  { route: 'period', at: 'periods/2024128001', status: 404, code: 'PERIOD_NOT_FOUND', says: /not in this game and environment/ },
  { route: 'period', at: 'periods/2024128001', status: 500, code: 'INTERNAL_ERROR', says: /failed on its side|did not answer in time/ },
  {
    route: 'period',
    at: 'periods/2024128001',
    status: 429,
    code: 'rate_limit_exceeded',
    facts: { retry_after: 30 },
    says: /wait|too often/,
  },
];

const OF_REPORTS: Told[] = [
  { status: 400, code: 'WINDOW_INVALID', says: /could not read the window/ },
  { status: 400, code: 'WINDOW_TOO_LONG', says: /longer than the 400 days/ },
  { status: 400, code: 'PAGINATION_INVALID', says: /has no such page/ },
  { status: 400, code: 'RECIPIENT_INVALID', says: /could not read the recipient’s id/ },
  { status: 400, code: 'SUBSCRIPTION_ID_INVALID', says: /could not read the subscription id in the filter/ },
  { status: 400, code: 'STATUS_INVALID', says: /does not know one of the statuses/ },
  { status: 400, code: 'INVALID_FIELD_VALUE', says: /could not read an id or a value/ },
  { status: 404, code: 'SUBSCRIPTION_NOT_FOUND', says: /does not know this subscription/ },
  { status: 500, code: 'INTERNAL_ERROR', says: /Invo failed on its side/ },
  {
    status: 400,
    code: 'WINDOW_TOO_LARGE',
    facts: { settled_renewals: 20_001, max_renewals: 20_000 },
    says: /More than 20,000 renewals or refunds fall on the single instant/,
  },
];

test.use({ role: null });
test.describe.configure({ mode: 'serial' });

let upstream: Upstream;
let sharebook: OwnSharebook;
let page: Page;
let origin: string;
let data: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-test-'));
  upstream = await createUpstream({ now: '2026-11-21T12:00:00Z', secret: SECRET });
  const port = await findPort();
  origin = `http://127.0.0.1:${port}`;
  sharebook = await startSharebook(port, data, {
    INVO_GAME: 'harbour',
    INVO_GAME_NAME: 'Harbour',
    INVO_BASE_URL: upstream.url,
    INVO_GAME_SECRET: SECRET,
  });
  page = await browser.newPage({ baseURL: origin });
  await page.goto(sharebook.lines.find((line) => line.startsWith(`${origin}/set-up?token=`)) ?? '');
  await page.getByLabel('E-mail').fill('ines@harbour.example');
  await page.getByLabel('Your name').fill('Ines Holt');
  await page.getByLabel('Password', { exact: true }).fill('a lighthouse nobody painted twice');
  await page.getByLabel('The same password again').fill('a lighthouse nobody painted twice');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
});
test.beforeEach(() => control('faults', 'DELETE'));
test.afterAll(async () => {
  await page.close();
  await sharebook.stop();
  await upstream.close();
  fs.rmSync(data, { recursive: true, force: true });
});

for (const told of ENDS)
  test(`a refund Invo refuses with ${told.code} ends, and I read why`, async () => {
    await arm('refund', told);
    await askForRefund(2_024_128_001, '1.00');
    await expect(page.getByText('Refused by Invo').first()).toBeVisible();
    await expect(page.getByRole('main')).toContainText(told.says);
    if (told.status !== 404) await expect(page.getByRole('main')).toContainText(NOTHING_REFUNDED);
    await expect(page.getByRole('main')).toContainText(/err_\w+/);
  });

for (const [at, told] of STAY_OPEN.entries())
  test(`a refund Invo answers with ${told.code} stays open, and I read what is safe`, async () => {
    await arm('refund', told, 100);
    await askForRefund(2_026_010_001 + at * 10_000, '1.00');
    await expect(page.getByText(told.state).first()).toBeVisible();
    await expect(page.getByRole('main')).toContainText(told.says);
  });

for (const told of OF_PRICE)
  test(`a new price Invo answers with ${told.code} is told beside the form`, async () => {
    await arm('amount', told);
    await page.goto('/harbour/subscriptions/SUB_1733392800_DESKMIRA/price');
    await page.getByLabel('New price, USD').fill('70');
    await page.getByRole('button', { name: 'Change the price…' }).click();
    await page.getByRole('button', { name: 'Stage 70.00 USD' }).click();
    await expect(page.getByRole('main')).toContainText(told.says);
  });

for (const told of OF_CARD)
  test(`a card Invo answers with ${told.code} is told beside the form`, async () => {
    await arm('payment-method', told);
    await page.goto('/harbour/subscriptions/SUB_1733392800_DESKMIRA/card');
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Change the card…' }).click();
    await page.getByRole('button', { name: /^Use / }).click();
    await expect(page.getByRole('main')).toContainText(told.says);
  });

test('a page whose reading Invo refuses says so', async () => {
  test.setTimeout(120_000);
  await page.goto('/harbour/subscriptions/SUB_1733392800_DESKMIRA');
  await page.getByRole('link', { name: /Mira/ }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Player 910001' })).toBeVisible();
  for (const { route, at, ...told } of OF_READS)
    await test.step(`${told.code} at ${at}`, async () => {
      await control('faults', 'DELETE');
      await arm(route, told, 100);
      await page.goto(`/harbour/${at}`);
      await expect(page.getByRole('main')).toContainText(told.says);
    });
});

test('a pull that Invo refuses says so on the page of its month', async () => {
  test.setTimeout(180_000);
  for (const [at, told] of OF_REPORTS.entries())
    await test.step(String(told.code), async () => {
      await control('faults', 'DELETE');
      await arm('attribution', told, 100);
      await pull(`2025-${String(at + 1).padStart(2, '0')}`);
      await expect(page.getByRole('main')).toContainText(told.says, { timeout: 60_000 });
    });
});

async function control(name: string, method: 'POST' | 'DELETE', body?: unknown): Promise<void> {
  const answer = await fetch(`${upstream.controlUrl}/${name}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`control ${name}: ${answer.status} ${await answer.text()}`);
}

async function arm(route: string, { status, code, facts }: Pick<Told, 'status' | 'code' | 'facts'>, times = 1): Promise<void> {
  await control('faults', 'POST', [{ kind: 'refuse', match: { route }, status, code, times, ...(facts === undefined ? {} : { facts }) }]);
}

/** Asks for a part of a period, through the form and its confirmation. */
async function askForRefund(periodId: number, amount: string): Promise<void> {
  await page.goto(`/harbour/periods/${periodId}/refund`);
  await page.getByLabel('A part of it').check();
  await page.getByRole('textbox', { name: /USD/ }).fill(amount);
  await page.getByLabel('Reason').selectOption({ label: 'Goodwill' });
  await page.getByRole('button', { name: `Refund ${amount} USD…` }).click();
  await page.getByRole('button', { name: `Refund ${amount} USD`, exact: true }).click();
  await page.waitForURL(/\/refunds\/\d+$/);
}

async function pull(month: string): Promise<void> {
  await page.goto(`/harbour/months/${month}`);
  await page
    .getByRole('button', { name: /^Pull / })
    .first()
    .click();
}
