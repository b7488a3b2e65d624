'use client';

import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import { formatUsd, signOfMoney, sumMoney } from '#lib/core/money.ts';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import styles from '../_run/run.module.css';
import { ExcludeForm, HoldForm, type SelectionFormProps } from './holds/selection-forms.tsx';

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
  const [selected, setSelected] = useState<ReadonlyMap<string, TableRow>>(new Map());
  const [done, setDone] = useState('');
  const onToggle = useCallback((row: TableRow): void => {
    setDone('');
    setSelected((before) => {
      const next = new Map(before);
      if (!next.delete(row.id)) next.set(row.id, row);
      return next;
    });
  }, []);
  const keys = useMemo(() => new Set(selected.keys()), [selected]);
  const finish = (sentence: string): void => {
    setSelected(new Map());
    setDone(sentence);
  };
  const rows = [...selected.values()];
  const about = { game, run, chosen: rows.map(({ id }) => ({ recipientId: Number(id) })), onDone: finish };
  const sum = sumMoney(rows.map(({ cells }) => String(cells['payable_usd'])));
  return (
    <>
      <div className={styles.bar} data-print="no">
        <p role="status" className={styles.hint}>
          {rows.length > 0 ? (
            <>
              <strong>{rows.length} selected</strong>, {formatUsd(sum)} payable
            </>
          ) : (
            done || HINTS[run.state]
          )}
        </p>
        {rows.length > 0 && (
          <>
            <SideDialog opener="Hold" title={`Hold ${countNoun(rows.length, 'recipient')}, ${formatUsd(sum)} payable`}>
              <HoldForm {...about} />
            </SideDialog>
            {run.state === 'draft' && (
              <SideDialog opener="Exclude" title={`Exclude ${countNoun(rows.length, 'recipient')}, ${formatUsd(sum)} payable`}>
                <ExcludeForm {...about} />
              </SideDialog>
            )}
            <Button kind="quiet" onPress={() => setSelected(new Map())}>
              Clear
            </Button>
          </>
        )}
      </div>
      <DataTable key={version} spec={spec} first={first} selection={{ selected: keys, canSelect: hasMoneyDue, onToggle }} />
    </>
  );
}

function hasMoneyDue({ cells }: TableRow): boolean {
  return signOfMoney(String(cells['due_usd'])) > 0;
}
