import Link from 'next/link';
import type { ReactElement } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
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
  /** Rows of bank reports about the run, or about a whole file, wait for a person. */
  hasOpenRows: boolean;
}

/** Closes a run once no bank row waits: by one press where all of its payments are paid, otherwise in a dialog that restates what moves to the next run. */
export function CloseRunForm({ slug, run, month, parts, hasOpenRows }: CloseRunFormProps): ReactElement {
  if (hasOpenRows)
    return (
      <Notice voice="wait" title="Bank rows wait for a decision">
        They are about this run, or about a whole file. Decide them under <Link href={`/${slug}/payouts/reports`}>Bank reports</Link> before
        you close the run.
      </Notice>
    );
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
