import { z } from 'zod';
import { mapInSteps, type Steps } from '#lib/core/steps.ts';
import { parseCurrency, parseReportedAmount, splitSign } from '../rules/report-cells.ts';
import { type ParsedReport, refuse } from '../rules/report-row.ts';
import { stateOfWord } from '../rules/report-words.ts';
import { buildRows, type FoundRow } from './build-row.ts';

/** The batch details of PayPal's Payouts API, as far as they are used. */
const BATCH = z.object({
  batch_header: z.looseObject({ payout_batch_id: z.string().optional() }),
  items: z.array(z.unknown()),
  total_items: z.number().optional(),
  total_pages: z.number().optional(),
});

const ITEM = z.object({
  transaction_id: z.string().optional(),
  payout_item_id: z.string().optional(),
  transaction_status: z.string(),
  time_processed: z.string().optional(),
  errors: z.looseObject({ name: z.string().optional() }).optional(),
  payout_item: z.looseObject({
    sender_item_id: z.string().optional(),
    amount: z.looseObject({ currency: z.string(), value: z.string() }),
  }),
});

/** Reads the batch details of PayPal's API (JSON), which carry our reference of every payment. Throws `RefusedReport`. */
export function* readPaypalBatch(text: string): Steps<ParsedReport> {
  const parsed = BATCH.safeParse(parseJson(text));
  if (!parsed.success) refuse('unknown_layout', null, parsed.error.issues[0]?.path.join('.') ?? '');
  const { items, total_items: total, total_pages: pages } = parsed.data;
  // A batch of several pages has a report of each.
  if (total !== undefined && (pages ?? 1) <= 1 && total !== items.length) refuse('count_differs', null, `${items.length} of ${total}`);
  const rows = yield* mapInSteps(items, (each, index): FoundRow => {
    const parsedItem = ITEM.safeParse(each);
    if (!parsedItem.success) refuse('unknown_layout', null, ['items', index, ...(parsedItem.error.issues[0]?.path ?? [])].join('.'));
    const item = parsedItem.data;
    const { amount, sender_item_id: reference } = item.payout_item;
    const [value, currency] = [parseReportedAmount(amount.value), parseCurrency(amount.currency)];
    const word = item.transaction_status;
    return {
      rowNo: index + 1,
      state: stateOfWord(word),
      word,
      hasAmount: true,
      unreadable: value === null || currency === null ? 'amount' : null,
      amounts: value === null || currency === null ? [] : [{ amount: splitSign(value).amount, currency }],
      providerId: item.transaction_id ?? item.payout_item_id ?? null,
      occurredOn: item.time_processed?.slice(0, 10) || null,
      reasonCode: item.errors?.name ?? null,
      cells: [
        reference ?? '',
        word,
        `${amount.value} ${amount.currency}`,
        item.transaction_id ?? '',
        item.payout_item_id ?? '',
        item.time_processed ?? '',
        item.errors?.name ?? '',
      ],
    };
  });
  return { kind: 'paypal_batch', account: null, feeRows: 0, rows: yield* buildRows(rows) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    refuse('broken_json');
  }
}
