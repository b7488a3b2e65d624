import * as z from 'zod';
import { compareMoney, parseMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import type { JoinedTotals } from '#lib/evidence/rules/totals.ts';

/** Detail calls a job makes in a minute; Invo allows 600, and the rest is for people. */
const DETAIL_CALLS_A_MINUTE = 500;

/** Without a choice, all card periods are read of months with fewer, and all subscriptions of months with so many at most. */
const CARD_PERIODS_BY_SIZE = 2_000;
export const SUBSCRIPTIONS_BY_SIZE = 5_000;

/** Whether all of them are read; `by_size`: where there are not too many. */
export const DETAIL_CHOICES = ['by_size', 'on', 'off'] as const;
type DetailChoice = (typeof DETAIL_CHOICES)[number];

export interface DetailSetting {
  cardPeriods: DetailChoice;
  subscriptions: DetailChoice;
}

/** What of a month is read: all its card periods, or those with a refund or a base mismatch; and its subscriptions. */
export function chooseDetails(
  setting: DetailSetting,
  counts: { cardPeriods: number; subscriptions: number },
): Record<keyof DetailSetting, boolean> {
  return {
    cardPeriods: setting.cardPeriods === 'by_size' ? counts.cardPeriods < CARD_PERIODS_BY_SIZE : setting.cardPeriods === 'on',
    subscriptions: setting.subscriptions === 'by_size' ? counts.subscriptions <= SUBSCRIPTIONS_BY_SIZE : setting.subscriptions === 'on',
  };
}

/** How many minutes so many calls take at least, above zero. */
export function minutesOf(calls: number): number {
  return Math.max(1, Math.ceil(calls / DETAIL_CALLS_A_MINUTE));
}

const money = z.string().refine((text) => parseMoney(text) !== null);
const count = z.int().min(0);
const part = z.object({ count, read: count });
/** A fee added up over the periods read; `unrecorded`: how many of them Invo reports without it, which is not zero. */
const leg = z.object({ amount_usd: money, unrecorded: count });

/** One subscription whose lifetime totals differ from the lines of the months. */
const lifetimeDifference = z.object({
  subscription_id: z.string(),
  invo_gross_usd: money,
  own_gross_usd: money,
  invo_reversed_usd: money,
  own_reversed_usd: money,
});
export type LifetimeDifference = z.infer<typeof lifetimeDifference>;

/** Version 1 of the figures that follow from the detail reports of a month; stored as JSON. */
const detailFigures = z.object({
  version: z.literal(1),
  /** Lines charged to a card, with the renewals without attribution that are not known to be anything else. */
  cardPeriods: part,
  /** Of those, renewals without attribution whose period no report names, so that none can be read. */
  unnamed: count,
  pass_through: leg,
  chargeback: leg,
  held: leg,
  /** Periods with a refund in the month, whenever they settled. */
  refunded: part,
  /** Refunds in the month that Invo counts and no report lists: of renewals without attribution. */
  unlistedRefunds: count,
  /** `undated`: periods refunded in other months too, for which Invo reports one sum. */
  card_fee: leg.extend({ undated: count }),
  subscriptions: part,
  lifetime: z.object({ matching: count, differing: count, notComparable: count, differences: z.array(lifetimeDifference) }),
});
export type DetailFigures = z.infer<typeof detailFigures>;

/** Parses stored figures; null when they are of a version this code doesn't know. Then they are made again by the next job. */
export function parseDetailFigures(stored: unknown): DetailFigures | null {
  const parsed = detailFigures.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

/** Why partner revenue after fees can't be stated for a month. */
const AFTER_FEES_GAPS = [
  'card_periods_not_read',
  'refunded_periods_not_read',
  'refunds_not_listed',
  'fees_not_recorded',
  'card_fee_not_dated',
  'reversals_without_receipts',
] as const;
type AfterFeesGap = (typeof AFTER_FEES_GAPS)[number];

/** The same in a sentence each. */
export const AFTER_FEES_GAP_TEXT: Record<AfterFeesGap, string> = {
  card_periods_not_read: 'Not every card period of the month is read.',
  refunded_periods_not_read: 'Not every refunded period is read.',
  refunds_not_listed: 'Refunds of renewals without attribution are counted by Invo, and no report lists them.',
  fees_not_recorded: 'Invo has no record of some fees, such as card fees on refunds before 28 September 2026.',
  card_fee_not_dated: 'Some periods were refunded in several months, and Invo reports one card fee for all of them.',
  reversals_without_receipts: 'Invo reports refunds without receipts, and no partner revenue reversed for them.',
};
/**
 * Partner revenue of a month after all fees: what Invo reports for the window less the fees of its periods. Stated only when every period is read
 * and every fee is recorded and belongs to this month; otherwise the reasons why not.
 */
export function afterFeesOf(
  figures: DetailFigures,
  totals: Pick<JoinedTotals, 'partner_revenue_usd' | 'reversals_without_receipts'>,
): { amount_usd: string } | { gaps: AfterFeesGap[] } {
  const { cardPeriods, refunded, unlistedRefunds, pass_through, chargeback, held, card_fee } = figures;
  const isOpen: Record<AfterFeesGap, boolean> = {
    card_periods_not_read: cardPeriods.read < cardPeriods.count,
    refunded_periods_not_read: refunded.read < refunded.count,
    refunds_not_listed: unlistedRefunds > 0,
    fees_not_recorded: [pass_through, chargeback, held, card_fee].some(({ unrecorded }) => unrecorded > 0),
    card_fee_not_dated: card_fee.undated > 0,
    // Without receipts Invo reports no reversal of partner revenue, so the month's own figure lacks it.
    reversals_without_receipts: totals.reversals_without_receipts > 0,
  };
  const gaps = AFTER_FEES_GAPS.filter((gap) => isOpen[gap]);
  if (gaps.length > 0) return { gaps };
  const fees = sumMoney([pass_through, chargeback, held, card_fee].map(({ amount_usd }) => amount_usd));
  return { amount_usd: subtractMoney(totals.partner_revenue_usd, fees) };
}

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
