import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { findPasswordRequest } from '#app/_server/fresh-password.ts';
import { requireGame } from '#app/_server/game.ts';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { formatDay } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { KeyNotice } from '#app/[game]/_payouts/key-notice.tsx';
import { AccountNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { listSenders, type SenderVersion } from '#lib/payments/reads/senders.ts';
import { SENDER_METHODS, type SenderMethod } from '#lib/payments/rules/sender-entries.ts';
import { PAYMENT_METHOD_TEXT, SANDBOX_TEXT } from '#lib/payments/text.ts';
import styles from '../_run/run.module.css';
import { PayoutsHead } from '../_run/run-head.tsx';
import { ShownEntries } from '../_run/shown-entries.tsx';
import { confirmSenderAction, showSenderAction, withdrawSenderAction } from './actions.ts';
import { SenderForm } from './sender-form.tsx';

export const metadata: Metadata = { title: 'Sender accounts' };

interface SendersPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

/** What payment files are sent from, by method: what is in force, what is proposed, every version before, and the form of a new one. */
export default async function SendersPage({ params, searchParams }: SendersPageProps): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const game = await requireGame((await params).game);
  const wanted = (await searchParams)['method'];
  const senders = await listSenders(db(), game.gameId);
  const counts = person.accountRefusal === null;
  const may: SenderRights = {
    personId: person.id,
    prepare: counts && person.may('payouts.prepare'),
    approve: counts && person.may('payouts.approve') && payeeKey() !== null,
    show: counts && person.may('payees.show') && payeeKey() !== null,
  };
  const proposals = senders.filter(({ state }) => state === 'proposed');
  const inForce = SENDER_METHODS.flatMap((method) => senders.find((each) => each.method === method && each.state === 'in_force') ?? []);
  const waiting = proposals.map(({ method }) => method);
  const missing = SENDER_METHODS.find((method) => inForce.every((each) => each.method !== method) && !waiting.includes(method));
  return (
    <>
      <PayoutsHead slug={game.slug} person={person} />
      <KeyNotice />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      <TwoColumns isBalanced>
        <Column>
          {game.environment === 'sandbox' && <p className={styles.hint}>{SANDBOX_TEXT}</p>}
          {proposals.map((sender) => (
            <Proposal key={sender.senderNo} slug={game.slug} sender={sender} may={may} />
          ))}
          {inForce.length === 0 && proposals.length === 0 && (
            <EmptyState title="No sender accounts yet">
              A payment file names the account, or the settings, that it is sent with. One person proposes them, another confirms.
            </EmptyState>
          )}
          {inForce.map((sender) => (
            <InForce key={sender.senderNo} slug={game.slug} sender={sender} mayShow={may.show} />
          ))}
          {senders.length > 0 && <SimpleTable label="History" columns={COLUMNS} rows={senders} keyOf={({ senderNo }) => senderNo} />}
        </Column>
        {may.prepare && payeeKey() !== null && (
          <Card title="Propose a sender account">
            <SenderForm
              key={senders.length}
              game={game.slug}
              first={SENDER_METHODS.find((method) => method === wanted) ?? missing ?? 'paypal'}
              waiting={waiting}
            />
          </Card>
        )}
      </TwoColumns>
    </>
  );
}

interface SenderRights {
  personId: string;
  prepare: boolean;
  approve: boolean;
  show: boolean;
}

interface ProposalProps {
  slug: string;
  sender: SenderVersion;
  may: SenderRights;
}

/** A proposed sender account: its entries after the password, and the buttons of a second person. */
async function Proposal({ slug, sender, may }: ProposalProps): Promise<ReactElement> {
  const { senderNo, method, mask, proposedBy, proposedById, proposedAt } = sender;
  const about = { game: slug, senderNo };
  const isMine = proposedById === may.personId;
  const name = nameOf(method);
  return (
    <Card title={`Proposed for ${name}`} aside={<Status tone="wait" word="Proposed" />}>
      <p>
        <strong>{mask}</strong>
      </p>
      <p className={styles.hint}>
        {proposedBy}, {formatDay(proposedAt)}
        {may.approve && !isMine && '. Compare the entries with your bank or provider before you confirm.'}
      </p>
      <div className={styles.forms}>
        {may.show && (
          <ShownEntries
            action={showSenderAction}
            about={about}
            label={`Sender account for ${name} in full`}
            password={await findPasswordRequest()}
          />
        )}
        {may.approve && !isMine && (
          <ActionForm
            action={confirmSenderAction}
            about={about}
            label={`Confirm sender account for ${name}`}
            pendingLabel="Confirming…"
            kind="main"
          />
        )}
        {isMine && <p className={styles.hint}>You proposed this. Someone else must confirm it.</p>}
        {may.prepare && (
          <ActionForm action={withdrawSenderAction} about={about} label="Withdraw" pendingLabel="Withdrawing…" kind="quiet" />
        )}
      </div>
    </Card>
  );
}

function InForce({ slug, sender, mayShow }: { slug: string; sender: SenderVersion; mayShow: boolean }): ReactElement {
  const { senderNo, method, mask, proposedBy, decidedBy, decidedAt, proposedAt } = sender;
  return (
    <Card title={PAYMENT_METHOD_TEXT[method]} aside={<Status tone="good" word="In force" />}>
      <p>
        <strong>{mask}</strong>
      </p>
      <p className={styles.hint}>
        Proposed by {proposedBy}, confirmed by {decidedBy} on {formatDay(decidedAt ?? proposedAt)}.
      </p>
      {mayShow && (
        <div className={styles.forms}>
          <ShownEntries action={showSenderAction} about={{ game: slug, senderNo }} label={`Sender account for ${nameOf(method)} in full`} />
        </div>
      )}
    </Card>
  );
}

const nameOf = (method: SenderMethod): string => PAYMENT_METHOD_TEXT[method];

const STATES = {
  proposed: { tone: 'wait', word: 'Proposed' },
  in_force: { tone: 'good', word: 'In force' },
  replaced: { tone: 'quiet', word: 'Replaced' },
  withdrawn: { tone: 'quiet', word: 'Withdrawn' },
} as const;

const COLUMNS: SimpleColumn<SenderVersion>[] = [
  {
    label: 'Sender account',
    cell: ({ method, mask, state }) => (
      <>
        {PAYMENT_METHOD_TEXT[method]}, {mask}
        <NarrowNote>{STATES[state].word}</NarrowNote>
      </>
    ),
  },
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
    label: 'Decided',
    isWideOnly: true,
    cell: ({ decidedBy, decidedAt }) => (decidedBy === null || decidedAt === null ? '' : `${decidedBy}, ${formatDay(decidedAt)}`),
  },
  { label: 'State', isWideOnly: true, cell: ({ state }) => <Status {...STATES[state]} /> },
];
