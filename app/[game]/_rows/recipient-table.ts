import {
  type FlagCell,
  formatRecipientMatch,
  type MonthCell,
  type TableColumn,
  type TableRow,
  type TableSpec,
} from '#app/_ui/data-table/table-spec.ts';
import { countNoun, formatMonth } from '#app/_ui/figures/format.ts';
import { formatMoney, negateMoney, subtractMoney } from '#lib/core/money.ts';
import { maskName } from '#lib/core/roles.ts';
import { type MonthNet, RECIPIENT_FILTERS, type RecipientFacts, type RecipientFilterName } from '#lib/evidence/rules/table-answer.ts';
import { type MonthTable, sheetAddresses, sheetColumn } from './month-table.ts';

const CHIP_LABELS: Record<RecipientFilterName, string> = {
  all: 'All',
  negative: 'Negative balance',
  zero: 'Zero',
  unresolved: 'Unresolved',
  open_items: 'With open items',
  first: 'First time',
  changed: 'Largest changes',
};

/** The table of a month's recipients; `counts` by filter, those without rows are left out. */
export function recipientSpec(table: MonthTable, counts: Record<string, number>): TableSpec {
  const chips = RECIPIENT_FILTERS.filter((chip) => chip === 'all' || (counts[chip] ?? 0) > 0);
  return {
    noun: ['recipient', 'recipients'],
    columns: columnsOf(table),
    chips: chips.map((key) => ({
      key,
      label: CHIP_LABELS[key],
      count: counts[key] ?? 0,
      ...(key === 'changed' ? { sort: 'change' } : {}),
    })),
    ...sheetAddresses(table, 'recipients'),
    defaultSort: { key: 'net_attributed_usd', dir: 'desc' },
    findLabel: table.canSeeEmails ? 'Search name, email or player ID' : 'Search name or player ID',
    findNote: formatRecipientMatch(table.canSeeEmails),
    ends: { first: 'Highest net', last: 'Lowest net' },
  };
}

function columnsOf({ months, hasPrevious }: MonthTable): TableColumn[] {
  const previous = months.at(-2);
  const change: TableColumn[] =
    !hasPrevious || !previous
      ? []
      : [
          { key: 'previous_net_usd', label: formatMonth(previous, 'short'), shape: 'money', width: 108, isOptional: true },
          { key: 'change', label: 'Change', shape: 'money', width: 100, isSortable: true },
        ];
  return [
    sheetColumn('recipients', 'recipient_name', { width: 200, shape: 'identity', isSortable: true }),
    sheetColumn('recipients', 'recipient_player_id', { width: 80, shape: 'id', isSortable: true }),
    sheetColumn('recipients', 'renewal_count', { width: 84, isSortable: true }),
    sheetColumn('recipients', 'subscription_count', { width: 112, isSortable: true, isOptional: true }),
    sheetColumn('recipients', 'gross_attributed_usd', { width: 100, isSortable: true }),
    sheetColumn('recipients', 'reversed_attributed_usd', { width: 100, isSortable: true }),
    sheetColumn('recipients', 'net_attributed_usd', {
      width: 116,
      isSortable: true,
      shape: 'money-strong',
      isKey: true,
    }),
    ...change,
    { key: 'months', label: 'Six months', shape: 'months', width: 108 },
    { key: 'flags', label: 'Remarks', shape: 'flags', width: 228 },
    sheetColumn('recipients', 'resolved', { width: 100, isOptional: true }),
    sheetColumn('recipients', 'recipient_identity_id', { width: 150, isOptional: true }),
    sheetColumn('recipients', 'first_paid_at', { width: 180, isOptional: true }),
    sheetColumn('recipients', 'last_paid_at', { width: 180, isOptional: true }),
  ];
}

export function recipientTableRow(table: MonthTable, row: RecipientFacts): TableRow {
  const href = `/${table.slug}/recipients/${row.recipient_player_id}`;
  const note = row.recipient_email ?? (row.resolved === false ? 'not found by Invo' : 'email not reported');
  const previous = row.previousNet ?? '0.00';
  return {
    id: String(row.recipient_player_id),
    href,
    cells: {
      recipient_name: { name: maskName(row.recipient_name, table.canSeeEmails), playerId: row.recipient_player_id, note, href },
      recipient_player_id: row.recipient_player_id,
      renewal_count: row.renewal_count,
      subscription_count: row.subscription_count,
      gross_attributed_usd: row.gross_attributed_usd,
      reversed_attributed_usd: negateMoney(row.reversed_attributed_usd),
      net_attributed_usd: row.net_attributed_usd,
      ...(table.hasPrevious ? { previous_net_usd: previous, change: subtractMoney(row.net_attributed_usd, previous) } : {}),
      months: sixMonthBars(row.sixMonths),
      flags: recipientFlags(table, row),
      resolved: row.resolved,
      recipient_identity_id: row.recipient_identity_id,
      first_paid_at: row.first_paid_at,
      last_paid_at: row.last_paid_at,
    },
  };
}

type FlagFacts = Pick<
  RecipientFacts,
  'recipient_player_id' | 'resolved' | 'baseMismatchCount' | 'coarseReversalCount' | 'netsToZeroCount' | 'reversedMonths' | 'isFirstTime'
>;

/** What is unusual about a recipient this month, the gravest first; each links to its lines where there are some. */
export function recipientFlags({ slug, month }: Pick<MonthTable, 'slug' | 'month'>, row: FlagFacts): FlagCell[] {
  const here = `/${slug}/months/${month}`;
  const find = `find=${row.recipient_player_id}`;
  const flags: FlagCell[] = [];
  if (row.resolved === false) flags.push({ tone: 'wait', word: 'unresolved' });
  if (row.baseMismatchCount > 0)
    flags.push({
      tone: 'wait',
      word: `base differs on ${countNoun(row.baseMismatchCount, 'line')}`,
      href: `${here}/lines?${find}&show=base`,
    });
  if (row.reversedMonths.length > 0)
    flags.push({ tone: 'wait', word: `reverses ${monthNames(row)}`, href: `${here}/reversals?${find}&show=earlier` });
  if (row.coarseReversalCount > 0)
    flags.push({
      tone: 'wait',
      word: `${countNoun(row.coarseReversalCount, 'reversal')} without receipts`,
      href: `${here}/reversals?${find}&show=coarse`,
    });
  if (row.netsToZeroCount > 0)
    flags.push({
      tone: 'quiet',
      word: row.netsToZeroCount === 1 ? 'settled and refunded' : `${row.netsToZeroCount} settled and refunded`,
    });
  if (row.isFirstTime) flags.push({ tone: 'quiet', word: 'first time' });
  return flags;
}

function monthNames({ reversedMonths }: FlagFacts): string {
  const names = reversedMonths.map((month) => formatMonth(month).split(' ')[0]);
  return names.length <= 2 ? names.join(' and ') : `${names.length} earlier months`;
}

/** Bars against the tallest of the row. Heights are for drawing; the exact figures are in the labels. */
function sixMonthBars(months: MonthNet[]): MonthCell[] {
  const tallest = Math.max(0, ...months.map(({ net }) => Math.abs(Number(net ?? 0))));
  return months.map(({ month, net }) => ({
    height: net === null ? null : tallest === 0 ? 0 : Number(net) / tallest,
    label: `${formatMonth(month, 'short')} ${net === null ? 'none' : formatMoney(net)}`,
  }));
}
