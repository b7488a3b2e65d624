import type * as z from 'zod';
import { parseExactJson } from '#lib/core/exact-json.ts';
import type { Exchange, Invo } from '../invo.ts';
import { type AnswerFields, type AnswerTree, idOf, instantOf, isFields, moneyOf, textOf, treeShape } from '../shapes/answer-tree.ts';
import { readerOf, unreadableAmounts } from '../shapes/fields.ts';
import { withTreeEvidence } from '../transport/body.ts';
import { firstList, firstOf, hasMoreRows } from './find-in-answer.ts';

/** One row of the transfers that wait to be collected: what could be found by name, and the row itself. */
export interface InboundRow {
  transactionId: string | null;
  amounts: { field: string; amount: string }[];
  /** The names of amounts that are no plain decimal text. */
  unreadable: string[];
  currencyName: string | null;
  expiresAt: string | null;
  fields: AnswerFields;
}

/** The transfers that wait to be collected; `rows` is null where the answer holds no list of them. */
export interface InboundPending {
  rows: InboundRow[] | null;
  /** Invo says that it has more rows than these. */
  hasMore: boolean;
  tree: AnswerTree;
}

/** The shape of the list, which the documents don't show. */
const inboundPending: z.ZodType<InboundPending> = treeShape((tree) => {
  const rows = firstList(tree)?.map(reshapeInbound) ?? null;
  return { rows, hasMore: hasMoreRows(tree, rows?.length ?? 0), tree };
});

const ID_NAMES = ['transaction_id', 'transfer_id', 'id'];
const AMOUNT_NAMES = ['amount', 'net_amount', 'gross_amount', 'amount_received'];
const EXPIRY_NAMES = ['claim_code_expires_at', 'claim_expires_at', 'expires_at'];

function reshapeInbound(fields: AnswerFields): InboundRow {
  // A row is about its transfer; whatever else it contains, such as a fee or where the coins came from, has ids and figures of its own.
  const records = [fields, fields['transfer'], fields['transaction']].filter(isFields);
  const holderOf = (names: readonly string[]): AnswerFields[] =>
    records.filter((record) => firstOf([record], names) !== undefined).slice(0, 1);
  return {
    transactionId: idOf(firstOf(holderOf(ID_NAMES), ID_NAMES)),
    amounts: AMOUNT_NAMES.flatMap((field) => {
      const amount = moneyOf(firstOf(holderOf(AMOUNT_NAMES), [field]));
      return amount === null ? [] : [{ field, amount }];
    }),
    unreadable: holderOf(AMOUNT_NAMES).flatMap((holder) => unreadableAmounts(holder, AMOUNT_NAMES)),
    currencyName: textOf(firstOf(records, ['currency_name'])),
    expiresAt: instantOf(firstOf(holderOf(EXPIRY_NAMES), EXPIRY_NAMES)),
    fields,
  };
}

/** Reads what waits to be collected in this game. */
export async function readInboundTransfers({ ask }: Invo, signal?: AbortSignal): Promise<Exchange<InboundPending>> {
  const read = readerOf(inboundPending, () => null);
  const path = '/api/transfers/inbound-pending';
  return withTreeEvidence(await ask({ route: { kind: 'other' }, family: 'transfer_read', path, read, parse: parseExactJson, signal }));
}
