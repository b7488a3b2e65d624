import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerChecks, closeMonth, pullAndRecheck, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment, type TestGame } from '#e2e/support/test-environment.ts';
import { listMonths } from '#lib/evidence/reads/months.ts';
import { findRecipientHistory } from '#lib/evidence/reads/recipients.ts';
import { findGameSettings } from '#lib/games/reads/game-settings.ts';
import { listTasks } from '#lib/tasks/reads.ts';
import { countBadges } from '#lib/tasks/rules/task.ts';
import type { Actor, SessionActor } from '../core/roles.ts';
import { decideProposal, decideProposedPolicy, proposeAdjustment, proposePolicy, type TypedAdjustment } from './adjust-balance.ts';
import { approveRun, rejectRun, requestVoid, voidRun } from './decide-run.ts';
import { draftRun, returnToDraft } from './draft-run.ts';
import { excludeRecipients, placeHold, releaseHold, setMinimum } from './hold-payment.ts';
import type { Run } from './reads/find-run.ts';
import { listAdjustments, listDueLines, listHoldsInForce } from './reads/payout-decisions.ts';
import { listWaitingPayouts } from './reads/waiting-payouts.ts';
import { submitRun } from './submit-run.ts';

const MONTH = '2026-08';
let testEnv: TestEnvironment;
let game: TestGame;
let fiona: SessionActor;
let ada: SessionActor;
let run: Run;

beforeEach(async () => {
  testEnv = await openPulledEnvironment(MONTH);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const drafted = await draftRun(game, fiona, MONTH);
  if (!drafted.ok) throw new Error(drafted.reason);
  run = drafted.run;
});
afterEach(() => testEnv.close());

const dueLines = (find = '', limit = 500, canSeeEmails = true) => listDueLines(game.db, run, { find, canSeeEmails }, limit);

test('the lines with money due are listed largest first, found by name or player ID, and counted beyond the limit', {
  tags: 'proof',
}, async () => {
  const { rows, count } = await dueLines();
  const stored = await testEnv.pool.query(
    'select recipient_player_id as id from payout_line where run_id = $1 and due_usd > 0 order by due_usd desc, 1',
    [run.runId],
  );
  expect(rows.map(({ recipientId }) => recipientId)).toEqual(stored.rows.map(({ id }) => id));
  expect(count).toBe(stored.rows.length);
  const [first] = rows;
  expect(await dueLines(String(first?.recipientId))).toMatchObject({ rows: [first] });
  expect((await dueLines(first?.name?.slice(1, 4) ?? '')).rows).toContainEqual(first);
  expect(await dueLines('%')).toEqual({ rows: [], count: 0 });
  expect(await dueLines('', 1)).toEqual({ rows: [first], count });
});

test('holds in force are listed newest first with their author, until they are released or run out', { tags: 'proof' }, async () => {
  const [first, second] = (await dueLines()).rows.map(({ recipientId }) => recipientId);
  if (first === undefined || second === undefined) throw new Error('two lines are due');
  const held = { periodId: null, reason: 'dispute', note: 'Chargeback', expiresAt: '' };
  await placeHold(game, ada, { ...held, recipientIds: [first], amount: '1.00' });
  await placeHold(game, fiona, { ...held, recipientIds: [second], amount: '', expiresAt: '2026-11-21T13:00:00Z' });
  await excludeRecipients(game, fiona, { runId: run.runId, recipientIds: [second], note: 'Next month' });
  const list = async (now = game.now()) =>
    (await listHoldsInForce(game.db, run, now, true)).filter(({ reason }) => reason === 'dispute' || reason === 'excluded');
  expect(await list()).toMatchObject([
    { recipientId: second, reason: 'excluded', note: 'Next month', amount_usd: null, expiresAt: null },
    { recipientId: second, reason: 'dispute', expiresAt: '2026-11-21T13:00:00Z' },
    { recipientId: first, reason: 'dispute', note: 'Chargeback', amount_usd: '1.00', periodId: null, expiresAt: null },
  ]);
  expect((await list())[2]?.name).not.toBeNull();
  const { rows } = await testEnv.pool.query('select name from person where id = $1', [ada.id]);
  expect((await list())[2]?.placedBy).toBe(rows[0].name);
  expect(await list('2026-11-21T13:00:00Z')).toHaveLength(2);
  await releaseHold(game, ada, { holdId: (await list())[2]?.holdId ?? 0, note: 'Settled' });
  expect((await list()).map(({ recipientId }) => recipientId)).toEqual([second, second]);
});

