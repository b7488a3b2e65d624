import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { join } from '#e2e/observability/second-web.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { expect, test } from '../fixtures.ts';
import { Authenticator } from '../pages/authenticator.ts';
import { DEMO, type DemoRole } from '../pages/demo-people.ts';
import { RefundForm, UNKNOWN_COINS } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { signInWith } from '../pages/sign-in-page.ts';
import { control, ownData } from '../pages/simulated-invo.ts';

const PASSWORD = 'simulated data only';
const SET_UP = '/sign-in/second-factor';

test.use({ world: 'second factor', role: null });

// One story: each test continues where the one before ended.
test.describe.configure({ mode: 'serial' });
const phones: Partial<Record<DemoRole, Authenticator>> = {};
/** Fiona's. */
let backupCodes: string[] = [];

test('an admin can’t require two-factor authentication for a role of their own before they have it', { tag: '@proof' }, async ({
  pageOf,
}) => {
  const ada = await pageOf('admin');
  await requireFor(ada, 'Finance');
  await expect(requirement(ada)).toContainText('You have one of these roles. Set up two-factor authentication for yourself first');
  await ada.getByRole('link', { name: 'Your account' }).first().click();
  await expect(ada.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  phones.admin = await setUp(ada);
  await listBackupCodes(ada);
  await ada.getByRole('button', { name: 'I saved my backup codes' }).click();
  await expect(ada.getByText('10 of 10')).toBeVisible();
});

test('a person whose role requires it is led to the set-up, and reaches nothing else until it is done', { tag: '@proof' }, async ({
  pageOf,
}) => {
  const [ada, fiona] = [await pageOf('admin'), await pageOf('finance')];
  await requireFor(ada, 'Finance');
  await expect(requirement(ada)).toContainText('Required for Finance.');
  const finance = requirement(ada).getByRole('row', { name: /^Finance/ });
  await expect(finance).toContainText('1 of 2');
  await expect(finance).toContainText('Fiona Hale Can’t use Sharebook');

  await fiona.goto('/demo/months');
  await expect(fiona).toHaveURL(SET_UP);
  await expect(fiona.getByText('Required for your role Finance. Sharebook opens once it is set up.')).toBeVisible();
  const addresses = listAddresses();
  expect(addresses.length).toBeGreaterThan(40);
  for (const { address, method } of addresses) {
    const answer = await fiona.request.fetch(address, { method, maxRedirects: 0, headers: { origin: new URL(fiona.url()).origin } });
    expect([401, 307], address).toContain(answer.status());
    if (answer.status() === 307) expect(answer.headers()['location'], address).toBe(SET_UP);
    expect(await answer.text(), address).not.toMatch(/Aurora|Halcyon/);
  }

  await fiona.goto(SET_UP);
  phones.finance = await setUp(fiona);
  backupCodes = await listBackupCodes(fiona);
  await fiona.getByRole('button', { name: 'Continue to Sharebook' }).click();
  await expect(fiona.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await fiona.goto('/settings/account');
  await expect(fiona.getByText('Required for your role Finance. You can’t turn it off.')).toBeVisible();
  for (const code of backupCodes) expect(await fiona.content()).not.toContain(code);
});

test('signing in requires a code after the password, and the form says what is wrong with one', { tag: '@proof' }, async ({ pageOf }) => {
  const fiona = await pageOf(null);
  await fiona.goto('/demo/recipients');
  await signInWith(fiona, DEMO.finance.email, PASSWORD);
  await expect(fiona.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible();
  const enter = async (code: string): Promise<void> => await enterCode(fiona, code);
  const wrong = fiona.getByRole('main').getByRole('alert');
  await enter('12345');
  await expect(wrong).toHaveText('Enter the six digits your app shows, or a backup code of 16 letters and digits.');
  expect((await fiona.request.get('/demo/months', { maxRedirects: 0 })).headers()['location']).toContain('/sign-in?');
  const code = phones.finance?.newest() ?? '';
  await enter(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(fiona).toHaveURL('/demo/recipients');

  await fiona.getByRole('button', { name: 'Sign out' }).click();
  await fiona.getByRole('button', { name: DEMO.finance.name }).click();
  await enter(code);
  await expect(wrong).toHaveText('This code was already used. Wait until your app shows the next one.');
  await enter(backupCodes[0]?.toUpperCase() ?? '');
  await expect(fiona.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await fiona.getByRole('button', { name: 'Sign out' }).click();
  await fiona.getByRole('button', { name: DEMO.finance.name }).click();
  await enter(backupCodes[0] ?? '');
  await expect(wrong).toHaveText('This backup code was already used. Each one works once. Enter another one.');
});

test('an approval requires password and code together, and what was entered stays in the form', { tag: '@proof' }, async ({ pageOf }) => {
  test.setTimeout(180_000);
  await control('reset');
  const sami = await pageOf('support');
  const refundId = await new RefundForm(sami).request(2024128001, 'rest', 'Request refund of $60.00');
  const fiona = await pageOf('finance');
  const theirs = new RefundPage(fiona);
  await theirs.open(refundId);
  await query(`update person_session set proved_at = proved_at - interval '5 minutes 1 second'`);
  const approve = theirs.button('Approve refund of $60.00');
  const understood = theirs.actions.getByRole('checkbox', { name: UNKNOWN_COINS });
  await understood.check();
  await approve.click();
  const [password, code] = [theirs.actions.getByLabel('Your password'), theirs.actions.getByLabel('Code', { exact: true })];
  await expect(theirs.actions).toContainText('Enter your password and a code to continue.');
  await password.fill(PASSWORD);
  await code.fill('000 00');
  await approve.click();
  await expect(theirs.actions).toContainText('Enter the six digits your app shows');
  await expect(password).toHaveValue(PASSWORD);
  // A code of the app would have to wait for its turn; each backup code works once.
  const right = backupCodes[1] ?? '';
  await password.fill('not the password');
  await code.fill(right);
  await approve.click();
  await expect(theirs.actions).toContainText('Incorrect password. Nothing was changed.');
  await expect(code).toHaveValue(right);
  await expect(understood).toBeChecked();
  await password.fill(PASSWORD);
  await approve.click();
  await theirs.expectState('Refunded');
});

test('an admin resets it for someone who lost their phone, which signs them out and makes them set it up again', { tag: '@proof' }, async ({
  pageOf,
}) => {
  const fiona = await pageOf('finance');
  const ada = await pageOf('admin');
  await ada.goto('/settings');
  await ada.getByRole('row').filter({ hasText: DEMO.finance.email }).getByRole('button', { name: 'Edit Fiona Hale' }).click();
  const dialog = ada.getByRole('dialog', { name: 'Fiona Hale' });
  await dialog.getByRole('button', { name: 'Reset two-factor authentication' }).click();
  await expect(dialog).toContainText('Not set up.');
  await ada.reload();
  await expect(ada.getByRole('row').filter({ hasText: DEMO.finance.email })).toContainText('Required, not set up');
  await fiona.goto('/demo/months');
  await expect(fiona.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();
  await fiona.getByRole('button', { name: DEMO.finance.name }).click();
  await expect(fiona).toHaveURL(SET_UP);
  await ada.goto('/audit?act=two-factor');
  for (const act of [
    'reset two-factor authentication',
    'turned on two-factor authentication',
    'changed which roles need two-factor authentication',
  ])
    await expect(ada.getByRole('row').filter({ hasText: act }).first()).toBeVisible();
  await ada.goto('/audit?act=wrong+code');
  await expect(ada.getByRole('row').filter({ hasText: DEMO.finance.email }).first()).toBeVisible();
});

test('I turn it off with my password and a code once no role of mine requires it', { tag: '@proof' }, async ({
  pageOf,
  expectAccessible,
}) => {
  const ada = await pageOf('admin');
  await ada.goto('/settings');
  await requirement(ada)
    .getByRole('checkbox', { name: /^Finance/ })
    .uncheck();
  await requirement(ada).getByRole('button', { name: 'Save requirement' }).click();
  await expect(requirement(ada)).toContainText('No role requires two-factor authentication.');
  await ada.goto('/settings/account');
  await expectAccessible(ada);
  const off = ada.getByRole('region', { name: 'Turn off' });
  await off.getByLabel('Your password').fill(PASSWORD);
  await off.getByLabel('Code', { exact: true }).fill('12345');
  await off.getByRole('button', { name: 'Turn off two-factor authentication' }).click();
  await expect(off).toContainText('Enter the six digits your app shows');
  await off.getByLabel('Code', { exact: true }).fill((await phones.admin?.next()) ?? '');
  await off.getByRole('button', { name: 'Turn off two-factor authentication' }).click();
  await expect(ada.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible();
});

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Sets it up on the page that offers it, with the key as it is shown. Ends with the backup codes. */
async function setUp(page: Page): Promise<Authenticator> {
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  const key = page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await expect(key).toBeVisible();
  const phone = new Authenticator(await key.innerText());
  await page.getByLabel('Code', { exact: true }).fill('12 34');
  await page.getByRole('button', { name: 'Turn on two-factor authentication' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Enter the six digits your app shows.' })).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(await phone.next());
  await page.getByRole('button', { name: 'Turn on two-factor authentication' }).click();
  await expect(page.getByRole('region', { name: 'Two-factor authentication is on' })).toBeVisible();
  return phone;
}

async function listBackupCodes(page: Page): Promise<string[]> {
  const codes = await page.getByRole('region', { name: 'Backup codes' }).getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  return codes;
}

function requirement(page: Page): Locator {
  return page.getByRole('region', { name: 'Two-factor authentication', exact: true });
}

async function requireFor(page: Page, role: string): Promise<void> {
  await page.goto('/settings');
  await requirement(page)
    .getByRole('checkbox', { name: new RegExp(`^${role}`) })
    .check();
  await requirement(page).getByRole('button', { name: 'Save requirement' }).click();
}

const PARAMETERS: Record<string, string> = {
  game: 'demo',
  month: '2026-10',
  sheet: 'recipients',
  part: 'recipients',
  playerId: '500001',
  periodId: '2026100013',
  subscriptionId: 'SUB_1733565600_DESKTHEO',
  refundId: '1',
  runNo: '1',
  pull: '1',
  job: '1',
  format: 'csv',
  layout: 'generic',
};
// Webhooks are signed: nobody signs in for them.
const OPEN = /^\/(sign-in|set-up|healthz|readyz|metrics|api)(\/|$)/;

/** Every page and every route of Sharebook that isn't open to everybody. */
function listAddresses(): { address: string; method: 'GET' | 'POST' }[] {
  const app = path.resolve(import.meta.dirname, '../../app');
  return fs
    .globSync('**/{page.tsx,route.ts}', { cwd: app })
    .map((file) => ({ address: addressOf(file), method: methodOf(fs.readFileSync(path.join(app, file), 'utf8')) }))
    .filter(({ address }) => !OPEN.test(address));
}

function addressOf(file: string): string {
  const address = `/${path.dirname(file)}`.replace(/\/\.$/, '/');
  return address.replaceAll(/\[(\w+)\]/g, (_, name: string) => PARAMETERS[name] ?? `no value for ${name}`);
}

/** A route that only receives something has no GET. */
function methodOf(code: string): 'GET' | 'POST' {
  return /export (async function|const) POST\b/.test(code) && !/export (async function|const) GET\b/.test(code) ? 'POST' : 'GET';
}

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
