import { expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { startSmtpServer } from '#e2e/support/notices/smtp-server.ts';
import { openTestEnvironment } from '#e2e/support/test-environment.ts';

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
