import { compareMoney } from '../money.ts';
import type { ReceiptLine } from './compare-cancel.ts';
import type { PriceForecast } from './foresee-price.ts';

/** What Invo answered a change of price (document 2, Amount body). */
export interface PriceAnswer {
  old_amount_usd: string | null;
  new_amount_usd: string | null;
  pending_amount_usd: string | null;
  change_queued: boolean | null;
  prorated: boolean | null;
}

export type PriceField = 'old_amount_usd' | 'new_amount_usd' | 'pending_amount_usd' | 'change_queued' | 'prorated';

/** Sets what Invo answered beside what was foreseen; when it applies is only ever as answered. */
export function comparePrice(
  forecast: Extract<PriceForecast, { kind: 'stages' | 'clears' | 'nothing' }>,
  asked: { current: string; amount_usd: string },
  answer: PriceAnswer,
): ReceiptLine<PriceField>[] {
  const isStaged = forecast.kind === 'stages';
  return [
    line('old_amount_usd', asked.current, answer.old_amount_usd),
    line('new_amount_usd', asked.amount_usd, answer.new_amount_usd),
    line('pending_amount_usd', isStaged ? asked.amount_usd : null, answer.pending_amount_usd),
    line('change_queued', isStaged, answer.change_queued),
    line('prorated', false, answer.prorated),
  ];
}

function line(field: PriceField, expected: string | boolean | null, answered: string | boolean | null): ReceiptLine<PriceField> {
  const isKnown = answered !== null || field === 'pending_amount_usd';
  return { field, expected, answered, isAsExpected: isKnown ? isSame(expected, answered) : null };
}

function isSame(expected: string | boolean | null, answered: string | boolean | null): boolean {
  if (typeof expected !== 'string' || typeof answered !== 'string') return expected === answered;
  return compareMoney(expected, answered) === 0;
}
