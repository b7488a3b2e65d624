import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type LyingTransport, openLyingTransport, type WireReport } from '#e2e/support/lying-transport.ts';
import { openTestEnvironment, type Pulled, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { listPlayersOfEmail } from '#lib/players/reads.ts';
import { verifyGame } from '../verify/verify-game.ts';

const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
const testEnv: TestEnvironment = await openTestEnvironment();
const transport: LyingTransport = await openLyingTransport(testEnv.upstream.url);
beforeEach(() => testEnv.forgetCalls());
afterAll(() => Promise.all([transport.close(), testEnv.close()]));

async function pullAmong(edit: LyingTransport['edit']): Promise<Pulled> {
  transport.edit = edit;
  return testEnv.pull(DAY, { isFresh: true, changed: { baseUrl: transport.url } });
}

function firstTwo({ recipients: [one, other] }: WireReport): [WireReport['recipients'][0], WireReport['recipients'][0]] {
  if (!one || !other) throw new Error('the day has two recipients');
  return [one, other];
}

test('a period listed under two recipients produces no snapshot', async () => {
  const { run } = await pullAmong((report) => {
    const [one, other] = firstTwo(report);
    const { player_id: recipient_player_id } = other.recipient;
    for (const line of one.periods.slice(0, 1)) other.periods.push({ ...line, attribution: { ...line.attribution, recipient_player_id } });
    other.renewal_count += 1;
  });
  expect(run).toMatchObject({ ended: 'failed', code: 'pages_disagree' });
  expect((run as { sentence: string }).sentence).toMatch(/lists period \d+ under recipients \d+ and \d+/);
});

test('an answer that the database refuses ends the pull with a message, and every response is stored', async () => {
  await testEnv.pool.query('alter table renewal_line add constraint of_the_test check (slice_id < 0) not valid');
  const { run, job } = await pullAmong(null);
  await testEnv.pool.query('alter table renewal_line drop constraint of_the_test');
  expect(run).toMatchObject({ ended: 'failed', code: 'not_storable' });
  const responses = await testEnv.db.selectFrom('response').select('response_id').where('pull_id', '=', job.pullId).execute();
  expect(responses.length).toBeGreaterThan(0);
});

test('an email of three kilobytes is stored, found again and blocks no month', async () => {
  // Random, so that the database can't store it smaller than an index entry.
  const email = `${randomBytes(1_500).toString('hex')}@players.example`;
  const { snapshot } = await pullAmong((report) => {
    Object.assign(firstTwo(report)[0].recipient, { player_email: email });
  });
  expect(snapshot?.status).toBe('complete');
  expect((await listPlayersOfEmail(testEnv.db, 1, email, 5)).map((found) => found.email)).toEqual([email]);
  expect(await listPlayersOfEmail(testEnv.db, 1, `${email}x`, 5)).toEqual([]);
});

/** Pulls while the database refuses renewals with an error of this class. */
async function pullWhileRefused(code: string): Promise<Pulled> {
  await testEnv.pool.query(`create or replace function refusal_of_the_test() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test' using errcode = '${code}'; end $$`);
  await testEnv.pool.query('create trigger of_the_test before insert on renewal_line for each row execute function refusal_of_the_test()');
  return await pullAmong(null).finally(() => testEnv.pool.query('drop trigger of_the_test on renewal_line'));
}

test('a limit of the database that an answer passes ends the pull with a message instead of an endless retry', async () => {
  const { run } = await pullWhileRefused('54000');
  expect(run).toMatchObject({ ended: 'failed', code: 'not_storable' });
});

test.skipIf(process.env['SHAREBOOK_CITUS_URL'])('an internal error of one server doesn’t end the pull, which is tried again', async () => {
  await expect(pullWhileRefused('XX000')).rejects.toThrow('refused by the test');
  const { run } = await pullAmong(null);
  expect(run).toMatchObject({ ended: 'done' });
});

test('a list whose count differs from its totals is not read further', async () => {
  const { run } = await pullAmong((report) => {
    report.pagination.total_count += 1;
  });
  expect(run).toMatchObject({ ended: 'failed', code: 'pages_disagree' });
  expect((run as { sentence: string }).sentence).toMatch(/lists \d+ recipients and totals \d+/);
});

test('a false count costs a few calls, not hundreds', async () => {
  const { run } = await pullAmong((report) => {
    report.pagination.total_count = 30_000;
    report.totals.recipient_count = 30_000;
  });
  expect(run).toMatchObject({ ended: 'failed', code: 'pages_disagree' });
  expect((await testEnv.calls()).length).toBeLessThan(20);
});

test('an instant more precise than the database is stored as reported and passes verification', async () => {
  const { run, snapshot } = await pullAmong((report) => {
    for (const { periods } of report.recipients)
      for (const line of periods) line.paid_at = line.paid_at.replace(/(\.\d+)?(Z|[+-]\d\d:\d\d)$/, '.123456789$2');
  });
  expect(run).toMatchObject({ ended: 'done' });
  expect(snapshot).not.toBeNull();
  const { game_id: gameId } = await testEnv.db.selectFrom('game').select('game_id').executeTakeFirstOrThrow();
  const { violations } = await verifyGame(testEnv.db, gameId);
  expect(violations).toEqual([]);
});
