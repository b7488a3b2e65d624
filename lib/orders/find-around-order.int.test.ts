import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventBody, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { findAroundOrder, readOrderInBooks } from './read-order.ts';

let env: IntakeEnvironment;
let context: GameContext;
beforeAll(async () => {
  env = await openIntakeEnvironment();
  context = { game: await env.game(), config: env.config };
});
afterAll(() => env.close());

test('an order opened by its transaction ID shows the webhooks that name only the order, and the period it charged', async () => {
  await env.control('POST', 'shape', { 'order-details': 'flat+by_transaction_id' });
  await env.deliver({ body: eventBody('purchase.disputed', { order_id: 'MINT_2026100001', dispute_id: 'dp_1', dispute_status: 'won' }) });
  await env.pool.query(
    `insert into known_id (game_id, kind, id_text, subscription_id, period_id, seen_at)
     values ($1, 'order', 'MINT_2026100001', 'sub-1', 2026100001, clock_now())`,
    [env.gameId],
  );
  const books = await readOrderInBooks(context, 'TXN_2026100001', { limit_ms: 60_000 });
  expect(books.currency).toMatchObject({ kind: 'live', value: { orderId: 'MINT_2026100001' } });
  const { events, minted } = await findAroundOrder(context.game, 'TXN_2026100001', books);
  expect(events.map(({ facts }) => facts?.['dispute_status'])).toEqual(['won']);
  expect(minted).toMatchObject({ periodId: 2_026_100_001, orderId: 'MINT_2026100001' });
});
