import type { Metadata } from 'next';
import Link from 'next/link';
import { forbidden } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { formatCount } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm, Hint } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { type BalanceJob, listBalanceJobs } from '#lib/balances/reads.ts';
import { FILE_RETENTION_DAYS, isActive } from '#lib/balances/rules/balance-job.ts';
import { BalancesHead, describeScope, formatUnanswered, JobStatus } from './_files/balance-parts.tsx';
import { ListForm } from './_files/list-form.tsx';
import { readAllAction } from './actions.ts';
import styles from './balances.module.css';

export const metadata: Metadata = { title: 'Balances' };

/** Jobs listed at once. */
const LISTED_MAX = 100;

/** What players hold, as files: ask for them, and the jobs so far. */
export default async function BalancesPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  if (!person.may('balances.read')) forbidden();
  const game = await requireGame((await params).game);
  const jobs = await listBalanceJobs(db(), game.gameId, LISTED_MAX);
  const isBusy = (scope: BalanceJob['scope']): boolean => jobs.some((job) => job.scope === scope && isActive(job.state));
  return (
    <>
      <BalancesHead slug={game.slug} person={person}>
        Wallet balances as Invo reports them, for a list of players or for everyone.
      </BalancesHead>
      {person.may('balances.export') && (
        <div className={styles.choices}>
          <Card title="Some players">
            {isBusy('some') ? <Hint>A list is being read. It is listed below.</Hint> : <ListForm game={game.slug} />}
          </Card>
          <Card title="All players">
            {isBusy('all') ? (
              <Hint>All balances are being read. It is listed below.</Hint>
            ) : (
              <ActionForm action={readAllAction} about={{ game: game.slug }} label="Read all balances" pendingLabel="Starting…">
                <p className={styles.text}>
                  Every player of {game.name}. If Invo’s response breaks off, the file keeps what arrived and is marked “incomplete”.
                </p>
              </ActionForm>
            )}
          </Card>
        </div>
      )}
      {jobs.length === 0 ? (
        <EmptyState title="No balance files yet">Read balances to create the first file.</EmptyState>
      ) : (
        <SimpleTable label="Balance files" columns={columnsOf(game.slug)} rows={jobs} keyOf={({ balanceJobId }) => balanceJobId} />
      )}
      <TableNote>Files contain personal data and are deleted after {FILE_RETENTION_DAYS} days. Counts are kept.</TableNote>
    </>
  );
}

function columnsOf(slug: string): SimpleColumn<BalanceJob>[] {
  return [
    {
      label: 'File',
      cell: (job) => (
        <>
          <Link href={`/${slug}/balances/${job.balanceJobId}`}>
            File {job.balanceJobId}, {describeScope(job).toLowerCase()}
          </Link>
          <NarrowNote>
            <JobStatus job={job} />
          </NarrowNote>
        </>
      ),
    },
    { label: 'State', isWideOnly: true, cell: (job) => <JobStatus job={job} /> },
    { label: 'Found', isFigure: true, cell: ({ foundCount }) => formatCount(foundCount) },
    {
      label: 'Unknown',
      isFigure: true,
      isWideOnly: true,
      cell: ({ scope, unknownCount }) => (scope === 'all' ? '–' : formatCount(unknownCount)),
    },
    { label: 'Not answered', isFigure: true, isWideOnly: true, cell: (job) => formatUnanswered(job) },
    { label: 'Requested', isWideOnly: true, cell: ({ requestedAt }) => <Instant at={requestedAt} /> },
    { label: 'Requested by', isWideOnly: true, cell: ({ requestedBy }) => requestedBy },
    {
      label: 'Files',
      isWideOnly: true,
      cell: (job) => (job.filesDeletedAt !== null ? 'Deleted' : job.endedAt === null ? '–' : 'CSV, XLSX'),
    },
  ];
}
