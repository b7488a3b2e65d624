// @module-tag no-retry
// @module-tag proof
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { ActionTarget } from './read-action-facts.ts';
import type { SendResult } from './send-approved.ts';
import { verifyActions } from './verify-actions.ts';

let testEnv: ActionEnvironment;
beforeAll(async () => {
  testEnv = await openActionEnvironment();
});
beforeEach(async () => {
  testEnv.upstream.reset();
  await testEnv.control('POST', 'game', { rateLimit: false });
});
afterAll(() => testEnv.close());

const LINK = [{ kind: 'payment_link', playerId: PLAYERS.asa }, { usd_amount: '20.00' }] as const;
const PAYMENT = [{ kind: 'payment_confirm', orderId: 'ORD_BREE_02' }, {}] as const;
const CARD = [{ kind: 'card_confirm', playerId: PLAYERS.asa }, { setup_intent_id: 'seti_asa_checked' }] as const;

/** A press whose answer Invo holds back, and the worker that has recorded its silence. */
async function pressInSilence([target, typed]: readonly [ActionTarget, Record<string, string>]): Promise<{
  actionId: number;
  press: Promise<SendResult>;
}> {
  await testEnv.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  const requested = await testEnv.request(testEnv.people.sam, target, { typed, isAlikeConfirmed: true });
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  await testEnv.control('POST', 'faults', { kind: 'hold_after', match: { method: 'POST' } });
  const press = testEnv.press(testEnv.people.sam, requested.actionId);
  await expect.poll(testEnv.heldCount).toBe(1);
  await testEnv.makeDue();
  await testEnv.settle();
  return { actionId: requested.actionId, press };
}

const verify = async (): Promise<unknown[]> => {
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  return findings.violations;
};

test.each(['unknown', 'lapsed'])('a link whose answer comes when it is %s is done, and goes to its requester', async (state) => {
  const { actionId, press } = await pressInSilence(LINK);
  if (state === 'lapsed') {
    await testEnv.makeDue();
    await testEnv.settle();
  }
  expect((await testEnv.find(actionId)).state).toBe(state);
  await testEnv.release();
  expect(await press).toMatchObject({ ok: true, state: 'done', passes: { what: 'payment_link', text: expect.any(String) } });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'answer', attempts: [{ class: 'done' }] });
  expect([await findViolations(testEnv, actionId, { wasShown: true, isAtRest: true }), await verify()]).toEqual([[], []]);
});

test('a late answer changes nothing of a payment that its order has settled', async () => {
  const { actionId, press } = await pressInSilence(PAYMENT);
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'reading', attempts: [{ class: 'no_answer' }] });
  await testEnv.release();
  expect(await press).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'reading', attempts: [{ class: 'done' }] });
  expect([await findViolations(testEnv, actionId, { isAtRest: true }), await verify()]).toEqual([[], []]);
});

test('a card whose answer comes while it is checked is done by that answer', async () => {
  const { actionId, press } = await pressInSilence(CARD);
  expect((await testEnv.find(actionId)).state).toBe('checking');
  await testEnv.release();
  expect(await press).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'answer' });
  expect([await findViolations(testEnv, actionId, { isAtRest: true }), await verify()]).toEqual([[], []]);
});

test('a late answer to the first call changes nothing of a card that was confirmed again', async () => {
  const { actionId, press } = await pressInSilence(CARD);
  expect(await testEnv.press(testEnv.people.sam, actionId)).toMatchObject({ ok: true, state: 'done' });
  await testEnv.release();
  await press;
  expect(await testEnv.find(actionId)).toMatchObject({
    state: 'done',
    outcomeSource: 'replay',
    attempts: [{ class: 'done' }, { class: 'replayed' }],
  });
  expect([await findViolations(testEnv, actionId, { isAtRest: true }), await verify()]).toEqual([[], []]);
});

test('an answer that refuses a link after its silence was recorded leaves it unknown', async () => {
  const { sam } = testEnv.people;
  const requested = await testEnv.request(sam, LINK[0], { typed: LINK[1], isAlikeConfirmed: true });
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  const { actionId } = requested;
  await testEnv.control('POST', 'faults', { kind: 'refuse', status: 403, code: 'RAIL_DISABLED', match: { method: 'POST' } });
  const press = testEnv.press(sam, actionId, {
    owner: 'web test',
    beforeSending: async () => {
      await testEnv.makeDue();
      await testEnv.settle();
    },
  });
  expect(await press).toMatchObject({ ok: true, state: 'unknown', passes: null });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'unknown', result: null, attempts: [{ class: 'refused' }] });
  await testEnv.makeDue();
  await testEnv.settle();
  expect([(await testEnv.find(actionId)).state, await verify()]).toEqual(['lapsed', []]);
});
