import 'server-only';
import { db } from '#app/_server/wiring.ts';
import { findMonthSnapshot, type MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import type { Game } from '#lib/core/game.ts';
import type { MonthTable } from './month-table.ts';

/** What the lists of a month are read from: one snapshot, and what the person may see of it. */
export interface MonthSource extends MonthSnapshot {
  canSeeEmails: boolean;
  mayExport: boolean;
  /** One recipient's rows only; null: all. */
  recipient: number | null;
}

export interface MonthViewer {
  may(right: 'emails.read' | 'files.export'): boolean;
}

/** The snapshot of a month that lists read from: the newest complete one, or the one named by its ID; null when there is none. */
export async function findMonthSource(
  game: Game,
  month: string,
  viewer: MonthViewer,
  choice: { snapshotId?: number | null; recipient?: number } = {},
): Promise<MonthSource | null> {
  const snapshot = await findMonthSnapshot(db(), game, month, choice.snapshotId ?? undefined);
  if (snapshot === null) return null;
  return {
    ...snapshot,
    canSeeEmails: viewer.may('emails.read'),
    mayExport: viewer.may('files.export'),
    recipient: choice.recipient ?? null,
  };
}

/** What the tables of a source know of its month. */
export function tableOf({
  snapshot,
  month,
  status,
  mayExport,
  canSeeEmails,
  recent,
  previousSnapshotId,
  recipient,
}: MonthSource): MonthTable {
  return {
    slug: snapshot.slug,
    month,
    snapshotId: snapshot.snapshotId,
    isComplete: status === 'complete',
    mayExport,
    canSeeEmails,
    months: recent.map((each) => each.month),
    hasPrevious: previousSnapshotId !== null,
    recipient,
  };
}
