// @module-tag no-retry
import { afterAll, beforeEach, expect, test } from 'vitest';
import { PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { HOLDER, openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { GameContext } from '../games/game-context.ts';
import { search } from '../search/search.ts';
import { askPhone, watchPhone } from './ask-phone.ts';
import { pressAction } from './press-action.ts';
import { findAction } from './reads/find-action.ts';
import type { SendResult } from './send-approved.ts';
import { verifyActions } from './verify-actions.ts';

const ASA = 'asa.venn@players.example';
const proof = { tags: ['proof'] };

let testEnv: SendEnvironment;
const opened: SendEnvironment[] = [];
beforeEach(async () => {
  testEnv = await openSendEnvironment();
  opened.push(testEnv);
});
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const RECEIPT = { kind: 'receipt', transactionId: 'TRF_IN', actionId: null } as const;
const requested = async (transactionId = 'TRF_IN', context = testEnv.context): Promise<number> => {
  const answer = await testEnv.request(testEnv.people.sam, { ...RECEIPT, transactionId }, {}, context);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.actionId;
};
const press = async (actionId: number, context = testEnv.context): Promise<SendResult> =>
  await pressAction(context, testEnv.people.sam, actionId, HOLDER);
const approveOnPhone = async (actionId: number, context = testEnv.context, environment = 'production'): Promise<void> => {
  expect(await askPhone(context, testEnv.people.sam, actionId, HOLDER)).toMatchObject({ ok: true });
  const { rows } = await testEnv.pool.query('select transaction_id, flow from device_grant order by grant_id desc limit 1');
  expect(rows[0]?.flow).toBe('transfer_receipt');
  await testEnv.control('POST', 'phone', { transaction_id: rows[0]?.transaction_id, outcome: 'approve', environment });
  await testEnv.pool.query('update device_grant set next_poll_at = clock_now() where next_poll_at is not null');
  expect(await watchPhone(context, testEnv.people.sam, actionId, HOLDER)).toMatchObject({ state: 'approved' });
};

test('while a collection by phone is open none by code begins: after either, Invo reports the transfer as collected', async () => {
  const actionId = await requested();
  const byCode = { kind: 'claim', transactionId: 'TRF_IN' } as const;
  expect(await testEnv.request(testEnv.people.sam, byCode, { entered: 'not-the-code' })).toMatchObject({
    reason: 'another_open',
    actionId,
  });
});

test('a transfer is collected with the receiver’s phone: stored first, approved, sent once, and settled by its status', async () => {
  const actionId = await requested();
  expect(await testEnv.find(actionId)).toMatchObject({ playerId: PLAYERS.asa, state: 'approved', needsSecondApprover: false });
  // Nothing is sent before the phone approved.
  expect(await press(actionId)).toEqual({ ok: false, reason: 'not_approved' });
  await approveOnPhone(actionId);
  expect([(await testEnv.find(actionId)).state, await testEnv.executed('confirm-receipt')]).toEqual(['approved', []]);
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.find(actionId)).toMatchObject({ outcomeSource: 'reading', result: { amount_received: '76.00' } });
  expect(await press(actionId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await testEnv.executed('confirm-receipt')).toMatchObject([{ subject: 'TRF_IN', executions: 1, calls: 1 }]);
  expect(await testEnv.request(testEnv.people.sam, RECEIPT)).toMatchObject({ blocker: 'transfer_state' });
  expect(await listTablesHolding(testEnv.pool, anyOf(await testEnv.secretsGiven()))).toEqual([]);
  expect(await findViolations(testEnv, actionId, { isAtRest: true })).toEqual([]);
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  expect(findings.violations).toEqual([]);
});

test('a receipt whose answer was lost is done by the status, and a grant is used once', proof, async () => {
  const actionId = await requested();
  await approveOnPhone(actionId);
  await testEnv.control('POST', 'faults', [{ kind: 'landed_then_reset', match: { route: 'confirm-receipt' } }]);
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.executed('confirm-receipt')).toMatchObject([{ executions: 1, calls: 1 }]);
  const { rows } = await testEnv.pool.query('select count(*)::int as count from device_grant where sealed_code is not null');
  expect(rows).toEqual([{ count: 0 }]);
});

test('a receipt that Invo refuses is not done half an hour later, and another can be requested', proof, async () => {
  const actionId = await requested();
  await approveOnPhone(actionId);
  await testEnv.control('POST', 'faults', [{ kind: 'refuse', match: { route: 'confirm-receipt' }, status: 400, code: 'INVALID_INPUT' }]);
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'checking' });
  const { rows } = await testEnv.pool.query('select count(*)::int as count from device_grant where sealed_code is not null');
  expect(rows).toEqual([{ count: 0 }]);
  expect(await testEnv.request(testEnv.people.sam, RECEIPT)).toMatchObject({ reason: 'another_open', actionId });
  await testEnv.pool.query(
    `alter table desk_action disable trigger desk_action_kept; update desk_action set last_sent_at = last_sent_at - interval '31 minutes', next_look_at = clock_now() where state = 'checking';
     alter table desk_action enable trigger desk_action_kept`,
  );
  await testEnv.settle();
  expect((await testEnv.find(actionId)).state).toBe('not_done');
  expect(await requested()).toBeGreaterThan(actionId);
});

