'use client';

import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { useSelectedSum } from '#app/_ui/data-table/use-selected-sum.ts';
import styles from './run.module.css';

/** The selected rows, as the dialogs that act on them need them. */
interface Selection {
  ids: string[];
  /** Their sum, after a comma; empty: not known yet. */
  sum: string;
  /** They have been dealt with: the sentence takes the place of the selection. */
  onDone: (sentence: string) => void;
}

interface SelectableRowsProps extends Pick<DataTableProps, 'spec' | 'first'> {
  /** Changes whenever the rows do. */
  version: string | number;
  /** What a selection is for. */
  hint: string;
  canSelect: (row: TableRow) => boolean;
  /** What selected rows are summed by; `after`: what the sum is of. */
  summedBy: { sort: string; column: string; after?: string };
  /** The dialogs that act on the selected rows. */
  children: (selection: Selection) => ReactNode;
}

/** The rows of a list with a selection that is acted on at once; it outlasts a search and a filter. */
export function SelectableRows({ spec, first, version, hint, canSelect, summedBy, children }: SelectableRowsProps): ReactElement {
  const [selected, setSelected] = useState<Record<string, true>>({});
  const [done, setDone] = useState('');
  const ids = Object.keys(selected);
  const usd = useSelectedSum(spec.rowsHref, summedBy, ids);
  const sum = usd === null ? '' : `, ${usd}${summedBy.after === undefined ? '' : ` ${summedBy.after}`}`;
  const onSelect = (next: Record<string, true>): void => {
    setDone('');
    setSelected(next);
  };
  const onDone = (sentence: string): void => {
    setSelected({});
    setDone(sentence);
  };
  return (
    <>
      <div className={styles.bar} data-print="no">
        <p role="status" className={styles.hint}>
          {ids.length > 0 ? (
            <>
              <strong>{ids.length} selected</strong>
              {sum}
            </>
          ) : (
            done || hint
          )}
        </p>
        {ids.length > 0 && (
          <>
            {children({ ids, sum, onDone })}
            <Button kind="quiet" onPress={() => setSelected({})}>
              Clear
            </Button>
          </>
        )}
      </div>
      <DataTable key={version} spec={spec} first={first} selection={{ selected, canSelect, onSelect }} />
    </>
  );
}
