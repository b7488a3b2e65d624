import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { formatDay, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { TwoColumns } from '#app/_ui/layout/columns.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { AccountNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { listAdjustments, mayBringForward, type StoredAdjustment } from '#lib/payouts/reads/payout-decisions.ts';
import { ADJUSTMENT_KINDS } from '#lib/payouts/rules/policy.ts';
import { ADJUSTMENT_KIND_TEXT } from '#lib/payouts/text.ts';
import styles from '../_run/run.module.css';
import { PayoutsHead, RecipientLink } from '../_run/run-head.tsx';
import { confirmAction, withdrawAction } from './actions.ts';
import { type AdjustmentEntries, AdjustmentForm } from './adjustment-form.tsx';

export const metadata: Metadata = { title: 'Adjustments' };

interface AdjustmentsPageProps {
  params: Promise<{ game: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What is paid or deducted beside what Invo reports: proposed by one person, confirmed by another. */
export default async function AdjustmentsPage({ params, searchParams }: AdjustmentsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const rows = await listAdjustments(db(), game.gameId, person.id, person.may('emails.read'));
  const counts = person.accountRefusal === null;
  const may = { prepare: counts && person.may('payouts.prepare'), approve: counts && person.may('payouts.approve') };
  const entries = entriesOf(await searchParams);
  // A link with other entries starts another form.
  const formKey = JSON.stringify(entries);
  const kinds = (await mayBringForward(db(), game.gameId))
    ? ADJUSTMENT_KINDS
    : ADJUSTMENT_KINDS.filter((kind) => kind !== 'brought_forward');
  const list =
    rows.length === 0 ? (
      <EmptyState title="No adjustments yet">An adjustment changes a recipient’s balance in the next run and says why.</EmptyState>
    ) : (
      <div>
        <SimpleTable
          label="Adjustments"
          columns={columnsOf(game.slug, rows, may)}
          rows={rows}
          keyOf={({ adjustmentId }) => adjustmentId}
          toneOf={({ state, isStranded }) => (isStranded ? 'bad' : state === 'proposed' ? 'wait' : null)}
        />
        <TableNote>Amounts in USD. A confirmed adjustment is part of the next run that is submitted.</TableNote>
      </div>
    );
  return (
    <>
      <PayoutsHead slug={game.slug} person={person} />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      {may.prepare ? (
        <TwoColumns>
          {list}
          <Card title="Propose adjustment">
            <AdjustmentForm key={formKey} game={game.slug} kinds={kinds} entries={entries} />
          </Card>
        </TwoColumns>
      ) : (
        list
      )}
    </>
  );
}

/** What a link says of the adjustment it leads to. */
function entriesOf(given: Record<string, string | string[] | undefined>): AdjustmentEntries {
  const names = ['kind', 'recipientId', 'amount', 'runNo', 'periodId'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = given[name];
      return typeof text === 'string' && text.length <= 40 ? [[name, text]] : [];
    }),
  );
}

const STATES = {
  proposed: { tone: 'wait', word: 'Needs approval' },
  confirmed: { tone: 'good', word: 'Confirmed' },
  withdrawn: { tone: 'quiet', word: 'Withdrawn' },
} as const;
const STRANDED = { tone: 'bad', word: 'In no run' } as const;

function columnsOf(
  slug: string,
  rows: readonly StoredAdjustment[],
  may: { prepare: boolean; approve: boolean },
): SimpleColumn<StoredAdjustment>[] {
  // Both halves of a transfer are decided together, by the buttons of the first.
  const isSecondHalf = ({ pairId, adjustmentId }: StoredAdjustment): boolean =>
    pairId !== null && rows.some((row) => row.pairId === pairId && row.adjustmentId < adjustmentId);
  const canAct = (row: StoredAdjustment): boolean =>
    row.isStranded ? may.prepare : row.state === 'proposed' && !isSecondHalf(row) && (may.prepare || may.approve);
  const columns: SimpleColumn<StoredAdjustment>[] = [
    {
      label: 'Recipient',
      cell: (row) => (
        <>
          <RecipientLink slug={slug} {...row} />
          <NarrowNote>
            <Reason slug={slug} row={row} /> · {(row.isStranded ? STRANDED : STATES[row.state]).word}
          </NarrowNote>
        </>
      ),
    },
    { label: 'Amount', isFigure: true, width: 100, cell: ({ amount_usd }) => <Money amount={amount_usd} isStrong /> },
    {
      label: 'Reason',
      isWideOnly: true,
      cell: (row) => (
        <>
          <Reason slug={slug} row={row} />
          <p className={styles.hint}>
            {row.proposedBy}, {formatDay(row.proposedAt)}
          </p>
        </>
      ),
    },
    {
      label: 'State',
      isWideOnly: true,
      width: 150,
      cell: ({ state, decidedBy, runNo, isStranded }) => (
        <>
          <Status {...(isStranded ? STRANDED : STATES[state])} />
          {decidedBy !== null && <p className={styles.hint}>by {decidedBy}</p>}
          {isStranded && (
            <p className={styles.hint}>It opens the first run, which is in review or approved. Withdraw it and propose a correction.</p>
          )}
          {state === 'confirmed' && !isStranded && (
            <p className={styles.hint}>
              in {runNo === null ? 'the next run' : <Link href={`/${slug}/payouts/${runNo}`}>run {runNo}</Link>}
            </p>
          )}
        </>
      ),
    },
  ];
  if (rows.some(canAct))
    columns.push({
      label: 'Action',
      isScreenOnly: true,
      width: 160,
      cell: (row) => canAct(row) && <Actions slug={slug} row={row} may={may} />,
    });
  return columns;
}

function Reason({ slug, row }: { slug: string; row: StoredAdjustment }): ReactElement {
  const { kind, reason, correctsRunNo, correctsPeriodId } = row;
  return (
    <>
      <strong>{ADJUSTMENT_KIND_TEXT[kind as keyof typeof ADJUSTMENT_KIND_TEXT] ?? kind}</strong>
      {correctsRunNo !== null && (
        <>
          , <Link href={`/${slug}/payouts/${correctsRunNo}`}>run {correctsRunNo}</Link>
        </>
      )}
      {correctsPeriodId !== null && (
        <>
          , <Link href={`/${slug}/periods/${correctsPeriodId}`}>period {correctsPeriodId}</Link>
        </>
      )}
      . {showControls(reason)}
    </>
  );
}

/** A second person confirms; anyone who prepares payouts withdraws. */
function Actions({ slug, row, may }: { slug: string; row: StoredAdjustment; may: { prepare: boolean; approve: boolean } }): ReactElement {
  const about = { game: slug, adjustmentId: row.adjustmentId };
  return (
    <div className={styles.forms}>
      {may.approve && !row.isMine && row.state === 'proposed' && (
        <ActionForm action={confirmAction} about={about} label={`Confirm ${formatUsd(row.amount_usd)}`} pendingLabel="Confirming…" />
      )}
      {may.prepare && <ActionForm action={withdrawAction} about={about} label="Withdraw" pendingLabel="Withdrawing…" kind="quiet" />}
    </div>
  );
}
