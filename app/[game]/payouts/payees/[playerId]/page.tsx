import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { findPasswordRequest } from '#app/_server/fresh-password.ts';
import { requireGame } from '#app/_server/game.ts';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { formatDay, showControls } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { KeyNotice } from '#app/[game]/_payouts/key-notice.tsx';
import { AccountNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { findShownDigest } from '#lib/payees/reads/open-proposals.ts';
import { type DetailVersion, findPayee } from '#lib/payees/reads/payee-details.ts';
import { formatAccount } from '#lib/payees/text.ts';
import styles from '../../_run/run.module.css';
import { ShownEntries } from '../../_run/shown-entries.tsx';
import { confirmDetailsAction, showDetailsAction, withdrawDetailsAction } from '../actions.ts';
import { DetailsForm } from './details-form.tsx';

export const metadata: Metadata = { title: 'Payment details' };

/** Where one recipient is paid: what is in force, what is proposed, every version before, and the form of new details. */
export default async function PayeePage({ params }: { params: Promise<{ game: string; playerId: string }> }): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const { game: slug, playerId } = await params;
  const game = await requireGame(slug);
  const recipientId = parseNumericId(playerId) ?? notFound();
  const payee =
    (await findPayee(db(), game.gameId, recipientId, { personId: person.id, canSeeEmails: person.may('emails.read') })) ?? notFound();
  const counts = person.accountRefusal === null;
  const may = {
    prepare: counts && person.may('payouts.prepare'),
    approve: counts && person.may('payouts.approve'),
    show: counts && person.may('payees.show'),
  };
  const inForce = payee.versions.find(({ state }) => state === 'in_force');
  const proposal = payee.versions.find(({ state }) => state === 'proposed');
  const isConfirmable = proposal !== undefined && payeeKey() !== null;
  const shown = isConfirmable ? await findShownDigest(db(), game.gameId, { recipientId, detailNo: proposal.detailNo }) : null;
  const name = payee.name === null ? `Player ${recipientId}` : showControls(payee.name);
  const about = { game: slug, recipientId };
  return (
    <>
      <PageHead title={`Payment details of ${name}`} beside={<PayeeStatus version={inForce} />}>
        Player {recipientId}. <Link href={`/${slug}/recipients/${recipientId}`}>Figures and runs</Link> ·{' '}
        <Link href={`/${slug}/payouts/payees`}>All payment details</Link>
      </PageHead>
      <KeyNotice />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      {inForce?.isForOther && (
        <Notice voice="bad" title="Another identity">
          Invo reports another identity behind player {recipientId} than these details were made for, so they aren’t paid. Confirm with the
          recipient where to pay, and propose the details again.
        </Notice>
      )}
      <TwoColumns>
        <Column>
          {proposal !== undefined && (
            <Card title={proposal.changeSet === null ? 'Proposed' : 'Proposed by an import'}>
              <p>
                <strong>{formatAccount(proposal)}</strong>
              </p>
              <p className={styles.hint}>
                {proposal.proposedBy}, {formatDay(proposal.proposedAt)}: {showControls(proposal.reason)}
              </p>
              <div className={styles.forms}>
                {may.show && proposal.method !== 'none' && (
                  <ShownEntries
                    key={proposal.detailNo}
                    action={showDetailsAction}
                    about={{ ...about, detailNo: proposal.detailNo }}
                    label="Payment details in full"
                    password={await findPasswordRequest()}
                  />
                )}
                {may.approve && shown !== null && !proposal.isMine && (
                  <ActionForm
                    action={confirmDetailsAction}
                    about={{ ...about, detailNo: proposal.detailNo, shown }}
                    label={`Confirm ${formatAccount(proposal)}`}
                    pendingLabel="Confirming…"
                    kind="main"
                  />
                )}
                {proposal.isMine && <p className={styles.hint}>You proposed this. Someone else must confirm it.</p>}
                {may.prepare && (
                  <ActionForm
                    action={withdrawDetailsAction}
                    about={{ ...about, detailNo: proposal.detailNo }}
                    label="Withdraw"
                    pendingLabel="Withdrawing…"
                    kind="quiet"
                  />
                )}
              </div>
            </Card>
          )}
          <Card title="In force">
            {inForce === undefined ? (
              <p>No payment details are confirmed, so nothing is paid to this recipient.</p>
            ) : (
              <>
                <p>
                  <strong>{formatAccount(inForce)}</strong>
                  {inForce.country !== null && `, ${inForce.country}`}
                </p>
                <p className={styles.hint}>
                  Proposed by {inForce.proposedBy}, confirmed by {inForce.decidedBy} on {formatDay(inForce.decidedAt ?? inForce.proposedAt)}
                  .
                </p>
                {may.show && inForce.method !== 'none' && (
                  <div className={styles.forms}>
                    <ShownEntries
                      key={inForce.detailNo}
                      action={showDetailsAction}
                      about={{ ...about, detailNo: inForce.detailNo }}
                      label="Payment details in full"
                    />
                  </div>
                )}
              </>
            )}
          </Card>
          {payee.versions.length === 0 ? (
            <EmptyState title="No history yet">Each version of the payment details is listed here.</EmptyState>
          ) : (
            <SimpleTable label="History" columns={COLUMNS} rows={payee.versions} keyOf={({ detailNo }) => detailNo} />
          )}
        </Column>
        {may.prepare && payeeKey() !== null && (
          <Card title={inForce === undefined ? 'Enter payment details' : 'Change payment details'}>
            {proposal === undefined ? (
              <DetailsForm key={payee.versions.length} about={about} />
            ) : (
              <p className={styles.hint}>Details are proposed and not yet confirmed. Confirm or withdraw them before you enter others.</p>
            )}
          </Card>
        )}
      </TwoColumns>
    </>
  );
}

function PayeeStatus({ version }: { version: DetailVersion | undefined }): ReactElement {
  if (version === undefined || version.method === 'none') return <Status tone="quiet" word="None" />;
  return version.isForOther ? <Status tone="bad" word="Identity changed" /> : <Status tone="good" word="In force" />;
}

const STATES = {
  proposed: { tone: 'wait', word: 'Proposed' },
  in_force: { tone: 'good', word: 'In force' },
  replaced: { tone: 'quiet', word: 'Replaced' },
  withdrawn: { tone: 'quiet', word: 'Withdrawn' },
} as const;

const COLUMNS: SimpleColumn<DetailVersion>[] = [
  {
    label: 'Details',
    cell: (version) => (
      <>
        {formatAccount(version)}
        <NarrowNote>{STATES[version.state].word}</NarrowNote>
      </>
    ),
  },
  { label: 'Reason', isWideOnly: true, cell: ({ reason }) => showControls(reason) },
  {
    label: 'Proposed',
    isWideOnly: true,
    cell: ({ proposedBy, proposedAt }) => (
      <>
        {proposedBy}, {formatDay(proposedAt)}
      </>
    ),
  },
  {
    label: 'State',
    isWideOnly: true,
    cell: ({ state, decidedBy, decidedAt }) => (
      <>
        <Status {...STATES[state]} />
        {decidedBy !== null && decidedAt !== null && (
          <p className={styles.hint}>
            by {decidedBy}, {formatDay(decidedAt)}
          </p>
        )}
      </>
    ),
  },
];
