import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { type Answer, goThrough, OF_THE_ACTOR, refuses, runChanged, WITHOUT_A_RIGHT } from '#e2e/support/approvals/acts.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { approveAction, declineAction } from '../actions/approve-action.ts';
import { confirmOutcome, discardOutcome, recordOutcome } from '../actions/decide-outcome.ts';
import { addHouseAccount, confirmHouseAccount } from '../actions/house-accounts.ts';
import { pressAction } from '../actions/press-action.ts';
import { digestShown, readActionFacts } from '../actions/read-action-facts.ts';
import { listHouseAccounts } from '../actions/reads/list-house-accounts.ts';
import { requestAction } from '../actions/request-action.ts';
import { protocolOf } from '../actions/rules/protocols.ts';
import type { SessionActor } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';

let testEnv: ActionEnvironment;
let fiona: SessionActor;
let gus: SessionActor;
beforeAll(async () => {
  testEnv = await openActionEnvironment();
  [fiona, gus] = [await seedFinance(testEnv, 'fiona.two'), await seedFinance(testEnv, 'gus.two')];
});
afterAll(() => testEnv.close());

const LINK = { kind: 'payment_link', playerId: PLAYERS.asa } as const;
const contextOf = (game: OpenGame): GameContext => ({ game, config: testEnv.config });
let actionId = 0;

const request = async (opened: OpenGame): Promise<Answer> => {
  const facts = await readActionFacts(contextOf(opened), LINK);
  const shown = facts.kind === 'facts' ? digestShown(facts.facts, protocolOf(LINK.kind).decidingOf) : '';
  const words = { reasonCode: 'technical_fault', reasonText: '', ticket: 'T-1' } as const;
  const form = { target: LINK, draftId: randomUUID(), typed: { usd_amount: '20.00' }, shown, isAlikeConfirmed: true, ...words };
  const requested = await requestAction(contextOf(opened), fiona, form);
  if (requested.ok) actionId = requested.actionId;
  return requested;
};
const approve = async (opened: OpenGame): Promise<Answer> => {
  const { contentDigest } = await testEnv.find(actionId);
  return await approveAction(contextOf(opened), gus, { actionId, contentDigest });
};

test('A19: each act about a desk action is refused at the commit to who doesn’t count, and to who does after who stopped counting', {
  tags: 'proof',
}, async () => {
  const { game } = testEnv.context;
  await testEnv.pool.query(`insert into action_limit (game_id, name, limit_amount, set_by) values ($1, 'payments_finance', 0, 'ada')`, [
    game.gameId,
  ]);
  await goThrough(
    testEnv,
    [
      { name: 'request of a desk action', by: fiona, run: request },
      { name: 'rejection of a desk action', by: gus, run: (opened) => declineAction(opened, gus, actionId, 'Not this one.') },
      { name: 'request of another one', by: fiona, run: request },
      { name: 'approval of a desk action', by: gus, after: fiona, run: approve },
    ],
    game,
  );
  const sending = { name: 'sending of a desk action', run: (opened: OpenGame) => pressAction(contextOf(opened), fiona, actionId, SENDER) };
  const [[unconfirmed]] = OF_THE_ACTOR;
  for (const change of [unconfirmed, ...WITHOUT_A_RIGHT])
    await refuses(testEnv, `${sending.name}, ${change}`, 'not_allowed', () =>
      runChanged(testEnv, game, { person: fiona, change, run: sending.run }),
    );
  expect(await sending.run(game)).toMatchObject({ ok: true });
  expect(await testEnv.executed('checkout')).toMatchObject([{ executions: 1, calls: 1 }]);
});

test('an outcome that nothing settles is recorded by one person and confirmed by another', async () => {
  const { game } = testEnv.context;
  await request(game);
  await approve(game);
  await testEnv.control('POST', 'faults', [{ kind: 'landed_then_reset', match: { method: 'POST' } }]);
  await pressAction(contextOf(game), fiona, actionId, SENDER);
  await testEnv.pool.query(`update desk_action set state = 'attention', attention_reason = 'not_settled' where action_id = $1`, [actionId]);
  const record = (opened: OpenGame) => recordOutcome(opened, fiona, { actionId, decision: 'done', text: 'Invo says so.' });
  await goThrough(
    testEnv,
    [
      { name: 'outcome of a desk action to discard', by: fiona, run: record },
      { name: 'discarded outcome of a desk action', by: gus, run: (opened) => discardOutcome(opened, gus, { actionId, decisionNo: 1 }) },
      { name: 'outcome of a desk action', by: fiona, run: record },
      {
        name: 'confirmed outcome of a desk action',
        by: gus,
        after: fiona,
        run: (opened) => confirmOutcome(opened, gus, { actionId, decisionNo: 2 }),
      },
    ],
    game,
  );
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'people' });
});

test('a house account is requested by one person and confirmed by another', async () => {
  const { game } = testEnv.context;
  const email = 'ada.two@studio.example';
  const ada: SessionActor = { id: await seedPerson(testEnv.db, email, 'admin'), email, roles: ['admin'], tokenDigest: '' };
  const typed = { playerId: PLAYERS.asa, label: 'House', phone: '+4915112345678', phoneAgain: '+4915112345678' };
  const confirm = async (opened: OpenGame): Promise<Answer> => {
    const [account] = await listHouseAccounts(testEnv.db, game.gameId);
    return await confirmHouseAccount(opened, gus, { houseAccountId: account?.houseAccountId ?? 0, requestedBy: ada.id });
  };
  await goThrough(
    testEnv,
    [
      { name: 'request of a house account', by: ada, run: (opened) => addHouseAccount(opened, ada, typed, Buffer.alloc(32, 7)) },
      { name: 'confirmed house account', by: gus, after: ada, run: confirm },
    ],
    game,
  );
});