test('adjustments are listed newest first with who proposed and decided them, and the run that includes them', {
  tags: 'proof',
}, async () => {
  const [id, other] = (await dueLines()).rows.map(({ recipientId }) => recipientId);
  if (id === undefined || other === undefined) throw new Error('two lines are due');
  const typed: TypedAdjustment = {
    recipientId: id,
    amount: '-0.50',
    kind: 'correction',
    reason: 'Paid twice in July',
    runNo: 1,
    periodId: null,
    toRecipientId: null,
  };
  const proposed = await proposeAdjustment(game, fiona, typed);
  if (!proposed.ok) throw new Error(proposed.reason);
  const waiting = { recipientId: id, amount_usd: '-0.50', kind: 'correction', correctsRunNo: 1, runNo: null, state: 'proposed' };
  expect(await listAdjustments(game.db, game.gameId, fiona.id, true)).toMatchObject([{ ...waiting, isMine: true, decidedBy: null }]);
  expect(await listAdjustments(game.db, game.gameId, ada.id, true)).toMatchObject([{ ...waiting, isMine: false }]);
  await decideProposal(game, ada, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' });
  await proposeAdjustment(game, fiona, { ...typed, kind: 'transfer', runNo: null, toRecipientId: other });
  const listed = await listAdjustments(game.db, game.gameId, ada.id, true);
  expect(listed).toMatchObject([
    { recipientId: other, amount_usd: '0.50', kind: 'transfer' },
    { recipientId: id, amount_usd: '-0.50', kind: 'transfer' },
    { ...waiting, state: 'confirmed' },
  ]);
  expect(listed[2]?.decidedBy).not.toBeNull();
  expect(listed[0]?.pairId).toBe(listed[1]?.pairId);
});

test('the history of a recipient has the roll-forward of every run that isn’t voided, newest first, and their own minimum', {
  tags: 'proof',
}, async () => {
  const [first] = (await dueLines()).rows;
  const id = first?.recipientId ?? 0;
  const read = async () => (await findRecipientHistory(game.db, game, id, true))?.payouts;
  const lineOf = async (runId: number) => {
    const { rows } = await testEnv.pool.query('select * from payout_line where run_id = $1 and recipient_player_id = $2', [runId, id]);
    return rows[0];
  };
  expect(await read()).toMatchObject({ minimum_usd: null, runs: [{ runNo: 1, state: 'draft', outcome: 'payable' }] });
  await setMinimum(game, fiona, { recipientId: id, minimum: '25000' });
  const waiting = await lineOf(run.runId);
  const { opening_usd, earned_usd, reversed_usd, pinned_usd, adjusted_usd, due_usd, held_usd, closing_usd } = waiting;
  const figures = { opening_usd, earned_usd, reversed_usd, pinned_usd, adjusted_usd, due_usd, held_usd, closing_usd };
  expect(await read()).toEqual({
    minimum_usd: '25000.00',
    runs: [
      {
        ...figures,
        runNo: 1,
        window: run.window,
        state: 'draft',
        exportedAt: null,
        paidAt: null,
        closedAt: null,
        payable_usd: '0.00',
        returned_usd: '0.00',
        minimum_usd: '25000.00',
        outcome: 'below_minimum',
        recipientId: id,
      },
    ],
  });
  await voidRun(game, fiona, run.runId, 'Started too early');
  expect((await read())?.runs).toEqual([]);
  await closeMonth(testEnv, { preparer: fiona, approver: ada }, MONTH);
  await pullAndRecheck(testEnv, '2026-09');
  const next = await draftRun(game, fiona, '2026-09');
  if (!next.ok) throw new Error(next.reason);
  expect((await read())?.runs.map(({ runNo, state, opening_usd: opens }) => [runNo, state, opens])).toEqual([
    [3, 'draft', closing_usd],
    [2, 'approved', opening_usd],
  ]);
});

test('a month has its run with state and payable, and a run in review waits for those who didn’t work on it', async () => {
  const readMonth = async () => (await listMonths(game.db, game, [run.window])).windows[0]?.run;
  const waitingFor = async (actor: Actor) =>
    countBadges(await listTasks(game.db, { ...game, personId: actor.id, now: game.now(), scope: 'badges' })).payouts;
  const draft = { runNo: 1, state: 'draft', payable_usd: run.totals.payable };
  expect(await readMonth()).toEqual(draft);
  expect(await waitingFor(ada)).toBe(0);
  await answerChecks(testEnv, fiona, run);
  const submitted = await submitRun(game, fiona, run.runId, run.draftDigest ?? '');
  if (!submitted.ok) throw new Error(submitted.reason);
  expect(await readMonth()).toEqual({ ...draft, state: 'submitted' });
  expect([await waitingFor(fiona), await waitingFor(ada)]).toEqual([0, 1]);
  await approveRun(game, ada, run.runId, submitted.run.contentDigest ?? '');
  expect(await waitingFor(ada)).toBe(0);
});

test('the settings of a game have the policy in force first, and the one that waits with who proposed it', async () => {
  const read = async () => (await findGameSettings(game.db, [game.gameId])).get(game.gameId)?.policies;
  const inForce = (await read())?.[0];
  expect(inForce?.isWaiting).toBe(false);
  const typed = { secondApprovalFrom: '', recheckHours: 48, changePercent: 40, firstPaymentFrom: '100.00', holdsBaseMismatch: false };
  await proposePolicy(game, fiona, { ...typed, minimum: '20' });
  const waiting = { minimum_usd: '20.00', secondApprovalFrom_usd: null, recheckHours: 48, holdsBaseMismatch: false };
  const proposed = await read();
  expect(proposed).toMatchObject([{ policyNo: inForce?.policyNo }, { ...waiting, isWaiting: true, proposedBy: { id: fiona.id } }]);
  await decideProposedPolicy(game, ada, { policyNo: proposed?.[1]?.policyNo ?? 0, decision: 'confirmed' });
  expect((await read())?.[0]).toMatchObject({ ...waiting, isWaiting: false });
  await proposePolicy(game, fiona, { ...typed, minimum: '30' });
  const again = (await read())?.find(({ isWaiting }) => isWaiting);
  await decideProposedPolicy(game, fiona, { policyNo: again?.policyNo ?? 0, decision: 'withdrawn' });
  expect((await read())?.map(({ minimum_usd }) => minimum_usd)).toEqual(['20.00', inForce?.minimum_usd]);
});

test('the badge counts what the list has: runs and voids to approve, runs that came back, and adjustments of others', {
  tags: 'proof',
}, async () => {
  const waitingFor = async (actor: Actor) => {
    const list = await listWaitingPayouts(game.db, game.gameId, actor.id, 10);
    expect(list).toHaveLength(
      countBadges(await listTasks(game.db, { ...game, personId: actor.id, now: game.now(), scope: 'badges' })).payouts,
    );
    return list.map(({ kind, runNo, amount_usd, reason }) => [kind, runNo ?? amount_usd, reason]);
  };
  const submit = async (): Promise<Run> => {
    const { rows } = await game.pool.query('select encode(draft_digest, $2) as digest from payout_run where run_id = $1', [
      run.runId,
      'hex',
    ]);
    await answerChecks(testEnv, fiona, run);
    const submitted = await submitRun(game, fiona, run.runId, rows[0].digest);
    if (!submitted.ok) throw new Error(submitted.reason);
    return submitted.run;
  };
  expect([await waitingFor(fiona), await waitingFor(ada)]).toEqual([[], []]);
  const recipients = (await dueLines()).rows.map(({ recipientId }) => recipientId);
  const transfer = {
    recipientId: recipients[0] ?? 0,
    toRecipientId: recipients[1] ?? 0,
    amount: '-2.50',
    kind: 'transfer',
    reason: 'Shared',
  };
  await proposeAdjustment(game, fiona, { ...transfer, runNo: null, periodId: null });
  // Two halves, one decision.
  expect([await waitingFor(fiona), await waitingFor(ada)]).toEqual([[], [['adjustment', '2.50', 'Shared']]]);
  await submit();
  expect(await waitingFor(ada)).toEqual([
    ['approve', 1, null],
    ['adjustment', '2.50', 'Shared'],
  ]);
  await rejectRun(game, ada, run.runId, 'The note is missing');
  expect(await waitingFor(fiona)).toEqual([['returned', 1, 'The note is missing']]);
  await returnToDraft(game, fiona, run.runId);
  expect(await waitingFor(fiona)).toEqual([['returned', 1, null]]);
  const again = await submit();
  await approveRun(game, ada, run.runId, again.contentDigest ?? '');
  await requestVoid(game, ada, { runId: run.runId, why: 'Wrong month', isNotUploaded: true });
  expect(await waitingFor(fiona)).toEqual([['confirm_void', 1, 'Wrong month']]);
  expect(await waitingFor(ada)).toEqual([['adjustment', '2.50', 'Shared']]);
});
