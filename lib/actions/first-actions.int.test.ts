import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { readOrderDetail } from '../orders/read-order.ts';
import { approveAction } from './approve-action.ts';
import { recordOutcome, rereadAction } from './decide-outcome.ts';
import { readForOutcome } from './read-action-facts.ts';
import { listActionsAbout } from './reads/list-actions.ts';
import { verifyActions } from './verify-actions.ts';
import { followOrder } from './writes/follow-readings.ts';

let testEnv: ActionEnvironment;
const opened: ActionEnvironment[] = [];
beforeEach(async () => {
  testEnv = await openActionEnvironment();
  opened.push(testEnv);
});
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const requested = async (...[actor, target, changed]: Parameters<ActionEnvironment['request']>): Promise<number> => {
  const result = await testEnv.request(actor, target, changed);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.actionId;
};
const coinsOf = async (playerId: number): Promise<string | undefined> => {
  const read = await readForOutcome(testEnv.context, { kind: 'wallet', playerId, orderId: null });
  return 'reading' in read && read.reading.kind === 'wallet' ? read.reading.balances[0]?.available_balance : undefined;
};

describe('A1: a payment that the bank approved and nobody confirmed', () => {
  const ORDER = { kind: 'payment_confirm', orderId: 'ORD_BREE_02' } as const;
  const challenge = async () => await testEnv.control('POST', 'challenge', { order_id: ORDER.orderId, outcome: 'done' });

  test('before the bank’s check it isn’t done and the order decides; after it, it is credited once', async () => {
    const { sam } = testEnv.people;
    const early = await requested(sam, ORDER);
    expect(await testEnv.press(sam, early)).toEqual({ ok: true, state: 'checking', passes: null });
    expect(await coinsOf(PLAYERS.bree)).toBe('-45.50');
    expect(await testEnv.request(sam, ORDER)).toMatchObject({ ok: false, reason: 'another_open', actionId: early });
    await challenge();
    expect(await testEnv.press(sam, early)).toEqual({ ok: true, state: 'done', passes: null });
    expect(await testEnv.find(early)).toMatchObject({ outcomeSource: 'answer', attempt_count: 2, result: { new_balance: '953.50' } });
    expect(await coinsOf(PLAYERS.bree)).toBe('953.50');
    expect(await testEnv.request(sam, ORDER)).toEqual({ ok: false, reason: 'blocked', blocker: 'order_state' });
    expect(await testEnv.executed('confirm-payment')).toMatchObject([{ subject: 'ORD_BREE_02', executions: 1, calls: 2 }]);
  });

  test('a player whom only the order names is read by its email', { tags: 'proof' }, async () => {
    await testEnv.pool.query('truncate known_player, detail_read');
    const actionId = await requested(testEnv.people.sam, ORDER);
    expect((await testEnv.find(actionId)).playerId).toBe(PLAYERS.bree);
  });

  test('an answer that is lost is settled by the order, and the same bytes are safe', async () => {
    const { sam, sara } = testEnv.people;
    await challenge();
    const actionId = await requested(sam, ORDER);
    await testEnv.control('POST', 'faults', [{ kind: 'landed_then_reset', match: { method: 'POST' } }]);
    expect(await testEnv.press(sara, actionId)).toEqual({ ok: true, state: 'done', passes: null });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'reading', unanswered_count: 1 });
    expect(await coinsOf(PLAYERS.bree)).toBe('953.50');
    expect(await testEnv.executed('confirm-payment')).toMatchObject([{ executions: 1, calls: 1 }]);
  });

  test('what no reading settles within a day, one person does, on a reading half an hour after the last call', {
    tags: 'proof',
  }, async () => {
    const { sam } = testEnv.people;
    const actionId = await requested(sam, ORDER);
    await testEnv.press(sam, actionId);
    await testEnv.pool.query('update desk_action set settle_until = clock_now(), next_look_at = clock_now()');
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'not_settled' });
    const record = () =>
      recordOutcome(testEnv.context.game, sam, { actionId, decision: 'not_done', text: 'The bank has no such payment.' });
    expect(await rereadAction(testEnv.context, sam, actionId)).toEqual({ ok: true });
    expect(await record()).toEqual({ ok: false, reason: 'reading_missing' });
    await testEnv.pool.query(`update desk_action set last_sent_at = clock_now() - interval '31 minutes'`);
    expect(await record()).toEqual({ ok: true });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'not_done', decisions: [{ isAlone: true, confirmedBy: null }] });
  });

  test('what a person recorded as done needs a person again when its order was cancelled', { tags: 'proof' }, async () => {
    const { sam } = testEnv.people;
    const { gameId } = testEnv.context.game;
    const actionId = await requested(sam, ORDER);
    await testEnv.press(sam, actionId);
    await testEnv.pool.query('update desk_action set settle_until = clock_now(), next_look_at = clock_now()');
    await testEnv.settle();
    expect(await rereadAction(testEnv.context, sam, actionId)).toEqual({ ok: true });
    const recorded = { actionId, decision: 'done', text: 'The bank has the payment.' } as const;
    expect(await recordOutcome(testEnv.context.game, sam, recorded)).toEqual({ ok: true });
    const order = { gameId, orderId: ORDER.orderId, playerId: PLAYERS.bree, link: null };
    await followOrder(testEnv.db, { ...order, status: 'pending_payment' });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done' });
    await followOrder(testEnv.db, { ...order, status: 'cancelled' });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'reading_contradicts' });
    expect(await recordOutcome(testEnv.context.game, sam, recorded)).toEqual({ ok: true });
    const findings = new Findings();
    await verifyActions(testEnv.db, gameId, findings);
    expect(findings.violations).toEqual([]);
  });

  test('a check that failed ends it as not done', { tags: 'proof' }, async () => {
    const { sam } = testEnv.people;
    const actionId = await requested(sam, ORDER);
    await testEnv.control('POST', 'challenge', { order_id: ORDER.orderId, outcome: 'failed' });
    expect(await testEnv.press(sam, actionId)).toEqual({ ok: true, state: 'not_done', passes: null });
    // Invo reports it as completed after all.
    const order = { gameId: testEnv.context.game.gameId, orderId: ORDER.orderId, status: 'completed', playerId: PLAYERS.bree, link: null };
    await followOrder(testEnv.db, order);
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'reading_contradicts' });
  });
});

