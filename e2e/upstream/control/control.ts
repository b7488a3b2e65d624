import { isSettled } from '../evidence/lines.ts';
import type { Fault } from '../faults/fault.ts';
import { formatInstant } from '../instant.ts';
import type { Environment } from '../model.ts';
import { formatUsd, parseUsd } from '../money.ts';
import { findPlayer, walletOf } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { refundHistory } from '../refunds/refund-history.ts';
import type { GameSettings } from '../state/games.ts';
import { readClock, type State } from '../state/state.ts';
import { addConsoleRefund } from '../webhooks/events.ts';
import { WEBHOOK_CONTROLS } from '../webhooks/webhook-controls.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { DESK_CONTROLS } from './desk-controls.ts';
import { ORDER_CONTROLS } from './order-controls.ts';
import { TRANSFER_CONTROLS } from './transfer-controls.ts';

type Control = (state: State, body: unknown) => Json | Promise<Json>;

/** Answers the control interface, on loopback only: set the clock, arm faults, make refunds, change a game's settings, read the calls. */
export function answerControl(state: State, method: string, path: string, body: unknown): Json | Promise<Json> {
  const ofGame = OF_GAME[`${method} ${path}`];
  if (ofGame !== undefined) return ofGame(state, environmentOf(fieldsOf(body ?? {})), fieldsOf(body ?? {}));
  const control = CONTROLS[`${method} ${path}`];
  if (control === undefined) throw new Refusal(404, 'NOT_FOUND', `No control ${method} ${path}.`);
  return control(state, body);
}

const OF_GAME = { ...WEBHOOK_CONTROLS, ...DESK_CONTROLS, ...ORDER_CONTROLS, ...TRANSFER_CONTROLS };

const CONTROLS: Record<string, Control> = {
  'GET calls': (state) => ({ calls: state.calls.all() }),
  'DELETE calls': (state) => done(() => state.calls.clear()),
  'GET faults': (state) => ({ faults: state.faults.all() }),
  'POST faults': (state, body) => {
    try {
      state.faults.arm((Array.isArray(body) ? body : [body]) as Fault[]);
    } catch (error) {
      throw new Refusal(400, 'INVALID_BODY', error instanceof Error ? error.message : 'No such fault.');
    }
    return { faults: state.faults.all() };
  },
  'GET held': (state) => ({ held: state.held.count() }),
  'POST release': (state) => ({ released: state.held.release() }),
  'DELETE faults': (state) => done(() => state.faults.clear()),
  'GET clock': (state) => ({ now: new Date(state.nowMs()).toISOString() }),
  'POST clock': (state, body) => {
    const now = fieldsOf(body)['now'] ?? null;
    state.setClock(now === null ? null : readClock(String(now)));
    return { now: new Date(state.nowMs()).toISOString() };
  },
  'GET refunds': (state) => listRefunds(state),
  'GET wallet': (state, query) => controlWallet(state, fieldsOf(query)),
  'POST wallet': (state, body) => controlWallet(state, fieldsOf(body)),
  'POST refunds': (state, body) => controlRefund(state, fieldsOf(body)),
  'POST game': (state, body) => setGame(state, fieldsOf(body)),
  'GET shape': (state) => state.shapes.all(),
  'POST shape': (state, body) => {
    for (const [route, variant] of Object.entries(fieldsOf(body))) setShape(state, route, variant);
    return state.shapes.all();
  },
  'POST reset': (state) => done(() => state.reset()),
};

const CHOICES: Record<string, readonly unknown[]> = {
  rotation: ['grace', 'current', 'previous', 'expired'],
  lineOrder: ['newest', 'oldest', 'shuffled', 'latest_refund'],
  rateLimit: [true, false],
  transferMode: ['universal', 'linked'],
  outgoing: [true, false],
};

function setGame(state: State, fields: Json): Json {
  const game: GameSettings = state.games[environmentOf(fields)];
  const wrong = Object.keys(CHOICES).find((name) => fields[name] !== undefined && !CHOICES[name]?.includes(fields[name]));
  if (wrong !== undefined) throw new Refusal(400, 'INVALID_BODY', `${wrong} is one of ${CHOICES[wrong]?.join(', ')}.`);
  const known = Object.entries({
    status: 'status',
    rotation: 'rotation',
    lineOrder: 'lineOrder',
    rateLimit: 'isRateLimited',
    transferMode: 'transferMode',
    outgoing: 'hasOutgoing',
    secret: 'secret',
    previousSecret: 'previousSecret',
  });
  Object.assign(
    game,
    Object.fromEntries(known.filter(([name]) => fields[name] !== undefined).map(([name, field]) => [field, fields[name]])),
  );
  return { status: game.status, rotation: game.rotation, lineOrder: game.lineOrder, rateLimit: game.isRateLimited };
}

function setShape(state: State, route: string, variant: unknown): void {
  try {
    state.shapes.set(route, variant === null ? null : String(variant));
  } catch (error) {
    throw new Refusal(400, 'INVALID_BODY', error instanceof Error ? error.message : 'No such shape.');
  }
}

