// @module-tag no-retry
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ActionEnvironment,
  openActionEnvironment,
  PLAYERS,
  SANDBOX_PLAYERS,
  SENDER,
} from '#e2e/support/actions/action-environment.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { recordOutcome, rereadAction } from './decide-outcome.ts';
import { readForOutcome } from './read-action-facts.ts';
import type { SendResult } from './send-approved.ts';

let testEnv: ActionEnvironment;
const opened: ActionEnvironment[] = [];
const open = async (isSandbox: boolean): Promise<void> => {
  testEnv = await openActionEnvironment({}, isSandbox);
  opened.push(testEnv);
};
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const BUY = { kind: 'purchase', playerId: SANDBOX_PLAYERS.asa } as const;
const SAVE = { kind: 'card_setup', playerId: SANDBOX_PLAYERS.asa } as const;

const requested = async (target: typeof BUY | typeof SAVE, entered: string, typed: Record<string, string> = {}): Promise<number> => {
  const answer = await testEnv.request(testEnv.people.sam, target, {
    typed: target === BUY ? { usd_amount: '9.99', ...typed } : {},
    entered,
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.actionId;
};
const press = async (actionId: number, entered: string): Promise<SendResult> =>
  await testEnv.press(testEnv.people.sam, actionId, SENDER, entered);
const bought = async (entered: string): Promise<number> => {
  const actionId = await requested(BUY, entered);
  expect(await press(actionId, entered)).toMatchObject({ ok: true });
  return actionId;
};
const coins = async (): Promise<string | undefined> => {
  const read = await readForOutcome(testEnv.context, { kind: 'wallet', playerId: SANDBOX_PLAYERS.asa, orderId: null });
  return 'reading' in read && read.reading.kind === 'wallet' ? read.reading.balances[0]?.available_balance : undefined;
};
const stateOf = async (actionId: number): Promise<string> => (await testEnv.find(actionId)).state;
/** Invo's clock, and the worker's turn. */
const later = async (now: string): Promise<void> => {
  await testEnv.control('POST', 'clock', { now });
  await testEnv.makeDue();
  await testEnv.settle();
};

describe('A16: a test purchase', () => {
  beforeEach(async () => await open(true));

  test('credits once, with a token that is in no table', async () => {
    const before = Number(await coins());
    const actionId = await bought('pm_ok');
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', amount: '9.99', result: { transaction_id: expect.any(String) } });
    expect(Number(await coins()) - before).toBe(999);
    expect(await listTablesHolding(testEnv.pool, /pm_ok/)).toEqual([]);
    expect(await findViolations(testEnv, actionId, { isAtRest: true })).toEqual([]);
  });

  test('is made by a new person whose account nobody confirmed: the sandbox has no second persons', { tags: 'proof' }, async () => {
    await testEnv.pool.query(`update person set account_confirmed_at = null where email = 'sam@studio.example'`);
    expect(await testEnv.find(await bought('pm_ok'))).toMatchObject({ state: 'done' });
    const unknown = await bought('pm_unknown_lost');
    await testEnv.pool.query(
      `update desk_action set state = 'attention', attention_reason = 'not_settled', settle_until = null, next_look_at = null
      where action_id = $1`,
      [unknown],
    );
    expect(await rereadAction(testEnv.context, testEnv.people.sam, unknown)).toEqual({ ok: true });
    const outcome = { actionId: unknown, decision: 'done', text: 'Invo’s support says so.' } as const;
    expect(await recordOutcome(testEnv.context.game, testEnv.people.sam, outcome)).toEqual({ ok: true });
    expect(await stateOf(unknown)).toBe('done');
  });

  test('whose outcome is unknown is read by its order, sent again only with the same token, and starts no other meanwhile', async () => {
    const actionId = await bought('pm_unknown_landed');
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'checking', last_error_code: 'PAYMENT_OUTCOME_UNKNOWN' });
    expect(await testEnv.request(testEnv.people.sam, BUY, { typed: { usd_amount: '1.00' }, entered: 'pm_ok' })).toMatchObject({
      reason: 'another_open',
      actionId,
    });
    for (const entered of ['pm_ok', '', '4242424242424242'])
      expect(await press(actionId, entered)).toEqual({ ok: false, reason: 'other_entry' });
    expect(await press(actionId, 'pm_unknown_landed')).toMatchObject({ ok: true, state: 'checking' });
    await later('2026-11-21T12:14:00Z');
    expect(await stateOf(actionId)).toBe('checking');
    await later('2026-11-21T12:16:00Z');
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'reading', attempt_count: 2 });
    expect(await findViolations(testEnv, actionId, { isAtRest: true })).toEqual([]);
  });

  test('that never reached the processor is failed only when its order says so', { tags: 'proof' }, async () => {
    const actionId = await bought('pm_unknown_lost');
    await later('2026-11-22T11:00:00Z');
    expect(await stateOf(actionId)).toBe('checking');
    await later('2026-11-22T12:01:00Z');
    expect(await stateOf(actionId)).toBe('not_done');
  });

  const REFUSED: [entered: string, state: string, code: string][] = [
    ['pm_declined', 'not_done', 'card_declined'],
    ['pm_breaker', 'refused', 'service_unavailable'],
    ['pm_no_processor', 'refused', 'PROCESSOR_UNAVAILABLE'],
    ['pm_processor_error', 'not_done', 'PROCESSOR_ERROR'],
    ['pm_3ds', 'checking', 'requires_action'],
  ];
  test.each(proofCases(1, REFUSED))('with %s is %s, and credits nothing', async (entered, state, code) => {
    const before = await coins();
    const actionId = await bought(entered);
    expect(await testEnv.find(actionId)).toMatchObject({ state, attempts: [{ error_code: code }] });
    expect(await coins()).toBe(before);
  });

  test('beyond a cap is refused in Invo’s words, and another player’s isn’t', { tags: 'proof' }, async () => {
    const { sam } = testEnv.people;
    const target = { kind: 'purchase', playerId: SANDBOX_PLAYERS.gus } as const;
    const answer = await testEnv.request(sam, target, { typed: { usd_amount: '9.99' }, entered: 'pm_ok' });
    const actionId = answer.ok ? answer.actionId : 0;
    expect(await press(actionId, 'pm_ok')).toMatchObject({ ok: true, state: 'refused' });
    expect(await stateOf(await bought('pm_ok'))).toBe('done');
  });

  test('a card is saved at once, or once the bank’s check is done', { tags: 'proof' }, async () => {
    const saved = await requested(SAVE, 'pm_ok');
    expect(await press(saved, 'pm_ok')).toMatchObject({ ok: true, state: 'done' });
    const checked = await requested(SAVE, 'pm_3ds');
    expect(await press(checked, 'pm_3ds')).toMatchObject({ ok: true, state: 'approved' });
    const { result } = await testEnv.find(checked);
    const setup_intent_id = String(result?.['setup_intent_id']);
    await testEnv.control('POST', 'challenge', { environment: 'sandbox', setup_intent_id, outcome: 'done' });
    const confirm = await testEnv.request(
      testEnv.people.sam,
      { kind: 'card_confirm', playerId: SANDBOX_PLAYERS.asa },
      { typed: { setup_intent_id } },
    );
    expect(await testEnv.press(testEnv.people.sam, confirm.ok ? confirm.actionId : 0)).toMatchObject({ ok: true, state: 'done' });
    expect(await press(checked, 'pm_3ds')).toMatchObject({ ok: true, state: 'done' });
    expect(await listTablesHolding(testEnv.pool, /pm_3ds|_secret_|pk_canary/)).toEqual([]);
  });
});

