import type { Metadata } from 'next';
import { forbidden, notFound } from 'next/navigation';
import type { ReactElement, ReactNode } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { type BalanceJob, type CurrencySum, findBalanceJob, sumBalances } from '#lib/balances/reads.ts';
import { FILE_RETENTION_DAYS, isActive } from '#lib/balances/rules/balance-job.ts';
import { describeScope, formatUnanswered, JobStatus } from '../_files/balance-parts.tsx';
import { BalanceProgress } from '../_files/balance-progress.tsx';

export const metadata: Metadata = { title: 'Balance file' };

/** One job: its progress, then its figures and files. */
export default async function BalanceJobPage({ params }: { params: Promise<{ game: string; job: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  if (!person.may('balances.read')) forbidden();
  const { game: slug, job: text } = await params;
  const game = await requireGame(slug);
  const job = /^[1-9]\d{0,14}$/.test(text) ? await findBalanceJob(db(), game.gameId, Number(text)) : null;
  if (job === null) notFound();
  const hasFiles = job.endedAt !== null && job.filesDeletedAt === null;
  const sums = hasFiles ? await sumBalances(db(), game.gameId, job.balanceJobId) : [];
  return (
    <>
      <PageHead
        title={`Balance file ${job.balanceJobId}`}
        beside={<JobStatus job={job} />}
        actions={hasFiles && <FileButtons slug={slug} job={job} />}
      >
        {describeScope(job)}, requested by {job.requestedBy}.
      </PageHead>
      {isActive(job.state) && <BalanceProgress game={slug} first={job} mayStop={person.may('balances.export')} />}
      <JobNotices job={job} />
      <Card title="What was read">
        <Facts columns={4} facts={factsOf(job)} />
      </Card>
      {sums.length > 0 && (
        <>
          <SimpleTable
            label="Coins by currency"
            columns={SUM_COLUMNS}
            rows={sums}
            keyOf={(sum) => `${sum.currency_id} ${sum.currency_name}`}
          />
          <TableNote>
            Coins; each player counts once. Currencies are never added up. Balances can change while they are read, so this is not a
            snapshot of a single moment.
          </TableNote>
        </>
      )}
    </>
  );
}

function FileButtons({ slug, job }: { slug: string; job: BalanceJob }): ReactElement {
  const address = `/${slug}/balances/${job.balanceJobId}`;
  return (
    <>
      <LinkButton kind="main" href={`${address}/csv`} isFile>
        Download CSV
      </LinkButton>
      <LinkButton href={`${address}/xlsx`} isFile>
        Download XLSX
      </LinkButton>
      <LinkButton href={`${address}/csv.manifest.json`} isFile>
        Manifest
      </LinkButton>
    </>
  );
}

function JobNotices({ job }: { job: BalanceJob }): ReactNode {
  if (job.endedAt === null) return null;
  const list = job.reasons.length > 0 && (
    <ul>
      {job.reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
  return (
    <>
      {!job.isComplete && (
        <Notice voice="bad" title="This file is incomplete">
          {list}
        </Notice>
      )}
      {job.isComplete && list && (
        <Notice voice="note" title="About this file">
          {list}
        </Notice>
      )}
      {job.filesDeletedAt !== null && (
        <Notice voice="note" title="Files deleted">
          What was read was deleted after {FILE_RETENTION_DAYS} days. The figures stay.
        </Notice>
      )}
    </>
  );
}

function factsOf(job: BalanceJob): { label: string; value: ReactNode; note?: ReactNode; isWide?: true }[] {
  const isSome = job.scope === 'some';
  const when = (instant: string | null): ReactNode => (instant === null ? 'Not read' : <Instant at={instant} precision="second" />);
  return [
    ...(isSome
      ? [{ label: 'Emails', value: formatCount(job.addressCount ?? 0), note: `on ${countNoun(job.lineCount ?? 0, 'line')}` }]
      : []),
    { label: isSome ? 'Found' : 'Players', value: formatCount(job.foundCount) },
    ...(isSome ? [{ label: 'Unknown to Invo', value: formatCount(job.unknownCount) }] : []),
    { label: 'Not answered', value: formatUnanswered(job), ...(job.unansweredCount > 0 ? { note: 'unknown, not 0' } : {}) },
    {
      label: 'Read at',
      value: when(job.readFrom),
      ...(job.readUntil === null ? {} : { note: <>until {when(job.readUntil)}</> }),
      isWide: true,
    },
  ];
}

const SUM_COLUMNS: SimpleColumn<CurrencySum>[] = [
  { label: 'Currency', cell: ({ currency_name, currency_id }) => currency_name ?? currency_id ?? 'Not reported' },
  { label: 'Players', isFigure: true, cell: ({ players }) => formatCount(players) },
  { label: 'Available', isFigure: true, cell: (sum) => <Sum sum={sum} amount={sum.available_balance} /> },
  { label: 'Reserved', isFigure: true, isWideOnly: true, cell: (sum) => <Sum sum={sum} amount={sum.reserved_balance} /> },
  { label: 'Total', isFigure: true, isWideOnly: true, cell: (sum) => <Sum sum={sum} amount={sum.total_balance} /> },
];

function Sum({ sum, amount }: { sum: CurrencySum; amount: string | null }): ReactNode {
  if (amount !== null) return <Money amount={amount} />;
  return sum.currency_id === null && sum.currency_name === null ? 'Not added up' : 'Not reported';
}