function fieldsOf(body: unknown): Json {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'INVALID_BODY', 'The body must be a JSON object.');
  return body as Json;
}

function done(act: () => void): Json {
  act();
  return { done: true };
}

/** Every executed refund with its key and how often it was executed, and every refund call with its outcome, of both games. */
function listRefunds(state: State): Json {
  const refunds = (['production', 'sandbox', 'emberfall'] as const).flatMap((environment) => {
    const made = Map.groupBy(state.refundStore(environment).all(), ({ clientRequestId }) => clientRequestId ?? null);
    return state
      .support(environment)
      .receipts()
      .map((receipt) => ({
        environment,
        client_request_id: receipt.clientRequestId,
        subscription_id: receipt.subscriptionId,
        period_id: receipt.periodId,
        transaction_id: receipt.transactionId,
        amount_usd: formatUsd(made.get(receipt.clientRequestId)?.[0]?.amount ?? 0n),
        executed: made.get(receipt.clientRequestId)?.length ?? 0,
        receipt_lost: receipt.lost,
      }));
  });
  const calls = state.calls
    .all()
    .filter(({ route }) => route === 'refund')
    .map((call) => ({
      at: call.at,
      environment: call.environment,
      subscription_id: call.path.split('/').at(-2) ?? null,
      client_request_id: call.clientRequestId ?? null,
      body_sha256: call.bodySha256 ?? null,
      outcome: call.outcome ?? 'not_executed',
      status: call.status,
      fault: call.fault,
    }));
  return { refunds, calls };
}

/** Reads a player's coins, and sets them when `coins` is given (negative for a debt). */
function controlWallet(state: State, fields: Json): Json {
  const environment = environmentOf(fields);
  const support = state.support(environment);
  const known = findPlayer(state.view(environment), String(fields['player_email'] ?? '').toLowerCase());
  const playerId = fields['player_id'] === undefined ? known?.player.playerId : Number(fields['player_id']);
  if (playerId === undefined || !Number.isSafeInteger(playerId)) throw new Refusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
  if (fields['coins'] !== undefined) {
    const coins = /^(-?)(\d{1,12})(?:\.(\d{2}))?$/.exec(String(fields['coins']));
    if (coins === null) throw new Refusal(400, 'INVALID_BODY', 'coins is a number with two decimal places, as text.');
    support.setCoins(playerId, BigInt(`${coins[1]}${coins[2]}${coins[3] ?? '00'}`));
    state.save();
  }
  const { available, reserved } = walletOf(support, playerId);
  return { player_id: playerId, coins: formatCoins(available), reserved: formatCoins(reserved) };
}

/** Makes a refund that the next report shows, by the contract's rules: at most what is left of a paid period. */
function controlRefund(state: State, fields: Json): Json {
  const environment = environmentOf(fields);
  const view = state.view(environment);
  const period = view.period(Number(fields['period_id']));
  if (period === null) throw new Refusal(404, 'PERIOD_NOT_FOUND', 'No such period in this game.');
  if (!isSettled(view, period)) throw new Refusal(409, 'PERIOD_NOT_REFUNDABLE', 'The period was never collected.');
  const atMs = fields['refunded_at'] === undefined ? state.nowMs() : readClock(String(fields['refunded_at']));
  const made = [...period.refunds, ...state.refundStore(environment).refundsOf(period.id)];
  const refunded = refundHistory(period, made, Math.max(state.nowMs(), atMs)).refundedToDate;
  const remaining = period.amount - refunded;
  if (remaining === 0n)
    throw new Refusal(409, 'ALREADY_REFUNDED', 'Nothing is left to refund.', {
      refunded_amount_usd: formatUsd(refunded),
      amount_usd: formatUsd(period.amount),
    });
  const amount = fields['amount_usd'] === undefined ? remaining : parseUsd(String(fields['amount_usd']));
  if (amount === null || amount === 0n) throw new Refusal(400, 'INVALID_AMOUNT', 'amount_usd must be a decimal string above zero.');
  if (amount > remaining)
    throw new Refusal(400, 'AMOUNT_EXCEEDS_REMAINING', 'More than what is left.', {
      remaining_refundable_usd: formatUsd(remaining),
      already_refunded_usd: formatUsd(refunded),
    });
  const basis = fields['basis'] === 'period_row' ? 'period_row' : 'refund_receipts';
  addConsoleRefund(state, environment, period, { amount, totalRefunded: refunded + amount });
  state.addRefund(environment, { periodId: period.id, atMs, amount, basis, partnerBasis: 'clawback' });
  return {
    period_id: period.id,
    refunded_at: formatInstant(atMs),
    refunded_amount_usd: formatUsd(amount),
    remaining_refundable_usd: formatUsd(remaining - amount),
    basis,
  };
}

/** The game of a control call; production by default. */
function environmentOf(fields: Json): Environment {
  const environment = fields['environment'] ?? 'production';
  if (environment !== 'production' && environment !== 'sandbox' && environment !== 'emberfall') {
    throw new Refusal(400, 'INVALID_BODY', 'environment is production, sandbox or emberfall.');
  }
  return environment;
}
