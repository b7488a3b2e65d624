import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRefundEnvironment, PERIOD_ID, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { listPlayerRecords } from '#lib/players/reads.ts';
import { listRefundsOf } from '#lib/refunds/reads/refund-preconditions.ts';
import { readPeriodDetail } from '../subscriptions/read-subscription-detail.ts';
import { search } from './search.ts';

let refunds: RefundEnvironment;
let game: RefundGame;
beforeAll(async () => {
  refunds = await openRefundEnvironment();
  game = await refunds.newGame();
});
afterAll(() => refunds.close());

test('a refund is found by its idempotency key and its transaction, beside its period', async () => {
  const context = { game, config: refunds.config };
  const searchLocally = (text: string) => search(context, text, { scope: 'local', canSeeEmails: true, canReadDesk: true });
  const refundId = await game.ask(refunds.people.support);
  const { rows: requested } = await refunds.pool.query<{ client_request_id: string }>('select client_request_id from refund');
  const key = requested[0]?.client_request_id ?? '';
  expect(await searchLocally(key)).toMatchObject({
    kind: 'found',
    hits: [{ kind: 'refund', refundId, periodId: PERIOD_ID, state: 'approved' }],
  });

  await game.settleToRest();
  const { rows: landed } = await refunds.pool.query<{ transaction_id: string; subscription_id: string }>(
    'select transaction_id, subscription_id from refund',
  );
  const { transaction_id = '', subscription_id = '' } = landed[0] ?? {};
  expect(await searchLocally(transaction_id)).toMatchObject({ kind: 'found', hits: [{ kind: 'refund', refundId, state: 'landed' }] });
  await readPeriodDetail(context, PERIOD_ID, { limit_ms: 60_000 });
  const both = await searchLocally(transaction_id);
  expect(both.kind === 'found' && both.hits.map((hit) => [hit.kind, 'periodId' in hit && hit.periodId])).toEqual([
    ['refund', PERIOD_ID],
    ['period', PERIOD_ID],
  ]);

  const shown = [expect.objectContaining({ refundId, period_id: PERIOD_ID, state: 'landed', subscription_id }) as unknown];
  expect(await listRefundsOf(refunds.db, game.gameId, { periodId: PERIOD_ID })).toEqual(shown);
  expect(await listRefundsOf(refunds.db, game.gameId, { subscriptionId: subscription_id })).toEqual(shown);
  expect(await listRefundsOf(refunds.db, game.gameId, { subscriptionId: 'SUB_1_OTHER' })).toEqual([]);
  expect(await listRefundsOf(refunds.db, game.gameId, { periodId: 1 })).toEqual([]);

  await refunds.db.updateTable('known_subscription').set({ player_id: 77 }).where('subscription_id', '=', subscription_id).execute();
  const { seen_at: seenAt } = await refunds.db.selectFrom('known_subscription').select('seen_at').executeTakeFirstOrThrow();
  expect(await listPlayerRecords(refunds.db, game.gameId, 77)).toEqual({
    subscriptions: [expect.objectContaining({ subscriptionId: subscription_id, seenAt })],
    refunds: shown,
  });
  expect(await listPlayerRecords(refunds.db, game.gameId, 78)).toEqual({ subscriptions: [], refunds: [] });
});
