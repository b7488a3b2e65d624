import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runSharebook } from '#e2e/runner/run-sharebook.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control, readSecrets, simulatedInvoUrl } from '../pages/simulated-invo.ts';

const PASSWORD = 'a lighthouse nobody painted twice';

test.use({ role: null });
test.setTimeout(180_000);

test('a search without a result in this game continues in the other game with one key', async ({ page, allowConsoleError }) => {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  allowConsoleError(new RegExp(`^call to ${origin}$`));
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-test-'));
  const sandbox = { url: `${simulatedInvoUrl()}/sandbox`, secret: readSecrets()['simulatedSandboxGame'] ?? '' };
  const file = path.join(data, 'games.json');
  const games = [
    {
      slug: 'harbour',
      name: 'Harbour',
      environment: 'production',
      baseUrl: simulatedInvoUrl(),
      gameSecret: readSecrets()['simulatedGame'],
    },
    { slug: 'harbour-sandbox', name: 'Harbour', environment: 'sandbox', baseUrl: sandbox.url, gameSecret: sandbox.secret },
  ];
  fs.writeFileSync(file, JSON.stringify(games));
  const own = await runSharebook(port, data, { SHAREBOOK_GAMES_FILE: file });
  try {
    const { email, playerId, periodId, subscriptionId } = await findTestPlayer(sandbox);
    await page.goto(own.lines.find((line) => line.startsWith(`${origin}/set-up?token=`)) ?? '');
    await page.getByLabel('Email').fill('ines@harbour.example');
    await page.getByLabel('Your name').fill('Ines Holt');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
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
    await page.goto(`${origin}/harbour/periods/${periodId}`);
    const other = page.getByRole('link', { name: 'View in Harbour, sandbox' });
    await expect(other).toHaveAttribute('href', `/harbour-sandbox/periods/${periodId}`);
    await page.goto(`${origin}/harbour/subscriptions/${subscriptionId}`);
    await expect(other).toHaveAttribute('href', `/harbour-sandbox/subscriptions/${subscriptionId}`);
    await page.goto(`${origin}/harbour/months`);
    await box.search('wren.ashby@players.example');
    await page.getByRole('navigation', { name: 'Parts of this player' }).getByRole('link', { name: 'Subscriptions' }).click();
    await expect(page.getByText('This player exists and has no subscriptions.')).toBeVisible();
    await control('faults', [{ kind: '404', code: 'PLAYER_NOT_FOUND', times: 5, match: { route: 'balances', environment: 'production' } }]);
    await page.reload();
    const notice = page.getByRole('region', { name: 'Invo has no player with this email' });
    await notice.getByRole('button', { name: 'Search in Harbour, sandbox' }).click();
    await expect(box.input).toHaveValue('wren.ashby@players.example');
    await expect(box.answer).toContainText('No such player');
    expect(page.url()).not.toContain('wren');
  } finally {
    await control('faults', {}, 'DELETE');
    await page.goto('about:blank');
    await own.stop();
    fs.rmSync(data, { recursive: true, force: true });
  }
});

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
