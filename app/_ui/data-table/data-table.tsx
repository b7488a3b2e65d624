'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type CSSProperties, type ReactElement, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../words/notice.tsx';
import { isRight } from './cells.tsx';
import styles from './data-table.module.css';
import { createRowSource, type RowLoading, requestBlocks, requestEnds } from './row-source.ts';
import type { HeldList, LoadedRows, RowSource } from './row-store.ts';
import { type GridHandle, TableGrid } from './table-grid.tsx';
import type { RowSelection, TableColumn, TablePage, TableSpec } from './table-spec.ts';
import { TableTools } from './table-tools.tsx';
import { isPrivateFind, parseView, type TableView, writeView } from './table-view.ts';
import { useTableState } from './use-table-state.ts';

export interface DataTableProps {
  spec: TableSpec;
  /** The first rows, rendered by the server, and their view. */
  first: { view: TableView; page: TablePage };
  /** Loads the whole list once, for views without a search; the other orders come after that of the file. */
  hold?: (isFileOrder: boolean) => Promise<HeldList>;
  selection?: RowSelection;
}

const ROW_HEIGHT = 44;
const ROW_HEIGHT_COMPACT = 36;
const DIGIT_WIDTH = 8.6;
const PADDING = 26;

/** A long list, held whole or loaded as it is scrolled to; the total is always the whole filter’s. */
export function DataTable({ spec, first, hold, selection }: DataTableProps): ReactElement {
  const router = useRouter();
  const grid = useRef<GridHandle>(null);
  const [view, setView] = useView(spec);
  const [isInLastHalf, setInLastHalf] = useState(false);
  const { loader, rows } = useRows(spec, view, first, hold);
  const state = useTableState(spec, view, setView, selection);
  const hasKey = spec.columns.some((column) => column.isKey);
  const columns = spec.columns
    .filter((column) => state.getColumn(column.key)?.getIsVisible())
    .map((column, index) => ({
      ...column,
      isWideOnly: hasKey && index > 0 && !column.isKey && !column.isOptional,
      places: placesOf(column, rows),
    }));
  const rowHeight = spec.isCompact ? ROW_HEIGHT_COMPACT : ROW_HEIGHT;
  return (
    <section className={styles.table} style={measures(columns, rowHeight, rows)} aria-label={spec.noun[1]}>
      <TableTools spec={spec} view={view} onView={setView} state={state} onJump={() => grid.current?.jump()} isInLastHalf={isInLastHalf} />
      {rows.isStale && (
        <Notice voice="wait" title="A newer snapshot is available" actions={<Button onPress={() => router.refresh()}>Show newest</Button>}>
          These rows belong to the snapshot you opened and haven’t changed.
        </Notice>
      )}
      {rows.failure !== null && (
        <Notice voice="bad" title="Some rows are missing" actions={<Button onPress={() => loader.retry()}>Try again</Button>}>
          {rows.failure}
        </Notice>
      )}
      <TableGrid
        ref={grid}
        spec={spec}
        view={view}
        onView={setView}
        state={state}
        columns={columns}
        rowHeight={rowHeight}
        loader={loader}
        rows={rows}
        onHalf={setInLastHalf}
        selection={selection}
      />
    </section>
  );
}

function measures(columns: TableColumn[], rowHeight: number, rows: LoadedRows): CSSProperties {
  const [first, ...rest] = columns.map((column) => Math.max(column.width, widestAmount(column, rows)));
  // The first column stays visible when the table scrolls sideways, so it may not fill a narrow screen.
  const least = `min(${first}px, 44vw)`;
  const tracks = [`minmax(${least}, ${first}fr)`, ...rest.map((width) => `minmax(${width}px, ${width}fr)`)];
  const sum = rest.reduce((all, width) => all + width, 0);
  // On a phone only the name, the key figure and chosen columns stay.
  const narrow = rest.filter((_, index) => !columns[index + 1]?.isWideOnly);
  const narrowLeast =
    narrow.length === rest.length || narrow.length > 1 ? `calc(${least} + ${narrow.reduce((all, width) => all + width, 0)}px)` : '0px';
  return {
    '--tracks': tracks.join(' '),
    '--least': `calc(${least} + ${sum}px)`,
    '--narrow-tracks': [`minmax(${narrowLeast === '0px' ? '0' : least}, 1fr)`, ...narrow.map((width) => `${width}px`)].join(' '),
    '--narrow-least': narrowLeast,
    '--row-height': `${rowHeight}px`,
  } as CSSProperties;
}

