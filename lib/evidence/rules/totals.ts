import { compareMoney, sumMoney } from '#lib/core/money.ts';
import { ADDITIVE_TOTALS, type Totals } from './evidence.ts';

/** Totals of adjoining windows taken together: figures that do not add are null, for they must be counted from the lines. */
export type JoinedTotals = Omit<Totals, 'renewals_settled_then_fully_reversed' | 'recipient_count'> & {
  renewals_settled_then_fully_reversed: number | null;
  recipient_count: number | null;
};

/** Adds the totals of adjoining windows; those of one window alone stay as they are. At least one is needed. */
export function joinTotals(list: JoinedTotals[]): JoinedTotals {
  const [first] = list;
  if (!first) throw new Error('no totals to join');
  if (list.length === 1) return first;
  const sums = Object.entries(ADDITIVE_TOTALS).map(([name, kind]) => {
    const values = list.map((totals) => totals[name as keyof typeof ADDITIVE_TOTALS]);
    return [name, kind === 'money' ? sumMoney(values as string[]) : sumCounts(values as number[])];
  });
  return {
    ...(Object.fromEntries(sums) as Pick<Totals, keyof typeof ADDITIVE_TOTALS>),
    unattributed_reasons: joinReasons(list.map((totals) => totals.unattributed_reasons)),
    renewals_settled_then_fully_reversed: null,
    recipient_count: null,
  };
}

/** Names of the additive figures in which two statements of the same window differ; amounts compare as decimals. */
export function listDifferences(one: JoinedTotals, other: JoinedTotals): string[] {
  const names = Object.entries(ADDITIVE_TOTALS).filter(([name, kind]) => {
    const [a, b] = [one[name as keyof typeof ADDITIVE_TOTALS], other[name as keyof typeof ADDITIVE_TOTALS]];
    return kind === 'money' ? compareMoney(a as string, b as string) !== 0 : a !== b;
  });
  const reasons = writeReasons(one.unattributed_reasons) === writeReasons(other.unattributed_reasons) ? [] : ['unattributed_reasons'];
  return [...names.map(([name]) => name), ...reasons];
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

function joinReasons(list: Record<string, number>[]): Record<string, number> {
  const reasons = [...new Set(list.flatMap(Object.keys))].toSorted();
  return Object.fromEntries(
    reasons.map((reason) => [reason, sumCounts(list.map((each) => (Object.hasOwn(each, reason) ? (each[reason] ?? 0) : 0)))]),
  );
}
