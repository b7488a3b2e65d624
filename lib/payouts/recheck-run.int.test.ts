import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerChecks, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { fromMicroseconds, toMicroseconds } from '../core/instant.ts';
import type { SessionActor } from '../core/roles.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';
import type { OpenGame } from '../games/open-game.ts';
import { approveRun, canApproveRun, returnChangedRun } from './decide-run.ts';
import { draftRun } from './draft-run.ts';
import { findRun, type Run } from './reads/find-run.ts';
import { submitRun } from './submit-run.ts';

const MONTH = '2026-08';
const AUGUST = { start: '2026-08-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };
/** The pages of a pull; the totals of a window are read with a limit of 1. */
const PAGES = { route: 'attribution', query: { limit: '100' } };
const TOTALS = { route: 'attribution', query: { limit: '1' } };
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;

beforeEach(async () => {
  testEnv = await openPulledEnvironment(MONTH);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterEach(() => testEnv.close());

/** Invo refunds a renewal of August on the 18th. */
async function refundInAugust(): Promise<void> {
  const { period_id } = await testEnv.db
    .selectFrom('renewal_line')
    .select('period_id')
    .where('paid_at', '>=', '2026-08-10T00:00:00Z')
    .where('paid_at', '<', '2026-08-18T00:00:00Z')
    .where('refunded_at', 'is', null)
    .orderBy('period_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await testEnv.control('POST', 'refunds', { period_id, refunded_at: '2026-08-18T10:00:00Z' });
}

/** A pull of August that reads other totals and fails before it has what changed. */
async function pullInVain(): Promise<void> {
  await refundInAugust();
  await testEnv.control('POST', 'faults', [{ kind: '403', match: PAGES, times: 9 }]);
  const { job } = await testEnv.pull(AUGUST);
  await testEnv.control('DELETE', 'faults');
  expect(job.state).toBe('failed');
}

/** A draft with every item answered. */
async function readyDraft(): Promise<Run> {
  const drafted = await draftRun(game, fiona, MONTH);
  if (!drafted.ok) throw new Error(drafted.reason);
  await answerChecks(testEnv, fiona, drafted.run);
  return drafted.run;
}

const submit = (run: Run) => submitRun(game, fiona, run.runId, run.draftDigest ?? '');
const approve = (run: Run, by: OpenGame = game) => approveRun(by, ada, run.runId, run.contentDigest ?? '');
const stateOf = async ({ runId }: Run): Promise<string | undefined> => (await findRun(game.db, game.gameId, { runId }))?.state;

async function rechecks(): Promise<boolean[]> {
  const rows = await testEnv.db.selectFrom('recheck').select('is_equal').orderBy('recheck_id').execute();
  return rows.map(({ is_equal }) => is_equal);
}

/** The item that blocks a run's submission. */
async function blockerOf(run: Run): Promise<string[]> {
  const answer = await submit(run);
  if (answer.ok || answer.reason !== 'not_ready') throw new Error(`not refused as not ready: ${JSON.stringify(answer)}`);
  return answer.close.items.filter(({ group, isAnswered }) => group === 'blocks' && !isAnswered).map(({ key }) => key);
}

test('a month whose re-check found other totals is not submitted while the pull of what changed fails', { tags: ['proof'] }, async () => {
  const run = await readyDraft();
  await pullInVain();
  expect(await rechecks()).toEqual([true, false]);
  expect(await blockerOf(run)).toEqual(['recheck_differs']);
  expect((await verifyGame(testEnv.db, game.gameId)).violations).toEqual([]);

  // The next pull has the refund, and its snapshot is compared with Invo before it is paid from.
  await testEnv.pull(AUGUST);
  const changed = await submit(run);
  if (changed.ok || changed.reason !== 'changed') throw new Error('submitted from the snapshot before');
  expect(await blockerOf(changed.run)).toEqual(['rechecked']);
});

test('a run in review whose re-check found other totals is not approved and returns to draft', async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  await pullInVain();
  expect(await canApproveRun(game, ada, run.runId, run.contentDigest ?? '')).toBe(false);
  expect(await approve(run)).toMatchObject({ reason: 'sent_back', changes: [{ kind: 'evidence', recipientId: null }] });
  expect(await stateOf(run)).toBe('draft');
});

test('a run in review is returned to draft when something changed, and by nobody when nothing has', async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  expect(await returnChangedRun(game, ada, run.runId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await stateOf(run)).toBe('submitted');
  await pullInVain();
  expect(await returnChangedRun(game, ada, run.runId)).toMatchObject({ ok: true, run: { state: 'draft' } });
  expect(await returnChangedRun(game, ada, run.runId)).toEqual({ ok: false, reason: 'moved_on' });
});

test('other totals count against a run that was drafted from an earlier snapshot with the same figures', { tags: ['proof'] }, async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  await testEnv.pull(AUGUST, { isFresh: true });
  await pullInVain();
  expect(await rechecks()).toEqual([true, true, false]);
  expect(await approve(run)).toMatchObject({ reason: 'sent_back' });
});

test('totals that Invo reports as before again let the month be submitted', { tags: ['proof'] }, async () => {
  const run = await readyDraft();
  // Both answers of the totals are a cent off; those of the next pull aren't.
  await testEnv.control('POST', 'faults', [
    { kind: 'totals_cent', match: TOTALS, times: 2 },
    { kind: '403', match: PAGES, times: 9 },
  ]);
  expect((await testEnv.pull(AUGUST)).job.state).toBe('failed');
  await testEnv.control('DELETE', 'faults');
  expect(await blockerOf(run)).toEqual(['recheck_differs']);
  await testEnv.pull(AUGUST);
  expect(await rechecks()).toEqual([true, false, true]);
  expect(await submit(run)).toMatchObject({ ok: true });
  expect((await verifyGame(testEnv.db, game.gameId)).violations).toEqual([]);
});

test('a pull of the month that is queued or running blocks submission and approval of its run, and an equal end unblocks them', {
  tags: ['proof'],
}, async () => {
  const draft = await readyDraft();
  await requestPull(game.db, {
    gameId: game.gameId,
    window: AUGUST,
    isFresh: false,
    requestedBy: 'test',
    now: game.now(),
    settleLag_minutes: 15,
  });
  expect(await blockerOf(draft)).toEqual(['pull_active']);
  await testEnv.claim(AUGUST);
  expect(await blockerOf(draft)).toEqual(['pull_active']);
  await testEnv.pull(AUGUST);
  const submitted = await submit(draft);
  if (!submitted.ok) throw new Error(submitted.reason);

  await testEnv.claim(AUGUST);
  expect(await canApproveRun(game, ada, draft.runId, submitted.run.contentDigest ?? '')).toBe(false);
  expect(await approve(submitted.run)).toEqual({ ok: false, reason: 'recheck', recheck: 'pulling' });
  expect(await stateOf(draft)).toBe('submitted');
  await testEnv.pull(AUGUST);
  expect(await approve(submitted.run)).toMatchObject({ ok: true, isComplete: true });
});

test('a pull of another month blocks no submission', { tags: 'proof' }, async () => {
  const draft = await readyDraft();
  await testEnv.claim({ start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' });
  expect(await submit(draft)).toMatchObject({ ok: true });
});

test('a pull of the month that failed since its equal re-check blocks submission and approval of its run until the next one is equal', {
  tags: ['proof'],
}, async () => {
  const fail = async (): Promise<void> => {
    await testEnv.control('POST', 'faults', [{ kind: '403', match: TOTALS }]);
    expect((await testEnv.pull(AUGUST)).job.state).toBe('failed');
  };
  const draft = await readyDraft();
  await fail();
  expect(await blockerOf(draft)).toEqual(['pull_failed']);
  await testEnv.pull(AUGUST);
  const submitted = await submit(draft);
  if (!submitted.ok) throw new Error(submitted.reason);
  await fail();
  expect(await approve(submitted.run)).toEqual({ ok: false, reason: 'recheck', recheck: 'pull_failed' });
  expect(await stateOf(draft)).toBe('submitted');
  await testEnv.pull(AUGUST);
  expect(await approve(submitted.run)).toMatchObject({ ok: true });
});

test('a run is not approved after the hours of the policy, and a new re-check lets it be approved', { tags: 'proof' }, async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  const months = { ...game, now: () => '2027-03-01T12:00:00Z' };
  expect(await approve(run, months)).toEqual({ ok: false, reason: 'recheck', recheck: 'needed' });
  expect(await stateOf(run)).toBe('submitted');
  const { checked_at } = await testEnv.db.selectFrom('recheck').select('checked_at').executeTakeFirstOrThrow();
  const recheckedAgo = (hours: number, microseconds: number) => ({
    ...game,
    now: () => fromMicroseconds(toMicroseconds(checked_at) + BigInt(hours) * 3_600_000_000n + BigInt(microseconds)),
  });
  expect(await canApproveRun(recheckedAgo(24, 0), ada, run.runId, run.contentDigest ?? '')).toBe(true);
  expect(await canApproveRun(recheckedAgo(24, 1), ada, run.runId, run.contentDigest ?? '')).toBe(false);
  expect(await approve(run, recheckedAgo(24, 1))).toEqual({ ok: false, reason: 'recheck', recheck: 'needed' });
  await testEnv.pull(AUGUST);
  expect(await approve(run, recheckedAgo(24, 1))).toMatchObject({ ok: true, isComplete: true });
});

test('of two approvals, the second needs a re-check as recent as the first', { tags: 'proof' }, async () => {
  await testEnv.pool.query(
    `insert into payout_policy (game_id, policy_no, minimum_usd, second_approval_from_usd, recheck_hours, change_percent, first_payment_from_usd, holds_base_mismatch)
     values ($1, 1, 10, 1, 24, 50, 100, true)`,
    [game.gameId],
  );
  const run = await submitMonth(testEnv, fiona, MONTH);
  expect(await approve(run)).toMatchObject({ ok: true, isComplete: false });
  const theo = await seedFinance(testEnv, 'theo');
  const late = { ...game, now: () => '2027-03-01T12:00:00Z' };
  expect(await approveRun(late, theo, run.runId, run.contentDigest ?? '')).toMatchObject({ reason: 'recheck', recheck: 'needed' });
});

/** How many transactions wait for a lock of this kind. */
async function countWaiting(kind: 'advisory' | 'relation'): Promise<number> {
  const { rows } = await testEnv.pool.query(
    `select count(*)::int as count from pg_locks
     where locktype = $1 and not granted and database = (select oid from pg_database where datname = current_database())`,
    [kind],
  );
  return rows[0].count;
}

/** Holds a lock while `work` runs, then releases it. */
async function whileLocked(statement: string, work: () => Promise<void>): Promise<void> {
  const client = await testEnv.pool.connect();
  try {
    await client.query('begin');
    await client.query(statement);
    await work();
    await client.query('commit');
  } finally {
    client.release();
  }
}

test.each(['submission', 'approval'])(
  'a re-check that is stored between the page and the commit refuses the %s',
  { tags: 'proof' },
  async (kind) => {
    const run = kind === 'submission' ? await readyDraft() : await submitMonth(testEnv, fiona, MONTH);
    await refundInAugust();
    await testEnv.control('POST', 'faults', [{ kind: '403', match: PAGES, times: 99 }]);
    const waiting: Promise<unknown>[] = [];
    await whileLocked(`select pg_advisory_xact_lock(${game.gameId}, hashtext('payout runs'))`, async () => {
      waiting.push(testEnv.pull(AUGUST));
      await expect.poll(() => countWaiting('advisory')).toBe(1);
      waiting.push(kind === 'submission' ? submit(run) : approve(run));
      await expect.poll(() => countWaiting('advisory')).toBe(2);
    });
    const [, answer] = await Promise.all(waiting);
    expect(answer).toMatchObject({ ok: false, reason: kind === 'submission' ? 'not_ready' : 'sent_back' });
    expect(await rechecks()).toEqual([true, false]);
  },
);

test('a re-check that comes while an approval is being committed is stored after it', { tags: ['proof'] }, async () => {
  const run = await submitMonth(testEnv, fiona, MONTH);
  await refundInAugust();
  await testEnv.control('POST', 'faults', [{ kind: '403', match: PAGES, times: 99 }]);
  const waiting: Promise<unknown>[] = [];
  // The approval has been judged when it posts its journal.
  await whileLocked('lock table journal_entry in access exclusive mode', async () => {
    waiting.push(approve(run));
    await expect.poll(() => countWaiting('relation')).toBe(1);
    waiting.push(testEnv.pull(AUGUST));
    await expect.poll(() => countWaiting('advisory')).toBe(1);
  });
  const [answer] = await Promise.all(waiting);
  expect(answer).toMatchObject({ ok: true, isComplete: true });
  const { rows } = await testEnv.pool.query(
    'select max(r.checked_at) > max(p.approved_at) as "isAfter" from recheck r join payout_run p using (game_id) where not r.is_equal',
  );
  expect(rows[0].isAfter).toBe(true);
});
