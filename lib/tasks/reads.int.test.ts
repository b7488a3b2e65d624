import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { makeFileOfAll } from '#e2e/support/payouts/hand-over-all.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment, type TestGame } from '#e2e/support/test-environment.ts';
import { monthWindow } from '#lib/core/month.ts';
import type { Actor, SessionActor } from '#lib/core/roles.ts';
import { listDayViolations, listSnapshotsWithDays } from '#lib/evidence/reads/violations.ts';
import { approveRun, confirmVoid, requestVoid } from '#lib/payouts/decide-run.ts';
import { draftRun } from '#lib/payouts/draft-run.ts';
import { findRun } from '#lib/payouts/reads/find-run.ts';
import { submitRun } from '#lib/payouts/submit-run.ts';
import { findOverview, listTasks } from './reads.ts';

const [SEPTEMBER, OCTOBER, NOVEMBER] = ['2026-09', '2026-10', '2026-11'].map((month) => monthWindow(month, 'UTC'));
if (!SEPTEMBER || !OCTOBER || !NOVEMBER) throw new Error('three months have three windows');

let testEnv: TestEnvironment;
let game: TestGame;
let fiona: SessionActor;
let ada: SessionActor;
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-09', '2026-10');
  await testEnv.pull(NOVEMBER);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterAll(() => testEnv.close());

const tasksOf = async (actor: Actor, now = game.now()): Promise<unknown[]> =>
  (await listTasks(game.db, { ...game, personId: actor.id, now, scope: 'all' })).tasks.map(({ kind, count, runNo, windowStart }) => [
    kind,
    count,
    runNo ?? windowStart?.slice(0, 7) ?? null,
  ]);

test('the days of a month add up to Invo’s own totals, and `verify` names one that was changed', async () => {
  const { rows } = await testEnv.pool.query(`
    select s.gross_attributed_usd - sum(d.gross_attributed_usd) as gross, s.reversed_attributed_usd - sum(d.reversed_attributed_usd) as reversed,
      count(*) as days
    from snapshot s join snapshot_day d using (game_id, snapshot_id) group by s.snapshot_id, s.gross_attributed_usd, s.reversed_attributed_usd
    order by min(d.day)`);
  expect(rows.map(({ gross, reversed, days }) => [Number(gross), Number(reversed), Number(days)])).toEqual([
    [0, 0, 30],
    [0, 0, 31],
    [0, 0, 21],
  ]);
  const [first = 0, ...others] = await listSnapshotsWithDays(testEnv.db, game.gameId);
  expect(others).toHaveLength(2);
  const found = await withTampering(
    testEnv.pool,
    async (client) =>
      void (await client.query(`update snapshot_day set gross_attributed_usd = gross_attributed_usd + 1 where day = '2026-09-03'`)),
    async (view) => [await listDayViolations(view, game.gameId, first), await listDayViolations(view, game.gameId, others[0] ?? 0)],
  );
  expect(found.map((violations) => violations.map(({ name, subject }) => [name, subject]))).toEqual([
    [['snapshot_day', `snapshot ${first}, 2026-09-03`]],
    [],
  ]);
});

test('an open month is compared by the whole days that both months have, and not at all where they don’t add up', async () => {
  const read = async () => (await findOverview(game.db, game, { current: NOVEMBER, before: OCTOBER })).pace;
  const { rows } = await testEnv.pool.query<{ month: string; gross: string }>(`
    select to_char(l.paid_at at time zone 'UTC', 'YYYY-MM') as month, sum(l.attributed_amount_usd)::text as gross
    from renewal_line l join snapshot_slice using (game_id, slice_id) join current_window using (game_id, snapshot_id)
    where extract(day from l.paid_at at time zone 'UTC') <= 20 and l.paid_at >= '2026-10-01' group by 1 order by 1`);
  const [october, november] = rows;
  const pace = await read();
  expect(pace).toMatchObject({ dayCount: 20, current: { gross_usd: november?.gross }, before: { gross_usd: october?.gross } });
  expect(pace?.current?.reversed_usd).toMatch(/^\d+\.\d+$/);
  // The month before that one has a day less than this window compares.
  const longer = await findOverview(game.db, game, { current: OCTOBER, before: SEPTEMBER });
  expect(longer.pace?.dayCount).toBe(30);
  await testEnv.pool.query(`update snapshot_day set gross_attributed_usd = gross_attributed_usd + 1 where day = '2026-10-03'`);
  expect(await read()).toMatchObject({ current: { gross_usd: november?.gross }, before: null });
  await testEnv.pool.query(`update snapshot_day set gross_attributed_usd = gross_attributed_usd - 1 where day = '2026-10-03'`);
});

test('the newest complete month can be closed until it has a run, and a month that is over and not complete is a task', async () => {
  expect(await tasksOf(fiona)).toEqual([['start_run', 1, '2026-10']]);
  expect(await tasksOf(fiona, '2026-12-02T00:00:00Z')).toEqual([
    ['start_run', 1, '2026-10'],
    ['month_incomplete', 1, '2026-11'],
  ]);
  const drafted = await draftRun(game, fiona, '2026-10');
  if (!drafted.ok) throw new Error(drafted.reason);
  expect(await tasksOf(ada)).toEqual([['draft', 1, drafted.run.runNo]]);
  const { run } = await findOverview(game.db, game, { current: NOVEMBER, before: OCTOBER });
  expect(run).toMatchObject({ runNo: drafted.run.runNo, payable_usd: drafted.run.totals.payable, paid_usd: null, sent_usd: null });
});

