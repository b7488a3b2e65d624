import * as z from 'zod';
import { count, flag, instant, list, maybe, money, numericId, prose, settledByInvo, textId, words } from '../shapes/fields.ts';
import { attributionNotice } from '../shapes/notice.ts';
import { recipientIdentity, renewalLine } from '../shapes/renewal-line.ts';
import { reversal } from '../shapes/reversal.ts';
import { pagination, totals } from '../shapes/totals.ts';

// Not the inline cap of 500, which Invo may raise, but the cap of a window: no recipient can have more.
const LINES_MAX = 20_000;
const RECIPIENTS_MAX = 100;

const recipientReport = z
  .object({
    recipient: recipientIdentity,
    renewal_count: count,
    subscription_count: count,
    gross_attributed_usd: money,
    reversed_attributed_usd: money,
    net_attributed_usd: money,
    first_paid_at: maybe(instant),
    last_paid_at: maybe(instant),
    settled_by_invo: settledByInvo,
    periods: list(renewalLine, LINES_MAX),
    periods_truncated: flag,
    reversals: list(reversal, LINES_MAX),
    reversal_count: count,
    reversals_truncated: flag,
  })
  .transform((entry, context) => {
    const stray = entry.periods.findIndex((line) => line.attribution.recipient_player_id !== entry.recipient.player_id);
    if (stray >= 0) {
      context.addIssue({
        code: 'custom',
        path: ['periods', stray, 'attribution', 'recipient_player_id'],
        message: 'expected the recipient it is listed under',
      });
    }
    return {
      ...entry,
      periods_truncated: entry.periods_truncated ?? entry.periods.length < entry.renewal_count,
      reversals_truncated: entry.reversals_truncated ?? entry.reversals.length < entry.reversal_count,
    };
  });

/** The attribution report of one window (document 2, GET /api/subscriptions/reporting/attribution), in Invo's words. */
export const attributionReport = z.object({
  status: words,
  attribution_notice: attributionNotice,
  report: z.object({
    type: words,
    game_id: textId,
    generated_at: instant,
    window: z.object({ start: instant, end: instant, end_exclusive: maybe(z.union([z.literal(true), instant])) }),
    filters: z.object({ recipient_player_id: numericId.nullish(), subscription_id: textId.nullish() }).nullish(),
    derivation: prose,
    known_limits: prose,
  }),
  totals,
  recipients: list(recipientReport, RECIPIENTS_MAX),
  pagination,
});

export type AttributionReport = z.infer<typeof attributionReport>;
export type RecipientReport = z.infer<typeof recipientReport>;
