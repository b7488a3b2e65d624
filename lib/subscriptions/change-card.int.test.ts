import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CardForm, changeCard } from './change-card.ts';
import { readCardFacts, readChangeFacts } from './read-change-facts.ts';
import { type ChangeGround, INES, MIRA, openChangeGround, PAVEL, SAMI, VIK } from './testing/change-ground.ts';

const AMEX = 9_100_013;
const INES_CARD = 9_100_031;

let ground: ChangeGround;
beforeAll(async () => {
  ground = await openChangeGround();
});
afterAll(() => ground.close());
beforeEach(() => ground.startOver());

async function card(subscriptionId: string, cardId: number, changed: Partial<CardForm> = {}) {
  const baseline = await ground.baselineOf(subscriptionId);
  await ground.forgetCalls();
  const form = { subscriptionId, baseline, cardId, isConversionConfirmed: false, ...changed };
  return await changeCard(ground.desk, SAMI, form, { read_ms: 60_000, send_ms: 200_000 });
}

test('the cards of who holds it are read with it, newest first and none that ran out', async () => {
  const read = await readCardFacts(ground.desk, MIRA);
  expect('cards' in read && read.cards?.map(({ last_four }) => last_four)).toEqual(['0005', '5454']);
  expect(await readCardFacts(ground.desk, VIK), 'a store subscription has none to choose from').toMatchObject({
    kind: 'read',
    cards: null,
  });
});

describe('a change of card', () => {
  test('sets one of the player’s cards, and the record keeps its last four digits alone', async () => {
    expect(await card(MIRA, AMEX)).toMatchObject({
      kind: 'done',
      isConversion: false,
      answer: { replaced: true, wallet_only: false, card: { last_four: '0005', brand: 'amex' } },
    });
    const lines = await ground.readAudit();
    expect(lines).toMatchObject([
      { act: 'asked to change a card', detail: { card: { player_card_id: AMEX, brand: 'amex', last_four: '0005' }, isConversion: false } },
      { act: 'was told what became of: change a card', detail: { outcome: 'done', replaced: true, card: { last_four: '0005' } } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('@players');
  });

  test('turns a wallet-only subscription into one with a card for who said that they mean it', async () => {
    expect(await card(INES, INES_CARD)).toEqual({ kind: 'conversion_not_confirmed' });
    expect(await ground.sent()).toEqual([]);
    expect(await card(INES, INES_CARD, { isConversionConfirmed: true })).toMatchObject({
      kind: 'done',
      isConversion: true,
      answer: { replaced: false, wallet_only: false },
    });
    expect(await readChangeFacts(ground.desk, INES, { limit_ms: 60_000 })).toMatchObject({
      subscription: { wallet_only: false, has_payment_method: true },
    });
  });

  test('asked for twice leaves the same card', async () => {
    await card(MIRA, AMEX);
    expect(await card(MIRA, AMEX)).toMatchObject({ kind: 'done', answer: { card: { id: AMEX } } });
  });

  test('after the card is gone, or with one of somebody else, is not sent', async () => {
    expect(await card(MIRA, INES_CARD)).toEqual({ kind: 'card_gone' });
    expect(await card(MIRA, 9_100_011), 'a card that ran out is not listed').toEqual({ kind: 'card_gone' });
    expect(await ground.sent()).toEqual([]);
  });

  test.each([
    [VIK, 'pcstore'],
    [PAVEL, 'ended'],
  ])('of %s is hindered: %s', async (id, hindrance) => {
    expect(await card(id, 1)).toEqual({ kind: 'hindered', hindrance });
    expect(await ground.sent()).toEqual([]);
  });

  test('is not begun when the cards cannot be read', async () => {
    const baseline = await ground.baselineOf(MIRA);
    await ground.fault('500', 'player-cards', { times: 9 });
    expect(await card(MIRA, AMEX, { baseline })).toMatchObject({ kind: 'no_answer', errorId: expect.any(String) });
  });
});

describe('a refusal is told in a sentence', () => {
  test('a card that was removed meanwhile', async () => {
    await ground.fault('card_removed', 'payment-method');
    expect(await card(MIRA, AMEX)).toMatchObject({
      kind: 'refused',
      errorCode: 'PAYMENT_METHOD_UNAVAILABLE',
      sentence: expect.stringContaining('The card was removed while it was being set. The subscription is unchanged.'),
    });
  });

  test.each([
    [404, 'PAYMENT_METHOD_NOT_FOUND', 'This card is not among the player’s saved cards in this game.'],
    [400, 'PAYMENT_METHOD_EXPIRED', 'This card has expired.'],
    [400, 'PAYMENT_METHOD_INVALID', 'Invo cannot charge this card.'],
    [400, 'PAYMENT_METHOD_REQUIRED', 'The request named no card.'],
    [409, 'WALLET_ONLY_SUBSCRIPTION', 'This subscription is paid from the wallet only.'],
    [400, 'WALLET_ONLY_CONFLICT', 'A subscription cannot be wallet-only and have a card.'],
    [409, 'NOT_A_CARD_SUBSCRIPTION', 'The subscription is charged through the store, not by card.'],
    [409, 'SUBSCRIPTION_TERMINAL', 'The subscription has ended'],
  ])('%i %s', async (status, code, sentence) => {
    await ground.fault('refuse', 'payment-method', { status, code });
    expect(await card(MIRA, AMEX)).toMatchObject({ kind: 'refused', errorCode: code, sentence: expect.stringContaining(sentence) });
  });

  test('a pause is no refusal: what became of it is not known', async () => {
    await ground.fault('paused', 'payment-method');
    expect(await card(MIRA, AMEX)).toMatchObject({ kind: 'unknown', sentence: expect.stringContaining('Invo has paused changes') });
  });
});
