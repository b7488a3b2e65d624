import { useVirtualizer } from '@tanstack/react-virtual';
import { useRouter } from 'next/navigation';
import { type ReactElement, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { countNoun, formatCount } from '#app/_ui/figures/format-count.ts';
import styles from '../data-table.module.css';
import { type LoadedRows, type RowLoader, rowAt } from '../rows/row-loader.ts';
import type { TableView } from '../table-view.ts';
import type { TableColumn, TableSpec } from '../table-words.ts';
import { keyMove } from './key-move.ts';
import { nextSort } from './next-sort.ts';
import { TableEmpty } from './table-empty.tsx';
import { TableFoot } from './table-foot.tsx';
import { TableHead } from './table-head.tsx';
import { type PlaceInSight, TableLines } from './table-lines.tsx';
import { usePrinting } from './use-printing.ts';

export interface GridHandle {
  /** Goes to the other end of the list. */
  jump(): void;
}

interface TableGridProps {
  ref: Ref<GridHandle>;
  spec: TableSpec;
  view: TableView;
  onView: (change: Partial<TableView>) => void;
  columns: TableColumn[];
  rowHeight: number;
  loader: RowLoader;
  rows: LoadedRows;
  /** Told when the current row enters or leaves the last half of the list. */
  onHalf: (isInLastHalf: boolean) => void;
}

const WAITING_ROWS = 12;
const HEAD_HEIGHT = 36;
// Until the box is measured, rows are drawn for this height: the first paint of the server has them.
const FIRST_RECT = { width: 1200, height: 700 };

/** The grid itself: sticky headings and totals, rows only where they are in sight, one row current. */
export function TableGrid({ ref, spec, view, onView, columns, rowHeight, loader, rows, onHalf }: TableGridProps): ReactElement {
  const router = useRouter();
  const gridId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const count = rows.total?.count ?? WAITING_ROWS;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    initialRect: FIRST_RECT,
    overscan: 6,
    scrollPaddingStart: HEAD_HEIGHT,
    scrollPaddingEnd: HEAD_HEIGHT + rowHeight,
  });
  const isPrinting = usePrinting();
  const items = isPrinting ? everyRow(Math.min(count, rows.head.length), rowHeight) : virtual.getVirtualItems();
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
    const place = Math.max(0, Math.min(count - 1, index));
    setCurrent(place);
    virtual.scrollToIndex(place, { align: 'auto' });
  }
  function jump(): void {
    moveTo(isInLastHalf ? 0 : count - 1);
    box.current?.focus({ preventScroll: true });
  }
  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const href = event.key === 'Enter' ? rowAt(rows, current)?.href : undefined;
    const place = keyMove(event.key, { current, count, pageRows: Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2 });
    if (href) router.push(href);
    if (place !== null) moveTo(place);
    if (href || place !== null) event.preventDefault();
  }

  const isFiltered = view.find !== '' || view.chip !== spec.chips[0]?.key;
  return (
    <div
      ref={box}
      role="grid"
      aria-label={spec.noun[1]}
      aria-rowcount={rows.total === null ? -1 : count + 2}
      aria-colcount={columns.length}
      aria-busy={rows.total === null}
      aria-activedescendant={current >= from && current <= to && count > 0 ? `${gridId}-${current}` : undefined}
      tabIndex={0}
      className={styles.box}
      onKeyDown={onKeyDown}
    >
      <TableHead columns={columns} view={view} onSort={(key) => onView(nextSort(spec, view, key))} />
      {count === 0 ? (
        <TableEmpty
          noun={spec.noun[1]}
          find={view.find}
          isFiltered={isFiltered}
          onClear={() => onView({ find: '', chip: spec.chips[0]?.key ?? 'all' })}
        />
      ) : (
        <TableLines
          {...{ gridId, spec, columns, rows, current }}
          places={items}
          slots={slots.current}
          height={virtual.getTotalSize()}
          onPoint={setCurrent}
        />
      )}
      {isPrinting && items.length < count && (
        <p className={styles.printed}>
          The first {countNoun(items.length, ...spec.noun)} of {formatCount(count)}; the file has them all.
        </p>
      )}
      <TableFoot columns={columns} total={rows.total} noun={spec.noun} isFiltered={isFiltered} />
    </div>
  );
}

function everyRow(count: number, rowHeight: number): PlaceInSight[] {
  return Array.from({ length: count }, (_, index) => ({ index, start: index * rowHeight }));
}