describe('A2: a card whose set-up was cut off', () => {
  const confirmed = async (setUp: string) => {
    const { sam } = testEnv.people;
    const actionId = await requested(sam, { kind: 'card_confirm', playerId: PLAYERS.asa }, { typed: { setup_intent_id: setUp } });
    const sent = await testEnv.press(sam, actionId);
    const { result, readings } = await testEnv.find(actionId);
    const cards = readings.flatMap(({ reading }) => (reading.kind === 'cards' ? [reading.cards.map(({ id }) => id)] : []));
    return { state: sent.ok ? sent.state : sent.reason, isShown: cards.at(-1)?.includes(Number(result?.['card_id'])) ?? null };
  };

  test('is saved once the bank has checked it', async () => {
    expect(await confirmed('seti_asa_checked')).toEqual({ state: 'done', isShown: true });
  });

  test('isn’t saved before, and waits for another press', { tags: 'proof' }, async () => {
    expect(await confirmed('seti_asa_unchecked')).toEqual({ state: 'approved', isShown: null });
  });

  test('isn’t in this game', { tags: 'proof' }, async () => {
    expect(await confirmed('seti_of_nobody')).toEqual({ state: 'refused', isShown: null });
  });

  test('is another player’s: saved, and not among the cards of this one', { tags: 'proof' }, async () => {
    expect(await confirmed('seti_mira_checked')).toEqual({ state: 'done', isShown: false });
  });

  test.each(['4242424242424242', 'seti_asa_checked_secret_abc'])('%s is no set-up', { tags: 'proof' }, async (setup_intent_id) => {
    const { sam } = testEnv.people;
    const typed = { setup_intent_id };
    expect(await testEnv.request(sam, { kind: 'card_confirm', playerId: PLAYERS.asa }, { typed })).toEqual({
      ok: false,
      reason: 'not_a_request',
    });
  });
});

