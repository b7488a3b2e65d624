import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { runOperatorCommand, runSharebook } from '#e2e/runner/run-sharebook.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { expect, test } from '../fixtures.ts';
import { DEMO } from '../pages/demo-people.ts';
import { SearchBox } from '../pages/search-box.ts';
import { signInWith } from '../pages/sign-in-page.ts';
import { control, readSecrets, simulatedInvoUrl } from '../pages/simulated-invo.ts';

const PASSWORD = 'a lighthouse nobody painted twice';

test.use({ role: null });
test.setTimeout(180_000);

test('a real game starts with one link for the first admin and no data, and a second game is searched from the first', {
  tag: '@proof',
}, async ({ page, browser, allowConsoleError }) => {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  allowConsoleError(new RegExp(`^call to ${origin}$`));
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-test-'));
  const game = {
    INVO_GAME: 'harbour',
    INVO_GAME_NAME: 'Harbour',
    INVO_BASE_URL: simulatedInvoUrl(),
    INVO_GAME_SECRET: readSecrets()['simulatedGame'] ?? '',
  };
  const first = await runSharebook(port, data, game);
  try {
    const link = first.lines.find((line) => line.startsWith(`${origin}/set-up?token=`)) ?? '';
    await page.goto(`${origin}/sign-in`);
    await expect(page.getByText('Simulated data')).toHaveCount(0);
    await expect(page.getByText(DEMO.finance.name)).toHaveCount(0);
    await signInWith(page, DEMO.admin.email, 'simulated data only');
    await expect(page.getByText('Incorrect email or password.')).toBeVisible();

    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1, name: 'Set up Sharebook' })).toBeVisible();
    await page.getByLabel('Email').fill('ines@harbour.example');
    await page.getByLabel('Your name').fill('Ines Holt');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    // An admin begins at the overview, which leads to the months.
    await page.getByRole('link', { name: 'View months' }).click();
    await expect(page.getByRole('heading', { name: 'No months yet' })).toBeVisible();

    // How far back to pull is chosen once, and nothing is pulled before it is confirmed.
    const history = page.getByRole('region', { name: 'Pull the history of this game' });
    await history.getByLabel('Months to pull').fill('2');
    await history.getByRole('button', { name: 'Estimate calls' }).click();
    await expect(history.getByText(/^About \d+ calls? and \d+ minutes?, going by/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No months yet' })).toBeVisible();
    await history.getByRole('button', { name: 'Pull 2 months' }).click();
    await expect(page.getByRole('region', { name: 'Coverage' })).toBeVisible();
    await expect(history).toHaveCount(0);
    await page.getByRole('button', { name: 'Pause scheduled pulls' }).click();
    await expect(page.getByRole('region', { name: 'Scheduled pulls are paused' })).toBeVisible();
    await page.getByRole('button', { name: 'Resume scheduled pulls' }).click();
    await expect(page.getByRole('region', { name: 'Scheduled pulls are paused' })).toHaveCount(0);

    await page.getByLabel('Month', { exact: true }).fill('2026-10');
    await page.getByRole('button', { name: 'Pull a month' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'October 2026' })).toBeVisible();
    await expect(page.getByRole('main').getByText('Reconciled', { exact: true })).toBeVisible({ timeout: 90_000 });

    // A founder: invited by the admin, confirmed by the operator, who is also the second for the role. A link shown to the admin takes that away.
    await page.goto(`${origin}/settings`);
    await page.getByRole('button', { name: 'Add person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add person' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill('finn@harbour.example');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Finn Roe');
    await dialog.getByRole('checkbox', { name: /^Viewer/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /^Finance/ }).check();
    await dialog.getByRole('button', { name: 'Add person' }).click();
    // Signing in doesn't count as the password that this needs.
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Add person' }).click();
    const invitation = await dialog.getByText(/\/set-up\?token=/).innerText();
    const confirm = (): string => runOperatorCommand(['confirm-person'], data, game, 'finn@harbour.example\n');
    expect(confirm, 'anyone with the link could set the password').toThrow('They haven’t set a password yet');
    const his = await (await browser.newContext({ baseURL: origin })).newPage();
    await his.goto(invitation.trim());
    await his.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await his.getByLabel('Repeat password').fill(PASSWORD);
    await his.getByRole('button', { name: 'Set password and sign in' }).click();
    await expect(his.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'finn@harbour.example' });
    await expect(row).toContainText('Not confirmed');
    expect(confirm()).toMatch(
      /^Finn Roe’s account is confirmed: it counts where two people are needed\.\nPassword set at 20\S+\. If Finn Roe doesn’t know of this, disable the account in Settings\.\nRoles given: Finance\.\n$/,
    );
    await page.reload();
    await expect(row).toContainText('Invited by Ines Holt, confirmed by the operator');
    await page.getByRole('button', { name: 'Edit Finn Roe' }).click();
    await page.getByRole('dialog', { name: 'Finn Roe' }).getByRole('button', { name: 'Create password link' }).click();
    await expect(page.getByRole('dialog', { name: 'Finn Roe' }).getByText(/\/set-up\?token=/)).toBeVisible();
    await page.reload();
    await expect(row).toContainText('confirmed by the operator, password link by Ines Holt');
    await expect(page.getByRole('region', { name: 'Waiting for approval' })).toContainText(
      'You created its link, reset or enabled it, so someone else must confirm it.',
    );
    await his.goto(`${origin}/sign-in`);
    await signInWith(his, 'finn@harbour.example', PASSWORD);
    await expect(his.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await his.goto(`${origin}/settings`);
    await expect(his.getByText('Your account isn’t confirmed')).toBeVisible();
    await his.context().close();

    await page.context().clearCookies();
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1, name: /^(This link was already used|An admin already exists)$/ })).toBeVisible();
  } finally {
    await page.goto('about:blank');
    await first.stop();
  }
  // The next start has a second game beside it.
  const sandbox = { url: `${simulatedInvoUrl()}/sandbox`, secret: readSecrets()['simulatedSandboxGame'] ?? '' };
  const file = path.join(data, 'games.json');
  const harbour = { slug: 'harbour', name: 'Harbour', environment: 'production', baseUrl: game.INVO_BASE_URL };
  const games = [
    { ...harbour, gameSecret: game.INVO_GAME_SECRET },
    { ...harbour, slug: 'harbour-sandbox', environment: 'sandbox', baseUrl: sandbox.url, gameSecret: sandbox.secret },
  ];
  fs.writeFileSync(file, JSON.stringify(games));
  const second = await runSharebook(port, data, { SHAREBOOK_GAMES_FILE: file });
  try {
    expect(second.lines.join('\n')).not.toContain('/set-up');
    await page.goto(`${origin}/harbour/months/2026-10`);
    await signInWith(page, 'ines@harbour.example', PASSWORD);
    await expect(page.getByRole('main').getByText('Reconciled', { exact: true })).toBeVisible();
    await searchBothGames(page, origin, sandbox);
  } finally {
    await control('faults', {}, 'DELETE');
    await page.goto('about:blank');
    await second.stop();
    fs.rmSync(data, { recursive: true, force: true });
  }
});

