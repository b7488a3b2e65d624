import { expect, test } from 'vitest';
import { type Answered, openInvo, type TestInvo } from '../testing/test-client.ts';
import { CODE_FIELDS } from '../wire/answer.ts';

async function armed(...faults: object[]): Promise<TestInvo> {
  const invo = await openInvo();
  expect((await invo.control('POST', 'faults', faults)).status).toBe(200);
  return invo;
}

const mint = (invo: TestInvo, usd = '20.00'): Promise<Answered> =>
  invo.post('/api/checkout/sessions', {
    player_email: 'asa.venn@players.example',
    usd_amount: usd,
    rail: usd === '1.00' ? 'pcstore' : 'game',
  });

test.each(CODE_FIELDS)('a refusal can name its code in %s, whether a route or a fault refuses', async (field) => {
  const invo = await armed({ kind: 'code_in', codeIn: field }, { kind: 'refuse', status: 409, code: 'RAIL_DISABLED', codeIn: field });
  expect((await mint(invo, '1.00')).body[field]).toBe('PCSTORE_RAIL_NOT_ENTITLED');
  const refused = (await mint(invo)).body;
  expect([refused[field], typeof refused.error]).toEqual(['RAIL_DISABLED', 'string']);
});

test('code_in waits for a refusal', async () => {
  const invo = await armed({ kind: 'code_in', codeIn: 'status' });
  expect((await mint(invo)).status).toBe(201);
  expect((await mint(invo, '1.00')).body.status).toBe('PCSTORE_RAIL_NOT_ENTITLED');
});

test.each([
  ['made_then_500', 500, 1, { error_code: 'INTERNAL_ERROR' }],
  ['player_429', 429, 0, { error: expect.any(String), retry_after: 1 }],
  ['absolute_retry_after', 403, 0, { error_code: 'PASSKEY_RECOVERY_COOLDOWN', retry_after: expect.any(String), retry_after_seconds: 600 }],
  ['test_code_in_production', 201, 1, { session_id: expect.any(String), test_code: 'canary-test-code' }],
])('%s answers %i, executed %i times', async (kind, status, executions, body) => {
  const invo = await armed({ kind });
  expect(await mint(invo)).toMatchObject({ status, body });
  expect((await invo.control('GET', 'executed')).body.executed).toMatchObject([{ executions, calls: 1 }]);
});
