import { negateMoney, subtractMoney } from '#lib/core/money.ts';
import { toDrawing } from './chart-scale.ts';

/** What a window came to, in Invo's names; USD as exact text. */
export interface FeeFigures {
  settled_gross_usd: string;
  invo_fee_usd: string;
  partner_revenue_settled_usd: string;
  partner_revenue_reversed_usd: string;
  partner_revenue_usd: string;
  net_attributed_usd: string;
}

export interface FeeStep {
  label: string;
  /** Exact; what was taken is below zero. */
  amount: string;
  /** Between which two amounts its bar stands, for drawing only. */
  from: number;
  to: number;
  kind: 'whole' | 'taken' | 'kept';
}

/** Height of the bars, in pixels. */
export const WALK_HEIGHT = 128;

/** The steps from what players were charged to what the partner keeps. */
export function feeSteps(figures: FeeFigures): FeeStep[] {
  const kept = subtractMoney(figures.partner_revenue_usd, figures.net_attributed_usd);
  const [gross, settled, revenue] = [
    toDrawing(figures.settled_gross_usd),
    toDrawing(figures.partner_revenue_settled_usd),
    toDrawing(figures.partner_revenue_usd),
  ];
  return [
    { label: 'settled', amount: figures.settled_gross_usd, from: 0, to: gross, kind: 'whole' },
    { label: 'Invo fee, never returned', amount: negateMoney(figures.invo_fee_usd), from: gross, to: settled, kind: 'taken' },
    { label: 'partner revenue settled', amount: figures.partner_revenue_settled_usd, from: 0, to: settled, kind: 'whole' },
    {
      label: 'partner revenue reversed',
      amount: negateMoney(figures.partner_revenue_reversed_usd),
      from: settled,
      to: revenue,
      kind: 'taken',
    },
    { label: 'recipients, net', amount: figures.net_attributed_usd, from: revenue, to: toDrawing(kept), kind: 'whole' },
    { label: 'you keep, before fees on refunds', amount: kept, from: 0, to: toDrawing(kept), kind: 'kept' },
  ];
}
