import type { ReactElement } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { showControls } from '../cells/visible-text.ts';
import styles from '../data-table.module.css';

interface TableEmptyProps {
  noun: string;
  find: string;
  isFiltered: boolean;
  onClear: () => void;
}

/** No rows: because of the filter, which can be cleared, or because there are none. */
export function TableEmpty({ noun, find, isFiltered, onClear }: TableEmptyProps): ReactElement {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={2}>
        <div role="gridcell" className={styles.empty}>
          <p>
            {find === '' ? `There are no ${isFiltered ? 'such ' : ''}${noun}.` : `No ${noun} match “${showControls(find)}”.`}
            {find !== '' && ' Names and items match in any part, ids from their beginning.'}
          </p>
          {isFiltered && <Button onPress={onClear}>Clear the filter</Button>}
        </div>
      </div>
    </div>
  );
}
