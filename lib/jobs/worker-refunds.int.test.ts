// @module-tag no-retry
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findViolations, seenAtInvo } from '#e2e/support/refunds/find-violations.ts';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { startWorker } from '#e2e/support/start-worker.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame('demo');
  await game.pool.query(`update refund set next_look_at = null where game_id = $1`, [game.gameId]);
});
afterAll(() => testEnv.close());

async function stateOf(refundId: number): Promise<string> {
  const { rows } = await game.pool.query<{ state: string }>('select state from refund where game_id = $1 and refund_id = $2', [
    game.gameId,
    refundId,
  ]);
  return rows[0]?.state ?? 'gone';
}

/** Ends the wait for the next try and wakes the worker for it. What is on its way is left alone: hurried, it would be taken for silent. */
async function hurryUnknown(): Promise<void> {
  await game.pool.query(`update refund set next_look_at = clock_now() where game_id = $1 and state = 'unknown'`, [game.gameId]);
  await game.pool.query('select wake_overdue($1)', [game.gameId]);
}

describe('the real worker', () => {
  test('settles a requested refund', { tags: 'proof' }, async () => {
    const refundId = await game.ask(testEnv.people.support);
    const worker = await startWorker(testEnv);
    await expect.poll(() => stateOf(refundId)).toBe('landed');
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  test('killed while Invo executes a refund, leaves it to another one that gets the receipt under the same key', async () => {
    const refundId = await game.ask(testEnv.people.support);
    await testEnv.spoil('hold_after');
    const worker = await startWorker(testEnv);
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    expect(await worker.end('SIGKILL')).toBe('SIGKILL');
    expect(await stateOf(refundId)).toBe('sending');
    await game.hurry();
    const next = await startWorker(testEnv);
    await expect.poll(() => hurryUnknown().then(() => stateOf(refundId))).toBe('landed');
    expect((await seenAtInvo(testEnv)).refunds.map((each) => each.executed)).toEqual([1]);
    expect((await seenAtInvo(testEnv)).calls.length).toBe(2);
    expect(await next.end('SIGTERM')).toBe(0);
  });

  test('stopped while Invo executes a refund, waits for the answer and exits with 0', { tags: ['proof'] }, async () => {
    const refundId = await game.ask(testEnv.people.support);
    await testEnv.spoil('hold_after');
    const worker = await startWorker(testEnv);
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    const ended = worker.end('SIGTERM');
    expect(await Promise.race([ended, sleep(500, 'still there')])).toBe('still there');
    await testEnv.release();
    expect(await ended).toBe(0);
    expect(await stateOf(refundId)).toBe('landed');
  });

  test('running four times at once sends each refund once', { tags: ['proof'] }, async () => {
    const refundIds: number[] = [];
    for (const periodId of [2_026_100_001, 2_026_090_001, 2_026_080_001])
      refundIds.push(await game.ask(testEnv.people.support, { periodId }));
    const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker(testEnv)));
    await expect.poll(() => Promise.all(refundIds.map(stateOf))).toEqual(['landed', 'landed', 'landed']);
    expect((await seenAtInvo(testEnv)).calls).toHaveLength(3);
    expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0, 0, 0]);
    expect(
      (await findViolations(testEnv, game.gameId, { isAtRest: true })).filter((each) =>
        refundIds.some((id) => each.includes(`refund ${id} `)),
      ),
    ).toEqual([]);
  });
});
