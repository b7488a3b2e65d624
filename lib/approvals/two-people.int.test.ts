import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Act,
  type Answer,
  goThrough,
  OF_THE_ACTOR,
  OF_THE_FIRST,
  refuses,
  runChanged,
  WITHOUT_A_RIGHT,
  whileSo,
} from '#e2e/support/approvals/acts.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmAsShown, seedPerson } from '#e2e/support/people/seed-people.ts';
import {
  MINTED_COINS,
  openRefundEnvironment,
  type RefundEnvironment,
  type RefundGame,
  readingOf,
} from '#e2e/support/refunds/refund-environment.ts';
import { resumeAsShown } from '#e2e/support/refunds/resume-as-shown.ts';
import { findRefundToApprove } from '#lib/refunds/reads/find-refund.ts';
import { findActionControls } from '../actions/reads/action-controls.ts';
import { confirmSwitch, declineSwitch, setSwitch } from '../actions/set-switch.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from '../people/manage-people.ts';
import { approveRoles, declineRoles } from '../people/second-person.ts';
import { approveRefund, declineRefund } from '../refunds/approve-refund.ts';
import { confirmOutcome, discardOutcome, recordOutcome } from '../refunds/record-outcome.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { requireFactor, resetFactor } from '../two-factor/manage-factors.ts';
import { approveRaise, changeLimit, declineRaise } from './change-limit.ts';
import { pause, resume } from './pause.ts';

