import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { requireGame } from '#app/_server/game.ts';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatDay, showControls } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { KeyNotice } from '#app/[game]/_payouts/key-notice.tsx';
import { AccountNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { findShownDigest } from '#lib/payees/reads/open-proposals.ts';
import { type ImportedRow, listOpenImports, type OpenImport } from '#lib/payees/reads/payee-details.ts';
import { SHOWN_MAX } from '#lib/payees/rules/import-file.ts';
import { formatAccount, formatImportEffect } from '#lib/payees/text.ts';
import styles from '../_run/run.module.css';
import { PayoutsHead } from '../_run/run-head.tsx';
import { confirmDetailsAction, withdrawDetailsAction } from './actions.ts';
import { ImportForm } from './import-form.tsx';
import { payeesList } from './payee-table.ts';

export const metadata: Metadata = { title: 'Payment details' };

interface PayeesPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

/** Where recipients are paid: every recipient with the details in force, and the imports that wait for a second person. */
export default async function PayeesPage({ params, searchParams }: PayeesPageProps): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const game = await requireGame((await params).game);
  const canSeeEmails = person.may('emails.read');
  const counts = person.accountRefusal === null;
  const may = { prepare: counts && person.may('payouts.prepare'), approve: counts && person.may('payouts.approve') };
  const source = { game, canSeeEmails, mayExport: person.may('files.export') };
  const [{ spec, first }, imports] = await Promise.all([
    payeesList.loadFirst(source, searchParams),
    listOpenImports(db(), game.gameId, { personId: person.id, canSeeEmails, limit: SHOWN_MAX }),
  ]);
  const shown = await Promise.all(imports.map(({ changeSet }) => findShownDigest(db(), game.gameId, { changeSet })));
  const isEmpty = first.page.total?.count === 0 && first.view.find === '' && first.view.chip === 'all';
  return (
    <>
      <PayoutsHead slug={game.slug} person={person} />
      <KeyNotice />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      {imports.map((each, index) => (
        <ImportCard key={each.changeSet} slug={game.slug} set={each} shown={shown[index] ?? ''} may={may} />
      ))}
      {may.prepare && payeeKey() !== null && (
        <div className={styles.bar} data-print="no">
          <p className={styles.hint}>Open a recipient to enter payment details, or import a CSV file of many.</p>
          <SideDialog opener="Import CSV" title="Import payment details">
            <ImportForm game={game.slug} />
          </SideDialog>
        </div>
      )}
      {isEmpty ? (
        <EmptyState title="No recipients yet">Recipients are listed once a month is pulled.</EmptyState>
      ) : (
        <>
          <DataTable spec={spec} first={first} />
          <TableNote>Accounts are masked. One person proposes payment details, another confirms them.</TableNote>
        </>
      )}
    </>
  );
}

/** An imported file that waits: what it changes of each recipient, and the buttons of a second person. */
function ImportCard({
  slug,
  set,
  shown,
  may,
}: {
  slug: string;
  set: OpenImport;
  shown: string;
  may: { prepare: boolean; approve: boolean };
}): ReactElement {
  const about = { game: slug, changeSet: set.changeSet };
  const hasKey = payeeKey() !== null;
  const what = countNoun(set.count, 'recipient');
  return (
    <Card title={`Proposed import of ${what}`}>
      <p className={styles.hint}>
        {set.proposedBy}, {formatDay(set.proposedAt)}: {showControls(set.reason)} {formatImportEffect(set)}
        {set.rows.length < set.count && ` The first ${set.rows.length} are listed, other accounts first.`}
      </p>
      <SimpleTable
        label={`Import of ${what}`}
        columns={importColumns(slug)}
        rows={set.rows}
        keyOf={({ recipientId }) => recipientId}
        isInset
        isLong
      />
      <div className={styles.forms}>
        {may.approve && hasKey && !set.isMine && (
          <PasswordForm
            action={confirmDetailsAction}
            about={{ ...about, shown }}
            label={`Confirm ${what}`}
            pendingLabel="Confirming…"
            kind="main"
          />
        )}
        {may.prepare && (
          <ActionForm action={withdrawDetailsAction} about={about} label="Withdraw import" pendingLabel="Withdrawing…" kind="quiet" />
        )}
      </div>
    </Card>
  );
}

const CHANGE_TEXT = { new: 'New', account: 'Another account', unpaid: 'No longer paid', same: 'Same account' } as const;

function importColumns(slug: string): SimpleColumn<ImportedRow>[] {
  return [
    {
      label: 'Recipient',
      cell: ({ recipientId, name }) => (
        <Link href={`/${slug}/payouts/payees/${recipientId}`}>{name === null ? `Player ${recipientId}` : showControls(name)}</Link>
      ),
    },
    { label: 'In force', cell: ({ before }) => (before === null ? 'None' : formatAccount(before)) },
    { label: 'Proposed', cell: (row) => <strong>{formatAccount(row)}</strong> },
    { label: 'Change', cell: ({ change }) => CHANGE_TEXT[change] },
  ];
}
