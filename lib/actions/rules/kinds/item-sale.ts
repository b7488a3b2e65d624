import * as z from 'zod';
import { compareMoney, multiplyMoney, normalizeMoney, parseMoney, signOfMoney } from '#lib/core/money.ts';
import { classifyByCode, classifyForAll, findIn, idOf, isRawRefusal, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { repeatStep } from '../settling-times.ts';
import { ITEM_ID, ITEM_NAME } from '../typed-entries.ts';

const QUANTITY_MAX = 9_999;
const PRICE = /^(0|[1-9]\d{0,8})\.\d\d$/;

/** The item by the names that the player sees; prices in coins. */
const request = z.object({
  item_id: z.string().regex(ITEM_ID),
  item_name: z.string().regex(ITEM_NAME),
  item_quantity: z.union([
    z.number().int().min(1).max(QUANTITY_MAX),
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .transform(Number),
  ]),
  unit_price: z.string().refine((text) => PRICE.test(text) && parseMoney(text) !== null && signOfMoney(text) > 0),
});
type Sale = z.infer<typeof request>;

type Sold = {
  status: string | null;
  order_status: string | null;
  transaction_id: string | null;
  order_id: string | null;
  new_balance: string | null;
  item_id: string | null;
  total_price: string | null;
};

/** Codes that say that nothing was executed (document 2, Purchase and card errors). */
const CODES = { CLIENT_REQUEST_ID_RESERVED: 'refused', rate_limit_exceeded: 'not_now' } as const satisfies Record<string, AnswerClass>;
/** What a code of a repeated key says, however it is written: the documents show none. */
const REPEATED = /duplicate|conflict|already_?processed/i;
/** A status that doesn't say that the coins were taken, whatever ids are beside it. */
const NOT_SOLD = /fail|pending|cancel|declin|progress|process/i;

/** What a sale takes, in coins: quantity times price, exactly. */
function totalOf({ item_quantity, unit_price }: Sale): string {
  return multiplyMoney(unit_price, item_quantity);
}

/**
 * Sells an item for the coins of a player; Invo delivers none, the game does. A repeat of the key returns 409 with the ids of the first sale (document 2,
 * Idempotency). The answer of a sale isn't documented: it is one only where it names a transaction or an order.
 */
export const itemSale: Protocol<Sale, Sold, 'worker'> = {
  kind: 'item_sale',
  group: 'items',
  repeats: 'worker',
  key: 'prefixed_uuid',
  needsSecondPerson: false,
  family: 'item',
  keepsBody: true,
  isForRequester: false,
  decidedBy: 2,
  reading: 'order',
  movesCoins: true,
  unit: 'coins',
  request,
  subjectOf: (_, playerId) => `item_sale ${playerId}`,
  amountOf: totalOf,
  blockerOf: (sale, { wallet }) => (isCovered(wallet, sale) ? null : 'not_covered'),
  isAlike: (one, other) => one.item_id === other.item_id || compareMoney(totalOf(one), totalOf(other)) === 0,
  decidingOf: ({ wallet, request: stored }) => {
    const sale = request.safeParse(stored);
    return {
      player_id: wallet?.player_id ?? null,
      currencies: wallet?.balances.map(({ currency_id, currency_name }) => ({ currency_id, currency_name })) ?? null,
      is_covered: sale.success ? isCovered(wallet, sale.data) : null,
    };
  },
  write: (sale, { reference: client_request_id, email: player_email }) => {
    const { item_id, item_name, item_quantity, unit_price } = sale;
    return JSON.stringify({ client_request_id, player_email, item_id, item_name, item_quantity, unit_price, total_price: totalOf(sale) });
  },
  pick: (json) => ({
    answer: {
      status: findIn(json, 'status', textOf),
      order_status: findIn(json, 'order_status', textOf),
      transaction_id: findIn(json, 'transaction_id', idOf),
      order_id: findIn(json, 'order_id', idOf),
      new_balance: findIn(json, 'new_balance', parseMoney),
      item_id: findIn(json, 'item_id', idOf),
      total_price: findIn(json, 'total_price', parseMoney),
    },
    passes: null,
  }),
  classify: (observed, sale) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'item');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    const byCode = classifyByCode(codes, 'item', CODES);
    if (status >= 200 && status < 300) {
      if (codes.length > 0 || !isSold(answer)) return 'open';
      return isAbout(answer, sale) ? 'done' : 'contradiction';
    }
    if (status === 409) return isSold(answer) && codes.every((code) => REPEATED.test(code)) ? 'replayed' : 'open';
    if (status === 429) return byCode === null || byCode === 'not_now' ? 'not_now' : 'open';
    return isRawRefusal(status) && (byCode === null || byCode === 'refused') ? 'refused' : 'open';
  },
  next: repeatStep,
  judge: (reading) => (reading.kind === 'order' && reading.status === 'completed' ? 'done' : 'open'),
};

function isSold({ transaction_id, order_id, status, order_status }: Sold): boolean {
  const isUndone = [status, order_status].some((word) => word !== null && NOT_SOLD.test(word));
  return !isUndone && (transaction_id !== null || order_id !== null);
}

function isAbout({ item_id, total_price }: Sold, sale: Sale): boolean {
  const isSameItem = item_id === null || item_id === sale.item_id;
  return isSameItem && (total_price === null || compareMoney(normalizeMoney(total_price), totalOf(sale)) === 0);
}

/** Whether the player's one currency covers the sale now. */
function isCovered(wallet: { balances: { available_balance: string }[] } | null, sale: Sale): boolean {
  const [only, ...others] = wallet?.balances ?? [];
  return only !== undefined && others.length === 0 && compareMoney(only.available_balance, totalOf(sale)) >= 0;
}
