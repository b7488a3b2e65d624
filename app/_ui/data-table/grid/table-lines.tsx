import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactElement, useMemo } from 'react';
import styles from '../data-table.module.css';
import { type LoadedRows, rowAt } from '../rows/row-loader.ts';
import type { TableColumn, TableRow, TableSpec } from '../table-words.ts';
import { TableRowView } from './table-row.tsx';

/** A place in the list that is in sight, and how far down it stands, in pixels. */
export interface PlaceInSight {
  index: number;
  start: number;
}

interface TableLinesProps {
  gridId: string;
  spec: TableSpec;
  columns: TableColumn[];
  rows: LoadedRows;
  places: PlaceInSight[];
  /** So many elements take turns in being the rows. */
  slots: number;
  /** Of the whole list, in pixels. */
  height: number;
  current: number;
  onPoint: (index: number) => void;
}

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, TableRow>();

/** The rows in sight, each at its place. Only they become rows of the table, so that a list of any length costs the same. */
export function TableLines({ gridId, spec, columns, rows, places, slots, height, current, onPoint }: TableLinesProps): ReactElement {
  const [from, to] = [places[0]?.index ?? 0, places.at(-1)?.index ?? 0];
  const inSight = useMemo(() => indexes(from, to).flatMap((index) => rowAt(rows, index) ?? []), [rows, from, to]);
  const table = useTable({ features, columns: useMemo(() => columnsOf(spec), [spec]), data: inSight, getRowId: (row) => row.id });
  const models = new Map(table.getRowModel().rows.map((row) => [row.id, row.original]));
  return (
    <div role="rowgroup" className={styles.body} style={{ height }}>
      {places.map(({ index, start }) => (
        <TableRowView
          key={index % slots}
          id={`${gridId}-${index}`}
          row={models.get(rowAt(rows, index)?.id ?? '')}
          columns={columns}
          index={index}
          top={start}
          isCurrent={index === current}
          onPoint={onPoint}
        />
      ))}
    </div>
  );
}

function columnsOf(spec: TableSpec) {
  return helper.columns(
    spec.columns.map((column) => helper.accessor((row) => row.cells[column.key], { id: column.key, header: column.label })),
  );
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
