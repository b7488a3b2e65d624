import * as z from 'zod';
import { TOTAL_NAMES, TOTALS, type TotalName } from '#lib/evidence/rules/totals.ts';
import { count, list, maybe, money, numericId, optionalText, settledByInvo } from './fields.ts';

/**
 * The notice on every reporting response: five values that may not differ, and prose.
 * Another value means that someone else may be paying recipients (document 2, attribution notice).
 */
export const attributionNotice = z.object({
  settled_by_invo: z.literal(false),
  invo_has_paid_no_recipient: z.literal(true),
  document_type: z.literal('attribution_report'),
  not_a_remittance_advice: z.literal(true),
  payer: z.literal('partner'),
  statement: optionalText,
});

const SHAPES = {
  count,
  money,
  reasons: z.record(z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u), count),
  window_count: count,
};

const totalsFields = { ...shapesOfTotals(), settled_by_invo: settledByInvo };

/** Guarantee of the cast: each total has the shape of its kind. */
function shapesOfTotals(): { [Name in TotalName]: (typeof SHAPES)[(typeof TOTALS)[Name]] } {
  return Object.fromEntries(TOTAL_NAMES.map((name) => [name, SHAPES[TOTALS[name]]])) as ReturnType<typeof shapesOfTotals>;
}

/** Invo's own sums over a window, for the whole game: never paginated, and accumulated before any filter by recipient. Reasons it may add later are kept. */
export const totals = z.object(totalsFields);

/** The same sums over the whole life of one subscription, with the recipients it ever had. */
export const lifetimeTotals = z.object({
  ...totalsFields,
  recipient_count: maybe(count),
  recipient_player_ids: maybe(list(numericId, 20_000)),
});

/** The position of a page in its list. `limit` is null when Invo does not repeat it. */
export const pagination = z.object({ total_count: count, limit: maybe(count), offset: count, has_more: z.boolean() });
