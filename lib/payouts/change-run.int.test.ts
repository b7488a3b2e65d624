// @module-tag no-retry
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerChecks, confirmVoidAsShown, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideProposal, decideProposedPolicy, proposeAdjustment, proposePolicy } from './adjust-balance.ts';
import { approveRun, canApproveRun, rejectRun, requestVoid, voidRun } from './decide-run.ts';
import { draftRun, recomposeRun, returnToDraft } from './draft-run.ts';
import { findClose } from './find-close.ts';
import { findStatement } from './find-statement.ts';
import { excludeRecipients, placeHold, releaseHold, setMinimum } from './hold-payment.ts';
import { findRun, type Run } from './reads/find-run.ts';
import { noteCheck, recordFinding, submitRun } from './submit-run.ts';

const MONTH = '2026-08';
/** Approvals of one run at once. */
const APPROVALS = proofSize(50, 1_000);
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;

async function openMonth(): Promise<void> {
  testEnv = await openPulledEnvironment(MONTH);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
}

const HOLD = { periodId: null, amount: '', reason: 'dispute', note: 'Chargeback', expiresAt: '' };
const hold = (recipientId: number, given: Partial<Parameters<typeof placeHold>[2]> = {}) => ({
  recipientIds: [recipientId],
  ...HOLD,
  ...given,
});

const CORRECTION = { amount: '1', kind: 'correction', reason: 'Paid twice in July', runNo: null, periodId: null, toRecipientId: null };

/** The recipient a run pays most, with the amounts of their line. */
async function bestPaid(runId: number): Promise<{ id: number; payable_usd: string; closing_usd: string; outcome: string }> {
  const { rows } = await testEnv.pool.query(
    'select recipient_player_id as id, payable_usd, closing_usd, outcome from payout_line where run_id = $1 order by payable_usd desc, 1 limit 1',
    [runId],
  );
  return rows[0];
}

async function lineOf(runId: number, id: number): Promise<Record<string, string>> {
  return (await testEnv.pool.query('select * from payout_line where run_id = $1 and recipient_player_id = $2', [runId, id])).rows[0];
}

async function draft(): Promise<Run> {
  const drafted = await draftRun(game, fiona, MONTH);
  if (!drafted.ok) throw new Error(drafted.reason);
  return drafted.run;
}

describe('what is refused or noted changes no line, so one draft serves', () => {
  let run: Run;

  beforeAll(async () => {
    await openMonth();
    run = await draft();
  });
  afterAll(() => testEnv.close());

  test.each([
    ['a fraction of a cent', { amount: '0.001' }, 'amount', 'not_whole_cents'],
    ['nothing', { amount: '0' }, 'amount', 'zero'],
    ['no amount', { amount: 'ten' }, 'amount', 'not_an_amount'],
    ['a blank reason', { reason: '  ' }, 'reason', 'missing'],
    ['a transfer to nobody', { kind: 'transfer' }, 'toRecipientId', 'missing'],
    ['an unknown recipient', { recipientId: 999_999_999 }, 'recipientId', 'unknown'],
  ])('an adjustment of %s is refused at its field', async (_, given, field, problem) => {
    const { id } = await bestPaid(run.runId);
    const typed = { ...CORRECTION, recipientId: id, ...given };
    expect(await proposeAdjustment(game, fiona, typed)).toEqual({ ok: false, reason: 'invalid', field, problem });
  });

  test('a finding on no renewals, too many or half of one is refused for its count', { tags: 'proof' }, async () => {
    const found = await findClose(game, MONTH);
    const item = found.kind === 'run' ? found.close.items.find(({ answer }) => answer === 'finding') : undefined;
    if (item === undefined) throw new Error('no renewals without attribution');
    const record = (renewalCount: number) =>
      recordFinding(game, fiona, run.runId, { reason: item.key, renewalCount, conclusion: 'nothing_owed', note: 'Seen' });
    for (const count of [0, -1, 1.5, Number.NaN, item.count + 1])
      expect(await record(count)).toEqual({ ok: false, reason: 'bad_count', countMax: item.count });
  });

  test('of two notes on one item the second is refused, and the first sent again is stored once', async () => {
    const found = await findClose(game, MONTH);
    const item = found.kind === 'run' ? found.close.items.find(({ group }) => group === 'note') : undefined;
    if (item === undefined) throw new Error('nothing needs a note');
    const note = (text: string) => noteCheck(game, fiona, run.runId, { checkKey: item.key, facts: item.facts, note: text });
    expect([await note('First'), await note('First'), await note('Second')]).toEqual([
      { ok: true },
      { ok: true },
      { ok: false, reason: 'noted' },
    ]);
    const { rows } = await testEnv.pool.query(`select act from audit where act = 'noted a check of payout run'`);
    expect(rows).toHaveLength(1);
  });

  test('a note of invisible characters answers nothing', async () => {
    expect(await noteCheck(game, fiona, run.runId, { checkKey: 'x', facts: '00'.repeat(32), note: '\u00a0\u200b' })).toEqual({
      ok: false,
      reason: 'missing',
    });
  });
});