function placesOf(column: TableColumn, rows: LoadedRows): number {
  if (column.shape !== 'money' && column.shape !== 'money-strong') return 2;
  return Math.max(2, ...amountsOf(column, rows).map(decimalsIn));
}

function decimalsIn(amount: string): number {
  return amount.includes('.') ? amount.length - amount.indexOf('.') - 1 : 0;
}

/** What is known of a column as text: its total, and the rows at both ends. */
function amountsOf({ key }: TableColumn, rows: LoadedRows): string[] {
  const ends = rows.ends().map((row) => row.cells[key]);
  return [rows.total?.sums[key], ...ends].map((content) => String(content ?? ''));
}

/** The width of the longest amount known: the total, and the rows at both ends. An amount is never cut off. */
function widestAmount(column: TableColumn, rows: LoadedRows): number {
  if (!isRight(column.shape)) return 0;
  const places = column.places ?? 2;
  const longest = Math.max(
    0,
    ...amountsOf(column, rows).map((text) => text.length + Math.max(0, text.includes('.') ? places - decimalsIn(text) : 0)),
  );
  return longest === 0 ? 0 : Math.ceil((longest + Math.floor((longest - 4) / 3)) * DIGIT_WIDTH) + PADDING;
}

/** The view in the address, and how to change it. A search text that may be an email is held here, not in the address. */
function useView(spec: TableSpec): [TableView, (change: Partial<TableView>) => void] {
  const pathname = usePathname();
  const params = useSearchParams();
  const [privateFind, setPrivateFind] = useState('');
  const view = useMemo(() => {
    const parsed = parseView(spec, new URLSearchParams(params.toString()));
    return privateFind === '' ? parsed : { ...parsed, find: privateFind };
  }, [spec, params, privateFind]);
  const change = (part: Partial<TableView>): void => {
    const next = { ...view, ...part };
    setPrivateFind(isPrivateFind(next.find) ? next.find : '');
    const query = writeView(spec, next, new URLSearchParams(window.location.search));
    // A change of view isn’t a new page: only rows are requested.
    window.history.replaceState(null, '', query === '' ? pathname : `${pathname}?${query}`);
  };
  return [view, change];
}

/** The rows of a view as they load; the page’s first rows serve the view they were made for. */
function useRows(
  spec: TableSpec,
  view: TableView,
  first: DataTableProps['first'],
  hold: DataTableProps['hold'],
): { loader: RowSource; rows: LoadedRows } {
  const { sort, dir, find, chip } = view;
  const loader = useMemo(() => {
    const requested = { sort, dir, find, chip, toggled: [] };
    const page = isSameList(requested, first.view) ? first.page : null;
    return createRowSource(loadingOf(spec, requested, hold), page);
  }, [spec, sort, dir, find, chip, first, hold]);
  const rows = useSyncExternalStore(loader.subscribe, loader.read, loader.read);
  return { loader, rows };
}

/** A search is the server’s, whatever is held. */
function loadingOf({ rowsHref, isRanked, defaultSort, chips }: TableSpec, view: TableView, hold: DataTableProps['hold']): RowLoading {
  const isFileOrder = view.sort === defaultSort.key && view.chip === chips[0]?.key;
  if (hold !== undefined && view.find === '') return { hold: () => hold(isFileOrder), ...view };
  return isRanked ? { fetchBlock: requestBlocks(rowsHref, view) } : { fetchEnd: requestEnds(rowsHref, view) };
}

function isSameList(one: TableView, other: TableView): boolean {
  return one.sort === other.sort && one.dir === other.dir && one.find === other.find && one.chip === other.chip;
}
