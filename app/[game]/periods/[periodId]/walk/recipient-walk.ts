import { signOfMoney, sumMoney } from '#lib/core/money.ts';
import { isCoarse, type Report, taken, type WalkStep, whole } from './period-walk.ts';

/** The recipient's part of it: base, share, what refunds took back. Empty when nothing was attributed. */
export function recipientSteps(report: Report): WalkStep[] {
  const { attribution } = report.period;
  if (attribution === null) return [];
  const reversed = reversedFromRecipient(report);
  return [
    { label: 'Attribution base', amount: attribution.base_usd, field: 'attribution.base_usd', kind: 'whole', note: 'after the Invo fee' },
    {
      ...whole('Attributed to the recipient', {
        amount: attribution.attributed_amount_usd,
        field: 'attribution.attributed_amount_usd',
      }),
      note: `${attribution.percent_at_renewal} % in force then`,
      noteField: 'attribution.percent_at_renewal',
    },
    { ...taken('Reversed by refunds', { amount: reversed, field: 'refunds.events[].reversed_attributed_usd' }), note: noteOf(report) },
  ];
}

// What no refund is told of cannot be added up: no word about refunds is not zero.
function reversedFromRecipient(report: Report): string | null {
  const parts = (report.refunds?.events ?? []).map(({ reversed_attributed_usd }) => reversed_attributed_usd);
  if (isCoarse(report) || (parts.length === 0 && !isToldUnrefunded(report))) return null;
  return parts.every((part) => part !== null) ? sumMoney(parts) : null;
}

function isToldUnrefunded({ period, refunds }: Report): boolean {
  const told = refunds?.refunded_to_date_usd ?? period.refund?.refunded_amount_usd ?? null;
  return told === null ? refunds !== null : signOfMoney(told) === 0;
}

function noteOf(report: Report): string {
  if (isCoarse(report)) return 'coarse: see the month of the latest refund';
  if ((report.refunds?.events ?? []).length > 0) return 'all refunds added up';
  return isToldUnrefunded(report) ? 'no refund so far' : 'Invo does not list the refunds';
}
