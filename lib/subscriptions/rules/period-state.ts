import { compareMoney, signOfMoney } from '#lib/core/money.ts';

/** What became of a billing cycle, as a person needs it told: never paid apart from paid, partly refunded still billed. */
export const PERIOD_STATES = ['pending', 'failed', 'forgiven', 'never_paid', 'paid', 'partly_refunded', 'refunded'] as const;
export type PeriodState = (typeof PERIOD_STATES)[number];

export interface PeriodStateText {
  label: string;
  tone: 'good' | 'wait' | 'bad' | 'quiet';
  sentence: string;
}

export const PERIOD_STATE_TEXT: Record<PeriodState, PeriodStateText> = {
  pending: { label: 'Not paid yet', tone: 'wait', sentence: 'Nothing was collected so far.' },
  failed: { label: 'Never paid, the charge failed', tone: 'bad', sentence: 'Nothing was ever collected for it.' },
  forgiven: { label: 'Never paid, forgiven', tone: 'quiet', sentence: 'Nothing was collected for it, and nothing will be.' },
  never_paid: { label: 'Never paid', tone: 'quiet', sentence: 'Nothing was collected for it.' },
  paid: { label: 'Paid', tone: 'good', sentence: 'It was collected and nothing was given back.' },
  partly_refunded: {
    label: 'Paid, partly refunded',
    tone: 'wait',
    sentence: 'A part was given back; it is still billed and still counts for access.',
  },
  refunded: { label: 'Refunded in full', tone: 'bad', sentence: 'All of it was given back; it no longer counts for access.' },
};

/** Of a cycle, in Invo's names: amounts are decimal text, null is not recorded. */
export interface BilledPeriod {
  status: string | null;
  paid_at: string | null;
  amount_usd: string | null;
  refunded_amount_usd: string | null;
}

/** What became of a cycle (document 2, period states): a partly refunded one keeps the status paid, so its refunds are looked at too. */
export function periodStateOf({ status, paid_at, amount_usd, refunded_amount_usd }: BilledPeriod): PeriodState {
  if (status === 'refunded') return 'refunded';
  if (paid_at === null) return status === 'pending' || status === 'failed' || status === 'forgiven' ? status : 'never_paid';
  if (refunded_amount_usd === null || signOfMoney(refunded_amount_usd) <= 0) return 'paid';
  return amount_usd !== null && compareMoney(refunded_amount_usd, amount_usd) >= 0 ? 'refunded' : 'partly_refunded';
}

/** How a cycle was paid for; coins and dollars are different things and are never added. */
export interface Funding {
  rail: string | null;
  balance_applied_coins: string | null;
  card_charged_usd: string | null;
  pcstore_charged_usd: string | null;
}

/** What paid for a cycle, in a word or two; null when nothing did, or it is not recorded. */
export function formatFunding(funding: Funding | null, isPaid: boolean): string | null {
  if (funding === null || !isPaid) return null;
  const { card_charged_usd, pcstore_charged_usd, balance_applied_coins } = funding;
  const isAbove = (amount: string | null): boolean => amount !== null && signOfMoney(amount) > 0;
  const sources = [
    ...(isAbove(card_charged_usd) ? ['card'] : []),
    ...(isAbove(pcstore_charged_usd) ? ['game store'] : []),
    ...(isAbove(balance_applied_coins) ? ['wallet'] : []),
  ];
  if (sources.length > 0) return sources.join(' and ');
  return card_charged_usd !== null && pcstore_charged_usd !== null ? 'wallet' : null;
}
