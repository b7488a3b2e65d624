import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { runOperatorCommand, runSharebook } from '#e2e/runner/run-sharebook.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { expect, test } from '../fixtures.ts';
import { DEMO } from '../pages/demo-people.ts';
import { signInWith } from '../pages/sign-in-page.ts';
import { readSecrets, simulatedInvoUrl } from '../pages/simulated-invo.ts';

const PASSWORD = 'a lighthouse nobody painted twice';

test.use({ role: null });
test.setTimeout(180_000);

test('a real game starts with one link for the first admin, no data and no demo people', async ({ page, browser, allowConsoleError }) => {
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
    expect(confirm()).toBe('Finn Roe’s account is confirmed: it counts where two people are needed.\nRoles given: Finance.\n');
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
    await signInWith(await opened(his, `${origin}/sign-in`), 'finn@harbour.example', PASSWORD);
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
  const second = await runSharebook(port, data, game);
  try {
    expect(second.lines.join('\n')).not.toContain('/set-up');
    await page.goto(`${origin}/harbour/months/2026-10`);
    await signInWith(page, 'ines@harbour.example', PASSWORD);
    await expect(page.getByRole('main').getByText('Reconciled', { exact: true })).toBeVisible();
  } finally {
    await page.goto('about:blank');
    await second.stop();
    fs.rmSync(data, { recursive: true, force: true });
  }
});

/** A page once it has opened an address. */
async function opened(page: Page, address: string): Promise<Page> {
  await page.goto(address);
  return page;
}
