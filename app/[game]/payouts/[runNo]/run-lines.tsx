'use client';

import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { useSelectedSum } from '#app/_ui/data-table/use-selected-sum.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import { signOfMoney } from '#lib/core/money.ts';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import styles from '../_run/run.module.css';
import { ExcludeForm, HoldForm, PAYABLE, type SelectionFormProps } from './holds/selection-forms.tsx';

interface RunLinesProps extends Pick<DataTableProps, 'spec' | 'first'>, Pick<SelectionFormProps, 'game' | 'run'> {
  /** Changes whenever the lines do. */
  version: number;
}

/** What a selection is for. */
const HINTS: Record<RunState, string> = {
  draft: 'Select lines with money due to hold or exclude their payments.',
  submitted: 'Select lines with money due to hold their payments. A hold returns the run to draft.',
  rejected: 'Select lines with money due to hold their payments.',
  approved: 'Select lines to hold the recipients from the next run on.',
  void: '',
};

/** The lines of a run with a selection that can be held or excluded at once; it outlasts a search and a filter. */
export function RunLines({ game, run, version, spec, first }: RunLinesProps): ReactElement {
  const [selected, setSelected] = useState<Record<string, true>>({});
  const [done, setDone] = useState('');
  const onSelect = (next: Record<string, true>): void => {
    setDone('');
    setSelected(next);
  };
  const finish = (sentence: string): void => {
    setSelected({});
    setDone(sentence);
  };
  const ids = Object.keys(selected);
  const sum = useSelectedSum(spec.rowsHref, PAYABLE, ids);
  const payable = sum === null ? '' : `, ${sum} payable`;
  const about = { game, run, chosen: ids.map((id) => ({ recipientId: Number(id) })), onDone: finish };
  return (
    <>
      <div className={styles.bar} data-print="no">
        <p role="status" className={styles.hint}>
          {ids.length > 0 ? (
            <>
              <strong>{ids.length} selected</strong>
              {payable}
            </>
          ) : (
            done || HINTS[run.state]
          )}
        </p>
        {ids.length > 0 && (
          <>
            <SideDialog opener="Hold" title={`Hold ${countNoun(ids.length, 'recipient')}${payable}`}>
              <HoldForm {...about} />
            </SideDialog>
            {run.state === 'draft' && (
              <SideDialog opener="Exclude" title={`Exclude ${countNoun(ids.length, 'recipient')}${payable}`}>
                <ExcludeForm {...about} />
              </SideDialog>
            )}
            <Button kind="quiet" onPress={() => setSelected({})}>
              Clear
            </Button>
          </>
        )}
      </div>
      <DataTable key={version} spec={spec} first={first} selection={{ selected, canSelect: hasMoneyDue, onSelect }} />
    </>
  );
}

function hasMoneyDue({ cells }: TableRow): boolean {
  return signOfMoney(String(cells['due_usd'])) > 0;
}
