import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changePrice, type PriceForm } from './change-price.ts';
import { type ChangeGround, MIRA, openChangeGround, PAVEL, SAMI, THEO, VIK } from './testing/change-ground.ts';

let ground: ChangeGround;
beforeAll(async () => {
  ground = await openChangeGround();
});
afterAll(() => ground.close());
beforeEach(() => ground.startOver());

async function price(subscriptionId: string, amountText: string, changed: Partial<PriceForm> = {}) {
  const baseline = await ground.baselineOf(subscriptionId);
  await ground.forgetCalls();
  return await changePrice(
    ground.desk,
    SAMI,
    { subscriptionId, baseline, amountText, isNeverConfirmed: false, ...changed },
    { read_ms: 60_000, send_ms: 200_000 },
  );
}

describe('a new price', () => {
  test('is staged as it was foreseen, and put on record before and after', async () => {
    const staged = await price(MIRA, '70');
    expect(staged).toMatchObject({
      kind: 'done',
      asked: { amount_usd: '70.00', isClearing: false },
      answer: {
        old_amount_usd: '60.00',
        new_amount_usd: '70.00',
        pending_amount_usd: '70.00',
        change_queued: true,
        applies_from_period_seq: 2,
      },
    });
    expect('receipt' in staged && staged.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
    expect(await ground.readAudit()).toMatchObject([
      {
        act: 'asked to change a price',
        detail: { amount_usd: '70.00', before: { amount_usd: '60.00', pending_amount_usd: null }, forecast: { applies: 'applies' } },
      },
      { act: 'was told what became of: change a price', detail: { outcome: 'done', pending_amount_usd: '70.00', change_queued: true } },
    ]);
  });

  test('that is the price now clears the staged one', async () => {
    const cleared = await price(THEO, '20.00');
    expect(cleared).toMatchObject({
      kind: 'done',
      asked: { isClearing: true },
      answer: { pending_amount_usd: null, change_queued: false },
    });
    expect('receipt' in cleared && cleared.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
  });

  test('that can never apply is staged only for who said that they know', async () => {
    expect(await price(MIRA, '120.01')).toEqual({ kind: 'amount', trouble: 'never_not_confirmed' });
    expect(await ground.sent()).toEqual([]);
    expect(await price(MIRA, '120.01', { isNeverConfirmed: true })).toMatchObject({
      kind: 'done',
      answer: { pending_amount_usd: '120.01' },
    });
  });

  test('of a store subscription may go down', async () => {
    expect(await price(VIK, '10.00')).toMatchObject({ kind: 'done', answer: { change_queued: true } });
  });
});

describe('nothing is sent', () => {
  test.each([
    [MIRA, '60.00', { kind: 'amount', trouble: 'nothing' }],
    [MIRA, 'free', { kind: 'amount', trouble: 'not_an_amount' }],
    [MIRA, '1,234', { kind: 'amount', trouble: 'separators' }],
    [MIRA, '0', { kind: 'amount', trouble: 'not_above_zero' }],
    [MIRA, '60.005', { kind: 'amount', trouble: 'not_whole_cents' }],
    [VIK, '15.01', { kind: 'amount', trouble: 'store_increase' }],
    [PAVEL, '5.00', { kind: 'hindered', hindrance: 'ended' }],
  ])('for %s at %s', async (id, text, outcome) => {
    expect(await price(id, text)).toEqual(outcome);
    expect(await ground.sent()).toEqual([]);
    expect(await ground.readAudit()).toEqual([]);
  });

  test('when the price is not what the form showed', async () => {
    const baseline = await ground.baselineOf(MIRA);
    await price(MIRA, '70.00');
    expect(await price(MIRA, '80.00', { baseline })).toMatchObject({ kind: 'changed' });
    expect(await ground.sent()).toEqual([]);
  });
});

describe('a refusal is told in a sentence', () => {
  test.each([
    [400, 'INVALID_FIELD_VALUE', {}, 'Invo could not read an id or a value of the request.'],
    [400, 'INVALID_BODY', {}, 'Invo could not read the request as a whole. The subscription is unchanged.'],
    [404, 'SUBSCRIPTION_NOT_FOUND', {}, 'Invo does not know this subscription in this game and environment.'],
    [409, 'SUBSCRIPTION_TERMINAL', {}, 'The subscription has ended, so its price and card can’t be changed.'],
    [
      409,
      'PCSTORE_REAUTHORIZATION_REQUIRED',
      { current_amount_usd: '60.00', requested_amount_usd: '70.00' },
      'where the price cannot be raised from $60.00 to $70.00 without the player’s consent.',
    ],
    [401, 'INVALID_GAME_SECRET', {}, 'Invo refused the game secret, so the request was not executed.'],
    [403, 'GAME_NOT_ACTIVE', {}, 'neither live nor in testing'],
    [
      429,
      'rate_limit_exceeded',
      { retry_after: 17 },
      'This game has sent Invo too many requests. The subscription is unchanged. Try again in 17 s.',
    ],
  ])('%i %s', async (status, code, facts, sentence) => {
    await ground.fault('refuse', 'amount', { status, code, facts, times: 2 });
    expect(await price(MIRA, '70.00')).toMatchObject({
      kind: 'refused',
      errorCode: code,
      errorId: expect.any(String),
      sentence: expect.stringContaining(sentence),
    });
    expect((await ground.readAudit()).at(-1)?.detail).toMatchObject({ outcome: 'refused', error_code: code, status });
  });
});
