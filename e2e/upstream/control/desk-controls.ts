import type { Environment, Player } from '../model.ts';
import { useSession } from '../orders/checkout.ts';
import { findOrder } from '../orders/order-data.ts';
import { findPlayer } from '../players/player-data.ts';
import { openTitle } from '../route.ts';
import type { State } from '../state/state.ts';
import { type Json, Refusal } from '../wire/answer.ts';

export type DeskControl = (state: State, environment: Environment, fields: Json) => Json;

/** What players do at the service, and what tests count. */
export const DESK_CONTROLS: Record<string, DeskControl> = {
  'GET executed': ({ executions }, _environment, { kind }) => ({
    executed: executions.list(kind === undefined ? undefined : String(kind)),
  }),
  'GET secrets': ({ secrets }) => ({ secrets: secrets.list() }),
  // The bank's check of an order's payment or of a card set-up.
  'POST challenge': saved((state, environment, { order_id: orderId, setup_intent_id: setUpId, outcome }) => {
    const { view } = openTitle(state, environment);
    const order = orderId === undefined ? null : findOrder(view, 'currency', 'order_id', String(orderId));
    const intent = order?.fields['payment_intent_id'] ?? setUpId;
    if (typeof intent !== 'string') throw new Refusal(404, 'NOT_FOUND', 'No such order or set-up.');
    view.desk.challenges.set(intent, oneOf(outcome, ['done', 'failed']));
    return { intent, outcome };
  }),
  'POST checkout': saved((state, environment, { session_id: id, outcome }) => {
    const title = openTitle(state, environment);
    const session = title.view.desk.sessions.get(String(id));
    if (session === undefined) throw new Refusal(404, 'NOT_FOUND', 'No such session.');
    return useSession(title, session, oneOf(outcome, ['pay', 'fail', 'cancel']));
  }),
  // A reward that the service holds back, takes back or lets expire.
  'POST vault': saved((state, environment, { vault_entry_id: id, outcome }) => {
    const vaultState = oneOf(outcome, ['unlocked', 'reserved', 'expired', 'revoked']);
    openTitle(state, environment).view.desk.vault.set(String(id), { state: vaultState, redeemedMs: null, code: null });
    return { vault_entry_id: id, state: vaultState };
  }),
  // An email that now names another player; without an id the world's again.
  'POST move': saved((state, environment, { player_email: given, player_id: playerId }) => {
    const { view } = openTitle(state, environment);
    const email = String(given).toLowerCase();
    view.desk.players.delete(email);
    const known = findPlayer(view, email)?.player;
    if (known === undefined) throw new Refusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
    const moved: Player =
      playerId === undefined ? known : { ...known, playerId: Number(playerId), identityId: `idn_desk_${Number(playerId)}` };
    if (playerId !== undefined) view.desk.players.set(email, moved);
    return { player_email: email, player_id: moved.playerId };
  }),
};

/** A control that changes what survives a restart. */
export function saved(control: DeskControl): DeskControl {
  return (state, environment, fields) => {
    const body = control(state, environment, fields);
    state.save();
    return body;
  };
}

/** The outcome of a control, or its refusal. */
export function oneOf<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Refusal(400, 'INVALID_BODY', `outcome is one of ${choices.join(', ')}.`);
  return found;
}
