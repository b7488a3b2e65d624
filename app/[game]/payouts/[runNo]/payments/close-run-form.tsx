import type { ReactElement } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { formatUsd, normalizeMoney, sumMoney } from '#lib/core/money.ts';
import { formatPaymentSums, type StateSum } from '#lib/payments/rules/payment-sums.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import styles from '../../_run/run.module.css';
import { closeRunAction } from './actions.ts';

interface CloseRunFormProps {
  slug: string;
  run: Pick<Run, 'runId' | 'runNo'>;
  month: string;
  parts: readonly StateSum[];
}

/** Closes a run: by one press where all of its payments are paid, otherwise in a dialog that restates what moves to the next run. */
export function CloseRunForm({ slug, run, month, parts }: CloseRunFormProps): ReactElement {
  const { total, states } = formatPaymentSums(parts);
  const isPaid = parts.every(({ state }) => state === 'paid');
  const returned_usd = parts.filter(({ state }) => state === 'failed' || state === 'returned').map(({ total_usd }) => total_usd);
  const form = (
    <ActionForm
      action={closeRunAction}
      about={{ game: slug, runId: run.runId }}
      label={`Close run ${run.runNo}`}
      pendingLabel="Closing…"
      kind="main"
    >
      {!isPaid && (
        <p>
          <strong>{total}</strong> {states}
        </p>
      )}
      {returned_usd.length > 0 && (
        <p>{formatUsd(normalizeMoney(sumMoney(returned_usd)))} that failed or was returned is due in the next run.</p>
      )}
      <p className={styles.hint}>
        After this, payments of this run can’t be re-issued. A payment returned later is due in the next run. A closed run can’t be
        reopened.
      </p>
    </ActionForm>
  );
  if (isPaid) return form;
  return (
    <SideDialog opener="Close run" title={`Close run ${run.runNo}, ${month}`} kind="main">
      {form}
    </SideDialog>
  );
}
