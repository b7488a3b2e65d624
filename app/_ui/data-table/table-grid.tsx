import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useRouter } from 'next/navigation';
import { memo, type ReactElement, type Ref, useCallback, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Cell } from './cells.tsx';
import styles from './data-table.module.css';
import type { LoadedRows, RowSource } from './row-store.ts';
import { cellClass, TableEmpty, TableFoot, TableHead } from './table-edges.tsx';
import type { RowSelection, TableColumn, TableRow, TableSpec } from './table-spec.ts';
import { keyMove, type TableView } from './table-view.ts';
import type { TableState } from './use-table-state.ts';

export interface GridHandle {
  /** Goes to the other end of the list. */
  jump(): void;
}

interface TableGridProps {
  ref: Ref<GridHandle>;
  spec: TableSpec;
  view: TableView;
  onView: (change: Partial<TableView>) => void;
  state: TableState;
  columns: TableColumn[];
  rowHeight: number;
  loader: RowSource;
  rows: LoadedRows;
  /** Called when the current row enters or leaves the last half of the list. */
  onHalf: (isInLastHalf: boolean) => void;
  selection: RowSelection | undefined;
}

const WAITING_ROWS = 12;
const HEAD_HEIGHT = 36;
// Until the box is measured, rows are drawn for this height, so the server’s first paint has them.
const FIRST_RECT = { width: 1200, height: 700 };

/** The grid: sticky headings and totals, only the visible rows, one current row. */
export function TableGrid({
  ref,
  spec,
  view,
  onView,
  state,
  columns,
  rowHeight,
  loader,
  rows,
  onHalf,
  selection,
}: TableGridProps): ReactElement {
  const router = useRouter();
  const gridId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const toggle = useToggle(state);
  const count = rows.total?.count ?? WAITING_ROWS;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    initialRect: FIRST_RECT,
    // Rows in memory are drawn in the frame that shows them: more rows beside the visible ones only make a fling late.
    overscan: rows.headCount === count ? 2 : 6,
    scrollPaddingStart: HEAD_HEIGHT,
    scrollPaddingEnd: HEAD_HEIGHT + rowHeight,
  });
  const isPrinting = usePrinting();
  const items = isPrinting ? everyRow(Math.min(count, rows.headCount), rowHeight) : virtual.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const slots = useRef(1);
  slots.current = Math.max(slots.current, items.length);

  useEffect(() => loader.want(from, to), [loader, from, to, count]);
  useEffect(() => {
    setCurrent(0);
    box.current?.scrollTo({ top: 0 });
  }, [loader]);
  const isInLastHalf = current * 2 >= count;
  useEffect(() => onHalf(isInLastHalf), [onHalf, isInLastHalf]);
  useImperativeHandle(ref, () => ({ jump }));

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(count - 1, index));
    setCurrent(target);
    virtual.scrollToIndex(target, { align: 'auto' });
  }
  function jump(): void {
    moveTo(isInLastHalf ? 0 : count - 1);
    box.current?.focus({ preventScroll: true });
  }
  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const row = rows.at(current);
    const href = event.key === 'Enter' ? row?.href : undefined;
    const isToggled = event.key === ' ' && row !== undefined && selection?.canSelect(row) === true;
    if (isToggled) toggle(row);
    const index = keyMove(event.key, { current, count, pageRows: Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2 });
    if (href) router.push(href);
    if (index !== null) moveTo(index);
    if (href || isToggled || index !== null) event.preventDefault();
  }

  // A list that begins with some of its rows says so: without them it isn't empty.
  const isFiltered = view.find !== '' || view.chip !== 'all';
  return (
    <div
      ref={box}
      role="grid"
      aria-label={spec.noun[1]}
      aria-rowcount={rows.total === null ? -1 : count + 2}
      aria-colcount={columns.length}
      aria-busy={rows.total === null}
      aria-multiselectable={selection && true}
      aria-activedescendant={current >= from && current <= to && count > 0 ? `${gridId}-${current}` : undefined}
      tabIndex={0}
      className={styles.box}
      onKeyDown={onKeyDown}
    >
      <TableHead columns={columns} state={state} />
      {count === 0 ? (
        <TableEmpty
          noun={spec.noun[1]}
          find={view.find}
          findNote={spec.findNote}
          chip={view.chip === 'all' ? null : (spec.chips.find(({ key }) => key === view.chip)?.label ?? null)}
          onClear={() => onView({ find: '', chip: 'all' })}
        />
      ) : (
        <TableLines
          {...{ gridId, columns, rows, current, selection }}
          selected={state.state.rowSelection}
          onToggle={toggle}
          visibleRows={items}
          slots={slots.current}
          height={virtual.getTotalSize()}
          onPoint={setCurrent}
        />
      )}
      {isPrinting && items.length < count && (
        <p className={styles.printed}>
          First {countNoun(items.length, ...spec.noun)} of {formatCount(count)}. Export the file for all.
        </p>
      )}
      <TableFoot columns={columns} total={rows.total} noun={spec.noun} isFiltered={isFiltered} />
    </div>
  );
}

