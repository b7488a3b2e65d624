import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChangeEnvironment,
  MIRA,
  openChangeEnvironment,
  PAVEL,
  SAMI,
  THEO,
  VIK,
} from '#e2e/support/subscriptions/change-environment.ts';
import { changePrice, type PriceForm } from './change-subscription.ts';

let environment: ChangeEnvironment;
beforeAll(async () => {
  environment = await openChangeEnvironment();
});
afterAll(() => environment.close());
beforeEach(() => environment.startOver());

async function price(subscriptionId: string, amountText: string, changed: Partial<PriceForm> = {}) {
  const baseline = await environment.baselineOf(subscriptionId);
  await environment.forgetCalls();
  return await changePrice(
    environment.context,
    SAMI,
    { subscriptionId, baseline, amountText, isNeverConfirmed: false, ...changed },
    { read_ms: 60_000, send_ms: 200_000 },
  );
}

describe('a new price', () => {
  test('has the previewed result, with an audit entry before and after', async () => {
    const changed = await price(MIRA, '70');
    expect(changed).toMatchObject({
      kind: 'done',
      requested: { amount_usd: '70.00', isClearing: false },
      answer: {
        old_amount_usd: '60.00',
        new_amount_usd: '70.00',
        pending_amount_usd: '70.00',
        change_queued: true,
        applies_from_period_seq: 2,
      },
    });
    expect('receipt' in changed && changed.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
    expect(await environment.readAudit()).toMatchObject([
      {
        act: 'requested a price change',
        detail: { amount_usd: '70.00', before: { amount_usd: '60.00', pending_amount_usd: null }, preview: { applies: 'applies' } },
      },
      { act: 'recorded the outcome of a price change', detail: { outcome: 'done', pending_amount_usd: '70.00', change_queued: true } },
    ]);
  });

  test('equal to the current price clears the pending one', async () => {
    const cleared = await price(THEO, '20.00');
    expect(cleared).toMatchObject({
      kind: 'done',
      requested: { isClearing: true },
      answer: { pending_amount_usd: null, change_queued: false },
    });
    expect('receipt' in cleared && cleared.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
  });

  test('that can never apply is sent only after the person confirms it', async () => {
    expect(await price(MIRA, '120.01')).toEqual({ kind: 'amount', error: 'never_not_confirmed' });
    expect(await environment.sent()).toEqual([]);
    expect(await price(MIRA, '120.01', { isNeverConfirmed: true })).toMatchObject({
      kind: 'done',
      answer: { pending_amount_usd: '120.01' },
    });
  });

  test('of a store subscription may decrease', async () => {
    expect(await price(VIK, '10.00')).toMatchObject({ kind: 'done', answer: { change_queued: true } });
  });
});

describe('nothing is sent', () => {
  test.each([
    [MIRA, '60.00', { kind: 'amount', error: 'nothing' }],
    [MIRA, 'free', { kind: 'amount', error: 'not_an_amount' }],
    [MIRA, '1,234', { kind: 'amount', error: 'separators' }],
    [MIRA, '0', { kind: 'amount', error: 'not_above_zero' }],
    [MIRA, '60.005', { kind: 'amount', error: 'not_whole_cents' }],
    [VIK, '15.01', { kind: 'amount', error: 'store_increase' }],
    [PAVEL, '5.00', { kind: 'blocked', blocker: 'ended' }],
  ])('for %s at the price %s', async (id, text, outcome) => {
    expect(await price(id, text)).toEqual(outcome);
    expect(await environment.sent()).toEqual([]);
    expect(await environment.readAudit()).toEqual([]);
  });

  test('when the price differs from what the form showed', async () => {
    const baseline = await environment.baselineOf(MIRA);
    await price(MIRA, '70.00');
    expect(await price(MIRA, '80.00', { baseline })).toMatchObject({ kind: 'changed' });
    expect(await environment.sent()).toEqual([]);
  });
});

describe('a refusal has a sentence', () => {
  test.each([
    [400, 'INVALID_FIELD_VALUE', {}, 'Invo couldn’t read an ID or a value of the request.'],
    [400, 'INVALID_BODY', {}, 'Invo couldn’t read the request as a whole. The subscription is unchanged.'],
    [404, 'SUBSCRIPTION_NOT_FOUND', {}, 'Invo doesn’t know this subscription in this game and environment.'],
    [409, 'SUBSCRIPTION_TERMINAL', {}, 'The subscription has ended, so its price and card can’t be changed.'],
    [
      409,
      'PCSTORE_REAUTHORIZATION_REQUIRED',
      { current_amount_usd: '60.00', requested_amount_usd: '70.00' },
      'where the price can’t be raised from $60.00 to $70.00 without the player’s consent.',
    ],
    [401, 'INVALID_GAME_SECRET', {}, 'Invo refused the game secret, so the request was not executed.'],
    [403, 'GAME_NOT_ACTIVE', {}, 'neither live nor in testing'],
    [
      429,
      'rate_limit_exceeded',
      { retry_after: 17 },
      'This game has sent Invo too many requests. The subscription is unchanged. Try again in 17 s.',
    ],
  ])('for %i %s', async (status, code, facts, sentence) => {
    await environment.fault('refuse', 'amount', { status, code, facts, times: 2 });
    expect(await price(MIRA, '70.00')).toMatchObject({
      kind: 'refused',
      errorCode: code,
      errorId: expect.any(String),
      sentence: expect.stringContaining(sentence),
    });
    expect((await environment.readAudit()).at(-1)?.detail).toMatchObject({ outcome: 'refused', error_code: code, status });
  });
});
