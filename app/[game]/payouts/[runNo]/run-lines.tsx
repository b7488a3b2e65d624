'use client';

import type { ReactElement } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import type { DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import { signOfMoney } from '#lib/core/money.ts';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import { SelectableRows } from '../_run/selectable-rows.tsx';
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

/** The lines of a run with a selection that can be held or excluded at once. */
export function RunLines({ game, run, ...rows }: RunLinesProps): ReactElement {
  return (
    <SelectableRows {...rows} hint={HINTS[run.state]} canSelect={hasMoneyDue} summedBy={{ ...PAYABLE, after: 'payable' }}>
      {({ ids, sum, onDone }) => {
        const about = { game, run, chosen: ids.map((id) => ({ recipientId: Number(id) })), onDone };
        return (
          <>
            <SideDialog opener="Hold" title={`Hold ${countNoun(ids.length, 'recipient')}${sum}`}>
              <HoldForm {...about} />
            </SideDialog>
            {run.state === 'draft' && (
              <SideDialog opener="Exclude" title={`Exclude ${countNoun(ids.length, 'recipient')}${sum}`}>
                <ExcludeForm {...about} />
              </SideDialog>
            )}
          </>
        );
      }}
    </SelectableRows>
  );
}

function hasMoneyDue({ cells }: TableRow): boolean {
  return signOfMoney(String(cells['due_usd'])) > 0;
}
