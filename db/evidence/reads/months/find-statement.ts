import { TOTALS_COLUMNS } from '#db/evidence/columns.ts';
import type { Standing } from '#db/evidence/writes/snapshots.ts';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { Check } from '#lib/evidence/rules/proof/check.ts';
import type { JoinedTotals } from '#lib/evidence/rules/totals.ts';

/** One snapshot with its totals, in Invo's names, and its checks. */
export interface Statement {
  snapshotId: number;
  digest: Buffer;
  window: Window;
  coveredUntil: string;
  standing: Standing;
  sliceCount: number;
  renewalLineCount: number;
  reversalEventCount: number;
  recipientCount: number;
  totals: JoinedTotals;
  checks: Check[];
}

/** A snapshot as the command line, the export and the proof speak of it. Throws when there is none of that id. */
export async function findStatement(db: Db, gameId: number, snapshotId: number): Promise<Statement> {
  const row = await db
    .selectFrom('snapshot')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
  const slices = await db
    .selectFrom('snapshot_slice')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
  return {
    snapshotId,
    digest: row.digest,
    window: { start: row.window_start, end: row.window_end },
    coveredUntil: row.covered_until,
    standing: row.standing as Standing,
    sliceCount: slices.count,
    renewalLineCount: row.renewal_line_count,
    reversalEventCount: row.reversal_event_count,
    recipientCount: row.recipient_count,
    totals: Object.fromEntries(TOTALS_COLUMNS.map((name) => [name, row[name]])) as unknown as JoinedTotals,
    checks: await listStoredChecks(db, gameId, snapshotId),
  };
}

/** The checks of a snapshot in the order of the proof, each with both its sides as stored. */
async function listStoredChecks(db: Db, gameId: number, snapshotId: number): Promise<Check[]> {
  const rows = await db
    .selectFrom('snapshot_check')
    .select(['name', 'severity', 'ok', 'expected', 'actual', 'difference', 'offenders'])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .orderBy('check_no')
    .execute();
  return rows.map((row) => ({ ...row, severity: row.severity as Check['severity'], offenders: row.offenders as Check['offenders'] }));
}

/** Which statement an export of a window takes: the newest complete one, else the newest, and what was pulled after it; null when never pulled. */
export async function findExportable(
  db: Db,
  gameId: number,
  window: Window,
): Promise<{ snapshotId: number; newer: { snapshotId: number; standing: Standing } | null } | null> {
  const of = (view: 'snapshot' | 'current_snapshot') =>
    db
      .selectFrom(view)
      .select(['snapshot_id', 'standing'])
      .where('game_id', '=', gameId)
      .where('window_start', '=', window.start)
      .where('window_end', '=', window.end);
  const current = await of('current_snapshot').executeTakeFirst();
  if (!current) return null;
  const newest = await of('snapshot').orderBy('snapshot_id', 'desc').limit(1).executeTakeFirstOrThrow();
  const newer = newest.snapshot_id > current.snapshot_id ? { snapshotId: newest.snapshot_id, standing: newest.standing as Standing } : null;
  return { snapshotId: current.snapshot_id, newer };
}
