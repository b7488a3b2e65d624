import type { TableColumn, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import type { List, ListColumn, ListReader } from '#db/kit/list.ts';

interface SpecChoice {
  /** How many rows each chip leaves; chips without rows are left out. */
  counts?: Record<string, number>;
  /** Columns that this source has no use for. */
  without?: string[];
  /** Labels in place of those of the definition. */
  labels?: Record<string, string>;
  /** Columns that come before the others. */
  lead?: string[];
}

/** The table of a list: its columns, chips, search and order as a screen needs them. */
export function specOf<Of, Row extends object>(
  list: List<Of, Row>,
  reader: ListReader,
  { counts, without = [], labels = {}, lead = [] }: SpecChoice = {},
): Omit<TableSpec, 'rowsHref'> {
  const columns = [...list.columns, ...(list.added ?? [])].flatMap(toTableColumn).concat(list.composed ?? []);
  const order = [...lead, ...list.shown];
  const rank = ({ key }: TableColumn): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const chips = list.chips.filter(({ key }) => counts === undefined || (counts[key] ?? 0) > 0);
  const counted = (key: string): { count?: number } => (counts === undefined ? {} : { count: counts[key] ?? 0 });
  return {
    noun: list.noun,
    columns: columns
      .filter(({ key }) => !without.includes(key))
      .map((column) => ({ ...column, label: labels[column.key] ?? column.label }))
      .toSorted((a, b) => rank(a) - rank(b)),
    chips: [
      { key: 'all', label: 'All', ...counted('all') },
      ...chips.map(({ key, label, sort }) => ({ key, label, ...counted(key), ...(sort === undefined ? {} : { sort }) })),
    ],
    ...(list.isRanked ? { isRanked: true } : {}),
    defaultSort: list.order,
    findLabel: list.search.label(reader),
    findNote: list.search.note(reader),
    ends: list.ends,
    ...(list.isCompact ? { isCompact: true } : {}),
  };
}

/** A column of a list as a table shows it: instants name their zone. None: no screen has the column. */
function toTableColumn<Of>({ key, label, kind, width, shape = kind, isOptional, isKey, isDeducted, sort }: ListColumn<Of>): TableColumn[] {
  if (width === undefined) return [];
  return [
    {
      key,
      label: kind === 'instant' ? `${label}, UTC` : label,
      shape,
      width,
      ...(sort && { isSortable: true }),
      ...(isOptional && { isOptional }),
      ...(isKey && { isKey }),
      ...(isDeducted && { isDeducted }),
    },
  ];
}
