import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '#e2e/fixtures.ts';
import { RefundForm } from '#e2e/pages/refund-form.ts';
import { RefundPage } from '#e2e/pages/refund-page.ts';
import { signInAs } from '#e2e/pages/sign-in-page.ts';
import { ownData } from '#e2e/pages/simulated-invo.ts';
import { runSharebook } from '#e2e/runner/run-sharebook.ts';
import { copySeed, FIXED_NOW, removeData } from '#e2e/runner/seeded-data.ts';
import { startReplica } from '#e2e/support/start/postgres-pair.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { processVariables, waitUntilReady, webPlan } from '#lib/start/serve.ts';
import { join, launch, stop } from './second-web.ts';

/** Hugo Lind's card payment, whose refunds succeed. */
const PERIOD = 2024128015;

test('tables and files of a complete month come from the read replica, and a sign-in and a refund send it nothing', {
  tag: '@proof',
}, async ({ browser }) => {
  test.setTimeout(240_000);
  const data = `${ownData()}-replica`;
  copySeed(data);
  const first = await runSharebook(await findFreePort(), data, { SHAREBOOK_NOW: FIXED_NOW });
  const joined = await join(data);
  const server = await startPostgres({ folder: path.join(data, 'postgres') });
  const replica = await startReplica(server, ['log_statement=all']);
  const readUrl = replica.databaseUrl(new URL(joined.env['DATABASE_URL'] ?? '').pathname.slice(1));
  const port = await findFreePort();
  const second = { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` };
  const variables = { ...processVariables(joined.env, second, 'production'), DATABASE_READ_URL: readUrl };
  const web = launch(webPlan(second, variables));
  const newContext = () => browser.newContext({ baseURL: second.url, storageState: { cookies: [], origins: [] } });
  const contexts = [await newContext(), await newContext(), await newContext()] as const;
  const log = path.join(replica.dataFolder, 'server.log');
  try {
    await waitUntilReady(second);
    const page = await contexts[0].newPage();
    await signInAs(page, 'finance');
    // On a busy machine the replica may answer too late once, and is left alone for a while then.
    await expect(async () => {
      await page.goto('/demo/months/2026-10/lines');
      await expect(page.getByRole('grid').or(page.getByRole('table')).first()).toBeVisible();
      expect(statementsIn(log).join()).toMatch(/from rendition r/);
    }).toPass({ timeout: 60_000 });
    for (const ending of ['', '.gz']) {
      await expect(async () => {
        const before = statementsIn(log).length;
        const file = await page.request.get(`/demo/months/2026-10/export/renewals${ending}`);
        expect(file.status()).toBe(200);
        expect((await file.body()).length).toBeGreaterThan(1_000);
        expect(statementsIn(log).slice(before).join()).toMatch(/from "rendition_part"/);
      }).toPass({ timeout: 60_000 });
    }

    const support = await contexts[1].newPage();
    const before = statementsIn(log).length;
    await signInAs(support, 'support');
    await new RefundForm(support).request(PERIOD, '1.00', 'Refund $1.00');
    await new RefundPage(support).expectState('Refunded');
    expect(
      statementsIn(log)
        .slice(before)
        .filter((statement) => !LOOK.test(statement)),
    ).toEqual([]);

    const admin = await contexts[2].newPage();
    await signInAs(admin, 'admin');
    await admin.goto('/settings');
    await expect(admin.getByRole('region', { name: 'Database' })).toContainText(/The read replica (is up to date|lags \d+ s behind)\./);

    // It goes away: the same page and file come from the primary.
    await replica.stop();
    await page.reload();
    await expect(page.getByRole('grid').or(page.getByRole('table')).first()).toBeVisible();
    expect((await page.request.get('/demo/months/2026-10/export/renewals.gz')).status()).toBe(200);
    expect(await (await page.request.get('/metrics')).text()).toMatch(/^sharebook_replica_used 0$/m);
    await admin.reload();
    await expect(admin.getByRole('region', { name: 'Database' })).toContainText('The read replica can’t be reached.');
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
    await stop(web);
    await replica.remove();
    await server.stop();
    await joined.stop();
    await first.stop();
    await removeData(data);
  }
});

/** What looks at the replica itself: whose copy it is, and how far it lags. */
const LOOK = /\bpg_is_in_recovery\(\)|\bpg_last_wal_replay_lsn\(\)/;

/** The statements in the log of a server, in order. */
function statementsIn(log: string): string[] {
  const entries = fs.readFileSync(log, 'utf8').split(/^(?=\d{4}-\d\d-\d\d )/m);
  return entries.filter((entry) => /\bLOG: {2}(statement|execute [^:]+): /.test(entry));
}
