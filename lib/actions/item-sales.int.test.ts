import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { DYE, openWorkerEnvironment, SALE, type WorkerEnvironment } from '#e2e/support/actions/worker-environment.ts';
import { settleDueActions } from '../jobs/settle-due.ts';
import { search } from '../search/search.ts';
import { confirmOutcome, recordOutcome, rereadAction } from './decide-outcome.ts';
import { readForOutcome } from './read-action-facts.ts';

let testEnv: WorkerEnvironment;
const opened: WorkerEnvironment[] = [];
beforeEach(async () => {
  testEnv = await openWorkerEnvironment();
  opened.push(testEnv);
});
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const coins = async (): Promise<string | undefined> => {
  const read = await readForOutcome(testEnv.context, { kind: 'wallet', playerId: PLAYERS.asa, orderId: null });
  return 'reading' in read && read.reading.kind === 'wallet' ? read.reading.balances[0]?.available_balance : undefined;
};
const idOf = (result: Awaited<ReturnType<WorkerEnvironment['request']>>): number => (result.ok ? result.actionId : 0);

describe('A6: an item', () => {
  test('whose answer is lost is sold once, and the repeat says so', async () => {
    await testEnv.fail('landed_then_reset');
    const actionId = await testEnv.sold();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'approved', approval: 'policy', amount: '37.50' });
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'unknown', unanswered_count: 1 });
    await testEnv.laterTurn();
    const { state, outcomeSource, result } = await testEnv.find(actionId);
    expect({ state, outcomeSource }).toEqual({ state: 'done', outcomeSource: 'replay' });
    expect(result).toMatchObject({ transaction_id: expect.any(String), order_id: expect.any(String) });
    expect(await coins()).toBe('4962.50');
    expect(await testEnv.executed('item-sale')).toMatchObject([{ executions: 1, calls: 2 }]);
  });

  test('is followed by readings of the wallet, which settle nothing', async () => {
    const actionId = await testEnv.sold();
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', continuesAt: expect.any(String), readings: [] });
    await testEnv.control('POST', 'wallet', { player_email: 'asa.venn@players.example', coins: '12.00' });
    await testEnv.laterTurn();
    const { state, readings } = await testEnv.find(actionId);
    expect(readings.map(({ reading }) => reading.kind === 'wallet' && reading.balances[0]?.available_balance)).toEqual(['12.00']);
    expect(state).toBe('done');
  });

  test('is sent by the process that works, after the mark of the database moved, and not when that fails', async () => {
    const settling = { owner: 'worker test', signal: new AbortController().signal, log: () => undefined };
    const guard = { check: async () => false, knows: async () => true };
    const restored = { ...guard, advance: () => Promise.reject(new Error('restored')) };
    const actionId = await testEnv.sold();
    await settleDueActions(testEnv.context, { ...settling, guard: restored });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'waiting', unanswered_count: 0, last_error_code: 'restore_unchecked' });
    expect(await testEnv.executed('item-sale')).toEqual([]);
    await testEnv.makeDue();
    await settleDueActions(testEnv.context, { ...settling, guard: { ...guard, advance: async () => undefined } });
    expect((await testEnv.find(actionId)).state).toBe('done');
    expect(await testEnv.executed('item-sale')).toMatchObject([{ executions: 1, calls: 1 }]);
  });

  test('of which nobody reports an id is sent again', { tags: 'proof' }, async () => {
    await testEnv.fail('item_2xx_without_id');
    const actionId = await testEnv.sold();
    await testEnv.settle();
    expect((await testEnv.find(actionId)).state).toBe('unknown');
    await testEnv.laterTurn();
    expect((await testEnv.find(actionId)).state).toBe('done');
    expect(await coins()).toBe('4962.50');
  });

  test('is sold to nobody whose email is another player’s, nor with two currencies, nor beyond the available coins', {
    tags: 'proof',
  }, async () => {
    const { sam } = testEnv.people;
    for (const name of ['ivo.lark', 'juno.marl'])
      await search(testEnv.context, `${name}@players.example`, { scope: 'invo', canSeeEmails: true, canReadDesk: true });
    await testEnv.control('POST', 'move', { player_email: 'ivo.lark@players.example', player_id: 910_026 });
    expect(await testEnv.request(sam, { ...SALE, playerId: 910_126 }, { typed: DYE })).toMatchObject({ blocker: 'other_player' });
    expect(await testEnv.request(sam, { ...SALE, playerId: 910_015 }, { typed: DYE })).toMatchObject({ blocker: 'not_one_currency' });
    expect(await testEnv.request(sam, SALE, { typed: { ...DYE, unit_price: '1666.67' } })).toMatchObject({ blocker: 'not_covered' });
    expect(await testEnv.writes()).toEqual([]);
  });

  test('above the limit in coins waits for a second person, and no other is sold meanwhile', { tags: 'proof' }, async () => {
    const actionId = idOf(await testEnv.request(testEnv.people.sam, SALE, { typed: { ...DYE, unit_price: '400.00' } }));
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'awaiting_approval', amount: '1200.00' });
    expect(await testEnv.request(testEnv.people.sam, SALE, { typed: DYE, isAlikeConfirmed: true })).toMatchObject({
      reason: 'another_open',
      actionId,
    });
    expect(await testEnv.approve(actionId)).toEqual({ ok: true });
    await testEnv.settle();
    expect((await testEnv.find(actionId)).state).toBe('done');
    expect(await coins()).toBe('3800.00');
  });

  test('isn’t sold once the coins are gone', { tags: 'proof' }, async () => {
    const actionId = await testEnv.sold();
    await testEnv.control('POST', 'wallet', { player_email: 'asa.venn@players.example', coins: '37.49' });
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'lapsed', attempt_count: 0 });
    expect(await testEnv.writes()).toEqual([]);
  });

  test('without an answer for a day is settled by its order, else by two people on a later reading', { tags: 'proof' }, async () => {
    const { sam, gus } = testEnv.people;
    await testEnv.control('POST', 'shape', { 'item-order-details': 'nested+by_id_kind' });
    await testEnv.fail('landed_then_reset');
    const byOrder = await testEnv.sold();
    await testEnv.settle();
    await testEnv.nextDay();
    expect(await testEnv.find(byOrder)).toMatchObject({ state: 'done', outcomeSource: 'reading', attempt_count: 1 });

    await testEnv.fail('reset');
    const byPeople = await testEnv.sold({ ...DYE, item_id: 'rope' });
    await testEnv.settle();
    await testEnv.nextDay();
    expect(await testEnv.find(byPeople)).toMatchObject({ state: 'attention', attentionReason: 'not_settled' });
    expect(await rereadAction(testEnv.context, sam, byPeople)).toEqual({ ok: true });
    const { game } = testEnv.context;
    expect(await recordOutcome(game, sam, { actionId: byPeople, decision: 'not_done', text: 'Invo has no such sale.' })).toEqual({
      ok: true,
    });
    expect((await testEnv.find(byPeople)).state).toBe('attention');
    expect(await confirmOutcome(game, gus, { actionId: byPeople, decisionNo: 1 })).toEqual({ ok: true });
    expect((await testEnv.find(byPeople)).state).toBe('not_done');
    expect(await coins()).toBe('4962.50');
  });
});

test('A17: the 56th sale to a player within a minute waits, and is sent when the minute is over', async () => {
  const { pool, context } = testEnv;
  const budget = [context.game.gameId, `item:${PLAYERS.asa}`];
  await pool.query('drop rule unmetered on rate_call');
  await pool.query('insert into rate_bucket (game_id, bucket) values ($1, $2)', budget);
  await pool.query('insert into rate_call (game_id, bucket) select $1, $2 from generate_series(1, 55)', budget);
  const actionId = await testEnv.sold();
  // All in one minute, however long the request took.
  await pool.query('update rate_call set called_at = clock_now()');
  await testEnv.settle();
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'approved', attempt_count: 0 });
  expect(await testEnv.writes()).toEqual([]);
  await pool.query(`update rate_call set called_at = called_at - interval '1 minute'`);
  await testEnv.laterTurn();
  expect((await testEnv.find(actionId)).state).toBe('done');
  expect(await testEnv.writes()).toMatchObject([{ status: 200 }]);
});
