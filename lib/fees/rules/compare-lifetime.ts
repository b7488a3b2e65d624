import { compareMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import type { LifetimeDifference } from './detail-figures.ts';

/** A subscription as its report states it: the totals of its life, and its billing cycles. */
export interface LifetimeReport {
  subscription_id: string;
  /** null: Invo states none, or none that can be read. */
  totals: { gross_attributed_usd: string; reversed_attributed_usd: string } | null;
  /** Whether the report lists every cycle. */
  isWhole: boolean;
  cycles: {
    paid_at: string | null;
    attributed_amount_usd: string | null;
    refunded_amount_usd: string | null;
    refunded_at: string | null;
  }[];
}

/** Sums of the lines of a subscription in the months of `span`, which adjoin each other. */
export interface OwnSums {
  span: Window;
  gross_usd: string;
  reversed_usd: string;
}

export type LifetimeComparison = { kind: 'matches' } | { kind: 'not_comparable' } | ({ kind: 'differs' } & LifetimeDifference);

/**
 * Compares Invo's totals over the life of a subscription with the lines of the pulled months. Renewals outside those months come from the
 * report's own cycles. Not comparable: a life with refunds that may lie outside the months, because a report lists their sum only.
 */
export function compareLifetime({ subscription_id, totals, isWhole, cycles }: LifetimeReport, own: OwnSums): LifetimeComparison {
  if (totals === null || !isWhole) return { kind: 'not_comparable' };
  const attributed = cycles.filter(({ paid_at, attributed_amount_usd }) => paid_at !== null && attributed_amount_usd !== null);
  const isInside = (instant: string | null): boolean => instant !== null && containsInstant(own.span, instant);
  const isUnclear = attributed.some(
    ({ paid_at, refunded_amount_usd, refunded_at }) =>
      signOfMoney(refunded_amount_usd ?? '0') > 0 && !(isInside(paid_at) && isInside(refunded_at)),
  );
  if (isUnclear) return { kind: 'not_comparable' };
  const outside = attributed.filter(({ paid_at }) => !isInside(paid_at)).map(({ attributed_amount_usd: amount }) => amount ?? '0');
  const sides = {
    invo_gross_usd: totals.gross_attributed_usd,
    own_gross_usd: sumMoney([own.gross_usd, ...outside]),
    invo_reversed_usd: totals.reversed_attributed_usd,
    own_reversed_usd: own.reversed_usd,
  };
  const isEqual =
    compareMoney(sides.invo_gross_usd, sides.own_gross_usd) === 0 && compareMoney(sides.invo_reversed_usd, sides.own_reversed_usd) === 0;
  return isEqual ? { kind: 'matches' } : { kind: 'differs', subscription_id, ...sides };
}
