import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { config, db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { showControls } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { statementRights } from '#app/[game]/payouts/_run/run-lists.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { findStatementPaper } from '#lib/payouts/find-statement.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import { VOIDED_STATEMENTS } from '#lib/payouts/text.ts';
import { PrintButton } from '../statement-controls.tsx';
import { StatementSheet } from './statement-sheet.tsx';

export const metadata: Metadata = { title: 'Statement' };

interface StatementPageProps {
  params: Promise<{ game: string; runNo: string; playerId: string }>;
  searchParams: Promise<{ lines?: string | string[] }>;
}

export default async function StatementPage({ params, searchParams }: StatementPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo: runText, playerId: playerText } = await params;
  const game = await requireGame(slug);
  const runNo = parseRunNo(runText) ?? notFound();
  const playerId = parseNumericId(playerText) ?? notFound();
  const { canSeeEmails, mayExport } = statementRights(person);
  const about = { ...game, db: db(), isSimulated: config().isSimulated };
  const found = await findStatementPaper(about, { runNo, playerId, canSeeEmails });
  if (!found.ok && found.reason !== 'not_approved' && found.reason !== 'voided') notFound();
  if (!found.ok)
    return (
      <EmptyState title="No statement" isPage>
        {found.reason === 'voided' ? VOIDED_STATEMENTS : 'Statements are available once the run is approved.'}
      </EmptyState>
    );
  const { paper, groups } = found;
  const here = `/${game.slug}/payouts/${runNo}/statements`;
  return (
    <>
      <div data-print="no">
        <PageHead
          title={`Statement, ${paper.month}`}
          actions={
            <>
              <PrintButton />
              {mayExport && (
                <>
                  <LinkButton href={`${here}/${playerId}/csv`} isFile>
                    Download CSV
                  </LinkButton>
                  <LinkButton href={`${here}/${playerId}/pdf`} kind="main" isFile>
                    Download PDF
                  </LinkButton>
                </>
              )}
            </>
          }
        >
          <Link href={`/${game.slug}/recipients/${playerId}`}>{paper.name === null ? paper.player : showControls(paper.name)}</Link> ·{' '}
          <Link href={here}>all statements of run {runNo}</Link>
        </PageHead>
      </div>
      <StatementSheet paper={paper} groups={groups} isWhole={(await searchParams).lines === 'all'} />
    </>
  );
}