test.each([
  ['that Invo doesn’t know', 'TRF_NONE', 'transfer_not_found'],
  ['out of this game', 'TRF_CLAIM', 'transfer_elsewhere'],
])('no receipt is stored of a transfer %s', proof, async (_, transactionId, blocker) => {
  expect(await testEnv.request(testEnv.people.sam, { ...RECEIPT, transactionId })).toMatchObject({ blocker });
});

test(
  'A13: a transfer to the other game is collected there by the phone, another by its code, and fees are as reported',
  proof,
  async () => {
    const ember: GameContext = await openEmberfall();
    const moved = async (amount: string): Promise<{ transactionId: string; code: string }> => {
      const startId = await testEnv.transferApprovedOnPhone({ amount });
      const answer = await testEnv.move(startId);
      const transactionId = String((await testEnv.find(startId)).result?.['transaction_id']);
      if (!answer.ok) throw new Error(JSON.stringify(answer));
      return { transactionId, code: answer.ok ? (answer.passes?.text ?? '') : '' };
    };
    const emberBefore = await testEnv.wallet(ASA, 'emberfall');
    const first = await moved('100.00');
    expect(await testEnv.wallet(ASA)).toMatchObject({ coins: '4900.00', reserved: '350.00' });

    const receiptId = await requested(first.transactionId, ember);
    await approveOnPhone(receiptId, ember, 'emberfall');
    expect(await press(receiptId, ember)).toMatchObject({ ok: true, state: 'done' });
    expect(await findAction(testEnv.db, ember.game.gameId, receiptId)).toMatchObject({ result: { amount_received: '95.00' } });
    const emberAfter = await testEnv.wallet(ASA, 'emberfall');
    expect(Number(emberAfter.coins) - Number(emberBefore.coins)).toBe(95);
    expect(await testEnv.wallet(ASA)).toMatchObject({ coins: '4900.00', reserved: '250.00' });

    // Invo names no receiver where two of its players have the number.
    const shared = { kind: 'claim', transactionId: 'TRF_SHARED' } as const;
    expect(await testEnv.request(testEnv.people.sam, shared, { entered: 'a-code' }, ember)).toMatchObject({ blocker: 'number_shared' });

    const second = await moved('20.00');
    const claim = { kind: 'claim', transactionId: second.transactionId } as const;
    const claimed = await testEnv.request(testEnv.people.sam, claim, { entered: second.code }, ember);
    expect(claimed).toMatchObject({ ok: true });
    const claimId = claimed.ok ? claimed.actionId : 0;
    expect(await pressAction(ember, testEnv.people.sam, claimId, SENDER, second.code)).toMatchObject({ ok: true, state: 'done' });
    expect(Number((await testEnv.wallet(ASA, 'emberfall')).coins) - Number(emberAfter.coins)).toBe(19);
  },
);

/** The other game of the same people, where its admin turned transfers on and support looked Asa up. */
async function openEmberfall(): Promise<GameContext> {
  const config = { ...testEnv.config, slug: 'ember', name: 'Emberfall', gameSecret: 'upstream-emberfall-secret' };
  const game = { ...(await testEnv.game(config)), invoGameId: '41300' };
  await testEnv.control('POST', 'game', { environment: 'emberfall', rateLimit: false });
  await testEnv.pool.query(`insert into action_switch (game_id, action_group, is_on) values ($1, 'transfers', true)`, [game.gameId]);
  await search({ game, config }, ASA, { scope: 'invo', canSeeEmails: true, canReadDesk: true });
  return { game, config };
}
