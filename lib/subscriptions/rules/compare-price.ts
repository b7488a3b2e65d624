import { type Compared, compareField, isSameAmount } from '#lib/core/comparison.ts';
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
): Compared<PriceField>[] {
  const isStaged = forecast.kind === 'stages';
  const rules = { isSame: isSameAmount };
  return [
    compareField('old_amount_usd', asked.current, answer.old_amount_usd, rules),
    compareField('new_amount_usd', asked.amount_usd, answer.new_amount_usd, rules),
    compareField('pending_amount_usd', isStaged ? asked.amount_usd : null, answer.pending_amount_usd, { ...rules, isNullKnown: true }),
    compareField('change_queued', isStaged, answer.change_queued),
    compareField('prorated', false, answer.prorated),
  ];
}
