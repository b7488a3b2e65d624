import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Cell, isRight } from '../cells/cell.tsx';
import styles from '../data-table.module.css';
import type { TableColumn, TableTotal } from '../table-words.ts';

interface TableFootProps {
  columns: TableColumn[];
  total: TableTotal | null;
  noun: [string, string];
  /** The filter leaves some out. */
  isFiltered: boolean;
}

/** The totals row: always in sight and always of the whole filter, whatever is loaded. */
export function TableFoot({ columns, total, noun, isFiltered }: TableFootProps): ReactElement {
  return (
    <div role="rowgroup" className={styles.foot}>
      <div role="row" aria-rowindex={total === null ? undefined : total.count + 2} className={styles.row}>
        {columns.map((column, place) => (
          <div
            key={column.key}
            role="gridcell"
            className={clsx(styles.cell, place === 0 && styles.first, isRight(column.shape) && styles.toRight)}
          >
            {place === 0 ? (
              totalWord(total, noun, isFiltered)
            ) : (
              <Cell shape={column.shape === 'money' ? 'money-strong' : column.shape} content={total?.sums[column.key]} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function totalWord(total: TableTotal | null, [one, many]: [string, string], isFiltered: boolean): string {
  if (total === null) return 'Adding up…';
  if (total.count === 0) return `No ${many}`;
  if (total.count === 1) return isFiltered ? `This ${one}` : `One ${one}`;
  return `${isFiltered ? 'These' : 'All'} ${total.count.toLocaleString('en-US')} ${many}`;
}
