import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './simple-table.module.css';

export interface SimpleColumn<Row> {
  label: string;
  /** What the head shows where that is more than the label. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures: aligned to the right. */
  isFigure?: boolean;
  /** Hidden on a phone, where only the name and the figures that matter stay. */
  isWideOnly?: boolean;
  /** Fixed, in pixels; the columns without one share the rest. */
  width?: number;
  /** Left out on paper. */
  isScreenOnly?: boolean;
  /** The cell of the totals row; without any the table has none. */
  total?: ReactNode;
}

export interface SimpleTableProps<Row> {
  label: string;
  /** The first column names the row. */
  columns: SimpleColumn<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string | number;
  /** It may hold more rows than a screen; its head then stays visible. */
  isLong?: boolean;
  /** Inside another frame: no border of its own. */
  isInset?: boolean;
  /** The head is only for screen readers: another table above has the same. */
  isHeadHidden?: boolean;
  /** A row that needs attention. */
  toneOf?: (row: Row) => 'wait' | 'bad' | null;
}

/** A short table from a list of columns; a long one is a `DataTable`. */
export function SimpleTable<Row>(props: SimpleTableProps<Row>): ReactElement {
  const { label, columns, rows, keyOf, isHeadHidden = false, toneOf, ...frame } = props;
  const toneClass = (row: Row): string | undefined => {
    const tone = toneOf?.(row) ?? null;
    return tone === null ? undefined : styles[tone];
  };
  return (
    <TableFrame label={label} isFixed={columns.some(({ width }) => width !== undefined)} {...frame}>
      {columns.some(({ width }) => width !== undefined) && (
        <colgroup>
          {columns.map(({ label: key, width, isWideOnly }) => (
            <col key={key} className={isWideOnly ? styles.wideOnly : undefined} {...(width === undefined ? {} : { style: { width } })} />
          ))}
        </colgroup>
      )}
      <thead className={clsx(isHeadHidden && 'sr-only')}>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" {...cellProps(column)}>
              {column.head ?? column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={toneClass(row)}>
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.label} scope="row" {...cellProps(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.label} {...cellProps(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
      {columns.some(({ total }) => total !== undefined) && (
        <tfoot>
          <tr>
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.label} scope="row" {...cellProps(column)}>
                  {column.total}
                </th>
              ) : (
                <td key={column.label} {...cellProps(column)}>
                  {column.total}
                </td>
              ),
            )}
          </tr>
        </tfoot>
      )}
    </TableFrame>
  );
}

interface TableFrameProps {
  label: string;
  isLong?: boolean;
  isInset?: boolean;
  /** Column widths are fixed. */
  isFixed?: boolean;
  children: ReactNode;
}

/** The frame of a short table, which scrolls sideways and, when long, downwards. */
function TableFrame({ label, isLong = false, isInset = false, isFixed = false, children }: TableFrameProps): ReactElement {
  return (
    <div className={clsx(styles.frame, isLong && styles.long, isInset && styles.inset)} role="region" aria-label={label} tabIndex={0}>
      <table className={clsx(styles.table, isFixed && styles.fixed)}>{children}</table>
    </div>
  );
}

/** The text of hidden columns, shown on a phone below the cell’s own text. */
export function NarrowNote({ children }: { children: ReactNode }): ReactElement {
  return <span className={styles.narrowNote}>{children}</span>;
}

/** What one needs to know to read the figures of a table: unit, zone, what they include. */
export function TableNote({ children }: { children: ReactNode }): ReactElement {
  return <p className={styles.note}>{children}</p>;
}

function cellProps<Row>({ isFigure, isWideOnly, isScreenOnly }: SimpleColumn<Row>): { className?: string; 'data-print'?: 'no' } {
  const className = clsx(isFigure && 'num', isWideOnly && styles.wideOnly);
  return { ...(className === '' ? {} : { className }), ...(isScreenOnly ? { 'data-print': 'no' as const } : {}) };
}
