import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listTablesHolding, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { readWithdrawals, WITHDRAWAL_READS, type WithdrawalAnswer } from './read-withdrawals.ts';

let testEnv: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  context = { game: await testEnv.game(), config: testEnv.config };
});
afterAll(() => testEnv.close());

// Whatever Invo answers: no withdrawal is requested, and nothing is sent that could be one.
afterEach(async () => {
  const calls = (await testEnv.calls()).filter(({ path }) => path.includes('/api/withdrawals/'));
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  await testEnv.control('POST', 'reset');
});

const readBoth = async (): Promise<WithdrawalAnswer[]> => {
  const answers: WithdrawalAnswer[] = [];
  for (const read of WITHDRAWAL_READS) answers.push(await readWithdrawals(context, read));
  return answers;
};

test.each<[string, [string, string]]>([
  [
    'object',
    [
      '{\n  "available_balance": "18250.40",\n  "pending_balance": "1200.00",\n  "currency": "USD",\n  "minimum_withdrawal": 50\n}',
      '{\n  "withdrawals": [\n    {\n      "withdrawal_id": "WDR_1",',
    ],
  ],
  ['list', ['[\n  {\n    "available_balance": "18250.40",', '[\n  {\n    "withdrawal_id": "WDR_1",']],
  ['empty', ['{}', '[]']],
])('an answer of the shape %s is shown as Invo wrote it', async (shape, [balance, history]) => {
  await testEnv.control('POST', 'shape', { withdrawals: shape });
  const answers = await readBoth();
  expect(answers.map(({ status, failure }) => [status, failure])).toEqual([
    [200, null],
    [200, null],
  ]);
  expect(answers[0]?.raw).toContain(balance);
  expect(answers[1]?.raw).toContain(history);
});

test.each([
  [405, 'Use POST.'],
  [404, 'No such route.'],
  [400, 'currency is required.'],
])('a %i is shown with Invo’s words, requested once, and not tried by POST', async (status, words) => {
  await testEnv.control('POST', 'shape', { withdrawals: String(status) });
  for (const answer of await readBoth()) {
    expect(answer.status).toBe(status);
    expect(answer.raw).toContain(words);
    expect(answer.failure).not.toBeNull();
  }
  const calls = (await testEnv.calls()).filter(({ path }) => path.includes('/api/withdrawals/'));
  expect(calls.map(({ path }) => path)).toEqual(['/api/withdrawals/available-balance', '/api/withdrawals/history']);
});

test('an answer that is no JSON is shown as it came, and says so', async () => {
  await testEnv.control('POST', 'faults', [{ kind: 'html', match: { route: 'withdrawals' } }]);
  const answer = await readWithdrawals(context, 'history');
  expect(answer.failure?.code).toBe('malformed');
});

test('no answer is no amount: there is nothing to show, and the page says why', async () => {
  await testEnv.control('POST', 'faults', [{ kind: 'reset', match: { route: 'withdrawals' }, times: 50 }]);
  expect(await readWithdrawals(context, 'available-balance')).toMatchObject({
    status: null,
    receivedAt: null,
    raw: null,
    failure: { code: 'unreachable' },
  });
});

test('nothing of a withdrawal is stored', async () => {
  await readBoth();
  expect(await listTablesHolding(testEnv.pool, /18250\.40|WDR_1/)).toEqual([]);
});
