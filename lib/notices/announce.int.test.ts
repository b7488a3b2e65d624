import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeMonth, confirmVoidAsShown, pullAndRecheck, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { approveRun, rejectRun, requestVoid } from '../payouts/decide-run.ts';
import { returnToDraft } from '../payouts/draft-run.ts';
import { placeHold } from '../payouts/hold-payment.ts';
import { submitRun } from '../payouts/submit-run.ts';
import { announceMonths } from './announce.ts';

const MONTH = '2026-08';
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;

beforeEach(async () => {
  testEnv = await openPulledEnvironment(MONTH);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  for (const role of ['viewer', 'auditor', 'support', 'admin'] as const) await seedPerson(testEnv.db, `${role}@studio.example`, role);
  await seedPerson(testEnv.db, 'gone@studio.example', 'finance');
  await testEnv.pool.query(`update person set disabled_at = clock_now() where email = 'gone@studio.example'`);
});
afterEach(() => testEnv.close());

/** Each notice as `kind: who gets it`, in order. */
async function listAnnounced(): Promise<string[]> {
  const { rows } = await testEnv.pool.query<{ line: string }>(
    `select n.kind || ': ' || string_agg(split_part(p.email, '@', 1), ' ' order by p.email) as line
     from notice n join notice_delivery d using (game_id, notice_id) join person p on p.id = d.person_id group by n.notice_id, n.kind order by n.notice_id`,
  );
  return rows.map(({ line }) => line);
}

test('a submitted run is announced to those who can approve it, and its approval to everyone else in finance', async () => {
  const bea = await seedFinance(testEnv, 'bea');
  const run = await submitMonth(testEnv, fiona, MONTH);
  await submitRun(game, fiona, run.runId, run.draftDigest ?? '');
  expect(await listAnnounced()).toEqual(['run_submitted: ada bea']);
  const { rows } = await testEnv.pool.query('select run_no, amount_usd, recipient_count, actor_id from notice');
  expect(rows).toEqual([{ run_no: 1, amount_usd: run.totals.payable, recipient_count: run.payableCount, actor_id: fiona.id }]);
  expect(await approveRun(game, ada, run.runId, run.contentDigest ?? '')).toMatchObject({ ok: true });
  await requestVoid(game, ada, { runId: run.runId, why: 'Wrong month', isNotUploaded: true });
  expect(await confirmVoidAsShown(game, bea, run.runId)).toMatchObject({ ok: true });
  expect(await listAnnounced()).toEqual(['run_submitted: ada bea', 'run_approved: bea fiona', 'run_voided: ada fiona']);
});

test('people who worked on a run get no request to approve it', { tags: 'proof' }, async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  await returnToDraft(game, ada, run.runId);
  const { rows } = await testEnv.pool.query(`select encode(draft_digest, 'hex') as digest from payout_run`);
  expect(await submitRun(game, fiona, run.runId, rows[0].digest)).toMatchObject({ ok: true });
  expect(await listAnnounced()).toEqual(['run_submitted: ada']);
});

test('a rejection is announced, and a change that returns a submitted run to draft, to everyone but who made it', {
  tags: 'proof',
}, async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  const { rows } = await testEnv.pool.query('select recipient_player_id as id from payout_line order by payable_usd desc limit 1');
  const hold = { recipientIds: [rows[0].id], periodId: null, amount: '', reason: 'dispute', note: 'Chargeback', expiresAt: '' };
  expect(await placeHold(game, fiona, hold)).toMatchObject({ voidedSubmission: true });
  expect(await listAnnounced()).toEqual(['run_submitted: ada', 'run_returned: ada fiona']);
  const again = await testEnv.pool.query(`select encode(draft_digest, 'hex') as digest from payout_run`);
  expect(await submitRun(game, fiona, run.runId, again.rows[0].digest)).toMatchObject({ ok: true });
  expect(await rejectRun(game, ada, run.runId, 'Too early')).toMatchObject({ ok: true });
  expect((await listAnnounced()).slice(2)).toEqual(['run_submitted: ada', 'run_rejected: fiona']);
});

test('a notice is stored with its fact or not at all', async () => {
  await testEnv.pool.query(`alter table notice add constraint no_more check (kind <> 'run_submitted')`);
  await expect(submitMonth(testEnv, fiona, MONTH)).rejects.toThrow('no_more');
  const { rows } = await testEnv.pool.query('select state from payout_run');
  expect(rows).toEqual([{ state: 'draft' }]);
});

test('a complete month that was compared with Invo is announced once, and no month that has a run or comes too early', {
  tags: 'proof',
}, async () => {
  await announceMonths(game);
  await announceMonths(game);
  expect(await listAnnounced()).toEqual(['month_ready: ada fiona']);
  await closeMonth(testEnv, { preparer: fiona, approver: ada }, MONTH);
  await pullAndRecheck(testEnv, '2026-10');
  await announceMonths(game);
  expect(
    (await listAnnounced()).filter((line) => line.startsWith('month_ready')),
    'September comes first',
  ).toHaveLength(1);
  await testEnv.pull({ start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' });
  await announceMonths(game);
  expect(
    (await listAnnounced()).filter((line) => line.startsWith('month_ready')),
    'not compared yet',
  ).toHaveLength(1);
  await testEnv.pull({ start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' });
  await announceMonths(game);
  const { rows } = await testEnv.pool.query(`select window_start from notice where kind = 'month_ready' order by notice_id`);
  expect(rows.map(({ window_start }) => window_start)).toEqual(['2026-08-01T00:00:00Z', '2026-09-01T00:00:00Z']);
});

test('other figures of a month with an approved run are announced once, with what they come to', { tags: 'proof' }, async () => {
  await closeMonth(testEnv, { preparer: fiona, approver: ada }, MONTH);
  await announceMonths(game);
  const before = await listAnnounced();
  expect(before.filter((line) => line.startsWith('drift_found'))).toEqual([]);
  const { rows } = await testEnv.pool.query(
    `select period_id from renewal_line where paid_at >= '2026-08-01' and paid_at < '2026-08-15' order by 1 limit 1`,
  );
  await testEnv.control('POST', 'refunds', { period_id: rows[0].period_id, refunded_at: '2026-08-20T10:00:00Z' });
  await testEnv.pull({ start: '2026-08-01T00:00:00Z', end: '2026-09-01T00:00:00Z' }, { isFresh: true });
  await announceMonths(game);
  await announceMonths(game);
  expect((await listAnnounced()).slice(before.length)).toEqual(['drift_found: ada fiona']);
});
