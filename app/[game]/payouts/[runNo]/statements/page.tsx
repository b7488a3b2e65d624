import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { formatCount } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { findStatementJob, type StatementJob } from '#lib/payouts/reads/statements.ts';
import { VOIDED_STATEMENTS } from '#lib/payouts/text.ts';
import { RunHead } from '../../_run/run-head.tsx';
import { loadRun, statementRights, statementsList } from '../../_run/run-lists.ts';
import { drawStatementsAction } from '../actions.ts';
import { DrawProgress } from './statement-controls.tsx';

export const metadata: Metadata = { title: 'Statements' };

interface StatementsPageProps {
  params: Promise<{ game: string; runNo: string }>;
  searchParams: SearchParams;
}

export default async function StatementsPage({ params, searchParams }: StatementsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  if (run.state !== 'approved' || run.approvedAt === null)
    return (
      <>
        <RunHead game={game} run={run} />
        <EmptyState title="No statements">
          {run.state === 'void' ? VOIDED_STATEMENTS : 'Statements are available once the run is approved.'}
        </EmptyState>
      </>
    );
  const may = statementRights(person);
  const [{ spec, first }, job] = await Promise.all([
    statementsList.loadFirst({ game, run, ...may }, searchParams),
    may.mayExport ? findStatementJob(db(), run) : null,
  ]);
  return (
    <>
      <RunHead game={game} run={run} actions={may.mayExport && <AllStatements game={game} run={run} job={job} />} />
      <JobNotice game={game} run={run} job={job} />
      <DataTable key={run.runId} spec={spec} first={first} />
      <TableNote>
        Statements are downloaded here; Sharebook sends none. Amounts in USD. Each statement adds up to its line of the run; its evidence is
        under <Link href={`/${game.slug}/months`}>months</Link>.
      </TableNote>
    </>
  );
}

interface JobProps {
  game: Game;
  run: Run;
  job: StatementJob | null;
}

/** The ZIP of all statements: requested once, then a file. */
function AllStatements({ game, run, job }: JobProps): ReactNode {
  if (job?.state === 'done' && job.drawnCount === run.lineCount)
    return (
      <LinkButton href={`/${game.slug}/payouts/${run.runNo}/statements/zip`} isFile>
        Download all statements (ZIP)
      </LinkButton>
    );
  if (isActive(job)) return null;
  const about = { game: game.slug, runNo: String(run.runNo) };
  return <ActionForm action={drawStatementsAction} about={about} label="All statements (ZIP)" pendingLabel="Starting…" />;
}

function JobNotice({ game, run, job }: JobProps): ReactNode {
  if (job === null) return null;
  if (isActive(job)) return <DrawProgress key={job.statementJobId} game={game.slug} runNo={run.runNo} first={job} />;
  return job.failure === null ? null : (
    <Notice voice="bad" title={`Drew ${formatCount(job.drawnCount)} of ${formatCount(job.lineCount)} statements`}>
      {job.failure} What was drawn is kept.
    </Notice>
  );
}

function isActive(job: StatementJob | null): boolean {
  return job?.state === 'queued' || job?.state === 'running';
}
