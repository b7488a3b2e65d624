import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { formatCount, showControls } from '../figures/format.ts';
import { Cell, isRight } from './cells.tsx';
import styles from './data-table.module.css';
import type { TableColumn, TableTotal } from './table-spec.ts';
import type { TableState } from './use-table-state.ts';

/** The headings; sortable ones are buttons that sort, then reverse the order. */
export function TableHead({ columns, state }: { columns: TableColumn[]; state: TableState }): ReactElement {
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        {columns.map((column, index) => {
          const sortable = state.getColumn(column.key);
          const direction = sortable?.getIsSorted() || null;
          const sorted = direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-sort={sortable?.getCanSort() ? sorted : undefined}
              className={clsx(cellClass(column, index), styles.heading)}
            >
              {sortable?.getCanSort() ? (
                <button
                  type="button"
                  className={clsx(styles.sort, direction !== null && styles.sorted)}
                  onClick={sortable.getToggleSortingHandler()}
                >
                  {column.label}
                  {direction === 'asc' && <ArrowUp size={13} aria-hidden="true" />}
                  {direction === 'desc' && <ArrowDown size={13} aria-hidden="true" />}
                </button>
              ) : (
                column.label
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface TableFootProps {
  columns: TableColumn[];
  total: TableTotal | null;
  noun: [string, string];
  /** A filter is set. */
  isFiltered: boolean;
}

/** The totals row: always visible, and always of the whole filter, whatever is loaded. */
export function TableFoot({ columns, total, noun, isFiltered }: TableFootProps): ReactElement {
  return (
    <div role="rowgroup" className={styles.foot}>
      <div role="row" aria-rowindex={total === null ? undefined : total.count + 2} className={styles.row}>
        {columns.map((column, index) => (
          <div key={column.key} role="gridcell" className={cellClass(column, index)}>
            {index === 0 ? (
              totalLabel(total, noun, isFiltered)
            ) : (
              <Cell
                shape={column.shape === 'money' ? 'money-strong' : column.shape}
                content={total?.sums[column.key]}
                places={column.places}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function totalLabel(total: TableTotal | null, [one, many]: [string, string], isFiltered: boolean): string {
  if (total === null) return 'Loading…';
  if (total.count === 0) return `No ${many}`;
  return `${formatCount(total.count)} ${isFiltered ? 'matching ' : ''}${total.count === 1 ? one : many}`;
}

interface TableEmptyProps {
  noun: string;
  find: string;
  /** How the list matches what was typed. */
  findNote: string;
  /** The chosen filter by its label; null: none. */
  chip: string | null;
  onClear: () => void;
}

/** No rows: because of the filter, which can be cleared, or because there are none. */
export function TableEmpty({ noun, find, findNote, chip, onClear }: TableEmptyProps): ReactElement {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={2}>
        <div role="gridcell" className={styles.empty}>
          <p>
            {`No ${noun}`}
            {find !== '' && ` match “${showControls(find)}”`}
            {chip !== null && ` under “${chip}”`}.{find !== '' && ` ${findNote}`}
          </p>
          {find !== '' ? <Button onPress={onClear}>Clear filter</Button> : chip !== null && <Button onPress={onClear}>Show all</Button>}
        </div>
      </div>
    </div>
  );
}

/** The classes of a cell in its column. */
export function cellClass(column: TableColumn, index: number): string {
  return clsx(styles.cell, index === 0 && styles.first, isRight(column.shape) && styles.toRight, column.isWideOnly && styles.wideOnly);
}
