// @module-tag no-retry
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOLDER, openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { watchPhone } from './ask-phone.ts';
import { moveCoins } from './move-coins.ts';
import { pressAction } from './press-action.ts';

const ROUNDS = proofSize(1, 200);
const AT_ONCE = proofSize(6, 50);
const PHONE = '+4915112345678';
const proof = { tags: ['proof'], timeout: 3_600_000 };

let testEnv: SendEnvironment;
beforeAll(async () => {
  testEnv = await openSendEnvironment();
});
beforeEach(() => testEnv.startOver());
afterAll(() => testEnv.close());

const atOnce = async <T>(work: () => Promise<T>): Promise<T[]> => await Promise.all(Array.from({ length: AT_ONCE }, work));
const holder = () => ({ ...HOLDER, owner: randomUUID() });

test(
  `an approved phone whose coins are moved ${AT_ONCE} times at once, ${ROUNDS} rounds: one action, one call and one code`,
  proof,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await testEnv.startOver();
      const startId = await testEnv.transferApprovedOnPhone();
      const moved = await atOnce(
        async () => await moveCoins(testEnv.context, testEnv.people.sam, { startId, draftId: randomUUID() }, holder()),
      );
      expect(moved.filter((each) => each.ok && each.passes !== null)).toHaveLength(1);
      expect(await testEnv.executed('transfer-approve')).toMatchObject([{ executions: 1, calls: 1 }]);
      const { rows } = await testEnv.pool.query('select state from desk_action where parent_id = $1', [startId]);
      expect([rows, (await testEnv.find(startId)).state]).toEqual([[{ state: 'done' }], 'done']);
    }
    recordFigure(
      'races of desk actions: one approved phone',
      `${ROUNDS} rounds of ${AT_ONCE} at once, one action and one call to Invo each`,
    );
  },
);

test(`a receipt that is pressed ${AT_ONCE} times at once collects once`, proof, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await testEnv.startOver();
    const requested = await testEnv.request(testEnv.people.sam, { kind: 'receipt', transactionId: 'TRF_IN', actionId: null });
    const actionId = requested.ok ? requested.actionId : 0;
    await testEnv.ask(actionId);
    await testEnv.phone('approve');
    await testEnv.watch(actionId);
    await atOnce(async () => await pressAction(testEnv.context, testEnv.people.sam, actionId, holder()));
    expect(await testEnv.executed('confirm-receipt')).toMatchObject([{ executions: 1, calls: 1 }]);
    expect((await testEnv.find(actionId)).state).toBe('done');
  }
  recordFigure('races of desk actions: one receipt', `${ROUNDS} rounds of ${AT_ONCE} at once, one call to Invo each`);
});

test(`a start that is sent ${AT_ONCE} times at once reserves once`, proof, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await testEnv.startOver();
    const actionId = await testEnv.transferApproved();
    await atOnce(async () => await pressAction(testEnv.context, testEnv.people.sam, actionId, holder(), PHONE));
    expect(await testEnv.executed('initiate-transfer')).toMatchObject([{ executions: 1, calls: 1 }]);
    expect((await testEnv.find(actionId)).state).toBe('with_player');
  }
  recordFigure('races of desk actions: one start', `${ROUNDS} rounds of ${AT_ONCE} at once, one call to Invo each`);
});

test('several processes that watch one grant poll once', proof, async () => {
  const actionId = await testEnv.transferApproved();
  await testEnv.start(actionId, PHONE);
  await testEnv.ask(actionId);
  await testEnv.pool.query(`update device_grant set next_poll_at = clock_now() where next_poll_at is not null`);
  await atOnce(async () => await watchPhone(testEnv.context, testEnv.people.sam, actionId, holder()));
  expect((await testEnv.calls()).filter(({ route }) => route === 'device-poll')).toHaveLength(1);
});
