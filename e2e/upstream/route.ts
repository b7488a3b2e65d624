import type { Fault, StateFault } from './faults/fault.ts';
import type { GameView } from './game-view.ts';
import type { Environment, Subscription } from './model.ts';
import type { Token } from './state/desk.ts';
import type { State } from './state/state.ts';
import type { SupportStore } from './state/stores.ts';
import type { CodeField, Json, Reply } from './wire/answer.ts';
import { Refusal } from './wire/answer.ts';
import type { StreamedBody } from './wire/send-stream.ts';

type RouteName =
  | 'attribution'
  | 'subscription-attribution'
  | 'period'
  | 'subscription'
  | 'player-subscriptions'
  | 'balances'
  | 'balance-batch'
  | 'balance-stream'
  | 'withdrawals'
  | 'player-cards'
  | 'order-details'
  | 'item-order-details'
  | 'item-history'
  | 'loyalty'
  | 'transfer-status'
  | 'approval-status'
  | 'inbound-pending'
  | 'cancel'
  | 'amount'
  | 'payment-method'
  | 'refund'
  | 'checkout'
  | 'confirm-payment'
  | 'setup-intent'
  | 'setup-confirm'
  | 'server-events'
  | 'item-sale'
  | 'player-token'
  | 'destinations'
  | 'initiate-send'
  | 'initiate-transfer'
  | 'transfer-approve'
  | 'confirm-receipt'
  | 'claim-transfer'
  | 'device-begin'
  | 'device-poll'
  | 'device-enrolment'
  | 'send-approve'
  | 'phone-share-status'
  | 'phone-share-initiate'
  | 'me-offers'
  | 'me-vault'
  | 'redeem'
  | 'purchase'
  | 'rewards-page'
  | 'client-events'
  | 'forbidden';

export interface Call {
  environment: Environment;
  view: GameView;
  /** The decoded captures of the path's pattern. */
  params: string[];
  search: URLSearchParams;
  /** The body as received; empty for reads. */
  bytes: Buffer;
  /** The fault `shifted_page`: the page starts one recipient later. */
  isPageShifted: boolean;
  stateFault: StateFault | null;
  /** The fault of this call; routes look for those that only they know. */
  fault: Fault | null;
  state: State;
  support: SupportStore;
  /** The outcome of a write, for the call log. */
  outcome: string | null;
  /** What the call is about, for counting; null: nothing that is counted. */
  subject: string | null;
  route: Route | null;
  /** Of a call with a player token. */
  token: Token | null;
  /** Scheme and host of the service, as the caller knows them. */
  origin: string;
}

/** What a change of a game's records needs; a call has it. */
export type Title = Pick<Call, 'environment' | 'view' | 'support' | 'state'>;

/** A game at this instant, for what isn't a call: a page, the control interface, the time. */
export function openTitle(state: State, environment: Environment): Title {
  return { environment, view: state.view(environment), support: state.support(environment), state };
}

/** Counts an execution of the call's subject. */
export function countExecution({ state, environment, route, subject }: Call): void {
  if (route !== null && subject !== null) state.executions.executed({ environment, kind: route.name, subject });
}

export interface Route {
  name: RouteName;
  method: 'GET' | 'POST';
  pattern: RegExp;
  /** What a caller must show: the game secret, a player token, or one of them. */
  credential: 'secret' | 'token' | 'either';
  /** The refusal of a call without a valid token, where the documents show none. Default: SDK_TOKEN_MALFORMED. */
  unauthorized?(state: State): Refusal;
  /** Where its refusals name their code. Default: error_code. */
  codeField?: CodeField;
  meter: 'aggregate' | 'detail' | 'balance' | 'none';
  /** What is counted at `/executed`: the key, order, transaction or entry that a body or path names. Absent: calls aren't counted. */
  subject?(body: Json, params: string[], bytes: Buffer, title: Title): string | null;
  /** The subscription whose own rate limit the call counts against. */
  subscriptionId?(call: Call): string | null;
  /** The player whose own rate limit a minute the call counts against. */
  playerMeter?(call: Call): { key: string; max: number } | null;
  /** The largest body it reads; absent: 256 KiB. */
  bodyBytes_max?: number;
  /** Answers synchronously, so that two calls never interleave. */
  answer(call: Call): Json | Json[] | Reply | StreamedBody;
}

/** The subscription of an id. Refuses a malformed id and an unknown one, each with its code. */
export function findSubscription(
  view: GameView,
  id: string | undefined,
  malformedCode: 'INVALID_FIELD_VALUE' | 'SUBSCRIPTION_ID_INVALID',
): Subscription {
  if (id === undefined || !/^[A-Za-z0-9_-]{1,50}$/.test(id)) throw new Refusal(400, malformedCode, 'The subscription id is malformed.');
  const subscription = view.world.subscription(id);
  if (subscription === null || subscription.createdMs > view.nowMs)
    throw new Refusal(404, 'SUBSCRIPTION_NOT_FOUND', 'No such subscription in this game.');
  return subscription;
}
