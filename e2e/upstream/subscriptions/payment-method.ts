import type { GameView } from '../game-view.ts';
import type { SavedCard, Subscription } from '../model.ts';
import { cardObject } from '../players/player.ts';
import { cardsOf, isExpired } from '../players/player-data.ts';
import type { Call, Route } from '../route.ts';
import { findSubscription } from '../route.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readObject, readQuery } from '../wire/read-request.ts';
import { LIVE_STATUSES, subscriptionObject, subscriptionStatus } from './subscription.ts';

export const paymentMethodRoute: Route = {
  name: 'payment-method',
  method: 'POST',
  pattern: /^\/api\/subscriptions\/([^/]+)\/payment-method$/,
  credential: 'secret',
  meter: 'none',
  answer: answerPaymentMethod,
};

function answerPaymentMethod(call: Call): Json {
  const { view, support } = call;
  readQuery(call.search, []);
  const body = readObject(call.bytes);
  const walletOnly = body['wallet_only'] ?? null;
  if (walletOnly !== null && typeof walletOnly !== 'boolean')
    throw new Refusal(400, 'INVALID_FIELD_VALUE', 'wallet_only must be true or false.');
  const subscription = view.current(findSubscription(view, call.params[0], 'INVALID_FIELD_VALUE'));
  refuseWhereForbidden(view, subscription);
  const cardId = readCardId(body);
  if (walletOnly === true && cardId !== null) throw new Refusal(400, 'WALLET_ONLY_CONFLICT', 'A wallet-only subscription takes no card.');
  if (cardId === null) throw new Refusal(400, 'PAYMENT_METHOD_REQUIRED', 'player_card_id is required.');
  if (subscription.walletOnly && walletOnly !== false)
    throw new Refusal(409, 'WALLET_ONLY_SUBSCRIPTION', 'The subscription is wallet-only; pass wallet_only false to convert it.');
  const card = findCard(view, subscription, cardId);
  support.change(subscription.id, { ...support.changeOf(subscription.id), updatedMs: view.nowMs, cardId });
  call.outcome = 'card_changed';
  return {
    status: 'success',
    replaced: !subscription.walletOnly,
    wallet_only: false,
    card: cardObject(card),
    subscription: subscriptionObject(view, subscription, false),
  };
}

function refuseWhereForbidden(view: GameView, subscription: Subscription): void {
  if (subscription.rail === 'pcstore')
    throw new Refusal(409, 'NOT_A_CARD_SUBSCRIPTION', 'A subscription of the store has no card to change.');
  if (!LIVE_STATUSES.includes(subscriptionStatus(view, subscription)))
    throw new Refusal(409, 'SUBSCRIPTION_TERMINAL', 'The subscription has ended.');
}

function readCardId(body: Json): number | null {
  const [named, alias] = [body['player_card_id'] ?? null, body['card_id'] ?? null];
  const id = named ?? alias;
  if (named !== null && alias !== null && named !== alias)
    throw new Refusal(400, 'INVALID_FIELD_VALUE', 'player_card_id and card_id name two cards.');
  if (id === null) return null;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1)
    throw new Refusal(400, 'PAYMENT_METHOD_INVALID', 'player_card_id must be a whole number.');
  return id;
}

function findCard(view: GameView, subscription: Subscription, cardId: number): SavedCard {
  const card = cardsOf(view, subscription.player).find(({ id }) => id === cardId);
  if (card === undefined) throw new Refusal(404, 'PAYMENT_METHOD_NOT_FOUND', "No such card of this player's in this game.");
  if (isExpired(card, view.nowMs)) throw new Refusal(400, 'PAYMENT_METHOD_EXPIRED', 'The card has expired.');
  return card;
}
