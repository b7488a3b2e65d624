import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { openWorkerEnvironment, type WorkerEnvironment } from '#e2e/support/actions/worker-environment.ts';
import { search } from './search.ts';

let testEnv: WorkerEnvironment;
beforeAll(async () => {
  testEnv = await openWorkerEnvironment();
});
afterAll(() => testEnv.close());

test('a desk action is found by its idempotency key, by people who may read the desk', async () => {
  const actionId = await testEnv.sold();
  const { reference } = await testEnv.db.selectFrom('desk_action').select('reference').executeTakeFirstOrThrow();
  const searchFor = (text: string, canReadDesk = true) =>
    search(testEnv.context, text, { scope: 'local', canSeeEmails: false, canReadDesk });
  expect(await searchFor(` ${reference}`)).toMatchObject({
    kind: 'found',
    hits: [{ kind: 'desk_action', actionId, actionKind: 'item_sale', playerId: PLAYERS.asa, state: 'approved' }],
  });
  expect(await searchFor(String(reference), false)).toMatchObject({ kind: 'no_local_match' });
  expect(await searchFor(`${reference}1`)).toMatchObject({ kind: 'no_local_match' });
});
