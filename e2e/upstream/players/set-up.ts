import type { GameView } from '../game-view.ts';
import type { SavedCard } from '../model.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import { nextNumber, type SetUp } from '../state/desk.ts';
import { type Json, Refusal, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { SUPPORT_PEOPLE } from '../world/support-people.ts';
import { cardObject } from './player.ts';
import { cardsOf, findPlayer } from './player-data.ts';

/** Saves a card without a purchase, or begins to: the bank may have to check. */
export const setUpRoute: Route = {
  name: 'setup-intent',
  method: 'POST',
  pattern: /^\/api\/currency-purchases\/setup-intent$/,
  credential: 'secret',
  meter: 'none',
  subject: (body) => referenceOf(body),
  answer: answerSetUp,
};

/** Saves the card of a set-up whose bank check is done. */
export const setUpConfirmRoute: Route = {
  name: 'setup-confirm',
  method: 'POST',
  pattern: /^\/api\/currency-purchases\/setup-intent\/confirm$/,
  credential: 'secret',
  meter: 'none',
  subject: ({ setup_intent_id: id }) => (typeof id === 'string' ? id : null),
  answer: answerConfirm,
};

const STATUS_OF_CARD: Record<string, SetUp['status']> = {
  pm_ok: 'succeeded',
  pm_held: 'succeeded',
  pm_3ds: 'requires_action',
  pm_confirm: 'requires_confirmation',
};

function answerSetUp(call: Call): Json {
  const { view, state } = call;
  const body = readObject(call.bytes);
  const reference = referenceOf(body);
  if (reference === null || !/^[A-Za-z0-9._:-]{1,200}$/.test(reference))
    throw new Refusal(400, 'INVALID_FIELD_VALUE', 'setup_reference has 1 to 200 characters from A-Z a-z 0-9 . _ : -.');
  const email = body['player_email'];
  const known = typeof email === 'string' ? findPlayer(view, email.trim().toLowerCase()) : null;
  if (known === null) throw new Refusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
  const method = body['payment_method_id'];
  if (typeof method === 'string' && method.startsWith('bank_'))
    throw new Refusal(400, 'RAW_CARD_NOT_SUPPORTED', 'Only card payment methods can be saved.');
  const before = [...view.desk.setUps.values()].find((setUp) => setUp.reference === reference);
  if (before !== undefined) return setUpObject(state.secrets, before);
  const { playerId } = known.player;
  const held = method === 'pm_held' ? cardsOf(view, known.player)[0] : undefined;
  const number = String(nextNumber(view.desk, 'setUps')).padStart(6, '0');
  const status = method === undefined ? 'requires_payment_method' : (STATUS_OF_CARD[String(method)] ?? 'requires_action');
  const setUp: SetUp = {
    setupId: `seti_${view.world.gameId}_${number}`,
    reference,
    playerId,
    status,
    card: status === 'succeeded' ? (held ?? saveCard(view, playerId)) : null,
    isAlreadySaved: held !== undefined,
    clientSecret: state.secrets.make('client_secret', `seti_${number}_secret_`),
  };
  view.desk.setUps.set(setUp.setupId, setUp);
  countExecution(call);
  call.outcome = 'executed';
  return setUpObject(state.secrets, setUp);
}

function setUpObject(secrets: Call['state']['secrets'], { setupId, status, card, isAlreadySaved, clientSecret }: SetUp): Json {
  if (status === 'succeeded' && card !== null)
    return {
      status,
      message: 'The card is saved.',
      setup_intent_id: setupId,
      card: cardObject(card),
      already_saved: isAlreadySaved,
    };
  const clientSideKey = secrets.give('client_side_key', `pk_canary_${setupId}`);
  return { status, client_secret: clientSecret, setup_intent_id: setupId, client_side_key: clientSideKey, card: null };
}

function answerConfirm(call: Call): Json {
  const { view } = call;
  const id = readObject(call.bytes)['setup_intent_id'];
  if (typeof id !== 'string') throw new Refusal(400, 'INVALID_FIELD_VALUE', 'setup_intent_id is required.');
  const setUp = view.desk.setUps.get(id) ?? worldSetUp(view, id);
  // The documents show a status and no code.
  if (setUp === null) throw wordsOnly(404, 'No such set-up in this title.');
  const isBefore = setUp.status === 'succeeded';
  if (!isBefore && !isChecked(view, id))
    throw new Refusal(400, 'still_requires_action', 'The bank’s check isn’t finished.').under('status');
  if (!isBefore) countExecution(call);
  call.outcome = isBefore ? 'already_saved' : 'executed';
  const confirmed: SetUp = isBefore ? setUp : { ...setUp, status: 'succeeded', card: setUp.card ?? saveCard(view, setUp.playerId) };
  view.desk.setUps.set(id, confirmed);
  return {
    status: 'success',
    setup_intent_id: id,
    card: confirmed.card === null ? null : cardObject(confirmed.card),
    already_saved: isBefore || confirmed.isAlreadySaved,
  };
}

function referenceOf({ setup_reference: reference, client_request_id: alias }: Json): string | null {
  const given = reference ?? alias;
  return typeof given === 'string' ? given : null;
}

// The game's client began these and crashed: two whose bank check is done, and one whose check isn't.
const WAITING: Readonly<Record<string, { playerId: number; isChecked: boolean }>> = {
  seti_asa_checked: { playerId: SUPPORT_PEOPLE['asa.venn'].playerId, isChecked: true },
  seti_mira_checked: { playerId: SUPPORT_PEOPLE['mira.holt'].playerId, isChecked: true },
  seti_asa_unchecked: { playerId: SUPPORT_PEOPLE['asa.venn'].playerId, isChecked: false },
};

function worldSetUp(view: GameView, setupId: string): SetUp | null {
  const waiting = view.world.gameId === '41207' ? WAITING[setupId] : undefined;
  if (waiting === undefined) return null;
  const { playerId } = waiting;
  return { setupId, reference: setupId, playerId, status: 'requires_action', card: null, isAlreadySaved: false, clientSecret: '' };
}

function isChecked({ desk }: GameView, setupId: string): boolean {
  return (desk.challenges.get(setupId) ?? (WAITING[setupId]?.isChecked === true ? 'done' : null)) === 'done';
}

/** Saves a new card of a player. */
export function saveCard(view: GameView, playerId: number): SavedCard {
  const number = nextNumber(view.desk, 'cards');
  const card: SavedCard = {
    id: 9_900_000 + number,
    lastFour: String(4242 + number).padStart(4, '0'),
    brand: 'visa',
    expMonth: 12,
    expYear: 2036,
    createdMs: view.nowMs,
  };
  const key = String(playerId);
  view.desk.cards.set(key, [...(view.desk.cards.get(key) ?? []), card]);
  return card;
}
