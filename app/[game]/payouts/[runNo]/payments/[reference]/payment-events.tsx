import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatDay, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { formatMoney } from '#lib/core/money.ts';
import type { Batch } from '#lib/payments/reads/batches.ts';
import type { Confirmation, PaymentStory, StoryReissue } from '#lib/payments/reads/payment-story.ts';
import { REPORTED_TEXT } from '#lib/payments/text.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import styles from '../payments.module.css';

interface StoryEvent {
  key: string;
  /** A day, or an instant with its zone. */
  when: string;
  children: ReactNode;
}

interface StorySource {
  slug: string;
  run: Run;
  story: PaymentStory;
  batch: Batch | null;
  /** The address of the run's payments. */
  payments: string;
}

/** Everything that happened to a payment, oldest first. */
export function eventsOf({ slug, run, story, batch, payments }: StorySource): StoryEvent[] {
  const { runNo } = run;
  return [
    {
      key: 'approved',
      when: formatUtc(run.approvedAt ?? run.draftedAt),
      children: (
        <>
          <Link href={`/${slug}/payouts/${runNo}?find=${story.recipientId}`}>The line of run {runNo}</Link> was approved by{' '}
          {run.approvals.map(({ by }) => by.name).join(' and ')}.
        </>
      ),
    },
    ...reissueOf(story, payments),
    ...(batch === null ? [] : batchEvents(batch, payments)),
    ...story.confirmations.toReversed().map((row) => confirmationEvent(slug, row)),
    // Those of a cancelled file have its end.
    ...(batch !== null && batch.cancelledBy !== null ? [] : story.reissues.map((each) => proposalEvent(each, payments))),
    ...(story.returnedInRunNo === null
      ? []
      : [
          {
            key: 'returned',
            when: '',
            children: (
              <>
                The amount is due again, in <Link href={`/${slug}/payouts/${story.returnedInRunNo}`}>run {story.returnedInRunNo}</Link>.
              </>
            ),
          },
        ]),
    ...(run.voidedBy === null
      ? []
      : [endOf('run', run.voidedAt ?? run.draftedAt, `${run.voidedBy.name} confirmed that the run is voided.`, run.voidReason)]),
  ];
}

/** How a payment came to replace another one. */
function reissueOf(
  { replaces, proposedBy, proposedAt, decidedBy, decidedAt, state, reason }: PaymentStory,
  payments: string,
): StoryEvent[] {
  if (replaces === null || proposedAt === null) return [];
  const decided =
    decidedBy === null || decidedAt === null
      ? ''
      : ` ${state === 'withdrawn' ? 'Withdrawn' : 'Confirmed'} by ${decidedBy} on ${formatUtc(decidedAt)}.`;
  return [
    {
      key: 'reissue',
      when: formatUtc(proposedAt),
      children: (
        <>
          {proposedBy} requested this payment to replace <Link href={`${payments}/${replaces}`}>{replaces}</Link>.{decided}
          <span className={styles.more}>“{showControls(reason ?? '')}”</span>
        </>
      ),
    },
  ];
}

const OUTCOMES = { confirmed: 'Confirmed', withdrawn: 'Withdrawn', proposed: '' } as const;

/** A proposal to pay it again, and what became of it. */
function proposalEvent(
  { reference, reason, proposedBy, proposedAt, outcome, decidedBy, decidedAt }: StoryReissue,
  payments: string,
): StoryEvent {
  return {
    key: `re-issue ${reference}`,
    when: formatUtc(proposedAt),
    children: (
      <>
        {proposedBy} proposed to re-issue it as <Link href={`${payments}/${reference}`}>{reference}</Link>.
        {decidedBy !== null && decidedAt !== null && ` ${OUTCOMES[outcome]} by ${decidedBy} on ${formatUtc(decidedAt)}.`}
        <span className={styles.more}>“{showControls(reason)}”</span>
      </>
    ),
  };
}

function batchEvents(batch: Batch, payments: string): StoryEvent[] {
  const { batchNo, madeBy, handedOverBy, providerReference, cancelledBy, cancelReason, note, executionDate } = batch;
  if (batch.method === 'elsewhere')
    return [
      {
        key: 'elsewhere',
        when: formatDay(executionDate ?? madeBy.at),
        children: (
          <>
            Paid outside Sharebook. Recorded by {madeBy.name}, confirmed by {handedOverBy?.name ?? 'nobody yet'}.
            <span className={styles.more}>“{showControls(note)}”</span>
          </>
        ),
      },
    ];
  return [
    {
      key: 'file',
      when: formatUtc(madeBy.at),
      children: (
        <>
          {madeBy.name} created <Link href={`${payments}#file-${batchNo}`}>file {batchNo}</Link> with it.
          <span className={styles.more}>{batch.fileName}</span>
        </>
      ),
    },
    ...(handedOverBy === null
      ? []
      : [
          {
            key: 'handed over',
            when: formatUtc(handedOverBy.at),
            children: (
              <>
                {handedOverBy.name} recorded the hand-over.
                {providerReference !== null && <span className={styles.more}>Reference {showControls(providerReference)}</span>}
              </>
            ),
          },
        ]),
    ...(cancelledBy === null
      ? []
      : [endOf('file', cancelledBy.at, `${cancelledBy.name} confirmed that the file is cancelled.`, cancelReason)]),
  ];
}

/** How the run or the file of a payment ended, with the reason. */
function endOf(what: 'run' | 'file', at: string, sentence: string, reason: string | null): StoryEvent {
  const children = (
    <>
      {sentence}
      <span className={styles.more}>“{showControls(reason ?? '')}”</span>
    </>
  );
  return { key: `end of ${what}`, when: formatUtc(at), children };
}

/** What one row of a report states. */
function confirmationEvent(slug: string, row: Confirmation): StoryEvent {
  const { reportNo, rowNo, state, occurredOn, amount, currency, providerId, reasonCode, addedBy, addedAt, accepted } = row;
  const facts = [
    amount === null ? null : `${formatMoney(amount)} ${currency ?? ''}`.trim(),
    providerId === null ? null : `ID ${showControls(providerId)}`,
    reasonCode === null ? null : `reason ${showControls(reasonCode)}`,
  ];
  return {
    key: `report ${reportNo} ${rowNo}`,
    when: occurredOn === null ? formatUtc(addedAt) : formatDay(occurredOn),
    children: (
      <>
        {REPORTED_TEXT[state]}
        <span className={styles.more}>
          {facts.filter((fact) => fact !== null).map((fact) => `${fact}, `)}
          <Link href={`/${slug}/payouts/reports/${reportNo}`}>report {reportNo}</Link>, row {rowNo}, added by {addedBy} on{' '}
          {formatUtc(addedAt)}
        </span>
        {accepted !== null && (
          <span className={styles.more}>
            Accepted by {accepted.by} on {formatUtc(accepted.at)}: “{showControls(accepted.note)}”
            {accepted.reportedOn !== occurredOn &&
              (accepted.reportedOn === null ? '. The report has no date.' : `. The report dates it ${formatDay(accepted.reportedOn)}.`)}
          </span>
        )}
      </>
    ),
  };
}
