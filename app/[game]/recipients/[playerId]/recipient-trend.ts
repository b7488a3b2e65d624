import type { AttributedMonth } from '#app/[game]/_charts/attribution-trend.tsx';
import { listMonths } from '#lib/core/month.ts';
import type { RecipientHistory } from '#lib/evidence/reads/recipients.ts';

/** Months drawn; the table below has them all. */
const MONTHS_SHOWN = 24;

const ZERO = { gross_attributed_usd: '0.00', reversed_attributed_usd: '0.00', net_attributed_usd: '0.00' };

/**
 * The months of a recipient to draw, oldest first, from the first with a row to the newest with a snapshot. A month without a row is zero;
 * one that isn’t pulled or doesn’t reconcile breaks the series.
 */
export function trendOf(
  slug: string,
  { playerId, months, stated }: Pick<RecipientHistory, 'playerId' | 'months' | 'stated'>,
): AttributedMonth[] {
  const [first, last] = [months.at(-1)?.month, stated[0]?.month];
  if (first === undefined || last === undefined) return [];
  return listMonths(first, last)
    .slice(-MONTHS_SHOWN)
    .map((month) => {
      const row = months.find((each) => each.month === month);
      const status = stated.find((each) => each.month === month)?.status;
      const figures = row ? { gross_attributed_usd: row.earned, reversed_attributed_usd: row.reversed, net_attributed_usd: row.net } : ZERO;
      return {
        month,
        href: row ? `/${slug}/recipients/${playerId}?month=${month}` : `/${slug}/months/${month}`,
        figures: status === 'complete' || status === 'open' ? figures : null,
        isOpen: status === 'open',
        word: LABELS[status ?? ''] ?? 'Not pulled',
      };
    });
}

const LABELS: Record<string, string> = { complete: 'Complete', open: 'Open', inconsistent: 'Doesn’t reconcile' };
