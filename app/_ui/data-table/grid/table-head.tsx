import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { isRight } from '../cells/cell.tsx';
import styles from '../data-table.module.css';
import type { TableView } from '../table-view.ts';
import type { TableColumn } from '../table-words.ts';

interface TableHeadProps {
  columns: TableColumn[];
  view: TableView;
  onSort: (key: string) => void;
}

/** The headings; those of a known order are buttons that sort, then turn round. */
export function TableHead({ columns, view, onSort }: TableHeadProps): ReactElement {
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        {columns.map((column, place) => {
          const direction = view.sort === column.key ? view.dir : null;
          const sorted = direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-sort={column.isSortable ? sorted : undefined}
              className={clsx(styles.cell, styles.heading, place === 0 && styles.first, isRight(column.shape) && styles.toRight)}
            >
              {column.isSortable ? (
                <button type="button" className={clsx(styles.sort, direction !== null && styles.sorted)} onClick={() => onSort(column.key)}>
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
