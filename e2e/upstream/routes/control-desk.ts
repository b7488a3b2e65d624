import { findPlayer } from '../desk/find-player.ts';
import { walletOf } from '../desk/wallet.ts';
import { formatUsd } from '../money.ts';
import { formatCoins } from '../refund/plan-refund.ts';
import type { State } from '../state/state.ts';
import type { Json } from '../wire/json.ts';
import { Refusal } from '../wire/refusal.ts';
import { environmentOf } from './environment-of.ts';

/** Every refund executed by key and how often, and every refund call received with what became of it, of both games. */
export function listRefunds(state: State): Json {
  const refunds = (['production', 'sandbox'] as const).flatMap((environment) => {
    const made = Map.groupBy(state.refundStore(environment).all(), ({ clientRequestId }) => clientRequestId ?? null);
    return state
      .desk(environment)
      .receipts()
      .map((kept) => ({
        environment,
        client_request_id: kept.clientRequestId,
        subscription_id: kept.subscriptionId,
        period_id: kept.periodId,
        transaction_id: kept.transactionId,
        amount_usd: formatUsd(made.get(kept.clientRequestId)?.[0]?.amount ?? 0n),
        executed: made.get(kept.clientRequestId)?.length ?? 0,
        receipt_lost: kept.lost,
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

/** Reads a player's coins, and sets those available when `coins` says how many (a debt has its sign). */
export function controlWallet(state: State, fields: Json): Json {
  const environment = environmentOf(fields);
  const desk = state.desk(environment);
  const known = findPlayer(state.book(environment), String(fields['player_email'] ?? '').toLowerCase());
  const playerId = fields['player_id'] === undefined ? known?.player.playerId : Number(fields['player_id']);
  if (playerId === undefined || !Number.isSafeInteger(playerId)) throw new Refusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
  if (fields['coins'] !== undefined) {
    const coins = /^(-?)(\d{1,12})(?:\.(\d{2}))?$/.exec(String(fields['coins']));
    if (coins === null) throw new Refusal(400, 'INVALID_BODY', 'coins is a number with two decimal places, as text.');
    desk.setCoins(playerId, BigInt(`${coins[1]}${coins[2]}${coins[3] ?? '00'}`));
    state.save();
  }
  const { available, reserved } = walletOf(desk, playerId);
  return { player_id: playerId, coins: formatCoins(available), reserved: formatCoins(reserved) };
}
