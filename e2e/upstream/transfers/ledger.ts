import type { Player } from '../model.ts';
import { changeCoins, createPlayer, findPlayer, walletOf } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { openTitle, type Title } from '../route.ts';
import type { Transfer } from '../state/desk.ts';
import type { State } from '../state/state.ts';
import type { Json } from '../wire/answer.ts';
import { currencyOf, environmentOf } from '../world/tenants.ts';
import { sharedDesk } from './transfer-data.ts';

/** Hundredths of a coin of an amount with two decimals. */
export function hundredths(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Reserves the sender's coins and stores the transfer. */
export function openTransfer(title: Title, transfer: Transfer): Transfer {
  moveReserved(title.state, transfer, hundredths(transfer.amount), -hundredths(transfer.amount));
  return store(title, { ...transfer, isReserved: true });
}

/** Stores a transfer as it is now. */
export function store(title: Title, transfer: Transfer): Transfer {
  sharedDesk(title).transfers.set(transfer.transactionId, transfer);
  return transfer;
}

const CLAIM_MS = 72 * 3_600_000;

/** Makes an approved transfer collectable. The coins stay reserved until they are collected. */
export function approveTransfer(title: Title, transfer: Transfer, claimMs = CLAIM_MS): Transfer {
  const code = title.state.secrets.make(transfer.kind === 'send' ? 'texted_claim_code' : 'claim_code', 'CLM-');
  const approved = store(title, {
    ...transfer,
    transactionStatus: 'pending_claim',
    verification: 'approved',
    claimCode: code,
    claimUntilMs: title.view.nowMs + claimMs,
  });
  addBoth(title, 'transfer.claim_pending', approved);
  return approved;
}

/** Moves the coins to the receiver, whom the destination may not know yet. */
export function collectTransfer(title: Title, transfer: Transfer, via: string | null): Transfer {
  const { state } = title;
  if (transfer.isReserved) moveReserved(state, transfer, -hundredths(transfer.amount), 0n);
  const collected = store(title, { ...transfer, transactionStatus: 'completed', verification: 'completed', isReserved: false });
  add(state, transfer, transfer.fromGame, { type: 'transfer.sent' });
  const environment = environmentOf(transfer.toGame);
  if (environment === null) return collected;
  const destination = openTitle(state, environment);
  const receiver = receiverOf(destination, transfer);
  const balance = changeCoins(destination.support, receiver.playerId, hundredths(transfer.netAmount));
  add(state, transfer, transfer.toGame, {
    type: 'transfer.received',
    amount_received: transfer.netAmount,
    ...(transfer.kind === 'send'
      ? {}
      : { gross_amount: transfer.amount, fee_breakdown: feesOf(transfer.amount, transfer.fromGame !== transfer.toGame) }),
    currency_name: currencyOf(transfer.toGame).name,
    new_balance: formatCoins(balance),
    ...(via === null ? {} : { confirmed_via: via }),
  });
  return collected;
}

/** The player who receives a transfer in its destination. */
function receiverOf(destination: Title, { toEmail, sender }: Transfer): Player {
  const email = toEmail ?? sender.email;
  return findPlayer(destination.view, email)?.player ?? createPlayer(destination, email);
}

/** Ends a transfer that nobody will collect: the coins go back to the sender. */
export function returnTransfer(title: Title, transfer: Transfer, status: 'refunded' | 'failed'): Transfer {
  if (transfer.isReserved) moveReserved(title.state, transfer, -hundredths(transfer.amount), hundredths(transfer.amount));
  if (transfer.transactionStatus === 'pending_claim') addBoth(title, 'transfer.claim_expired', transfer);
  if (transfer.isReserved) add(title.state, transfer, transfer.fromGame, { type: 'transfer.refunded', amount: transfer.amount });
  return store(title, {
    ...transfer,
    transactionStatus: status,
    verification: status === 'failed' ? 'failed' : 'expired',
    isReserved: false,
  });
}

/** Ends what the time has ended: approval and claim windows, and guardians who didn't answer. */
export function lapseTransfers(state: State): void {
  for (const title of [openTitle(state, 'production'), openTitle(state, 'sandbox')]) {
    const { nowMs } = title.view;
    for (const transfer of sharedDesk(title).transfers.values()) {
      const { transactionStatus: status, guardian, approveUntilMs, claimUntilMs } = transfer;
      const isWaiting = status === 'pending_approval';
      if (isWaiting && guardian?.state === 'pending' && guardian.expiresMs <= nowMs)
        returnTransfer(title, { ...transfer, guardian: { ...guardian, state: 'expired' } }, 'failed');
      else if (isWaiting && approveUntilMs !== null && approveUntilMs <= nowMs) returnTransfer(title, transfer, 'refunded');
      else if (status === 'pending_claim' && claimUntilMs !== null && claimUntilMs <= nowMs) returnTransfer(title, transfer, 'refunded');
    }
  }
}

const RATES_BP = { sending_game_fee: 200n, receiving_game_fee: 200n, platform_fee: 100n } as const;

/** The fees of an amount: 2 % for each game and 1 % for the platform, nothing within one title. */
export function feesOf(amount: string, isCross: boolean): Record<keyof typeof RATES_BP | 'total_fee' | 'net_amount', string> {
  const gross = hundredths(amount);
  const part = (name: keyof typeof RATES_BP): bigint => (isCross ? (gross * RATES_BP[name] + 5_000n) / 10_000n : 0n);
  const [sending, receiving, platform] = [part('sending_game_fee'), part('receiving_game_fee'), part('platform_fee')];
  const total = sending + receiving + platform;
  return {
    total_fee: formatCoins(total),
    sending_game_fee: formatCoins(sending),
    receiving_game_fee: formatCoins(receiving),
    platform_fee: formatCoins(platform),
    net_amount: formatCoins(gross - total),
  };
}

function moveReserved(state: State, { fromGame, sender }: Transfer, reserved: bigint, available: bigint): void {
  const environment = environmentOf(fromGame);
  if (environment === null) return;
  const support = state.support(environment);
  support.setReserved(sender.playerId, walletOf(support, sender.playerId).reserved + reserved);
  if (available !== 0n) changeCoins(support, sender.playerId, available);
}

function addBoth({ state }: Title, type: string, transfer: Transfer): void {
  add(state, transfer, transfer.fromGame, { type, direction: 'outbound', amount: transfer.amount });
  add(state, transfer, transfer.toGame, { type, direction: 'inbound', net_amount: transfer.netAmount });
}

// The documents show no events of sends.
function add(state: State, { kind, ...transfer }: Transfer, gameId: string, { type, ...more }: Json & { type: string }): void {
  const environment = environmentOf(gameId);
  if (environment === null || (kind === 'send' && state.shapes.has('send-approve', 'no_events'))) return;
  const { transactionId, orderId, fromGame, toGame } = transfer;
  const ids = { transaction_id: transactionId, order_id: orderId, source_game_id: fromGame, target_game_id: toGame };
  state.outbox(environment).add(type, { ...ids, ...more }, state.nowMs());
}
