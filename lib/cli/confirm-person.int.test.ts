import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { readAudit, seedPerson } from '#e2e/support/people/seed-people.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { resetPasswordLink } from '../people/manage-people.ts';

// The tests of this file build on one another, in this order.
let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  const ada = await seedPerson(testEnv.db, 'ada@studio.example', 'admin');
  const nora = await seedPerson(testEnv.db, 'nora@studio.example', 'support');
  await resetPasswordLink(testEnv.db, { actorId: ada, personId: nora }, { isMailed: false });
  await testEnv.pool.query(`update person_password set set_at = '2026-11-21T11:00:00Z'`);
});
afterAll(() => testEnv.close());

const confirm = async (email: string, ...more: string[]): Promise<Ran> => await runCli(testEnv, ['confirm-person', ...more], {}, email);

test.each(['', ' ', '\nnora@studio.example'])('an email of %j is wrong usage, and confirms nobody', async (email) => {
  expect(await confirm(email)).toEqual({ code: 2, out: '', err: expect.stringContaining('Write the person’s email to stdin') });
});

test('an email that nobody has fails with a sentence, and is not in the audit', async () => {
  const before = await readAudit(testEnv.db);
  const sentence = 'There is no enabled person with this email. Nothing was changed.';
  expect(await confirm('nobody@studio.example\n')).toEqual({ code: 1, out: '', err: `${sentence}\n` });
  const { code, out } = await confirm('nobody@studio.example\n', '--json');
  expect([code, JSON.parse(out)]).toEqual([1, { error: { exit_code: 1, message: sentence } }]);
  expect(await readAudit(testEnv.db)).toEqual(before);
});

test('what made the account doubtful and when its password was set are printed, so that the operator can ask about them', async () => {
  const [ada, nora] = await Promise.all(
    ['ada', 'nora'].map(async (name) => (await testEnv.pool.query('select id from person where name = $1', [name])).rows[0].id as string),
  );
  const { out } = await confirm('nora@studio.example\n', '--json');
  expect(JSON.parse(out)).toEqual({
    email: 'nora@studio.example',
    confirmed: true,
    password_set_at: expect.stringContaining('2026-11-21'),
    doubts_cleared: [{ basis: 'password_link', by: 'ada' }],
    roles_given: [],
  });
  await resetPasswordLink(testEnv.db, { actorId: ada ?? '', personId: nora ?? '' }, { isMailed: false });
  expect((await confirm('nora@studio.example\n')).out).toMatch(
    /^nora’s account is confirmed: it counts where two people are needed\.\nPassword set at 2026-11-21\S+\. Cleared by this confirmation: password link by ada\. If nora doesn’t know of this, disable the account in Settings\.\nNo roles waited for approval\.\n$/,
  );
  expect((await confirm('nora@studio.example\n')).err).toContain('You stand behind this account already.');
});
