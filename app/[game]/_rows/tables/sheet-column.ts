import type { CellShape, TableColumn } from '#app/_ui/data-table/table-words.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { SHEET_COLUMNS, type SheetName } from '#lib/evidence/rules/sheets.ts';

const SHAPES: Record<CellKind, CellShape> = {
  text: 'text',
  money: 'money',
  coins: 'coins',
  count: 'count',
  percent: 'percent',
  instant: 'instant',
  boolean: 'boolean',
};

type Choice = Partial<Omit<TableColumn, 'key'>> & { width: number };

/** A column of a sheet as a table shows it: its label and kind are the sheet's own, instants say their zone. */
export function sheetColumn(sheet: SheetName, key: string, choice: Choice): TableColumn {
  const column = SHEET_COLUMNS[sheet].find((each) => each.key === key);
  if (!column) throw new Error(`the sheet ${sheet} has no column ${key}`);
  const label = column.kind === 'instant' ? `${column.label}, UTC` : column.label;
  return { key, label, shape: SHAPES[column.kind], ...choice };
}
