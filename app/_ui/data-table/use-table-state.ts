import {
  columnVisibilityFeature,
  createColumnHelper,
  type ReactTable,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { RowSelection, TableRow, TableSpec } from './table-spec.ts';
import { isShown, type TableView } from './table-view.ts';

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, rowSelectionFeature });
const helper = createColumnHelper<typeof features, TableRow>();

/** The state of a table: which column sorts, which are shown, and which rows are selected. Rows themselves come from the row source. */
export type TableState = ReactTable<typeof features, TableRow>;

/** Shapes that start ascending; figures start at the largest. */
const TEXTS = new Set(['identity', 'text', 'id', 'link']);
const NO_ROWS: TableRow[] = [];
const NONE = {};

/** The state of a table, as its view in the address states it; a change of it becomes a change of the view. */
export function useTableState(
  spec: TableSpec,
  view: TableView,
  onView: (change: Partial<TableView>) => void,
  selection: RowSelection | undefined,
): TableState {
  const columns = useMemo(
    () =>
      helper.columns(
        spec.columns.map(({ key, label, shape, isSortable }, index) =>
          helper.accessor((row) => row.cells[key], {
            id: key,
            header: label,
            enableSorting: isSortable === true,
            sortDescFirst: !TEXTS.has(shape),
            enableHiding: index > 0,
          }),
        ),
      ),
    [spec],
  );
  const { sort, dir, toggled } = view;
  // The same objects while nothing changes: a new one is a new state.
  const sorting = useMemo(() => [{ id: sort, desc: dir === 'desc' }], [sort, dir]);
  const columnVisibility = useMemo(
    () => Object.fromEntries(spec.columns.map((column, index) => [column.key, isShown(column, index, { toggled })])),
    [spec, toggled],
  );
  const rowSelection = selection?.selected ?? NONE;
  return useTable({
    features,
    columns,
    data: NO_ROWS,
    getRowId: (row: TableRow) => row.id,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting, columnVisibility, rowSelection },
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(sorting) : update;
      if (next) onView({ sort: next.id, dir: next.desc ? 'desc' : 'asc' });
    },
    onColumnVisibilityChange: (update) => {
      const next = typeof update === 'function' ? update(columnVisibility) : update;
      onView({ toggled: spec.columns.flatMap(({ key, isOptional }) => ((next[key] ?? true) === (isOptional ?? false) ? [key] : [])) });
    },
    onRowSelectionChange: (update) => selection?.onSelect(typeof update === 'function' ? update(rowSelection) : update),
  });
}
