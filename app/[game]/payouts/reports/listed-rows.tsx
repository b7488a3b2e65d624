import Link from 'next/link';
import type { ReactElement } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { formatDay, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { ListedRow } from '#lib/payments/reads/reports.ts';
import type { ListedReason } from '#lib/payments/rules/match-rows.ts';
import { BACK_STATES } from '#lib/payments/rules/reported-states.ts';
import { formatAcceptedDifference, formatListed, ITEM_STATE_TEXT } from '#lib/payments/text.ts';
import styles from '../_run/run.module.css';
import { AcceptForm } from './accept-form.tsx';
import { setRowAsideAction } from './actions.ts';

interface ListedRowsProps {
  slug: string;
  label: string;
  rows: ListedRow[];
  mayDecide: boolean;
}

/** Rows of reports that confirmed nothing by themselves: why, what they seem to be about, and the decision or its buttons. */
export function ListedRows({ slug, label, rows, mayDecide }: ListedRowsProps): ReactElement {
  return (
    <SimpleTable label={label} columns={columnsOf(slug, mayDecide)} rows={rows} keyOf={({ reportNo, rowNo }) => `${reportNo} ${rowNo}`} />
  );
}

/** What a row is about that is about no single payment, by its problem. Every other problem is then one of a row about a whole file. */
const NO_SINGLE_PAYMENT: Readonly<Partial<Record<ListedReason, string>>> = {
  foreign: 'None',
  two_references: 'Several',
  mistyped: 'Unknown',
};

function columnsOf(slug: string, mayDecide: boolean): SimpleColumn<ListedRow>[] {
  return [
    {
      label: 'Row',
      cell: (row) => (
        <>
          <Link href={`/${slug}/payouts/reports/${row.reportNo}`}>
            Report {row.reportNo}, row {row.rowNo}
          </Link>
          <NarrowNote>{formatListed(row)}</NarrowNote>
          {row.payment !== null && (
            <NarrowNote>
              {row.payment.reference}, {formatMoney(row.payment.amount)} {row.payment.currency}
            </NarrowNote>
          )}
        </>
      ),
    },
    { label: 'Reason', isWideOnly: true, cell: formatListed },
    {
      label: 'Payment',
      isWideOnly: true,
      cell: ({ payment, problem }) =>
        payment === null ? (
          (NO_SINGLE_PAYMENT[problem] ?? 'All of a file')
        ) : (
          <>
            <Link href={`/${slug}/payouts/${payment.runNo}/payments/${payment.reference}`}>{payment.reference}</Link>
            <p className={styles.hint}>
              {formatMoney(payment.amount)} {payment.currency}
            </p>
          </>
        ),
    },
    {
      label: 'Reported',
      isFigure: true,
      cell: ({ amount, currency, state }) => (
        <>
          {amount === null ? 'No amount' : `${formatMoney(amount)} ${currency ?? ''}`}
          <p className={styles.hint}>{state === null ? 'Unknown status' : ITEM_STATE_TEXT[state]}</p>
        </>
      ),
    },
    {
      label: 'Date',
      isWideOnly: true,
      cell: ({ occurredOn, providerId }) => (
        <>
          {occurredOn === null ? '' : formatDay(occurredOn)}
          {providerId !== null && <p className={styles.hint}>ID {showControls(providerId)}</p>}
        </>
      ),
    },
    { label: 'Decision', cell: (row) => <Decision slug={slug} row={row} mayDecide={mayDecide} /> },
  ];
}

function Decision({ slug, row, mayDecide }: { slug: string; row: ListedRow; mayDecide: boolean }): ReactElement {
  const { reportNo, rowNo, decision, decidedBy, decidedAt, note, payment, state, problem, hasAmounts } = row;
  if (decision !== null)
    return (
      <>
        {decision === 'accepted' ? <Status tone="good" word="Accepted" /> : <Status tone="quiet" word="Set aside" />}
        <p className={styles.hint}>
          {decidedBy}, {formatUtc(decidedAt ?? '')}: “{showControls(note ?? '')}”
        </p>
      </>
    );
  if (!mayDecide) return <Status tone="wait" word="Open" />;
  const about = { game: slug, reportNo, rowNo };
  const name = `row ${rowNo} of report ${reportNo}`;
  return (
    <span className={styles.downloads}>
      <SideDialog opener="Accept" label={`Accept ${name}`} title={`Accept ${name}`}>
        <AcceptForm
          about={about}
          reference={payment?.reference ?? null}
          isOfFile={payment === null && NO_SINGLE_PAYMENT[problem] === undefined}
          isWordUnknown={state === null}
          isDateContrary={problem === 'dates_contradict' && (payment !== null || (state !== null && BACK_STATES.includes(state)))}
          hasAmounts={hasAmounts}
          effect={formatAcceptedDifference(row)}
        />
      </SideDialog>
      <SideDialog opener="Set aside" label={`Set aside ${name}`} title={`Set aside ${name}`}>
        <ActionForm
          action={setRowAsideAction}
          about={about}
          label="Set aside"
          pendingLabel="Setting aside…"
          note={{ label: 'Note', lengthMax: 500, isRequired: true }}
        >
          <p className={styles.hint}>
            For a row that is about no payment of this game, or whose payment you corrected otherwise. It confirms nothing.
          </p>
        </ActionForm>
      </SideDialog>
    </span>
  );
}
