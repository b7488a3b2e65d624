import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { PaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import { formatUsd, normalizeMoney } from '#lib/core/money.ts';
import type { Reissue } from '#lib/payments/reads/reissues.ts';
import { isReissuable } from '#lib/payments/rules/item-state.ts';
import { confirmReissueAction, proposeReissueAction, withdrawReissueAction } from '../actions.ts';
import styles from '../payments.module.css';

interface ReissueCardProps {
  slug: string;
  reissue: Reissue;
  may: PaymentRights;
}

/** How a payment that failed, was returned or can enter no file is paid: the proposal, or what waits for a second person. */
export function ReissueCard({ slug, reissue, may }: ReissueCardProps): ReactElement {
  const { runId, itemNo, proposal, details, recipientId, isClosed, returnedInRunNo, hasOtherDetails } = reissue;
  const amount = formatUsd(normalizeMoney(reissue.amount_usd));
  const about = { game: slug, runId, itemNo };
  const payee = <Link href={`/${slug}/payouts/payees/${recipientId}`}>Payment details</Link>;
  if (proposal === null && (returnedInRunNo !== null || isClosed))
    return (
      <Card title="Pay again">
        <p className={styles.hint}>
          {returnedInRunNo === null ? (
            'This run is closed, so the amount is due in the next run.'
          ) : (
            <>
              The amount is part of <Link href={`/${slug}/payouts/${returnedInRunNo}`}>run {returnedInRunNo}</Link>.
            </>
          )}
        </p>
      </Card>
    );
  if (proposal === null)
    return (
      <Card title={hasOtherDetails ? 'Payment details changed' : 'Pay again'}>
        <div className={styles.file}>
          <p className={styles.hint}>
            {hasOtherDetails
              ? 'They changed since the run was approved, so no file takes this payment. A re-issue pays it to the details in force, under a new reference, once a second person confirms.'
              : `Without a re-issue, ${amount} is due in the next run. A re-issue pays it in this one, under a new reference.`}
          </p>
          {details === null ? (
            <p>The recipient has no payment details in force. {payee}</p>
          ) : (
            <p>
              To {details.account}. {payee}
            </p>
          )}
          {may.prepare && details !== null && (
            <ActionForm
              action={proposeReissueAction}
              about={about}
              label={`Propose to re-issue ${amount}`}
              pendingLabel="Proposing…"
              note={{ label: 'Reason', lengthMax: 500, isRequired: true }}
            />
          )}
        </div>
      </Card>
    );
  const shown = { ...about, reissueNo: proposal.itemNo };
  const isMine = proposal.proposedById === may.personId;
  const canConfirm = isReissuable(reissue);
  if (proposal.confirmedBy !== null)
    return (
      <Card title="Paid again">
        <p>
          {proposal.confirmedBy} confirmed the re-issue{' '}
          <Link href={`/${slug}/payouts/${reissue.runNo}/payments/${proposal.reference}`}>{proposal.reference}</Link>.
        </p>
      </Card>
    );
  return (
    <Card title="Re-issue proposed">
      <div className={styles.file}>
        <p>
          {proposal.proposedBy} on {formatUtc(proposal.proposedAt)}: “{showControls(proposal.reason)}”
        </p>
        <p>
          {amount} to {details === null ? 'nobody: no payment details are in force' : details.account}. {payee}
        </p>
        {!canConfirm && <p>{outdatedText(reissue)} Withdraw the re-issue: the run can’t be closed while it waits.</p>}
        {isMine && canConfirm && <p className={styles.hint}>You proposed this. Someone else must confirm it.</p>}
        {may.approve && !isMine && canConfirm && details !== null && (
          <PasswordForm
            action={confirmReissueAction}
            about={{ ...shown, detailNo: details.detailNo }}
            label={`Confirm re-issue of ${amount}`}
            pendingLabel="Confirming…"
            kind="main"
          />
        )}
        {may.prepare && (
          <ActionForm action={withdrawReissueAction} about={shown} label="Withdraw" pendingLabel="Withdrawing…" kind="quiet" />
        )}
      </div>
    </Card>
  );
}

/** Why a proposed re-issue can no longer be confirmed. */
function outdatedText({ reference, state, returnedInRunNo }: Reissue): string {
  if (returnedInRunNo !== null) return `Run ${returnedInRunNo} pays this amount again.`;
  if (state === 'paid') return `Since then, payment ${reference} was reported as paid. A re-issue would pay the amount twice.`;
  return `Payment ${reference} has changed since then and can’t be re-issued.`;
}
