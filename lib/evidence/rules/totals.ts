import * as z from 'zod';
import { compareMoney, sumMoney } from '#lib/core/money.ts';

/**
 * Invo's totals of one window by their own names: the one list that shapes, columns, checks and digests derive from.
 * Order: the order in which a digest reads them; a stored digest depends on it. `count` and `money` add up over adjoining windows,
 * `reasons` adds up reason by reason, and `window_count` doesn't add up: it is counted again from the lines.
 */
export const TOTALS = {
  renewals_settled: 'count',
  settled_gross_usd: 'money',
  invo_fee_usd: 'money',
  partner_revenue_settled_usd: 'money',
  partner_revenue_reversed_usd: 'money',
  partner_revenue_usd: 'money',
  renewals_with_attribution: 'count',
  renewals_without_attribution: 'count',
  unattributed_reasons: 'reasons',
  gross_attributed_usd: 'money',
  reversed_attributed_usd: 'money',
  net_attributed_usd: 'money',
  renewals_settled_then_fully_reversed: 'window_count',
  refund_events_in_window: 'count',
  reversals_without_receipts: 'count',
  recipient_count: 'window_count',
} as const;

export type TotalName = keyof typeof TOTALS;
interface ValueOfKind {
  count: number;
  money: string;
  reasons: Record<string, number>;
  window_count: number;
}
type NameOfKind<Kind> = { [Name in TotalName]: (typeof TOTALS)[Name] extends Kind ? Name : never }[TotalName];

/** Invo's totals of one window. Money is exact decimal text in USD. */
export type Totals = { -readonly [Name in TotalName]: ValueOfKind[(typeof TOTALS)[Name]] };

/** Totals of adjoining windows taken together: figures that don't add up are null, because they must be counted from the lines. */
export type JoinedTotals = Omit<Totals, NameOfKind<'window_count'>> & Record<NameOfKind<'window_count'>, number | null>;

/** The names of all totals, in their order. */
export const TOTAL_NAMES = Object.keys(TOTALS) as TotalName[];

/** The names of the totals that are money, in their order. */
const MONEY_TOTALS = namesOfKind('money');
const COUNT_TOTALS = namesOfKind('count');

/** Totals that add up over adjoining windows, with how they are added. */
export const ADDITIVE_TOTALS = Object.fromEntries(
  Object.entries(TOTALS).filter(([, kind]) => kind === 'count' || kind === 'money'),
) as Pick<typeof TOTALS, NameOfKind<'count' | 'money'>>;

/** Adds the totals of adjoining windows; those of one window alone stay as they are. At least one is needed. */
export function joinTotals(list: JoinedTotals[]): JoinedTotals {
  const [first] = list;
  if (!first) throw new Error('no totals to join');
  if (list.length === 1) return first;
  const joined: JoinedTotals = {
    ...first,
    unattributed_reasons: joinReasons(list.map((totals) => totals.unattributed_reasons)),
    renewals_settled_then_fully_reversed: null,
    recipient_count: null,
  };
  for (const name of COUNT_TOTALS) joined[name] = sumCounts(list.map((totals) => totals[name]));
  for (const name of MONEY_TOTALS) joined[name] = sumMoney(list.map((totals) => totals[name]));
  return joined;
}

/** Names of the additive figures in which two snapshots of the same window differ; amounts compare as decimals. */
export function listDifferences(one: JoinedTotals, other: JoinedTotals): string[] {
  const differing = new Set<string>([
    ...COUNT_TOTALS.filter((name) => one[name] !== other[name]),
    ...MONEY_TOTALS.filter((name) => compareMoney(one[name], other[name]) !== 0),
  ]);
  const reasons = writeReasons(one.unattributed_reasons) === writeReasons(other.unattributed_reasons) ? [] : ['unattributed_reasons'];
  return [...Object.keys(ADDITIVE_TOTALS).filter((name) => differing.has(name)), ...reasons];
}

const storedReasons = z.record(z.string(), z.int());

/**
 * The totals of a stored row that has a column for each; a snapshot's are `JoinedTotals`, a slice's `Totals`.
 * Throws when the stored reasons are no counts (the only version of them there is). Guarantee of the cast: every total is read by its name.
 */
export function totalsOfRow<T extends JoinedTotals>(row: Omit<T, 'unattributed_reasons'> & { unattributed_reasons: unknown }): T {
  const all: Record<string, unknown> = { ...row, unattributed_reasons: storedReasons.parse(row.unattributed_reasons) };
  return Object.fromEntries(TOTAL_NAMES.map((name) => [name, all[name]])) as T;
}

/** Whether two answers of the same window state the very same totals, the figures that do not add included. */
export function isSameTotals(one: Totals, other: Totals): boolean {
  return (
    listDifferences(one, other).length === 0 &&
    one.recipient_count === other.recipient_count &&
    one.renewals_settled_then_fully_reversed === other.renewals_settled_then_fully_reversed
  );
}

/** Counts by reason as one text, in order of the reason, without those counted zero. */
export function writeReasons(reasons: Record<string, number>): string {
  const counted = Object.entries(reasons).filter(([, count]) => count !== 0);
  return (
    counted
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ') || 'none'
  );
}

/** Adds whole numbers; beyond the safe integers is a bug and throws. */
export function sumCounts(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  if (!Number.isSafeInteger(sum)) throw new Error(`a sum of counts is not a safe integer: ${sum}`);
  return sum;
}

/** Adds the amounts of one field over rows. */
export function sumOf<Name extends string>(rows: readonly Record<Name, string>[], name: Name): string {
  return sumMoney(rows.map((row) => row[name]));
}

function joinReasons(list: Record<string, number>[]): Record<string, number> {
  const reasons = [...new Set(list.flatMap(Object.keys))].toSorted();
  return Object.fromEntries(
    reasons.map((reason) => [reason, sumCounts(list.map((each) => (Object.hasOwn(each, reason) ? (each[reason] ?? 0) : 0)))]),
  );
}

/** Guarantee of the cast: the keys of a constant are its names. */
function namesOfKind<Kind extends keyof ValueOfKind>(kind: Kind): NameOfKind<Kind>[] {
  return (Object.keys(TOTALS) as TotalName[]).filter((name): name is NameOfKind<Kind> => TOTALS[name] === kind);
}
