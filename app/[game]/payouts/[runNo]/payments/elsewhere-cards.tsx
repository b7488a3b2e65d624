import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { countNoun, formatDay, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { PaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import { formatUsd, normalizeMoney } from '#lib/core/money.ts';
import type { Batch } from '#lib/payments/reads/batches.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import { confirmElsewhereAction, withdrawElsewhereAction } from './actions.ts';
import styles from './payments.module.css';

/** References that a proposal lists. */
const REFERENCES_MAX = 12;

interface ProposalProps {
  slug: string;
  batch: Batch;
  may: PaymentRights;
}

/** Payments that one person recorded as paid elsewhere, for a second person. */
export function ElsewhereProposal({ slug, batch, may }: ProposalProps): ReactElement {
  const { gameId, runNo, batchNo, itemCount, itemNos, madeBy, note, executionDate } = batch;
  const sum = formatUsd(normalizeMoney(batch.total_usd));
  const about = { game: slug, batchNo };
  const isMine = madeBy.id === may.personId;
  const references = (itemNos ?? []).slice(0, REFERENCES_MAX).map((itemNo) => formatPaymentReference({ gameId, runNo, itemNo }));
  return (
    <Card
      title={`${countNoun(itemCount, 'payment')}, ${sum}, proposed as paid elsewhere`}
      label={`Proposal ${batchNo}: paid elsewhere`}
      aside={<Status tone="wait" word="Proposed" />}
    >
      <div className={styles.file}>
        <p>
          {madeBy.name} on {formatUtc(madeBy.at)}: paid on {formatDay(executionDate ?? madeBy.at)}, “{showControls(note)}”
        </p>
        <p className={styles.people}>
          {references.map((reference) => (
            <Link key={reference} href={`/${slug}/payouts/${runNo}/payments/${reference}`}>
              {reference}
            </Link>
          ))}
          {itemCount > references.length && <span className={styles.hint}>and {itemCount - references.length} more</span>}
        </p>
        {isMine && <p className={styles.hint}>You proposed this. Someone else must confirm it.</p>}
        {may.approve && !isMine && (
          <PasswordForm
            action={confirmElsewhereAction}
            about={about}
            label={`Confirm ${countNoun(itemCount, 'payment')} as paid, ${sum}`}
            pendingLabel="Confirming…"
            kind="main"
          />
        )}
        {may.prepare && (
          <ActionForm action={withdrawElsewhereAction} about={about} label="Withdraw" pendingLabel="Withdrawing…" kind="quiet" />
        )}
      </div>
    </Card>
  );
}

/** What two people recorded as paid elsewhere. */
export function ElsewhereTable({ batches }: { batches: Batch[] }): ReactElement {
  return (
    <Card title="Paid elsewhere">
      <SimpleTable label="Payments made elsewhere" columns={COLUMNS} rows={batches} keyOf={({ batchNo }) => batchNo} isInset />
    </Card>
  );
}

const COLUMNS: SimpleColumn<Batch>[] = [
  {
    label: 'Paid on',
    cell: ({ executionDate, madeBy, note }) => (
      <>
        {formatDay(executionDate ?? madeBy.at)}
        <NarrowNote>{showControls(note)}</NarrowNote>
      </>
    ),
  },
  { label: 'Payments', isFigure: true, isWideOnly: true, cell: ({ itemCount }) => itemCount.toLocaleString('en-US') },
  { label: 'Total', isFigure: true, cell: ({ total_usd }) => formatUsd(normalizeMoney(total_usd)) },
  { label: 'Note', isWideOnly: true, cell: ({ note }) => showControls(note) },
  { label: 'Proposed by', isWideOnly: true, cell: ({ madeBy }) => `${madeBy.name}, ${formatUtc(madeBy.at)}` },
  {
    label: 'Confirmed by',
    isWideOnly: true,
    cell: ({ handedOverBy }) => (handedOverBy === null ? '' : `${handedOverBy.name}, ${formatUtc(handedOverBy.at)}`),
  },
];
