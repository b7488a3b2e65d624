import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { listOpenItems } from '#db/evidence/reads/open-items.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import { loadMonth } from '../load-month.ts';
import { BaseQuestions } from './base-questions.tsx';
import { CoarseQuestions } from './coarse-questions.tsx';
import { BenignReason, ReasonQuestions } from './reason-questions.tsx';
import { UnresolvedQuestions } from './unresolved-questions.tsx';

export const metadata: Metadata = { title: 'Questions' };

export default async function QuestionsPage({
  params,
}: {
  params: Promise<{ game: string; month: string }>;
}): Promise<ReactElement | null> {
  await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const { snapshot } = row;
  if (snapshot === null) return null;
  const { unresolved, baseMismatches, coarseReversals } = await listOpenItems(db(), game.gameId, snapshot.snapshotId);
  const counted = Object.entries(snapshot.totals.unattributed_reasons).map(([reason, count]) => ({ reason, count }));
  const reasons = counted.filter(({ reason, count }) => reason !== BENIGN_REASON && count > 0);
  const benign = counted.find(({ reason }) => reason === BENIGN_REASON)?.count ?? 0;
  const isClear = reasons.length + unresolved.length + baseMismatches.length + coarseReversals.length === 0;
  const recipients = `/${game.slug}/recipients`;
  return (
    <>
      {isClear && (
        <EmptyState title="Nothing is open">
          Every recipient was found, every base agrees, every reversal has its receipts, and nothing is left without a known reason.
        </EmptyState>
      )}
      <ReasonQuestions reasons={reasons} />
      <UnresolvedQuestions rows={unresolved} count={snapshot.unresolvedRecipientCount} recipientsHref={recipients} />
      <BaseQuestions rows={baseMismatches} count={snapshot.baseMismatchCount} recipientsHref={recipients} />
      <CoarseQuestions rows={coarseReversals} count={snapshot.coarseReversalCount} recipientsHref={recipients} />
      <BenignReason count={benign} />
    </>
  );
}
