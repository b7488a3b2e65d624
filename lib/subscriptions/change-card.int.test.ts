import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import {
  type ChangeEnvironment,
  INES,
  MIRA,
  openChangeEnvironment,
  PAVEL,
  SAMI,
  VIK,
} from '#e2e/support/subscriptions/change-environment.ts';
import { type CardForm, changeCard } from './change-subscription.ts';
import { readCardFacts, readChangeFacts } from './read-change-facts.ts';

const AMEX = 9_100_013;
const INES_CARD = 9_100_031;

let environment: ChangeEnvironment;
beforeAll(async () => {
  environment = await openChangeEnvironment();
});
afterAll(() => environment.close());
beforeEach(() => environment.startOver());

async function card(subscriptionId: string, cardId: number, changed: Partial<CardForm> = {}) {
  const baseline = await environment.baselineOf(subscriptionId);
  await environment.forgetCalls();
  const form = { subscriptionId, baseline, cardId, isConversionConfirmed: false, ...changed };
  return await changeCard(environment.context, SAMI, form, { read_ms: 60_000, send_ms: 200_000 });
}

test('the player’s cards are read with the subscription, newest first and without expired ones', async () => {
  const read = await readCardFacts(environment.context, MIRA);
  expect('cards' in read && read.cards?.map(({ last_four }) => last_four)).toEqual(['0005', '5454']);
  expect(await readCardFacts(environment.context, VIK), 'a store subscription has no cards').toMatchObject({
    kind: 'read',
    cards: null,
  });
});

describe('a card change', () => {
  test('sets one of the player’s cards, and the audit log has only its last four digits', async () => {
    expect(await card(MIRA, AMEX)).toMatchObject({
      kind: 'done',
      isConversion: false,
      answer: { replaced: true, wallet_only: false, card: { last_four: '0005', brand: 'amex' } },
    });
    const lines = await environment.readAudit();
    expect(lines).toMatchObject([
      { act: 'requested a card change', detail: { card: { player_card_id: AMEX, brand: 'amex', last_four: '0005' }, isConversion: false } },
      { act: 'recorded the outcome of a card change', detail: { outcome: 'done', replaced: true, card: { last_four: '0005' } } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('@players');
  });

  test('converts a wallet-only subscription only after the person confirms it', async () => {
    expect(await card(INES, INES_CARD)).toEqual({ kind: 'conversion_not_confirmed' });
    expect(await environment.sent()).toEqual([]);
    expect(await card(INES, INES_CARD, { isConversionConfirmed: true })).toMatchObject({
      kind: 'done',
      isConversion: true,
      answer: { replaced: false, wallet_only: false },
    });
    expect(await readChangeFacts(environment.context, INES, { limit_ms: 60_000 })).toMatchObject({
      subscription: { wallet_only: false, has_payment_method: true },
    });
  });

  test('requested twice leaves the same card', async () => {
    await card(MIRA, AMEX);
    expect(await card(MIRA, AMEX)).toMatchObject({ kind: 'done', answer: { card: { id: AMEX } } });
  });

  test('is not sent when the card is gone or belongs to another player', async () => {
    expect(await card(MIRA, INES_CARD)).toEqual({ kind: 'card_gone' });
    expect(await card(MIRA, 9_100_011), 'an expired card is not listed').toEqual({ kind: 'card_gone' });
    expect(await environment.sent()).toEqual([]);
  });

  test.each([
    [VIK, 'pcstore'],
    [PAVEL, 'ended'],
  ])('of %s is blocked: %s', async (id, blocker) => {
    expect(await card(id, 1)).toEqual({ kind: 'blocked', blocker });
    expect(await environment.sent()).toEqual([]);
  });

  test('does not start when the cards can’t be read', async () => {
    const baseline = await environment.baselineOf(MIRA);
    await environment.fault('500', 'player-cards', { times: 9 });
    expect(await card(MIRA, AMEX, { baseline })).toMatchObject({ kind: 'no_answer', errorId: expect.any(String) });
  });
});

describe('a refusal has a sentence', () => {
  test('for a card that was removed in the meantime', async () => {
    await environment.fault('card_removed', 'payment-method');
    expect(await card(MIRA, AMEX)).toMatchObject({
      kind: 'refused',
      errorCode: 'PAYMENT_METHOD_UNAVAILABLE',
      sentence: expect.stringContaining('The card was removed while it was being set. The subscription is unchanged.'),
    });
  });

  test.each(
    proofCases(3, [
      [404, 'PAYMENT_METHOD_NOT_FOUND', 'This card is not among the player’s saved cards in this game.'],
      [400, 'PAYMENT_METHOD_EXPIRED', 'This card has expired.'],
      [400, 'PAYMENT_METHOD_INVALID', 'Invo can’t charge this card.'],
      [400, 'PAYMENT_METHOD_REQUIRED', 'The request named no card.'],
      [409, 'WALLET_ONLY_SUBSCRIPTION', 'This subscription is paid from the wallet only.'],
      [400, 'WALLET_ONLY_CONFLICT', 'A subscription can’t be wallet-only and have a card.'],
      [409, 'NOT_A_CARD_SUBSCRIPTION', 'The subscription is charged through the game store, not by card.'],
      [409, 'SUBSCRIPTION_TERMINAL', 'The subscription has ended'],
    ]),
  )('for %i %s', async (status, code, sentence) => {
    await environment.fault('refuse', 'payment-method', { status, code });
    expect(await card(MIRA, AMEX)).toMatchObject({ kind: 'refused', errorCode: code, sentence: expect.stringContaining(sentence) });
  });

  test('but a pause is not a refusal: the outcome is unknown', async () => {
    await environment.fault('paused', 'payment-method');
    expect(await card(MIRA, AMEX)).toMatchObject({ kind: 'unknown', sentence: expect.stringContaining('Invo has paused changes') });
  });
});
