import { clsx } from 'clsx';
import { memo, type ReactElement } from 'react';
import { Cell, isRight } from '../cells/cell.tsx';
import styles from '../data-table.module.css';
import type { TableColumn, TableRow } from '../table-words.ts';

interface TableRowViewProps {
  id: string;
  /** Undefined while it is on its way. */
  row: TableRow | undefined;
  columns: TableColumn[];
  index: number;
  top: number;
  isCurrent: boolean;
  onPoint: (index: number) => void;
}

/** One row at its place; the element is reused for whichever row scrolls into its slot. */
export const TableRowView = memo(function TableRowView({
  id,
  row,
  columns,
  index,
  top,
  isCurrent,
  onPoint,
}: TableRowViewProps): ReactElement {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isCurrent}
      className={clsx(styles.row, styles.line, isCurrent && styles.current)}
      onMouseDown={() => onPoint(index)}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column, place) => (
        <div
          key={column.key}
          role="gridcell"
          className={clsx(styles.cell, place === 0 && styles.first, isRight(column.shape) && styles.toRight)}
        >
          {row ? <Cell shape={column.shape} content={row.cells[column.key]} /> : <span className={styles.coming} />}
        </div>
      ))}
    </div>
  );
});
