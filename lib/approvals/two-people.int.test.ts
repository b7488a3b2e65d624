import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '#db/payouts/reads/find-run.ts';
import { findRun, lockRun } from '#db/payouts/reads/find-run.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideProposal, decideProposedPolicy, proposeAdjustment, proposePolicy } from '../payouts/adjust-balance.ts';
import { approveRun, confirmVoid, rejectRun, requestVoid, voidRun } from '../payouts/approve-run.ts';
import { draftRun, recomposeRun, returnToDraft } from '../payouts/draft-run.ts';
import { placeHold, setMinimum } from '../payouts/hold-payment.ts';
import { submitRun } from '../payouts/submit-run.ts';
import { answerChecks, pullAndRecheck, seedFinance } from '../payouts/testing/close-month.ts';
import { approveRoles, declineRoles } from '../people/approve-roles.ts';
import { confirmPerson } from '../people/confirm-person.ts';
import { addPerson, changeRoles, enablePerson, resetPasswordLink } from '../people/manage-people.ts';
import { readAudit, seedPerson } from '../people/testing/seed-people.ts';
import { declineRefund } from '../refunds/approve-refund.ts';
import { approveRaise, changeLimit, declineRaise } from '../refunds/change-limits.ts';
import { pauseRefunds, resumeRefunds } from '../refunds/pause-refunds.ts';
import { confirmOutcome, discardOutcome, recordOutcome } from '../refunds/record-outcome.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame, readingOf } from '../refunds/testing/refund-environment.ts';

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

type Answer = { ok: boolean; reason?: string };
type Act = {
  name: string;
  by: SessionActor;
  /** Who did the first act, of a second act that needs it to count still; none: a first act, or one that declines. */
  after?: SessionActor;
  run: (game: OpenGame) => Promise<Answer>;
};

/** What ends the right of who acts, and how the refusal says so. */
const OF_THE_ACTOR = [
  ['account_confirmed_at = null', 'unconfirmed'],
  [`counts_from = clock_timestamp() + interval '1 hour'`, 'too_new'],
] as const;
const WITHOUT_A_RIGHT = [`roles = '{viewer}'`, 'disabled_at = clock_timestamp()'] as const;
/** What ends the counting of who did the first act. */
const OF_THE_FIRST = [
  ['account_confirmed_at = null', 'preparer_unconfirmed'],
  [`counts_from = clock_timestamp() + interval '1 hour'`, 'preparer_too_new'],
  ['disabled_at = clock_timestamp()', 'preparer_disabled'],
] as const;

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

/** Runs an act while something holds for a person, and puts the person back. */
async function whileSo(person: SessionActor, change: string, work: () => Promise<Answer>): Promise<Answer> {
  await testEnv.pool.query(`update person set ${change} where id = $1`, [person.id]);
  try {
    return await work();
  } finally {
    await restore(person);
  }
}

async function restore(person: SessionActor): Promise<void> {
  await testEnv.pool.query(
    `update person set account_confirmed_at = clock_timestamp(), counts_from = clock_timestamp(), disabled_at = null, roles = $2 where id = $1`,
    [person.id, person.roles],
  );
}

/** A game in which something changes after everything was read and before the transaction that stores. */
function changedBetween(game: OpenGame, person: SessionActor, change: string): OpenGame {
  const connect = async (): Promise<pg.PoolClient> => {
    await testEnv.pool.query(`update person set ${change} where id = $1`, [person.id]);
    return await game.pool.connect();
  };
  const pool = new Proxy(game.pool, { get: (target, key) => (key === 'connect' ? connect : Reflect.get(target, key)) });
  return { ...game, pool };
}

/** Does each act in turn: refused, with the reason and a row of the audit, while a right is missing; then allowed. */
async function goThrough(acts: Act[], game: OpenGame): Promise<void> {
  for (const { name, by, after, run } of acts) {
    const refusals = async (): Promise<number> => (await readAudit(testEnv.db)).filter(({ act }) => act.startsWith('was refused')).length;
    for (const [change, reason] of OF_THE_ACTOR) {
      const before = await refusals();
      expect(await whileSo(by, change, () => run(game)), `${name}, ${change}`).toMatchObject({ ok: false, reason });
      expect(await refusals(), `${name}, ${change}, in the audit`).toBeGreaterThan(before);
    }
    for (const change of WITHOUT_A_RIGHT) expect((await whileSo(by, change, () => run({ ...game }))).ok, `${name}, ${change}`).toBe(false);
    for (const [change] of [...OF_THE_ACTOR, ...WITHOUT_A_RIGHT.map((each) => [each] as const)]) {
      expect((await run(changedBetween(game, by, change))).ok, `${name}, ${change}, at the commit`).toBe(false);
      await restore(by);
    }
    for (const [change, reason] of after === undefined ? [] : OF_THE_FIRST) {
      expect(await whileSo(after ?? by, change, () => run(game)), `${name}, first: ${change}`).toMatchObject({ ok: false, reason });
      expect((await run(changedBetween(game, after ?? by, change))).ok, `${name}, first: ${change}, at the commit`).toBe(false);
      await restore(after ?? by);
    }
    expect(await run(game), name).toMatchObject({ ok: true });
  }
}

