// @module-tag proof
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, goThrough, whileSo } from '#e2e/support/approvals/acts.ts';
import { answerChecks, confirmVoidAsShown, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { postCardFees } from '#lib/accounting/post-journals.ts';
import { setAccounts } from '#lib/accounting/set-accounts.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { findPayoutPause } from '#lib/payouts/reads/payout-pause.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideDetails } from '../payees/decide-details.ts';
import { findImportPlan, importDetails } from '../payees/import-details.ts';
import { proposeDetails } from '../payees/propose-details.ts';
import { decideProposal, decideProposedPolicy, proposeAdjustment, proposePolicy } from '../payouts/adjust-balance.ts';
import { approveRun, confirmVoid, rejectRun, requestVoid, returnChangedRun, voidRun } from '../payouts/decide-run.ts';
import { draftRun, recomposeRun, returnToDraft } from '../payouts/draft-run.ts';
import { excludeRecipients, placeHold, releaseHold, setMinimum } from '../payouts/hold-payment.ts';
import { noteCheck, recordFinding, submitRun } from '../payouts/submit-run.ts';
import { resume } from './pause.ts';

// Every statement of payouts that stores the first or the second act of what takes two people, in the order in which it happens.
const MONTH = '2026-08';
const POLICY = {
  minimum: '10.00',
  secondApprovalFrom: '',
  recheckHours: 24,
  changePercent: 50,
  firstPaymentFrom: '1.00',
  holdsBaseMismatch: true,
};
// Of something else than the month shows: what only the right decides comes before.
const CHANGED: Answer = { ok: false, reason: 'changed' };
const NOTE = { checkKey: 'none', facts: '', note: 'Seen.' };
const FINDING = { reason: 'none', renewalCount: 1, conclusion: 'raised_with_invo', note: 'Ticket 4415' };

let testEnv: TestEnvironment;
let fiona: SessionActor;
let gus: SessionActor;
beforeAll(async () => {
  testEnv = await openPulledEnvironment(MONTH);
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

test('each act of two people about payouts is refused at the commit to who doesn’t count, and to who does after who stopped counting', async () => {
  const game = await testEnv.game();
  let run: Run | null = null;
  let [adjustmentId, policyNo] = [0, 0];
  const current = (): Run => {
    if (run === null) throw new Error('no run yet');
    return run;
  };
  const reread = async (): Promise<Run> => {
    run = await findRun(testEnv.db, game.gameId, { runId: current().runId });
    return current();
  };
  const recipientId = async (): Promise<number> => {
    const { rows } = await testEnv.pool.query('select recipient_player_id as id from payout_line where run_id = $1 order by 1 limit 1', [
      current().runId,
    ]);
    return rows[0].id;
  };
  const adjustment = async (opened: OpenGame): Promise<Answer> => {
    const typed = {
      recipientId: await recipientId(),
      amount: '1.00',
      kind: 'goodwill',
      reason: 'For the wait.',
      runNo: null,
      periodId: null,
      toRecipientId: null,
    };
    const proposed = await proposeAdjustment(opened, fiona, typed);
    if (proposed.ok) adjustmentId = proposed.adjustmentId;
    return proposed;
  };
  const policy = async (opened: OpenGame): Promise<Answer> => {
    const proposed = await proposePolicy(opened, fiona, POLICY);
    const { rows } = await testEnv.pool.query('select max(policy_no) as no from payout_policy where game_id = $1', [game.gameId]);
    policyNo = rows[0].no;
    return proposed;
  };
  const typedDetails = async () => ({
    recipientId: await recipientId(),
    method: 'paypal',
    typed: { email: 'second@creators.example' },
    reason: 'By telephone',
  });
  const askToVoid = async (opened: OpenGame): Promise<Answer> =>
    await requestVoid(opened, fiona, { runId: current().runId, why: 'Wrong month.', isNotUploaded: true });
  const hold = { periodId: null, reason: 'dispute', note: 'Chargeback', expiresAt: '', amount: '0.01' };
  await goThrough(
    testEnv,
    [
      {
        name: 'draft',
        by: fiona,
        run: async (opened) => {
          const drafted = await draftRun(opened, fiona, MONTH);
          if (drafted.ok) run = drafted.run;
          return drafted;
        },
      },
      { name: 'recalculation', by: fiona, run: (opened) => recomposeRun(opened, fiona, current().runId) },
      {
        name: 'hold',
        by: fiona,
        run: async (opened) => await placeHold(opened, fiona, { ...hold, recipientIds: [await recipientId()] }),
      },
      {
        name: 'minimum',
        by: fiona,
        run: async (opened) => await setMinimum(opened, fiona, { recipientId: await recipientId(), minimum: '2.00' }),
      },
      {
        name: 'exclusion from a run',
        by: fiona,
        run: async (opened) =>
          await excludeRecipients(opened, fiona, { runId: current().runId, recipientIds: [await recipientId()], note: 'Asked to wait.' }),
      },
      { name: 'released hold', by: fiona, run: (opened) => releaseHold(opened, fiona, { holdId: 1, note: 'Settled.' }) },
      { name: 'note', by: fiona, run: (opened) => noteCheck(opened, fiona, current().runId, NOTE), answer: CHANGED },
      { name: 'finding', by: fiona, run: (opened) => recordFinding(opened, fiona, current().runId, FINDING), answer: CHANGED },
      { name: 'journal accounts', by: fiona, run: (opened) => setAccounts(opened, fiona, { seenMapNo: 99, typed: {} }), answer: CHANGED },
      { name: 'adjustment', by: fiona, run: adjustment },
      {
        name: 'confirmed adjustment',
        by: gus,
        after: fiona,
        run: (opened) => decideProposal(opened, gus, { adjustmentId, decision: 'confirmed' }),
      },
      { name: 'payment details', by: fiona, run: async (opened) => await proposeDetails(opened, fiona, PAYEE_KEY, await typedDetails()) },
      {
        name: 'confirmed payment details',
        by: gus,
        after: fiona,
        run: async (opened) => {
          const proposal = { recipientId: await recipientId(), detailNo: 2 };
          return await decideDetails(opened, gus, PAYEE_KEY, await confirmationOf(opened, proposal));
        },
      },
      {
        name: 'import of payment details',
        by: fiona,
        run: async (opened) => {
          const bytes = Buffer.from(`recipient_player_id,method,email\n${await recipientId()},paypal,third@creators.example`);
          const plan = await findImportPlan(opened.db, opened.gameId, PAYEE_KEY, bytes);
          return await importDetails(opened, fiona, PAYEE_KEY, { bytes, reason: 'By telephone', shown: plan.ok ? plan.shown : '' });
        },
      },
      { name: 'policy', by: fiona, run: policy },
      {
        name: 'confirmed policy',
        by: gus,
        after: fiona,
        run: (opened) => decideProposedPolicy(opened, gus, { policyNo, decision: 'confirmed' }),
      },
    ],
    game,
  );
  await answerChecks(testEnv, fiona, await reread());
  await goThrough(
    testEnv,
    [
      {
        name: 'submission',
        by: fiona,
        run: async (opened) => await submitRun(opened, fiona, current().runId, (await reread()).draftDigest ?? ''),
      },
      {
        name: 'return of a changed run',
        by: fiona,
        run: (opened) => returnChangedRun(opened, fiona, current().runId),
        answer: { ok: false, reason: 'moved_on' },
      },
      { name: 'sending back', by: gus, run: (opened) => rejectRun(opened, gus, current().runId, 'Look again.') },
      { name: 'return to draft', by: fiona, run: (opened) => returnToDraft(opened, fiona, current().runId) },
    ],
    game,
  );
  await answerChecks(testEnv, fiona, await reread());
  const submitted = await submitRun(game, fiona, current().runId, (await reread()).draftDigest ?? '');
  const digest = submitted.ok ? (submitted.run.contentDigest ?? '') : '';
  await goThrough(
    testEnv,
    [
      { name: 'approval', by: gus, after: fiona, run: (opened) => approveRun(opened, gus, current().runId, digest) },
      {
        name: 'card fees',
        by: fiona,
        run: (opened) => postCardFees(opened, fiona, current().runId),
        answer: { ok: false, reason: 'nothing' },
      },
      { name: 'request to void', by: fiona, run: askToVoid },
      {
        name: 'discarded request to void',
        by: fiona,
        run: async (opened) =>
          await confirmVoid(opened, fiona, { runId: current().runId, version: (await reread()).version }, { isAgreed: false }),
      },
      { name: 'request to void again', by: fiona, run: askToVoid },
      { name: 'voiding', by: gus, after: fiona, run: (opened) => confirmVoidAsShown(opened, gus, current().runId) },
    ],
    game,
  );
  const again = await draftRun(game, fiona, MONTH);
  if (!again.ok) throw new Error(again.reason);
  await goThrough(
    testEnv,
    [{ name: 'voiding a draft', by: fiona, run: (opened) => voidRun(opened, fiona, again.run.runId, 'Wrong month.') }],
    game,
  );
  expect(await findRun(testEnv.db, game.gameId, { runId: again.run.runId })).toMatchObject({ state: 'void' });

  await testEnv.pool.query(
    `with restored as (
      insert into database_restore (found_by, lineage, step) values ('worker 1', gen_random_uuid(), 1) returning restore_no
    ) insert into payout_pause (game_id, restore_no) select $1, restore_no from restored`,
    [game.gameId],
  );
  const resumeBy = (by: SessionActor) => async (opened: OpenGame) =>
    await resume(opened, by, { what: 'payouts', version: (await findPayoutPause(testEnv.db, game.gameId))?.version ?? '' });
  await goThrough(
    testEnv,
    [
      { name: 'request to resume payouts', by: fiona, run: resumeBy(fiona) },
      // A requester whose account stopped counting is replaced by the next requester.
      {
        name: 'request in place of one that stopped counting',
        by: gus,
        run: async (opened) => {
          const answer: Answer = await whileSo(testEnv, fiona, 'account_confirmed_at = null', () => resumeBy(gus)(opened));
          return answer.ok ? { ok: answer.is === 'resume_requested' } : answer;
        },
      },
      { name: 'resuming payouts', by: fiona, run: resumeBy(fiona) },
    ],
    game,
  );
  expect(await findPayoutPause(testEnv.db, game.gameId)).toBeNull();
});
