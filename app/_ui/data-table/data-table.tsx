'use client';

import { useRouter } from 'next/navigation';
import { type CSSProperties, type ReactElement, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../words/notice.tsx';
import { isRight } from './cells/cell.tsx';
import styles from './data-table.module.css';
import { type GridHandle, TableGrid } from './grid/table-grid.tsx';
import type { LoadedRows } from './rows/row-loader.ts';
import { useRows } from './rows/use-rows.ts';
import { shownColumns, type TableView } from './table-view.ts';
import type { TableColumn, TablePage, TableSpec } from './table-words.ts';
import { TableTools } from './tools/table-tools.tsx';
import { useView } from './use-view.ts';

export interface DataTableProps {
  spec: TableSpec;
  /** The first rows, drawn by the server, and the view they are of. */
  first: { view: TableView; page: TablePage };
}

const ROW_HEIGHT = 44;
const ROW_HEIGHT_COMPACT = 36;
const ENDS = 60;
const DIGIT_WIDTH = 8.6;
const PADDING = 26;

/** A long list of evidence: rows come from the server by key as they are scrolled to, and the total is always the whole filter's. */
export function DataTable({ spec, first }: DataTableProps): ReactElement {
  const router = useRouter();
  const grid = useRef<GridHandle>(null);
  const [view, setView] = useView(spec);
  const [isInLastHalf, setInLastHalf] = useState(false);
  const { loader, rows } = useRows(spec.rowsHref, view, first);
  const keys = shownColumns(spec, view);
  const columns = spec.columns.filter((column) => keys.includes(column.key));
  const rowHeight = spec.isCompact ? ROW_HEIGHT_COMPACT : ROW_HEIGHT;
  return (
    <section className={styles.table} style={measures(columns, rowHeight, rows)} aria-label={spec.noun[1]}>
      <TableTools spec={spec} view={view} onView={setView} onJump={() => grid.current?.jump()} isInLastHalf={isInLastHalf} />
      {rows.isStale && (
        <Notice
          voice="wait"
          title="A newer statement of this month is there"
          actions={<Button onPress={() => router.refresh()}>Show it</Button>}
        >
          These rows are of the statement you opened; they have not changed.
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
        columns={columns}
        rowHeight={rowHeight}
        loader={loader}
        rows={rows}
        onHalf={setInLastHalf}
      />
    </section>
  );
}

function measures(columns: TableColumn[], rowHeight: number, rows: LoadedRows): CSSProperties {
  const [first, ...rest] = columns.map((column) => Math.max(column.width, widestAmount(column, rows)));
  // The first column stays in sight when the table scrolls sideways, so it may not fill a narrow screen.
  const least = `min(${first}px, 44vw)`;
  const tracks = [`minmax(${least}, ${first}fr)`, ...rest.map((width) => `minmax(${width}px, ${width}fr)`)];
  const sum = rest.reduce((all, width) => all + width, 0);
  return { '--tracks': tracks.join(' '), '--least': `calc(${least} + ${sum}px)`, '--row-height': `${rowHeight}px` } as CSSProperties;
}

/** What the longest amount known so far needs: the total, and the rows at both ends. An amount is never cut. */
function widestAmount({ key, shape }: TableColumn, { head, tail, total }: LoadedRows): number {
  if (!isRight(shape)) return 0;
  const ends = [...head.slice(0, ENDS), ...tail.slice(0, ENDS)].map((row) => row.cells[key]);
  const longest = Math.max(0, ...[total?.sums[key], ...ends].map((content) => String(content ?? '').length));
  return longest === 0 ? 0 : Math.ceil((longest + Math.floor((longest - 4) / 3)) * DIGIT_WIDTH) + PADDING;
}
