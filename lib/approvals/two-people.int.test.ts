import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Act,
  type Answer,
  goThrough,
  OF_THE_ACTOR,
  OF_THE_FIRST,
  refuses,
  WITHOUT_A_RIGHT,
  whileSo,
} from '#e2e/support/approvals/acts.ts';
import { answerChecks, confirmVoidAsShown, pullAndRecheck, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmAsShown, seedPerson } from '#e2e/support/people/seed-people.ts';
import {
  MINTED_COINS,
  openRefundEnvironment,
  type RefundEnvironment,
  type RefundGame,
  readingOf,
} from '#e2e/support/refunds/refund-environment.ts';
import { resumeAsShown } from '#e2e/support/refunds/resume-as-shown.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { findRun } from '#lib/payouts/reads/find-run.ts';
import { findRefundToApprove } from '#lib/refunds/reads/find-refund.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideProposal, decideProposedPolicy, proposeAdjustment, proposePolicy } from '../payouts/adjust-balance.ts';
import { approveRun, rejectRun, requestVoid, voidRun } from '../payouts/decide-run.ts';
import { draftRun, recomposeRun, returnToDraft } from '../payouts/draft-run.ts';
import { placeHold, setMinimum } from '../payouts/hold-payment.ts';
import { submitRun } from '../payouts/submit-run.ts';
import { approveRoles, declineRoles } from '../people/approve-roles.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from '../people/manage-people.ts';
import { approveRefund, declineRefund } from '../refunds/approve-refund.ts';
import { approveRaise, changeLimit, declineRaise } from '../refunds/change-limits.ts';
import { pauseRefunds } from '../refunds/pause-refunds.ts';
import { confirmOutcome, discardOutcome, recordOutcome } from '../refunds/record-outcome.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { requireFactor, resetFactor } from '../two-factor/manage-factors.ts';

// Every statement that stores the first or the second act of what takes two people, in the order in which it happens.
const MONTH = '2026-08';
const DAY = { accountWait_hours: 24 };
const POLICY = {
  minimum: '10.00',
  secondApprovalFrom: '',
  recheckHours: 24,
  changePercent: 50,
  firstPaymentFrom: '1.00',
  holdsBaseMismatch: true,
};

