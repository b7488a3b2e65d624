import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { search } from './search.ts';

let testEnv: ActionEnvironment;
beforeAll(async () => {
  testEnv = await openActionEnvironment();
});
afterAll(() => testEnv.close());

test('a desk action is found by the reference that Invo has of it, also by people without the desk', async () => {
  const requested = await testEnv.request(
    testEnv.people.sam,
    { kind: 'payment_link', playerId: PLAYERS.asa },
    { typed: { usd_amount: '20.00' } },
  );
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  const { reference } = await testEnv.db.selectFrom('desk_action').select('reference').executeTakeFirstOrThrow();
  const searchFor = (text: string) => search(testEnv.context, text, { scope: 'local', canSeeEmails: false, canReadDesk: false });
  expect(await searchFor(` ${reference}`)).toMatchObject({
    kind: 'found',
    hits: [
      { kind: 'desk_action', actionId: requested.actionId, actionKind: 'payment_link', playerId: PLAYERS.asa, state: expect.any(String) },
    ],
  });
  expect(await searchFor(`${reference}1`)).toMatchObject({ kind: 'no_local_match' });
});
