import { describe, expect, test } from 'vitest';
import { openInvo } from '../testing/test-client.ts';

const MIRA = 'SUB_1733392800_DESKMIRA';
const INES = 'SUB_1733400000_DESKINES';

describe('a change of card', () => {
  test.each([['player_card_id'], ['card_id']])('by %s attaches a card of the player', async (name) => {
    const invo = await openInvo();
    const { status, body } = await invo.post(`/api/subscriptions/${MIRA}/payment-method`, { [name]: 9_100_013 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      replaced: true,
      wallet_only: false,
      card: { id: 9_100_013, last_four: '0005', brand: 'amex', exp_month: 11, exp_year: 2035 },
      subscription: { has_payment_method: true, wallet_only: false },
    });
  });

  test('turns a wallet-only subscription into one with a card only if requested', async () => {
    const invo = await openInvo();
    const path = `/api/subscriptions/${INES}/payment-method`;
    expect((await invo.ask(`/api/subscriptions/${INES}`)).body.subscription).toMatchObject({
      wallet_only: true,
      has_payment_method: false,
    });
    expect((await invo.post(path, { player_card_id: 9_100_031 })).body.error_code).toBe('WALLET_ONLY_SUBSCRIPTION');
    expect((await invo.post(path, { player_card_id: 9_100_031, wallet_only: false })).body).toMatchObject({
      replaced: false,
      wallet_only: false,
    });
    expect((await invo.ask(`/api/subscriptions/${INES}`)).body.subscription).toMatchObject({
      wallet_only: false,
      has_payment_method: true,
    });
  });

  test.each([
    [MIRA, {}, 400, 'PAYMENT_METHOD_REQUIRED'],
    [MIRA, { player_card_id: '9100013' }, 400, 'PAYMENT_METHOD_INVALID'],
    [MIRA, { player_card_id: 1, card_id: 2 }, 400, 'INVALID_FIELD_VALUE'],
    [MIRA, { player_card_id: 9_100_013, wallet_only: 'no' }, 400, 'INVALID_FIELD_VALUE'],
    [MIRA, { player_card_id: 9_100_011 }, 400, 'PAYMENT_METHOD_EXPIRED'],
    [MIRA, { player_card_id: 9_100_031 }, 404, 'PAYMENT_METHOD_NOT_FOUND'],
    [MIRA, { player_card_id: 9_100_013, wallet_only: true }, 400, 'WALLET_ONLY_CONFLICT'],
    [INES, { player_card_id: 9_100_031, wallet_only: true }, 400, 'WALLET_ONLY_CONFLICT'],
    ['SUB_1638957600_DESKVIK1', { player_card_id: 1 }, 409, 'NOT_A_CARD_SUBSCRIPTION'],
    ['SUB_1733479200_DESKPAVE', { player_card_id: 1 }, 409, 'SUBSCRIPTION_TERMINAL'],
    ['SUB_1_NOBODY00', { player_card_id: 1 }, 404, 'SUBSCRIPTION_NOT_FOUND'],
    ['SUB%20x', { player_card_id: 1 }, 400, 'INVALID_FIELD_VALUE'],
    [MIRA, 'null', 400, 'INVALID_BODY'],
  ])('of %s with %j is %i %s', async (id, body, status, code) => {
    const invo = await openInvo();
    const answered = await invo.post(`/api/subscriptions/${id}/payment-method`, body);
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
  });

  test.each([
    ['paused', 503, undefined],
    ['card_removed', 409, 'PAYMENT_METHOD_UNAVAILABLE'],
  ])('%s is %i', async (kind, status, code) => {
    const invo = await openInvo();
    await invo.control('POST', 'faults', [{ kind }]);
    const answered = await invo.post(`/api/subscriptions/${MIRA}/payment-method`, { player_card_id: 9_100_013 });
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
  });
});