test('a policy, a limit, a house account and roles that another person requested are tasks, and so is a transfer that ends within a day', async () => {
  const isNew = async (actor: Actor): Promise<string[]> => {
    const { tasks } = await listTasks(game.db, { ...game, personId: actor.id, now: '2026-11-21T12:00:00Z', scope: 'all' });
    return tasks
      .filter(({ kind }) => ['policy', 'limit', 'switch', 'house_account', 'roles', 'transfer_ending'].includes(kind))
      .map(({ kind, count }) => `${kind} ${count}`);
  };
  expect(await isNew(ada)).toEqual([]);
  const { gameId } = game;
  await testEnv.pool.query(`insert into payout_policy (game_id, policy_no, proposed_by) values ($1, 7, $2)`, [gameId, fiona.id]);
  await testEnv.pool.query(
    `insert into refund_limit (game_id, name, limit_usd, set_by, raise_usd, raise_by, raise_at) values ($1, 'support', 10, 'default', 20, $2, clock_now())
     on conflict (game_id, name) do update set raise_usd = 20, raise_by = excluded.raise_by, raise_at = excluded.raise_at`,
    [gameId, fiona.id],
  );
  await testEnv.pool.query(
    `insert into action_switch (game_id, action_group, is_on, on_requested_by, on_requested_at) values ($1, 'sends', false, $2, clock_now())`,
    [gameId, fiona.id],
  );
  // One that waits for a second person, one that is in use, and one that was rejected.
  await testEnv.pool.query(
    `insert into house_account (game_id, player_id, label, sealed_phone, phone_end, requested_by, confirmed_by, confirmed_at, removed_by, removed_at)
     values ($1, 1, 'Waiting', '\\x00', '11', $2, null, null, null, null),
       ($1, 2, 'In use', '\\x00', '22', $2, $3, clock_now(), null, null), ($1, 3, 'Rejected', null, '33', $2, null, null, $3, clock_now())`,
    [gameId, fiona.id, ada.id],
  );
  await testEnv.pool.query(
    `insert into person (id, email, name, roles, requested_roles, roles_requested_by, roles_requested_at)
     values ('vera', 'vera@studio.example', 'Vera', '{viewer}', '{support}', $1, clock_now())`,
    [fiona.id],
  );
  await testEnv.pool.query(
    `insert into person (id, email, name, roles, requested_roles, roles_requested_by, roles_requested_at, disabled_at)
     values ('theo', 'theo@studio.example', 'Theo', '{viewer}', '{support}', $1, clock_now(), clock_now())`,
    [fiona.id],
  );
  const transfer = (id: string, endsAt: string, state: string | null): Promise<unknown> =>
    testEnv.pool.query(
      `insert into known_transfer (game_id, transaction_id, verification_state, claim_expires_at, is_destination, read_at) values ($1, $2, $3, $4, true, clock_now())`,
      [gameId, id, state, endsAt],
    );
  await transfer('TRF_LATER', '2026-11-22T12:00:01Z', 'awaiting');
  await transfer('TRF_OVER', '2026-11-21T11:00:00Z', 'awaiting');
  for (const state of ['completed', 'expired', 'failed']) await transfer(`TRF_${state}`, '2026-11-21T13:00:00Z', state);
  expect(await isNew(fiona), 'their own requests wait for another person').toEqual([]);
  await transfer('TRF_SOON', '2026-11-22T12:00:00Z', null);
  expect(await isNew(ada)).toEqual(['policy 1', 'limit 1', 'switch 1', 'house_account 1', 'roles 1', 'transfer_ending 1']);
  expect(await isNew({ ...ada, id: 'vera' }), 'nobody confirms their own roles').not.toContain('roles 1');
});

test('files of an approved run wait for finance, except in a sandbox game and while a void of the run is requested', {
  tags: 'proof',
}, async () => {
  const { gameId } = game;
  const run = async () => (await findRun(game.db, gameId, { window: OCTOBER })) ?? expect.fail('there is no run');
  await answerChecks(testEnv, fiona, await run());
  const { runId, draftDigest } = await run();
  await submitRun(game, fiona, runId, draftDigest ?? '');
  await approveRun(game, ada, runId, (await run()).contentDigest ?? '');
  const ofFiles = async (): Promise<unknown[]> =>
    (await listTasks(game.db, { ...game, personId: fiona.id, now: game.now(), scope: 'all' })).tasks
      .map(({ kind }) => kind)
      .filter((kind) => kind === 'make_files' || kind === 'hand_over');
  const whileVoidIsRequested = async (): Promise<unknown[]> => {
    await requestVoid(game, ada, { runId, why: 'The wrong minimum', isNotUploaded: true });
    const found = await ofFiles();
    await confirmVoid(game, ada, { runId, version: (await run()).version }, { isAgreed: false });
    return found;
  };
  expect([await ofFiles(), await whileVoidIsRequested()]).toEqual([['make_files'], []]);
  await testEnv.pool.query(`update game set environment = 'sandbox' where game_id = $1`, [gameId]);
  expect(await ofFiles(), 'its money isn’t real').toEqual([]);
  await testEnv.pool.query(`update game set environment = 'production' where game_id = $1`, [gameId]);
  await makeFileOfAll(game, { preparer: fiona, approver: ada }, await run());
  expect([await ofFiles(), await whileVoidIsRequested()]).toEqual([['hand_over'], []]);
});
