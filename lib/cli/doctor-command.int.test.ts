import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { startSmtpServer } from '#e2e/support/notices/smtp-server.ts';
import { openTestEnvironment } from '#e2e/support/test-environment.ts';
import { openRestoreGuard } from '#lib/refunds/check-restore.ts';

test('doctor says whether email is configured and whether its server is reachable, without its password', async () => {
  const testEnv = await openTestEnvironment();
  const run = (argv: string[], changed: Record<string, string> = {}): ReturnType<typeof runCli> => runCli(testEnv, argv, changed);
  const findings = (out: string): unknown[] => JSON.parse(out).findings.filter(({ subject }: { subject: string }) => subject === 'email');
  const none = await run(['doctor', '--json']);
  expect([none.code, findings(none.out)]).toEqual([
    0,
    [
      {
        subject: 'email',
        ok: true,
        message: 'not configured: notices are shown in Sharebook only. Set SMTP_URL and SHAREBOOK_MAIL_FROM to send them',
      },
    ],
  ]);
  const server = await startSmtpServer();
  const SHAREBOOK_MAIL_FROM = 'books@studio.example';
  const reachable = await run(['doctor', '--json'], { SMTP_URL: server.url, SHAREBOOK_MAIL_FROM });
  expect(findings(reachable.out)).toEqual([
    { subject: 'email', ok: true, message: `the mail server ${new URL(server.url).host} is reachable` },
  ]);
  expect(server.received).toEqual([]);
  await server.close();
  const away = await run(['doctor', '--json'], { SMTP_URL: server.url.replace('//', '//books:hidden@'), SHAREBOOK_MAIL_FROM });
  expect([away.code, findings(away.out)]).toMatchObject([1, [{ ok: false }]]);
  expect(away.out + away.err).not.toContain('hidden');
  await testEnv.close();
});

test('doctor names a read replica that can’t be used, without its password', async () => {
  const testEnv = await openTestEnvironment();
  const run = (argv: string[], changed: Record<string, string>): ReturnType<typeof runCli> => runCli(testEnv, argv, changed);
  const same = await run(['doctor'], { DATABASE_READ_URL: testEnv.url });
  expect([same.code, same.out]).toEqual([
    1,
    expect.stringMatching(/^missing read replica: The server of DATABASE_READ_URL accepts writes/m),
  ]);
  const away = await run(['doctor'], { DATABASE_READ_URL: 'postgres://nobody:hidden@127.0.0.1:9/none' });
  expect([away.code, away.out]).toEqual([1, expect.stringMatching(/^missing read replica: The read replica can’t be reached/m)]);
  expect(away.out + away.err).not.toContain('hidden');
  await testEnv.close();
});

test('restore-check and doctor say that a data folder which hasn’t seen the database can’t tell whether it was restored', async () => {
  const testEnv = await openTestEnvironment();
  const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-folder-'));
  const answers = async (): Promise<string[]> =>
    await Promise.all(
      ['restore-check', 'doctor'].map(async (command) => (await runCli(testEnv, [command], { SHAREBOOK_DATA: folder })).out),
    );
  const [known, unknown] = [
    /No sign of a restore|^ok {5} restore/m,
    /doesn’t know this database.* run restore-check --restored before a worker starts/,
  ];
  for (const answer of await answers()) expect(answer, 'a new database').toMatch(known);
  await testEnv.pool.query('update database_mark set step = 7');
  for (const answer of await answers()) expect(answer, 'used from another folder').toMatch(unknown);
  await openRestoreGuard({ ...testEnv, folder, owner: 'worker' }).advance();
  for (const answer of await answers()) expect(answer, 'seen by this folder').toMatch(known);
  await testEnv.close();
});

test('distribute changes nothing of a database that is on one server', async () => {
  const testEnv = await openTestEnvironment();
  expect(await runCli(testEnv, ['distribute'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('This database has no extension citus, so it is on one server. Nothing was changed.'),
  });
  await testEnv.close();
});