function everyRow(count: number, rowHeight: number): VisibleRow[] {
  return Array.from({ length: count }, (_, index) => ({ index, start: index * rowHeight }));
}

/** A visible index, and its offset in pixels. */
interface VisibleRow {
  index: number;
  start: number;
}

interface TableLinesProps {
  gridId: string;
  columns: TableColumn[];
  rows: LoadedRows;
  visibleRows: VisibleRow[];
  /** How many elements are reused as rows. */
  slots: number;
  /** Of the whole list, in pixels. */
  height: number;
  current: number;
  onPoint: (index: number) => void;
  selection: RowSelection | undefined;
  selected: Record<string, true>;
  onToggle: (row: TableRow) => void;
}

/** The visible rows. Only they are drawn, so a list of any length costs the same. */
function TableLines(props: TableLinesProps): ReactElement {
  const { gridId, columns, rows, visibleRows: places, slots, height, current, onPoint, selection, selected, onToggle } = props;
  return (
    <div role="rowgroup" className={styles.body} style={{ height }}>
      {places.map(({ index, start }) => {
        const row = rows.at(index);
        return (
          <TableRowView
            key={index % slots}
            id={`${gridId}-${index}`}
            row={row}
            columns={columns}
            index={index}
            top={start}
            isCurrent={index === current}
            isSelected={row && selection?.canSelect(row) ? selected[row.id] === true : null}
            onPoint={onPoint}
            onToggle={selection && onToggle}
          />
        );
      })}
    </div>
  );
}

/** Selects a row or no longer; the same function from one drawing to the next, so that only rows that change are drawn. */
function useToggle(state: TableState): (row: TableRow) => void {
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  return useCallback((row) => {
    latest.current.setRowSelection((before) => {
      const { [row.id]: was, ...rest } = before;
      return was ? rest : { ...before, [row.id]: true };
    });
  }, []);
}

interface TableRowViewProps {
  id: string;
  /** Undefined while it loads. */
  row: TableRow | undefined;
  columns: TableColumn[];
  index: number;
  top: number;
  isCurrent: boolean;
  /** null: it can’t be selected. */
  isSelected: boolean | null;
  onPoint: (index: number) => void;
  onToggle: ((row: TableRow) => void) | undefined;
}

/** One row; its element is reused for the row that scrolls into its slot. */
const TableRowView = memo(function TableRowView(props: TableRowViewProps): ReactElement {
  const { id, row, columns, index, top, isCurrent, isSelected, onPoint, onToggle } = props;
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      // Where rows are selected, the current one is known by aria-activedescendant alone.
      aria-selected={onToggle === undefined ? isCurrent : (isSelected ?? undefined)}
      className={clsx(styles.row, styles.line, isCurrent && styles.current)}
      onMouseDown={() => onPoint(index)}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column, columnIndex) => (
        <div key={column.key} role="gridcell" className={cellClass(column, columnIndex)}>
          {columnIndex === 0 && onToggle !== undefined && <RowBox row={row} isSelected={isSelected} onToggle={onToggle} />}
          {row ? <Cell shape={column.shape} content={row.cells[column.key]} places={column.places} /> : <span className={styles.coming} />}
        </div>
      ))}
    </div>
  );
});

/** The checkbox of a row, or its space. The keyboard selects the current row, so the box is no stop of its own. */
function RowBox({
  row,
  isSelected,
  onToggle,
}: {
  row: TableRow | undefined;
  isSelected: boolean | null;
  onToggle: (row: TableRow) => void;
}): ReactElement {
  return (
    <label className={styles.select}>
      {row !== undefined && isSelected !== null && (
        <input type="checkbox" tabIndex={-1} aria-label={`Select ${row.id}`} checked={isSelected} onChange={() => onToggle(row)} />
      )}
    </label>
  );
}

/** Whether the page is being printed, where nothing scrolls. True before the browser lays out the paper. */
function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => flushSync(() => setIsPrinting(true));
    const end = (): void => setIsPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