let testEnv: RefundEnvironment;
let fiona: SessionActor;
let gus: SessionActor;
let ada: SessionActor;
beforeAll(async () => {
  testEnv = await openRefundEnvironment();
  [fiona, gus, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus'), await seedFinance(testEnv, 'adam')];
  await testEnv.pool.query(`update person set roles = '{finance,admin}' where id = $1`, [ada.id]);
  ada = { ...ada, roles: ['finance', 'admin'] };
});
afterAll(() => testEnv.close());

describe('each act of two people is refused at the commit to who doesn’t count, and to who does after who stopped counting', () => {
  test('refunds: request, approval, rejection, outcome, resuming, limits', async () => {
    const game: RefundGame = await testEnv.newGame();
    await testEnv.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'finance', 0, 'ada')`, [game.gameId]);
    const form = await game.form();
    let refundId = 0;
    const request = async (opened: OpenGame): Promise<Answer> => {
      const asked = await requestRefund({ game: opened, config: testEnv.config }, fiona, form, readingOf(game.invo));
      if (asked.ok) refundId = asked.refundId;
      return asked;
    };
    await goThrough(
      testEnv,
      [
        { name: 'request of a refund', by: fiona, run: request },
        { name: 'rejection of a refund', by: gus, run: (opened) => declineRefund(opened, gus, refundId, 'Not this one.') },
      ],
      game,
    );
    Object.assign(form, await game.form());
    await request(game);
    const approve = async (opened: OpenGame): Promise<Answer> => {
      const { contentDigest = '' } = (await findRefundToApprove(testEnv.db, game.gameId, refundId)) ?? {};
      const shown = { contentDigest, confirmedRisk: MINTED_COINS };
      return await approveRefund({ game: opened, config: testEnv.config }, gus, refundId, shown, readingOf(game.invo));
    };
    await goThrough(testEnv, [{ name: 'approval of a refund', by: gus, after: fiona, run: approve }], game);

    await testEnv.spoil('lookup_failed');
    await game.settleToRest();
    const decided = (kind: 'confirm' | 'discard', decisionNo: number) => async (opened: OpenGame) =>
      kind === 'confirm'
        ? await confirmOutcome(opened, gus, refundId, decisionNo)
        : await discardOutcome(opened, gus, refundId, decisionNo);
    const record = async (opened: OpenGame) => await recordOutcome(opened, fiona, refundId, 'send_again', 'Invo says so.');
    await goThrough(
      testEnv,
      [
        { name: 'outcome to discard', by: fiona, run: record },
        { name: 'discarded outcome', by: gus, run: decided('discard', 1) },
        { name: 'outcome', by: fiona, run: record },
      ],
      game,
    );
    await goThrough(testEnv, [{ name: 'confirmed outcome', by: gus, after: fiona, run: decided('confirm', 2) }], game);

    await pauseRefunds(game, fiona, 'A look first.');
    const pauseAndAsk = async (opened: OpenGame): Promise<Answer> => {
      await pauseRefunds(game, fiona, 'Another look.');
      return await resumeAsShown(opened, fiona);
    };
    await goThrough(
      testEnv,
      [
        { name: 'request to resume', by: fiona, run: (opened) => resumeAsShown(opened, fiona) },
        { name: 'resuming', by: gus, run: (opened) => resumeAsShown(opened, gus) },
        // Who asked and whose account stopped counting is replaced by the next who asks.
        { name: 'request to resume again', by: fiona, run: pauseAndAsk },
        {
          name: 'request in place of one that stopped counting',
          by: gus,
          run: async (opened) => {
            const answer: Answer = await whileSo(testEnv, fiona, 'account_confirmed_at = null', () => resumeAsShown(opened, gus));
            return answer.ok ? { ok: answer.is === 'resume_requested' } : answer;
          },
        },
        { name: 'resuming again', by: fiona, run: (opened) => resumeAsShown(opened, fiona) },
        { name: 'request of a higher limit', by: ada, run: (opened) => changeLimit(opened, ada, { name: 'support', typed: '70' }) },
        { name: 'rejected limit', by: gus, run: (opened) => declineRaise(opened, gus, { name: 'support', limit_usd: '70.00' }) },
      ],
      game,
    );
    await changeLimit(game, ada, { name: 'support', typed: '80' });
    await goThrough(
      testEnv,
      [
        {
          name: 'approved limit',
          by: gus,
          after: ada,
          run: (opened) => approveRaise(opened, gus, { name: 'support', limit_usd: '80.00' }),
        },
      ],
      game,
    );
  });

  test('payouts: drafts, holds, adjustments, policies, submission, approval, voiding', async () => {
    await pullAndRecheck(testEnv, MONTH);
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
        { name: 'adjustment', by: fiona, run: adjustment },
        {
          name: 'confirmed adjustment',
          by: gus,
          after: fiona,
          run: (opened) => decideProposal(opened, gus, { adjustmentId, decision: 'confirmed' }),
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
        { name: 'request to void', by: fiona, run: (opened) => requestVoid(opened, fiona, current().runId, 'Wrong month.') },
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
  });

  test('people: invitation, roles, link, second factor, disabling, enabling, confirmation', async () => {
    const { db } = testEnv;
    const sam = await seedPerson(db, 'sam@studio.example', 'support');
    await testEnv.pool.query(
      `insert into second_factor (person_id, sealed_secret, confirmed_at, last_step) values ($1, 'x', clock_timestamp(), 0)`,
      [sam],
    );
    const ids = { actorId: ada.id, personId: sam };
    const decision = { actorId: gus.id, personId: sam, roles: ['finance'] as const };
    const ask = async () => await changeRoles(db, { ...ids, roles: ['finance'] }, DAY);
    // Who changes people reads and stores in one transaction, in which changes to people wait for each other: nothing lies between.
    const acts: (Act & { run: () => Promise<Answer> })[] = [
      {
        name: 'invitation',
        by: ada,
        run: async () => await addPerson(db, { actorId: ada.id, email: 'new@studio.example', name: 'New', roles: ['viewer'] }),
      },
      { name: 'password link', by: ada, run: async () => await resetPasswordLink(db, ids, { isMailed: false }) },
      { name: 'confirmation', by: gus, run: async () => await confirmAsShown(db, { actorId: gus.id, personId: sam }) },
      { name: 'request of roles', by: ada, run: ask },
      { name: 'rejected roles', by: gus, run: async () => await declineRoles(db, decision) },
      { name: 'request of roles again', by: ada, run: ask },
      { name: 'approved roles', by: gus, after: ada, run: async () => await approveRoles(db, decision, DAY) },
      { name: 'reset of a second factor', by: ada, run: async () => await resetFactor(db, ids, DAY) },
      { name: 'required second factor', by: ada, run: async () => await requireFactor(db, { actorId: ada.id, roles: ['support'] }) },
      { name: 'disabling', by: ada, run: async () => await disablePerson(db, ids) },
      { name: 'enabling', by: ada, run: async () => await enablePerson(db, ids, DAY) },
    ];
    for (const { name, by, after, run } of acts) {
      for (const [change, reason] of OF_THE_ACTOR)
        await refuses(testEnv, `${name}, ${change}`, reason, () => whileSo(testEnv, by, change, run));
      for (const change of WITHOUT_A_RIGHT)
        await refuses(testEnv, `${name}, ${change}`, 'not_allowed', () => whileSo(testEnv, by, change, run));
      for (const [change, reason] of after === undefined ? [] : OF_THE_FIRST)
        await refuses(testEnv, `${name}, first: ${change}`, reason, () => whileSo(testEnv, after ?? by, change, run));
      expect(await run(), name).toMatchObject({ ok: true });
    }
  });
});
