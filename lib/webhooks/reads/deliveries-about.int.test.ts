import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventBody, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';
import { listNamedBy, listNewestSubjects } from './deliveries-about.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
  await env.deliver({ body: eventBody('transfer.claim_pending', { transaction_id: 'TRF_A' }) });
  await env.deliver({ body: eventBody('transfer.sent', { transaction_id: 'TRF_B' }) });
  await env.deliver({ body: eventBody('transfer.received', { transaction_id: 'TRF_A' }) });
  await env.deliver({ body: eventBody('transfer.claim_pending', { transaction_id: 'TRF_OTHER' }, { tenant_id: '90417' }) });
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_1' }) });
});
afterAll(() => env.close());

test('each transfer that webhooks name is listed once by its newest one, and none of another game', async () => {
  const named = await listNewestSubjects(env.db, env.gameId, 'transfer', 10);
  expect(named.map(({ idText, eventType }) => [idText, eventType])).toEqual([
    ['TRF_A', 'transfer.received'],
    ['TRF_B', 'transfer.sent'],
  ]);
  expect(await listNewestSubjects(env.db, env.gameId, 'transfer', 1)).toHaveLength(1);
  await env.pool.query(`update delivery_read set outcome = 'not_found', read_at = now() where kind = 'transfer' and subject = 'TRF_B'`);
  const read = await listNewestSubjects(env.db, env.gameId, 'transfer', 10);
  expect(read.map(({ idText, readOutcome }) => [idText, readOutcome])).toEqual([
    ['TRF_A', null],
    ['TRF_B', 'not_found'],
  ]);
});

test('a webhook announces the transfer that it names, and no other', async () => {
  const ids = ['TRF_A', 'TRF_B', 'TRF_OTHER', 'TRF_NONE'];
  expect(await listNamedBy(env.db, env.gameId, 'transfer', ids, 'transfer.claim_pending')).toEqual(['TRF_A']);
  expect(await listNamedBy(env.db, env.gameId, 'transfer', [], 'transfer.claim_pending')).toEqual([]);
});
