import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findViolations, seenAtInvo } from '#e2e/support/refunds/find-violations.ts';
import { SILENT } from '#e2e/support/refunds/model-invo.ts';
import {
  openRefundEnvironment,
  type RefundEnvironment,
  type RefundGame,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

describe('a late answer', () => {
  /** The first call is on its way, its sender taken for silent; `answer` lets the answer come and ends when it was taken in. */
  async function sendSlowly(): Promise<{ answer: () => Promise<void> }> {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('hold_after');
    const first = game.settleDue('slow process');
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    await game.hurry();
    await game.settleDue('second process');
    expect(await game.row()).toMatchObject({ state: 'unknown', unanswered_count: 1, attempt_count: 1 });
    return {
      answer: async () => {
        await testEnv.release();
        await first;
      },
    };
  }

  test('still lands the refund after its sender counted as silent', async () => {
    const { answer } = await sendSlowly();
    await answer();
    expect(await game.row()).toMatchObject({ state: 'landed', outcome_source: 'receipt', attempt_count: 1, unanswered_count: 0 });
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  });

  test('changes nothing when the next call already returned the receipt', async () => {
    const { answer } = await sendSlowly();
    await game.settleToRest('second process');
    const landed = await game.row();
    expect(landed).toMatchObject({ state: 'landed', outcome_source: 'replay', attempt_count: 2 });
    await answer();
    expect(await game.row()).toEqual(landed);
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  });

  test('that is a refusal is stored and changes nothing: the outcome stays unknown', async () => {
    await game.ask(testEnv.people.support);
    const { store } = game.process('slow process');
    const job = await store.takeDue();
    if (job === null) throw new Error('nothing is due');
    expect(await store.begin(job)).toEqual({ attempt_no: 1 });
    await game.hurry();
    await game.settleDue('second process');
    const answer = { ...SILENT, phase: 'answered', status: 404, errorCode: 'PERIOD_NOT_FOUND' } as const;
    await store.finish(job, 1, { class: 'refused', answer }, { state: 'refused', checkAt: null, unanswered_count: 0 });
    expect(await game.row()).toMatchObject({ state: 'unknown', unanswered_count: 1 });
    expect((await game.pool.query('select class from refund_attempt where game_id = $1', [game.gameId])).rows).toEqual([
      { class: 'refused' },
    ]);
  });
});

test('two refunds of one subscription are sent one after the other', async () => {
  await game.ask(testEnv.people.support);
  const second = await game.ask(testEnv.people.support, { periodId: SECOND_PERIOD_ID });
  await testEnv.spoil('hold_after');
  const first = game.settleDue('process 1');
  await expect.poll(() => testEnv.heldCount()).toBe(1);
  await game.settleDue('process 2');
  const { rows } = await game.pool.query('select state, attempt_count from refund where game_id = $1 and refund_id = $2', [
    game.gameId,
    second,
  ]);
  expect(rows).toEqual([{ state: 'approved', attempt_count: 0 }]);
  await testEnv.release();
  await first;
  await game.settleToRest();
  expect((await seenAtInvo(testEnv)).refunds.map((each) => each.executed)).toEqual([1, 1]);
  expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
});
