import { createHash } from 'node:crypto';
import { DAY_MS, formatInstant } from '../instant.ts';
import { parseUsd, percentOf } from '../money.ts';
import { changeCoins, createPlayer, findPlayer, walletOf } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import type { ItemSale } from '../state/desk.ts';
import { type Json, Refusal, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { storeOrder } from './order-data.ts';

const PER_MINUTE = 60;
const NETWORK_FEE_BP = 1000;

/** Takes a player's coins for an item, once per key. The service delivers no item. */
export const itemSaleRoute: Route = {
  name: 'item-sale',
  method: 'POST',
  pattern: /^\/api\/item-purchases\/purchase-item$/,
  credential: 'secret',
  meter: 'none',
  subject: ({ client_request_id: key }) => (typeof key === 'string' ? key : null),
  playerMeter: ({ bytes }) => ({ key: `item|${emailIn(readObject(bytes))}`, max: PER_MINUTE }),
  answer: answerSale,
};

function answerSale(call: Call): Json {
  const { view, support, state } = call;
  const body = readObject(call.bytes);
  const key = body['client_request_id'];
  if (typeof key !== 'string' || key === '') throw invalid(call, 'client_request_id is required.', 'REQUEST_ID_REQUIRED');
  if (/^sub_/i.test(key)) throw new Refusal(400, 'CLIENT_REQUEST_ID_RESERVED', 'client_request_id must not begin with sub_.');
  const before = view.desk.itemSales.get(key);
  const isForgotten = state.shapes.has('item-sale', 'forgets') && before !== undefined && view.nowMs - before.soldMs >= DAY_MS;
  if (before !== undefined && !isForgotten) throw repeated(call, before);
  const { email, quantity, total, fields } = readSale(call, body);
  const player = findPlayer(view, email)?.player ?? createPlayer(call, email);
  if (walletOf(support, player.playerId).available < total) throw invalid(call, 'The balance is too small.', 'INSUFFICIENT_BALANCE');
  const tail = digest(`${call.environment}|${key}|${view.nowMs}`);
  const hasNumbers = state.shapes.has('item-sale', 'numbers');
  const sale: ItemSale = {
    transactionId: hasNumbers ? `73${numberOf(tail)}` : `TXN_ITEM_${tail}`,
    orderId: hasNumbers ? `74${numberOf(tail)}` : `ITO_${tail}`,
    soldMs: view.nowMs,
  };
  view.desk.itemSales.set(key, sale);
  const balance = changeCoins(support, player.playerId, -total);
  const networkFee = formatCoins(percentOf(total * 100n, NETWORK_FEE_BP, 2) / 100n);
  storeOrder(view, 'items', {
    ...sale,
    reference: key,
    player,
    fields: {
      order_status: 'completed',
      ...fields,
      item_quantity: quantity,
      total_price: formatCoins(total),
      network_fee: networkFee,
      created_at: formatInstant(view.nowMs),
    },
  });
  countExecution(call);
  call.outcome = 'executed';
  return saleObject(call, sale, formatCoins(balance));
}

function readSale(call: Call, body: Json): { email: string; quantity: number; total: bigint; fields: Json } {
  const email = emailIn(body);
  const quantity = body['item_quantity'];
  const [unit, total] = [coinsIn(body['unit_price']), coinsIn(body['total_price'])];
  const [id, name] = [body['item_id'], body['item_name']];
  if (!email.includes('@')) throw invalid(call, 'player_email is required.', 'PLAYER_EMAIL_REQUIRED');
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '')
    throw invalid(call, 'item_id and item_name are required.', 'ITEM_REQUIRED');
  if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1)
    throw invalid(call, 'item_quantity must be a whole number above 0.', 'QUANTITY_INVALID');
  if (unit === null || total === null || total === 0n) throw invalid(call, 'Prices must be decimal strings.', 'PRICE_INVALID');
  if (unit * BigInt(quantity) !== total) throw invalid(call, 'total_price must be item_quantity times unit_price.', 'TOTAL_MISMATCH');
  return { email, quantity, total, fields: { item_id: id, item_name: name, unit_price: formatCoins(unit) } };
}

function emailIn({ player_email: email }: Json): string {
  return typeof email === 'string' ? email.trim().toLowerCase() : '';
}

/** Hundredths of a coin; null: no string of digits with at most two decimals. */
function coinsIn(value: unknown): bigint | null {
  const amount = typeof value === 'string' ? parseUsd(value) : null;
  return amount === null || amount % 100n !== 0n ? null : amount / 100n;
}

// The documents show no code of these refusals.
function invalid({ state }: Call, words: string, code: string): Refusal {
  return state.shapes.has('item-sale', 'codes') ? new Refusal(400, code, words) : wordsOnly(400, words);
}

function repeated(call: Call, { transactionId, orderId }: ItemSale): Refusal {
  call.outcome = 'replayed';
  return wordsOnly(409, 'This request was made before.', { transaction_id: transactionId, order_id: orderId });
}

// Nor the answer of a sale.
function saleObject(call: Call, sale: ItemSale, balance: string): Json {
  const has = (variant: string): boolean => call.state.shapes.has('item-sale', variant);
  const isNumber = has('numbers');
  const ids = {
    transaction_id: isNumber ? Number(sale.transactionId) : sale.transactionId,
    order_id: isNumber ? Number(sale.orderId) : sale.orderId,
  };
  if (has('no_id') || call.fault?.kind === 'item_2xx_without_id') return { status: 'success', new_balance: balance };
  if (has('flat') || isNumber) return { status: 'success', ...ids, new_balance: balance };
  return { status: 'success', purchase: ids, new_balance: balance };
}

function numberOf(tail: string): string {
  return String(Number.parseInt(tail.slice(0, 8), 16)).padStart(10, '0');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12).toUpperCase();
}