describe('each act of two people is refused at the commit to who doesn’t count, and to who does after who stopped counting', () => {
  test('refunds: request, approval, rejection, outcome, resuming, limits', async () => {
    const game: RefundGame = await testEnv.newGame();
    await testEnv.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'finance', 0, 'ada')`, [game.gameId]);
    const form = await game.form();
    let refundId = 0;
    const request = async (opened: OpenGame): Promise<Answer> => {
      const asked = await requestRefund({ game: opened, config: testEnv.config }, fiona, form, readingOf(game.client));
      if (asked.ok) refundId = asked.refundId;
      return asked;
    };
    await goThrough(
      [
        { name: 'request of a refund', by: fiona, run: request },
        { name: 'rejection of a refund', by: gus, run: (opened) => declineRefund(opened, gus, refundId, 'Not this one.') },
      ],
      game,
    );
    Object.assign(form, await game.form());
    await request(game);
    await goThrough(
      [{ name: 'approval of a refund', by: gus, after: fiona, run: async () => await game.approve(gus, refundId) }].filter(() => false),
      game,
    );
    expect(await game.approve(gus, refundId)).toMatchObject({ ok: true });

    await testEnv.spoil('lookup_failed');
    await game.settleToRest();
    const decided = (kind: 'confirm' | 'discard', decisionNo: number) => async (opened: OpenGame) =>
      kind === 'confirm'
        ? await confirmOutcome(opened, gus, refundId, decisionNo)
        : await discardOutcome(opened, gus, refundId, decisionNo);
    const record = async (opened: OpenGame) => await recordOutcome(opened, fiona, refundId, 'send_again', 'Invo says so.');
    await goThrough([{ name: 'outcome', by: fiona, run: record }], game);
    await goThrough([{ name: 'confirmed outcome', by: gus, after: fiona, run: decided('confirm', 1) }], game);

    await pauseRefunds(game, fiona, 'A look first.');
    await goThrough(
      [
        { name: 'request to resume', by: fiona, run: (opened) => resumeRefunds(opened, fiona) },
        { name: 'resuming', by: gus, run: (opened) => resumeRefunds(opened, gus) },
        { name: 'request of a higher limit', by: ada, run: (opened) => changeLimit(opened, ada, { name: 'support', typed: '70' }) },
        { name: 'rejected limit', by: gus, run: (opened) => declineRaise(opened, gus, { name: 'support', limit_usd: '70.00' }) },
      ],
      game,
    );
    await changeLimit(game, ada, { name: 'support', typed: '80' });
    await goThrough(
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
      run = await findRun(testEnv.pool, game.gameId, { runId: current().runId });
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
      [
        { name: 'approval', by: gus, after: fiona, run: (opened) => approveRun(opened, gus, current().runId, digest) },
        { name: 'request to void', by: fiona, run: (opened) => requestVoid(opened, fiona, current().runId, 'Wrong month.') },
        { name: 'voiding', by: gus, after: fiona, run: (opened) => confirmVoid(opened, gus, current().runId, true) },
      ],
      game,
    );
    const again = await draftRun(game, fiona, MONTH);
    if (!again.ok) throw new Error(again.reason);
    await goThrough(
      [{ name: 'voiding a draft', by: fiona, run: (opened) => voidRun(opened, fiona, again.run.runId, 'Wrong month.') }],
      game,
    );
    expect(await lockRun(testEnv.pool as unknown as pg.PoolClient, game.gameId, again.run.runId)).toMatchObject({ state: 'void' });
  });

  test('people: invitation, roles, link, enabling, confirmation', async () => {
    const game = await testEnv.game();
    const { db } = testEnv;
    const sam = await seedPerson(db, 'sam@studio.example', 'support');
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
      { name: 'confirmation', by: gus, run: async () => await confirmPerson(db, { actorId: gus.id, personId: sam }) },
      { name: 'request of roles', by: ada, run: ask },
      { name: 'rejected roles', by: gus, run: async () => await declineRoles(db, decision) },
      { name: 'request of roles again', by: ada, run: ask },
      { name: 'approved roles', by: gus, after: ada, run: async () => await approveRoles(db, decision, DAY) },
    ];
    for (const { name, by, after, run } of acts) {
      for (const [change, reason] of OF_THE_ACTOR)
        expect(await whileSo(by, change, run), `${name}, ${change}`).toMatchObject({ ok: false, reason });
      for (const change of WITHOUT_A_RIGHT)
        expect(await whileSo(by, change, run), `${name}, ${change}`).toMatchObject({ ok: false, reason: 'not_allowed' });
      for (const [change, reason] of after === undefined ? [] : OF_THE_FIRST)
        expect(await whileSo(after ?? by, change, run), `${name}, first: ${change}`).toMatchObject({ ok: false, reason });
      expect(await run(), name).toMatchObject({ ok: true });
    }
    await testEnv.pool.query(`update person set disabled_at = clock_timestamp() where id = $1`, [sam]);
    expect(await whileSo(ada, 'account_confirmed_at = null', async () => await enablePerson(db, ids, DAY))).toMatchObject({
      reason: 'unconfirmed',
    });
    expect(await enablePerson(db, ids, DAY)).toEqual({ ok: true });
    expect(game.gameId).toBeGreaterThan(0);
  });
});
