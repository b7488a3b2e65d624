import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { readForDeliveries } from './read-for-deliveries.ts';

let env: RefundEnvironment;
let game: RefundGame;
beforeAll(async () => {
  env = await openRefundEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  game = await env.newGame();
});

/** Follows a webhook that reports the refund of this game as made; returns what its reading came to. */
async function followReport(): Promise<string | null> {
  const { rows } = await game.pool.query<{ key: string }>(
    `select client_request_id as key from refund where game_id = $1
     and not exists (select from delivery_read requested where requested.game_id = $1 and requested.due_at <= clock_now())`,
    [game.gameId],
  );
  for (const { key } of rows) await game.pool.query(`select ask_delivery_read($1, 'refund', $2)`, [game.gameId, key]);
  const read = await readForDeliveries({ game, config: env.config });
  if (read === null) return null;
  return 'outcome' in read.result ? read.result.outcome : read.result.error;
}

async function nextCall(): Promise<unknown> {
  const { rows } = await game.pool.query(`select state, next_look_at, attempt_count from refund where game_id = $1`, [game.gameId]);
  return rows[0];
}

test.each([
  ['before it has made the refund', [{ kind: '429', retryAfter: 40 }], 'waiting'],
  [
    'after a call whose outcome is unknown',
    [
      { kind: 'reset', when: 'after' },
      { kind: '429', retryAfter: 40 },
    ],
    'unknown',
  ],
  ['while refunds are paused there', ['flow_paused'], 'unknown'],
  ['with an error', [{ kind: '500', facts: { retry_after_seconds: 40 } }], 'unknown'],
])('a wait that Invo requested for %s is not shortened by a webhook', async (_, faults, state) => {
  await env.spoil(...faults);
  await game.ask(env.people.support);
  await game.settleDue();
  for (let fault = 1; fault < faults.length; fault += 1) {
    await game.hurry();
    await game.settleDue();
  }
  expect((await game.row()).state).toBe(state);
  const before = await nextCall();
  expect(await followReport()).toBe('refund_waiting');
  expect(await nextCall()).toEqual(before);
  expect(await game.settleDue(), 'nothing is sent').toBe(0);
});

test('a webhook is followed once the wait that Invo requested is over', async () => {
  await env.spoil({ kind: '429', retryAfter: 40 });
  await game.ask(env.people.support);
  await game.settleDue();
  expect(await followReport()).toBe('refund_waiting');
  await game.settleToRest();
  expect((await game.row()).state).toBe('landed');
  expect(await followReport()).toBe('refund_ended');
});
