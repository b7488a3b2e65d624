import pg from 'pg';
import type { Page } from 'playwright/test';
import { join } from '#e2e/observability/second-web.ts';
import { findTexts, readStoredTexts } from '#e2e/support/db/stored-texts.ts';
import { expect, test } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control, ownData, readSecrets } from '../pages/simulated-invo.ts';

test.use({ role: 'admin', world: 'canaries' });

/** What only someone who holds it should know: planted in deliveries and in answers of Invo. React's own version is another canary. */
const CANARY = /canary(?!-[\da-f]{8}-\d{8}\b)[-_a-z\d]*/i;
/** Phone numbers in answers of Invo and in deliveries. The signed bytes of a delivery may hold them: only who may read evidence is shown those. */
const PHONE = /15112345678|15198765432|15550100199|1 555 0100 199/;

const PLANTED = [
  { type: 'transfer.claim_pending', data: { transaction_id: 'TRF_CLAIM', claim_code: 'canary-claim', token: { value: 'canary-token' } } },
  {
    type: 'purchase.completed',
    data: { order_id: 'ORD_BREE_03', client_secret: 'canary-client', checkout_url: 'https://pay.test/canary-link' },
  },
  { type: 'wallet.migrated', data: { wallets: [{ backup_codes: ['canary-backup'] }], otp: 'canary-otp' } },
  { type: 'purchase.failed', data: { order_id: 'ORD_BREE_04', metadata: { device_code: 'canary-device', sms_pin: 'canary-pin' } } },
];
const WAYS = [[], ['other_tenant'], ['stale_301'], ['bad_signature'], ['unknown_type'], ['duplicate_json_key'], ['bom'], ['seven_times']];

/** Pages that show deliveries and what they are about; each is opened twice, the second time without a browser around it. */
const PAGES = [
  '/demo/webhooks',
  '/demo/webhooks?show=conflict',
  '/demo/transfers',
  '/demo/transfers/TRF_CLAIM',
  '/demo/transfers/TRF_IN',
  '/demo/transfers/TRF_MINOR',
  '/demo/orders/ORD_BREE_02',
  '/demo/orders/ORD_BREE_03',
  '/demo/orders/ORD_BREE_04',
  '/demo/players/910023',
  '/demo/players/910023/loyalty',
  '/demo/players/910024/orders',
  '/demo/players/910023/transfers',
  '/demo/refunds',
  '/demo/periods/2026100002',
  '/settings',
  '/audit',
];
const FILES = ['/demo/lists/deliveries/file', '/demo/lists/refunds/file', '/audit/export', '/metrics', '/readyz', '/healthz'];

test('no secret, code, link or phone number is in the database, the log, a page, an address, a file or a metric', {
  tag: '@proof',
}, async ({ browser, page, sharebook, signedIn }) => {
  test.setTimeout(300_000);
  const secrets = readSecrets();
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(4);
  const support = await (await browser.newContext({ baseURL: sharebook.origin, storageState: await signedIn('support') })).newPage();
  const seen: Seen = [];
  for (const each of [page, support]) watchBodies(each, seen);
  await plant();
  await new RefundForm(page).request(2024128008, 'rest', 'Refund $45.00');
  const { env } = await join(ownData());
  const database = new pg.Client({ connectionString: env['DATABASE_URL'] });
  await database.connect();
  try {
    const dueCount = async () => (await database.query(`select 1 from delivery_read where due_at is not null`)).rowCount;
    await expect.poll(dueCount, { message: 'what the deliveries opened is read', timeout: 60_000 }).toBe(0);
    const { rows: deliveries } = await database.query<{ delivery_id: number }>('select delivery_id from delivery order by 1');
    expect(deliveries.length).toBeGreaterThan(20);
    await lookUp(page, ['asa.venn@players.example', 'bree.okoro@players.example']);
    for (const address of PAGES) await page.goto(address);
    const read = async (by: Page, address: string): Promise<void> => {
      const answer = await by.request.get(address);
      expect(answer.status(), address).toBe(200);
      seen.push([`answer ${address}`, await answer.text()]);
    };
    for (const address of [...PAGES, ...FILES]) await read(page, address);
    // Support may read deliveries and not their signed bytes.
    for (const { delivery_id: id } of deliveries) await read(support, `/demo/webhooks/${id}`);
    const outputs: [string, string][] = [
      ...(await Promise.all(seen.map(async ([where, text]): Promise<[string, string]> => [where, await text]))),
      ...sharebook.log.map((line): [string, string] => ['log', line]),
    ];
    expect(outputs.filter(([where]) => where === 'log').length).toBeGreaterThan(2);
    const stored = await readStoredTexts(database);
    expect(findTexts(stored, /ORD_BREE_03/), 'the search sees what is stored, zipped or not').toEqual(
      expect.arrayContaining(['delivery_subject.id_text: ORD_BREE_03', 'detail_read.body: ORD_BREE_03']),
    );
    const all = [...outputs, ...stored];
    expect(findTexts(all, CANARY)).toEqual([]);
    expect(findTexts(all, PHONE).filter((hit) => !hit.startsWith('delivery.body:'))).toEqual([]);
    expect(
      findTexts(
        outputs.filter(([where]) => where === 'address'),
        /@|%40/i,
      ),
      'no email is part of an address',
    ).toEqual([]);
    for (const [name, secret] of Object.entries(secrets)) expect(findTexts(all, new RegExp(escaped(secret))).map(() => name)).toEqual([]);
  } finally {
    await database.end();
    await support.context().close();
  }
});

/** Deliveries and answers with a canary in each field that may carry one. */
async function plant(): Promise<void> {
  await control('shape', { loyalty: 'full_code', 'transfer-status': 'test_code', 'approval-status': 'extra' });
  for (const [nth, { type, data }] of PLANTED.entries()) {
    for (const mangles of WAYS)
      await control('deliveries/send', { event_type: type, data: { ...data, note: `${nth} ${mangles[0]}` }, mangles });
    // The same key with another code: a conflict shows both, and neither code.
    for (const code of ['canary-one', 'canary-other'])
      await control('deliveries/send', { event_type: type, key: `whk_canaries_${nth}`, data: { ...data, claim_code: code } });
  }
  const phones = { phone: '+15550100199', shared: { 'contact.phone': ['+15550100199'], says: '+1 555 0100 199' } };
  await control('deliveries/send', { event_type: 'transfer.received', data: { transaction_id: 'TRF_IN', ...phones } });
}

async function lookUp(page: Page, emails: string[]): Promise<void> {
  for (const email of emails) {
    await page.goto('/demo/months');
    await new SearchBox(page).search(email);
    await page.waitForURL(/\/demo\/players\/\d+/);
  }
}

/** What was seen and where. */
type Seen = [where: string, text: string | Promise<string>][];

/** Everything the browser requests and receives: addresses and bodies. */
function watchBodies(page: Page, seen: Seen): void {
  page.on('request', (request) => seen.push(['address', request.url()]));
  page.on('response', (answer) => {
    if (answer.status() < 300) seen.push([`page ${new URL(answer.url()).pathname}`, answer.text().catch(() => '')]);
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