/** A search without a result in this game continues in the other game with one key, and no email enters an address. */
async function searchBothGames(page: Page, origin: string, sandbox: { url: string; secret: string }): Promise<void> {
  const { email, playerId, periodId, subscriptionId } = await findTestPlayer(sandbox);
  await page.goto(`${origin}/harbour/months`);
  const box = new SearchBox(page);
  await box.search(email);
  await expect(box.answer).toContainText('in this game and environment');
  await expect(box.choices).toHaveText([/^Search in Harbour, sandbox/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${origin}/harbour-sandbox/players/${playerId}`);
  await expect(page.getByText('Sandbox of Harbour. No real money moved.')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await page.goto(`${origin}/harbour/months`);
  await page.getByRole('complementary', { name: 'Sidebar' }).getByRole('button', { name: 'Harbour' }).click();
  await page.getByRole('navigation', { name: 'Games' }).getByRole('link', { name: 'Sandbox' }).click();
  await expect(page).toHaveURL(`${origin}/harbour-sandbox`);
  await page.goto(`${origin}/harbour/periods/${periodId}`);
  const other = page.getByRole('link', { name: 'View in Harbour, sandbox' });
  await expect(other).toHaveAttribute('href', `/harbour-sandbox/periods/${periodId}`);
  await page.goto(`${origin}/harbour/subscriptions/${subscriptionId}`);
  await expect(other).toHaveAttribute('href', `/harbour-sandbox/subscriptions/${subscriptionId}`);
  await page.goto(`${origin}/harbour/months`);
  await box.search('wren.ashby@players.example');
  await page.getByRole('navigation', { name: 'Parts of this player' }).getByRole('link', { name: 'Subscriptions' }).click();
  // The overview has the same sentence, and shows a wallet read within the last minute again.
  await expect(page).toHaveURL(/\/subscriptions$/);
  await expect(page.getByText('This player exists and has no subscriptions.')).toBeVisible();
  await control('faults', [{ kind: '404', code: 'PLAYER_NOT_FOUND', times: 5, match: { route: 'balances', environment: 'production' } }]);
  await page.reload();
  const notice = page.getByRole('region', { name: 'Invo has no player with this email' });
  await notice.getByRole('button', { name: 'Search in Harbour, sandbox' }).click();
  await expect(box.input).toHaveValue('wren.ashby@players.example');
  await expect(box.answer).toContainText('No such player');
  expect(page.url()).not.toContain('wren');
}

interface TestPlayer {
  email: string;
  playerId: number;
  periodId: number;
  subscriptionId: string;
}

/** A player that only the sandbox has, with one of their periods and its subscription. */
async function findTestPlayer(sandbox: { url: string; secret: string }): Promise<TestPlayer> {
  const ask = async (path: string): Promise<unknown> =>
    await (await fetch(`${sandbox.url}/api/subscriptions/${path}`, { headers: { 'x-game-secret-key': sandbox.secret } })).json();
  const report = (await ask('reporting/attribution?start=2026-10-01&end=2026-11-01&limit=1')) as {
    recipients: { periods: { period_id: number; subscription_id: string }[] }[];
  };
  const line = report.recipients[0]?.periods[0];
  const { subscription } = (await ask(`${line?.subscription_id}?include_player=true`)) as {
    subscription: { player: { player_id: number; player_email: string } };
  };
  const { player_email: email, player_id: playerId } = subscription.player;
  return { email, playerId, periodId: line?.period_id ?? 0, subscriptionId: line?.subscription_id ?? '' };
}
