import type { FlagCell } from '#app/_ui/data-table/table-words.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import type { RecipientRow } from '#db/evidence/reads/recipient-rows.ts';
import { signOfMoney } from '#lib/core/money.ts';

type Facts = Pick<
  RecipientRow,
  | 'recipient_player_id'
  | 'resolved'
  | 'net_attributed_usd'
  | 'baseMismatchCount'
  | 'coarseReversalCount'
  | 'netsToZeroCount'
  | 'reversedMonths'
  | 'isFirstTime'
>;

/** What is odd about a recipient this month, in plain words, the gravest first; each leads to its lines where there are some. */
export function recipientFlags({ snapshot, month }: Pick<MonthSnapshot, 'snapshot' | 'month'>, row: Facts): FlagCell[] {
  const here = `/${snapshot.slug}/months/${month}`;
  const find = `find=${row.recipient_player_id}`;
  const flags: FlagCell[] = [];
  if (row.resolved === false) flags.push({ tone: 'bad', word: 'unresolved, carried' });
  if (row.baseMismatchCount > 0)
    flags.push({ tone: 'wait', word: `base differs on ${lines(row.baseMismatchCount)}`, href: `${here}/lines?${find}&show=base` });
  if (row.reversedMonths.length > 0) flags.push({ tone: 'wait', word: reverses(row), href: `${here}/reversals?${find}&show=earlier` });
  if (row.coarseReversalCount > 0) {
    flags.push({
      tone: 'wait',
      word: `${row.coarseReversalCount === 1 ? 'a reversal' : `${row.coarseReversalCount} reversals`} without receipts`,
      href: `${here}/reversals?${find}&show=coarse`,
    });
  }
  if (row.netsToZeroCount > 0) {
    flags.push({
      tone: 'quiet',
      word: row.netsToZeroCount === 1 ? 'settled and refunded, pays nothing' : `${row.netsToZeroCount} settled and refunded, pay nothing`,
    });
  }
  if (row.isFirstTime) flags.push({ tone: 'quiet', word: 'first time' });
  return flags;
}

function reverses({ reversedMonths, net_attributed_usd }: Facts): string {
  const names = reversedMonths.map((month) => formatMonth(month).split(' ')[0]);
  const what = names.length <= 2 ? names.join(' and ') : `${names.length} earlier months`;
  return signOfMoney(net_attributed_usd) < 0 ? `reverses ${what}, owed back` : `reverses ${what}`;
}

function lines(count: number): string {
  return `${count} line${count === 1 ? '' : 's'}`;
}