// Every statement that stores the first or the second act of what takes two people, in the order in which it happens; those of payouts are in a file of
// their own, and e2e/architecture/two-people.test.ts compares both with the sources.
const DAY = { accountWait_hours: 24 };

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
      const requested = await requestRefund({ game: opened, config: testEnv.config }, fiona, form, readingOf(game.invo));
      if (requested.ok) refundId = requested.refundId;
      return requested;
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
    await goThrough(
      testEnv,
      [
        { name: 'approval of a refund', by: gus, after: fiona, run: approve },
        { name: 'withdrawal of an approved refund', by: gus, run: (opened) => declineRefund(opened, gus, refundId, 'Not this one.') },
      ],
      game,
    );
    await testEnv.pool.query(`update refund_limit set limit_usd = 100 where game_id = $1 and name = 'finance'`, [game.gameId]);
    Object.assign(form, await game.form());
    await request(game);

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

    await pause(game, fiona, { what: 'refunds', why: 'A look first.' });
    const pauseAndAsk = async (opened: OpenGame): Promise<Answer> => {
      await pause(game, fiona, { what: 'refunds', why: 'Another look.' });
      return await resumeAsShown(opened, fiona);
    };
    await goThrough(
      testEnv,
      [
        { name: 'request to resume', by: fiona, run: (opened) => resumeAsShown(opened, fiona) },
        { name: 'resuming', by: gus, run: (opened) => resumeAsShown(opened, gus) },
        // A requester whose account stopped counting is replaced by the next one.
        { name: 'request to resume again', by: fiona, run: pauseAndAsk },
        {
          name: 'request instead of one that stopped counting',
          by: gus,
          run: async (opened) => {
            const answer: Answer = await whileSo(testEnv, fiona, 'account_confirmed_at = null', () => resumeAsShown(opened, gus));
            return answer.ok ? { ok: answer.is === 'resume_requested' } : answer;
          },
        },
        { name: 'resuming again', by: fiona, run: (opened) => resumeAsShown(opened, fiona) },
        {
          name: 'request of a higher limit',
          by: ada,
          run: (opened) => changeLimit(opened, ada, { what: 'refunds', name: 'support', typed: '70' }),
        },
        {
          name: 'rejected limit',
          by: gus,
          run: (opened) => declineRaise(opened, gus, { what: 'refunds', name: 'support', amount: '70.00' }),
        },
      ],
      game,
    );
    await changeLimit(game, ada, { what: 'refunds', name: 'support', typed: '80' });
    await goThrough(
      testEnv,
      [
        {
          name: 'approved limit',
          by: gus,
          after: ada,
          run: (opened) => approveRaise(opened, gus, { what: 'refunds', name: 'support', amount: '80.00' }),
        },
      ],
      game,
    );
  });

  test('desk actions: turning on a group, higher limits, resuming', { tags: 'proof' }, async () => {
    const game: RefundGame = await testEnv.newGame();
    await testEnv.pool.query(`update game set environment = 'production' where game_id = $1`, [game.gameId]);
    const [sends, items] = [
      { group: 'sends', requestedBy: ada.id },
      { what: 'items', name: 'finance', amount: '20000.00' },
    ] as const;
    const production = { ...game, environment: 'production' } as const;
    const ask = (opened: OpenGame): Promise<Answer> =>
      setSwitch({ ...opened, environment: 'production' }, ada, { group: 'sends', to: 'on' });
    await pause(production, fiona, { what: 'desk actions', why: 'A look first.' });
    const resumeActions = async (opened: OpenGame, actor: SessionActor): Promise<Answer> => {
      const version = (await findActionControls(testEnv.db, production)).pause?.version ?? '';
      return await resume(opened, actor, { what: 'desk actions', version });
    };
    await goThrough(
      testEnv,
      [
        { name: 'request to turn on desk actions', by: ada, run: ask },
        { name: 'rejected request to turn on desk actions', by: gus, run: (opened) => declineSwitch(opened, gus, sends) },
        { name: 'request to turn on desk actions again', by: ada, run: ask },
        { name: 'desk actions turned on', by: gus, after: ada, run: (opened) => confirmSwitch(opened, gus, sends) },
        {
          name: 'request of a higher limit of items',
          by: ada,
          run: (opened) => changeLimit(opened, ada, { ...items, typed: items.amount }),
        },
        { name: 'approved limit of items', by: gus, after: ada, run: (opened) => approveRaise(opened, gus, items) },
        { name: 'request to resume desk actions', by: fiona, run: (opened) => resumeActions(opened, fiona) },
        { name: 'resuming desk actions', by: gus, run: (opened) => resumeActions(opened, gus) },
      ],
      game,
    );
  });

  test('who confirms their own refund within their limits needs a confirmed account too', async () => {
    const game: RefundGame = await testEnv.newGame();
    const requested = await requestRefund({ game, config: testEnv.config }, fiona, await game.form(), readingOf(game.invo));
    const refundId = requested.ok ? requested.refundId : 0;
    // As if the facts had changed since it was approved within the limits.
    await game.tamper(
      `state = 'awaiting_approval', approval = null, approved_by = null, approved_at = null, approved_digest = null, next_look_at = null`,
    );
    const approve = async (opened: OpenGame): Promise<Answer> => {
      const { contentDigest = '' } = (await findRefundToApprove(testEnv.db, game.gameId, refundId)) ?? {};
      const shown = { contentDigest, confirmedRisk: MINTED_COINS };
      return await approveRefund({ game: opened, config: testEnv.config }, fiona, refundId, shown, readingOf(game.invo));
    };
    const change = 'account_confirmed_at = null';
    await refuses(testEnv, 'own approval', 'unconfirmed', () => whileSo(testEnv, fiona, change, () => approve(game)));
    await refuses(testEnv, 'own approval, at the commit', 'unconfirmed', () =>
      runChanged(testEnv, game, { person: fiona, change, run: approve }),
    );
    expect(await approve(game)).toEqual({ ok: true });
  });

  test('people: invitation, roles, link, second factor, disabling, enabling, confirmation', { tags: 'proof' }, async () => {
    const { db } = testEnv;
    const sam = await seedPerson(db, 'sam@studio.example', 'support');
    await testEnv.pool.query(
      `insert into second_factor (person_id, sealed_secret, confirmed_at, last_step) values ($1, 'x', clock_now(), 0)`,
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
