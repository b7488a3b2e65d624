import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { formatDay, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { type DueLine, type HoldInForce, listDueLines, listHoldsInForce } from '#lib/payouts/reads/payout-decisions.ts';
import { DUE_LINES_MAX } from '#lib/payouts/rules/policy.ts';
import { HOLD_REASON_TEXT, OUTCOME_TEXT } from '#lib/payouts/text.ts';
import styles from '../../_run/run.module.css';
import { RecipientLink, RunHead } from '../../_run/run-head.tsx';
import { loadRun } from '../../_run/run-lists.ts';
import { releaseAction } from './actions.ts';
import { HoldForms } from './hold-forms.tsx';

export const metadata: Metadata = { title: 'Holds' };

/** Whose money is due, who holds what of it, and why. */
export default async function HoldsPage({ params }: { params: Promise<{ game: string; runNo: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  const canSeeEmails = person.may('emails.read');
  const [first, holds] = await Promise.all([
    listDueLines(db(), run, { find: '', canSeeEmails }, DUE_LINES_MAX),
    listHoldsInForce(db(), run, now(), canSeeEmails),
  ]);
  const mayPrepare = person.may('payouts.prepare') && run.state !== 'void';
  return (
    <>
      <RunHead game={game} run={run} />
      {mayPrepare ? (
        <HoldForms game={slug} run={{ runId: run.runId, runNo: run.runNo, state: run.state }} first={first} />
      ) : (
        <SimpleTable
          label="Lines with money due"
          columns={lineColumns(slug)}
          rows={first.rows}
          keyOf={({ recipientId }) => recipientId}
          isLong
        />
      )}
      <section className={styles.section}>
        <h2>Holds in force</h2>
        {holds.length === 0 ? (
          <p className={styles.hint}>None. Every amount due can be paid.</p>
        ) : (
          <>
            <SimpleTable label="Holds in force" columns={holdColumns(slug, mayPrepare)} rows={holds} keyOf={({ holdId }) => holdId} />
            <TableNote>
              Amounts in USD. A hold applies to every run until it ends. A person who releases one can’t approve the run.
            </TableNote>
          </>
        )}
      </section>
    </>
  );
}

function lineColumns(slug: string): SimpleColumn<DueLine>[] {
  return [
    { label: 'Recipient', cell: (line) => <RecipientLink slug={slug} {...line} /> },
    { label: 'Due', isFigure: true, isWideOnly: true, cell: ({ due_usd }) => <Money amount={due_usd} places={4} /> },
    { label: 'Payable', isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
    { label: 'Outcome', cell: ({ outcome }) => OUTCOME_TEXT[outcome] },
  ];
}

function holdColumns(slug: string, mayPrepare: boolean): SimpleColumn<HoldInForce>[] {
  const columns: SimpleColumn<HoldInForce>[] = [
    {
      label: 'Recipient',
      cell: (hold) => (
        <>
          <RecipientLink slug={slug} {...hold} />
          <NarrowNote>{reasonOf(hold)}</NarrowNote>
        </>
      ),
    },
    {
      label: 'Amount',
      isFigure: true,
      cell: ({ amount_usd }) => (amount_usd === null ? 'Everything due' : <Money amount={amount_usd} isStrong />),
    },
    { label: 'Reason', isWideOnly: true, cell: reasonOf },
    { label: 'Note', isWideOnly: true, cell: ({ note }) => showControls(note) },
    { label: 'Placed by', isWideOnly: true, cell: ({ placedBy }) => placedBy },
    { label: 'Since', isWideOnly: true, cell: ({ placedAt }) => formatUtc(placedAt) },
    { label: 'Ends', isWideOnly: true, cell: ({ expiresAt, reason }) => formatEnd(expiresAt, reason) },
  ];
  if (mayPrepare)
    columns.push({
      label: 'Action',
      isScreenOnly: true,
      cell: ({ holdId, recipientId }) => (
        <details>
          <summary className={styles.release} aria-label={`Release the hold on player ${recipientId}`}>
            Release
          </summary>
          <ActionForm
            action={releaseAction}
            about={{ game: slug, holdId }}
            label="Release hold"
            pendingLabel="Releasing…"
            note={{ label: 'Note on the release', lengthMax: 500, isRequired: true }}
          />
        </details>
      ),
    });
  return columns;
}

function reasonOf({ reason, periodId }: HoldInForce): string {
  const text = HOLD_REASON_TEXT[reason as keyof typeof HOLD_REASON_TEXT] ?? reason;
  return periodId === null ? text : `${text}, period ${periodId}`;
}

function formatEnd(expiresAt: string | null, reason: string): string {
  if (expiresAt !== null) return formatDay(expiresAt);
  return reason === 'excluded' ? 'With this run' : 'When released';
}