describe('A3: a payment link', () => {
  const LINK = { kind: 'payment_link', playerId: PLAYERS.asa } as const;
  const usd = (usd_amount: string) => ({ typed: { usd_amount } });
  const openLinks = async () => {
    const about = await listActionsAbout(testEnv.db, testEnv.context.game.gameId, { playerId: PLAYERS.asa, kind: 'payment_link' });
    return about.filter(({ expiresAt }) => expiresAt !== null);
  };

  test('is passed to the requester once, and paying it credits the player', async () => {
    const { sam } = testEnv.people;
    const actionId = await requested(sam, LINK, usd('20.00'));
    const sent = await testEnv.press(sam, actionId);
    if (!sent.ok || sent.passes === null) throw new Error(JSON.stringify(sent));
    expect(sent.state).toBe('done');
    const token = new URL(sent.passes.text).searchParams.get('token') ?? '';
    expect(await coinsOf(PLAYERS.asa)).toBe('5000.00');
    expect([(await testEnv.find(actionId)).waiting.link, (await openLinks()).length]).toEqual(['open', 1]);
    const session_id = (await testEnv.find(actionId)).result?.['session_id'];
    const { order_id: order } = await testEnv.control('POST', 'checkout', { session_id, outcome: 'pay' });
    expect(await coinsOf(PLAYERS.asa)).toBe('7000.00');
    await readOrderDetail(testEnv.context, String(order));
    expect(await testEnv.find(actionId)).toMatchObject({ paidOrderId: order, waiting: { link: 'paid' } });
    expect(await openLinks(), 'it can’t be paid twice').toEqual([]);
    const rowsOf = async (table: string) => (await testEnv.pool.query(`select * from ${table}`)).rows;
    const stored = JSON.stringify([await rowsOf('desk_action'), await rowsOf('desk_action_attempt')]);
    expect([stored.includes(token), stored.includes('@players.example')]).toEqual([false, false]);
    expect(await testEnv.press(sam, actionId)).toEqual({ ok: false, reason: 'moved_on' });
  });

  test('that nobody paid is over 15 minutes later, and no longer one that may be paid beside another', async () => {
    const { sam } = testEnv.people;
    const actionId = await requested(sam, LINK, usd('20.00'));
    await testEnv.press(sam, actionId);
    const sentBefore = async (minutes: number): Promise<void> =>
      void (await testEnv.pool.query(
        `alter table desk_action disable trigger desk_action_kept; update desk_action set last_sent_at = clock_now() - interval '${minutes} minutes';
         alter table desk_action enable trigger desk_action_kept`,
      ));
    await sentBefore(15);
    expect([(await testEnv.find(actionId)).waiting.link, (await openLinks()).length]).toEqual(['open', 1]);
    await sentBefore(17);
    expect([(await testEnv.find(actionId)).waiting.link, (await openLinks()).length]).toEqual(['over', 0]);
  });

  test.each(['0.00', '1000.00', '-5.00', '20'])('of %s is refused unsent', { tags: 'proof' }, async (amount) => {
    expect(await testEnv.request(testEnv.people.sam, LINK, usd(amount))).toEqual({ ok: false, reason: 'not_a_request' });
  });

  test('whose answer is lost is never made again, and expires', { tags: 'proof' }, async () => {
    const { sam } = testEnv.people;
    const actionId = await requested(sam, LINK, usd('20.00'));
    await testEnv.control('POST', 'faults', [{ kind: 'landed_then_reset', match: { method: 'POST' } }]);
    expect(await testEnv.press(sam, actionId)).toEqual({ ok: true, state: 'unknown', passes: null });
    expect(await testEnv.press(sam, actionId)).toEqual({ ok: false, reason: 'moved_on' });
    await testEnv.settle();
    expect((await testEnv.find(actionId)).state).toBe('unknown');
    await testEnv.makeDue();
    await testEnv.settle();
    expect((await testEnv.find(actionId)).state).toBe('lapsed');
    expect(await testEnv.executed('checkout')).toMatchObject([{ executions: 1, calls: 1 }]);
  });

  test('a form that is sent twice is one action, and one like an earlier one needs a confirmation of its own', async () => {
    const { sam } = testEnv.people;
    const form = { ...usd('20.00'), draftId: randomUUID() };
    const [first, second] = [await testEnv.request(sam, LINK, form), await testEnv.request(sam, LINK, form)];
    expect([first, second]).toMatchObject([{ isNew: true }, { isNew: false }]);
    // The browser went back to it, and another amount was typed.
    expect(await testEnv.request(sam, LINK, { ...usd('35.00'), draftId: form.draftId })).toEqual({
      ok: false,
      reason: 'made_before',
      actionId: first.ok ? first.actionId : 0,
    });
    expect(await testEnv.request(sam, LINK, usd('20.00'))).toMatchObject({ ok: false, reason: 'alike' });
    expect(await testEnv.request(sam, LINK, usd('21.00'))).toMatchObject({ ok: true, isNew: true });
    expect(await testEnv.request(sam, LINK, { ...usd('20.00'), isAlikeConfirmed: true })).toMatchObject({ ok: true, isNew: true });
  });

  test('A19: above the limit waits for a second person, and its link goes to the requester alone', { tags: 'proof' }, async () => {
    const { sam, sara, fiona } = testEnv.people;
    const actionId = await requested(sam, LINK, usd('100.01'));
    expect(await testEnv.press(sam, actionId)).toEqual({ ok: false, reason: 'moved_on' });
    const { contentDigest } = await testEnv.find(actionId);
    expect(await approveAction(testEnv.context, sam, { actionId, contentDigest })).toEqual({ ok: false, reason: 'own_request' });
    expect(await approveAction(testEnv.context, sara, { actionId, contentDigest })).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await approveAction(testEnv.context, fiona, { actionId, contentDigest: '0'.repeat(64) })).toEqual({
      ok: false,
      reason: 'changed',
    });
    expect(await approveAction(testEnv.context, fiona, { actionId, contentDigest })).toEqual({ ok: true });
    expect(await testEnv.press(fiona, actionId)).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await testEnv.press(sam, actionId)).toMatchObject({
      ok: true,
      state: 'done',
      passes: { what: 'payment_link', text: expect.any(String) },
    });
  });
});
