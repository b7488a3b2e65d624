import { formatMoney } from '#lib/core/money.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';

const MONEY: Partial<Record<keyof PeriodFacts, string>> = {
  amount_usd: 'The price',
  refunded_to_date_usd: 'Refunded so far',
  card_charged_usd: 'Charged to the card',
  pcstore_charged_usd: 'Charged through the store',
};
const WORDS: Partial<Record<keyof PeriodFacts, string>> = {
  status: 'The state of the period',
  refund_count: 'The number of refunds',
  paid_at: 'When it was paid',
  balance_applied_coins: 'Coins that paid for it',
  rail: 'How it was charged',
  period_seq: 'The number of the period',
};

/** What is different about a period since somebody looked at it, one sentence each; none: nothing a refund rests on. */
export function describeChanges(before: PeriodFacts, now: PeriodFacts): string[] {
  const changed = <Key extends keyof PeriodFacts>(names: Partial<Record<Key, string>>): [Key, string][] =>
    (Object.entries(names) as [Key, string][]).filter(([key]) => before[key] !== now[key]);
  return [
    ...changed(MONEY).map(([key, name]) => `${name} was ${money(before[key])} and is ${money(now[key])}.`),
    ...changed(WORDS).map(([key, name]) => `${name} was ${word(before[key])} and is ${word(now[key])}.`),
  ];
}

function money(value: unknown): string {
  return typeof value === 'string' ? `${formatMoney(value)} USD` : 'not recorded';
}

function word(value: unknown): string {
  return value === null ? 'not recorded' : String(value);
}
