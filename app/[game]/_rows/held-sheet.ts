import type { HeldList } from '#app/_ui/data-table/row-source.ts';
import type { TableSpec, TableTotal } from '#app/_ui/data-table/table-spec.ts';
import { type Addresses, type Comparison, rowAt, type TableColumns, type TableOrders } from '#lib/evidence/rules/rendered-sheet.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { type MonthTable, shownTotal } from './month-table.ts';
import { sheetTableRow } from './sheet-cells.ts';

/** The stored parts that a table in the browser is made of. */
export interface SheetParts {
  table: TableColumns;
  /** Of the recipients; null: a sheet of lines. */
  comparison: Comparison | null;
  /** null: not needed by this sheet. */
  addresses: Addresses | null;
  /** null: not loaded yet, so only the order of the file is known. */
  orders: TableOrders | null;
  /** The sums over all rows, as stored. */
  whole: TableTotal;
}

/** A sheet held in the browser: its rows, and the orders, chips and sums that SQL found. Nothing is compared or added here. */
export function holdSheet(sheet: SheetName, table: MonthTable, spec: TableSpec, parts: SheetParts): HeldList {
  const { comparison, addresses, orders, whole } = parts;
  const stored = { ...parts.table, columns: { ...parts.table.columns, ...comparison?.columns } };
  const count = stored.columns['recipient_player_id']?.length ?? 0;
  const chipRows = { ...orders?.chips, ...comparison?.chips };
  return {
    row: (index) => sheetTableRow(sheet, table, spec.columns, rowAt(stored, addresses, index)),
    order: (sort) => {
      if (sort !== spec.defaultSort.key) return orders?.orders[sort] ?? comparison?.orders[sort] ?? null;
      const file = Array.from({ length: count }, (_, index) => index);
      return spec.defaultSort.dir === 'asc' ? file : file.reverse();
    },
    chip: (key) => {
      if (key === 'all') return { rows: null, total: whole };
      const rows = chipRows[key];
      if (rows === undefined || orders === null) return null;
      const sums = { ...orders.sums[key], ...comparison?.sums[key] };
      return { rows, total: shownTotal(spec, { count: rows.length, sums }) };
    },
  };
}