describe('a client’s event and the rewards page', () => {
  beforeEach(async () => await open(true));
  const lantern = { event_type: 'game.custom.recorded', name: 'lantern_lit', value: '3', occurred_at: '2026-11-20T18:30:00Z' };

  test('are sent as the player with a token of the press, which is audited and in no table', async () => {
    const { sam } = testEnv.people;
    const event = await testEnv.request(sam, { kind: 'client_event', playerId: SANDBOX_PLAYERS.asa }, { typed: lantern });
    await testEnv.control('POST', 'faults', [{ kind: 'landed_then_reset', match: { route: 'client-events' } }]);
    const actionId = event.ok ? event.actionId : 0;
    expect(await testEnv.press(sam, actionId)).toMatchObject({ ok: true, state: 'checking' });
    expect(await testEnv.press(sam, actionId)).toMatchObject({ ok: true, state: 'done' });
    expect(await testEnv.executed('client-events')).toMatchObject([{ executions: 1, calls: 2 }]);
    const page = await testEnv.request(sam, { kind: 'rewards_page', playerId: SANDBOX_PLAYERS.asa });
    expect(await testEnv.press(sam, page.ok ? page.actionId : 0)).toMatchObject({ passes: { what: 'rewards_page' } });
    const { rows } = await testEnv.pool.query(`select count(*)::int as count from audit where act = 'acted as a player'`);
    expect(rows).toEqual([{ count: 3 }]);
    const secrets = await testEnv.secretsGiven();
    expect(secrets.length).toBeGreaterThanOrEqual(5);
    expect(await listTablesHolding(testEnv.pool, anyOf(secrets))).toEqual([]);
  });
});

test('a game in production takes no sandbox tool, and neither does its table', async () => {
  await open(false);
  const target = { kind: 'purchase', playerId: PLAYERS.asa } as const;
  expect(await testEnv.request(testEnv.people.sam, target, { typed: { usd_amount: '9.99' }, entered: 'pm_ok' })).toMatchObject({
    reason: 'switched_off',
  });
  expect(await testEnv.executed('purchase')).toEqual([]);
});