describe('each with a month of its own', () => {
  beforeEach(openMonth);
  afterEach(() => testEnv.close());

  test('a hold on a submitted run returns it to draft, and the person who releases one can’t approve', async () => {
    const run = await submitMonth(testEnv, fiona, MONTH);
    const { id } = await bestPaid(run.runId);
    expect(await placeHold(game, ada, hold(id))).toMatchObject({ ok: true, count: 1, voidedSubmission: true });
    expect(await findRun(game.db, game.gameId, { runId: run.runId })).toMatchObject({ state: 'draft', contentDigest: null });
    expect(await lineOf(run.runId, id)).toMatchObject({ outcome: 'on_hold', payable_usd: '0.00' });

    const { rows } = await testEnv.pool.query(`select hold_id from payout_hold where reason_code = 'dispute'`);
    expect(await releaseHold(game, ada, { holdId: rows[0].hold_id, note: 'Settled' })).toMatchObject({ ok: true, count: 1 });
    expect(await releaseHold(game, ada, { holdId: rows[0].hold_id, note: 'Settled' })).toMatchObject({ ok: true, count: 0 });
    const back = await findRun(game.db, game.gameId, { runId: run.runId });
    await answerChecks(testEnv, fiona, run);
    const again = await submitRun(game, fiona, run.runId, back?.draftDigest ?? '');
    if (!again.ok) throw new Error(again.reason);
    expect(await approveRun(game, ada, run.runId, again.run.contentDigest ?? '')).toMatchObject({
      reason: 'editor',
      because: ['released'],
    });
  });

  test('a hold that runs out after submission returns the run to draft when it is approved', { tags: 'proof' }, async () => {
    const first = await draft();
    const { id } = await bestPaid(first.runId);
    await placeHold(game, ada, hold(id, { expiresAt: '2026-11-21T13:00:00Z' }));
    await answerChecks(testEnv, fiona, first);
    const current = await findRun(game.db, game.gameId, { runId: first.runId });
    const submitted = await submitRun(game, fiona, first.runId, current?.draftDigest ?? '');
    if (!submitted.ok) throw new Error(submitted.reason);
    const later = { ...game, now: () => '2026-11-21T13:00:00Z' };
    expect(await approveRun(later, ada, first.runId, submitted.run.contentDigest ?? '')).toMatchObject({
      reason: 'sent_back',
      changes: [{ kind: 'hold_ended', recipientId: id }],
    });
    expect(await lineOf(first.runId, id)).toMatchObject({ outcome: 'payable' });
  });

  test('a part held of a recipient pays the rest, an exclusion carries everything, and a minimum of their own waits', {
    tags: 'proof',
  }, async () => {
    const { runId } = await draft();
    const { id, payable_usd } = await bestPaid(runId);
    await placeHold(game, fiona, hold(id, { amount: '1.00' }));
    expect(Number((await lineOf(runId, id))['payable_usd'])).toBeCloseTo(Number(payable_usd) - 1, 2);
    await excludeRecipients(game, fiona, { runId, recipientIds: [id], note: 'Not this time' });
    expect(await lineOf(runId, id)).toMatchObject({ outcome: 'excluded', payable_usd: '0.00' });
    const { rows } = await testEnv.pool.query(`select hold_id from payout_hold where recipient_player_id = $1`, [id]);
    for (const { hold_id } of rows) await releaseHold(game, fiona, { holdId: hold_id, note: 'Done' });
    expect(await lineOf(runId, id)).toMatchObject({ outcome: 'payable', payable_usd });
    await setMinimum(game, fiona, { recipientId: id, minimum: '100000' });
    expect(await lineOf(runId, id)).toMatchObject({ outcome: 'below_minimum', minimum_usd: '100000.00' });
  });

  test('an adjustment changes nothing until another person confirms it, and a transfer moves money between two balances', async () => {
    const { runId } = await draft();
    const { id, closing_usd } = await bestPaid(runId);
    const typed = { ...CORRECTION, recipientId: id, amount: '-0.50' };
    const proposed = await proposeAdjustment(game, fiona, typed);
    if (!proposed.ok) throw new Error(proposed.reason);
    const before = await lineOf(runId, id);
    expect(await decideProposal(game, fiona, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' })).toEqual({
      ok: false,
      reason: 'same_person',
    });
    expect(await lineOf(runId, id)).toEqual(before);
    expect(await decideProposal(game, ada, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' })).toMatchObject({ ok: true });
    expect(await lineOf(runId, id)).toMatchObject({ adjusted_usd: '-0.50', closing_usd });

    const { rows } = await testEnv.pool.query(
      'select recipient_player_id as id from payout_line where run_id = $1 and recipient_player_id <> $2 limit 1',
      [runId, id],
    );
    const moved = await proposeAdjustment(game, ada, { ...typed, amount: '-5', kind: 'transfer', toRecipientId: rows[0].id });
    if (!moved.ok) throw new Error(moved.reason);
    await decideProposal(game, fiona, { adjustmentId: moved.adjustmentId, decision: 'confirmed' });
    expect((await lineOf(runId, id))['adjusted_usd']).toBe('-5.50');
    expect((await lineOf(runId, rows[0].id))['adjusted_usd']).toBe('5.00');
  });

  test('a stricter policy returns a submitted run to draft; from its sum on, two people approve', { tags: 'proof' }, async () => {
    const run = await submitMonth(testEnv, fiona, MONTH);
    const typed = {
      minimum: '5',
      secondApprovalFrom: '1',
      recheckHours: 24,
      changePercent: 50,
      firstPaymentFrom: '100',
      holdsBaseMismatch: true,
    };
    expect(await proposePolicy(game, fiona, { ...typed, minimum: '-1' })).toMatchObject({ reason: 'invalid', fields: ['minimum'] });
    expect(await proposePolicy(game, fiona, typed)).toEqual({ ok: true });
    expect(await proposePolicy(game, ada, typed)).toEqual({ ok: false, reason: 'another_waits' });
    const { rows } = await testEnv.pool.query('select max(policy_no) as no from payout_policy');
    expect(await decideProposedPolicy(game, fiona, { policyNo: rows[0].no, decision: 'confirmed' })).toMatchObject({ ok: false });
    expect(await decideProposedPolicy(game, ada, { policyNo: rows[0].no, decision: 'confirmed' })).toEqual({
      ok: true,
      voidedSubmission: true,
    });

    await answerChecks(testEnv, fiona, run);
    const current = await findRun(game.db, game.gameId, { runId: run.runId });
    const again = await submitRun(game, fiona, run.runId, current?.draftDigest ?? '');
    if (!again.ok) throw new Error(again.reason);
    const digest = again.run.contentDigest ?? '';
    expect(await approveRun(game, ada, run.runId, digest)).toMatchObject({ ok: true, isComplete: false, run: { state: 'submitted' } });
    expect(await approveRun(game, ada, run.runId, digest)).toMatchObject({ reason: 'moved_on' });
    const theo = await seedFinance(testEnv, 'theo');
    expect(await approveRun(game, theo, run.runId, digest)).toMatchObject({ ok: true, isComplete: true });
  });

  test('an approved run is voided by two people, and the month can be drafted again with the same lines', { tags: 'proof' }, async () => {
    const run = await submitMonth(testEnv, fiona, MONTH);
    expect(await approveRun(game, ada, run.runId, run.contentDigest ?? '')).toMatchObject({ ok: true });
    expect(await voidRun(game, fiona, run.runId, 'Wrong month')).toMatchObject({ reason: 'moved_on' });
    const voiding = { runId: run.runId, isNotUploaded: false };
    expect(await requestVoid(game, fiona, { ...voiding, why: ' ' })).toMatchObject({ reason: 'missing' });
    expect(await requestVoid(game, fiona, { ...voiding, why: 'Wrong month' })).toMatchObject({ ok: true });
    expect(await confirmVoidAsShown(game, fiona, run.runId)).toMatchObject({ reason: 'editor' });
    expect(await confirmVoidAsShown(game, ada, run.runId)).toMatchObject({ ok: true, run: { state: 'void' } });
    expect(await findStatement(game, run.runNo, 1)).toEqual({ ok: false, reason: 'voided' });
    const again = await draft();
    expect(again).toMatchObject({ runNo: run.runNo + 1, previousRunId: null, totals: run.totals });
  });

  test('a rejected run says why, goes back to draft, and can be voided', { tags: 'proof' }, async () => {
    const run = await submitMonth(testEnv, fiona, MONTH);
    expect(await rejectRun(game, fiona, run.runId, 'No')).toMatchObject({ reason: 'editor' });
    expect(await rejectRun(game, ada, run.runId, 'Ask Noor first')).toMatchObject({
      ok: true,
      run: { state: 'rejected', rejectReason: 'Ask Noor first' },
    });
    expect(await returnToDraft(game, fiona, run.runId)).toMatchObject({ ok: true, run: { state: 'draft', rejectReason: null } });
    expect(await recomposeRun(game, fiona, run.runId)).toMatchObject({ ok: true, run: { draftDigest: run.draftDigest } });
    expect(await voidRun(game, fiona, run.runId, 'Wrong month')).toMatchObject({ ok: true, run: { state: 'void' } });
  });

  test('a hold of more than is due, and a second hold of everything due, are stored and named', { tags: 'proof' }, async () => {
    const run = await draft();
    const { id } = await bestPaid(run.runId);
    const { due_usd } = await lineOf(run.runId, id);
    expect(await placeHold(game, fiona, hold(id, { amount: '999999' }))).toMatchObject({
      ok: true,
      dueAtMost_usd: due_usd,
      heldAlready: 0,
    });
    expect(await placeHold(game, fiona, hold(id))).toMatchObject({ ok: true, dueAtMost_usd: null, heldAlready: 0 });
    expect(await placeHold(game, fiona, hold(id))).toMatchObject({ ok: true, dueAtMost_usd: null, heldAlready: 1 });
  });

  test('a password given more than five minutes ago approves nothing, and an approval that can’t succeed is known before it is required', {
    tags: 'proof',
  }, async () => {
    const run = await submitMonth(testEnv, fiona, MONTH);
    const digest = run.contentDigest ?? '';
    await testEnv.pool.query(`update person_session set proved_at = clock_now() - interval '6 minutes' where person_id = $1`, [ada.id]);
    expect(await approveRun(game, ada, run.runId, digest)).toMatchObject({ ok: false, reason: 'password' });
    expect(await findRun(game.db, game.gameId, { runId: run.runId })).toMatchObject({ state: 'submitted', approvals: [] });
    expect(await canApproveRun(game, ada, run.runId, digest)).toBe(true);
    expect(await canApproveRun(game, fiona, run.runId, digest)).toBe(false);
    expect(await canApproveRun(game, ada, run.runId, '00'.repeat(32))).toBe(false);
    await returnToDraft(game, fiona, run.runId);
    expect(await canApproveRun(game, ada, run.runId, digest)).toBe(false);
  });

  test('of two drafts of one month at once, one wins and the other learns of it; of many approvals, one wins', async () => {
    const drafts = await Promise.all([draftRun(game, fiona, MONTH), draftRun(game, ada, MONTH)]);
    expect(drafts.map((each) => (each.ok ? 'drafted' : each.reason)).toSorted()).toEqual(['drafted', 'exists']);
    const first = drafts.find((each) => each.ok);
    if (!first?.ok) throw new Error('no draft');
    const [preparer, approver] = first.run.draftedBy.id === fiona.id ? [fiona, ada] : [ada, fiona];
    await answerChecks(testEnv, preparer, first.run);
    const submitted = await submitRun(game, preparer, first.run.runId, first.run.draftDigest ?? '');
    if (!submitted.ok) throw new Error(submitted.reason);
    const { runId, contentDigest } = submitted.run;
    const answers = await Promise.all(Array.from({ length: APPROVALS }, () => approveRun(game, approver, runId, contentDigest ?? '')));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(APPROVALS);
    expect((await testEnv.pool.query('select from payout_approval')).rowCount).toBe(1);
    recordFigure('Approvals of one payout run at once', `${APPROVALS} approvals, 1 stored`);
  });
});
