import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { countEvidence, listChecks, listSnapshots } from '#db/evidence/reads/snapshots.ts';
import { loadDrift } from '../load-drift.ts';
import { loadMonth } from '../load-month.ts';
import { ChecksMeaning } from './checks-meaning.tsx';
import { ChecksTable } from './checks-table.tsx';
import { DriftTables } from './drift-tables.tsx';
import { EvidenceFacts } from './evidence-facts.tsx';
import { StatementsTable } from './statements-table.tsx';

export const metadata: Metadata = { title: 'Proof' };

export default async function ProofPage({ params }: { params: Promise<{ game: string; month: string }> }): Promise<ReactElement | null> {
  await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const { snapshot } = row;
  if (snapshot === null) return null;
  const [checks, evidence, statements, drift] = await Promise.all([
    listChecks(db(), game.gameId, snapshot.snapshotId),
    countEvidence(db(), game.gameId, snapshot.snapshotId),
    listSnapshots(db(), game.gameId, row.window),
    loadDrift(slug, month),
  ]);
  const newer = row.newer === null ? [] : await listChecks(db(), game.gameId, row.newer.snapshotId);
  const broken = newer.filter((check) => !check.ok);
  return (
    <>
      {row.newer !== null && <ChecksTable label={`What does not tie in the newer snapshot ${row.newer.snapshotId}`} checks={broken} />}
      {drift !== null && <DriftTables drift={drift} snapshotId={snapshot.snapshotId} slug={game.slug} />}
      <ChecksTable label={`Checks of snapshot ${snapshot.snapshotId}`} checks={checks} />
      <ChecksMeaning />
      <EvidenceFacts snapshot={snapshot} evidence={evidence} timeZone={game.timeZone} />
      {statements.length > 1 && <StatementsTable statements={statements} shownId={snapshot.snapshotId} />}
    </>
  );
}
