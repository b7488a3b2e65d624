import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { parseSnapshotStatus, type SnapshotStatus } from '#lib/evidence/rules/evidence.ts';
import { type Check, parseOffenders, parseSeverity } from '#lib/evidence/rules/reconciliation/check.ts';
import { type JoinedTotals, totalsOfRow } from '#lib/evidence/rules/totals.ts';

/** One snapshot with its totals, in Invo's names, and its checks. */
export interface Snapshot {
  snapshotId: number;
  digest: Buffer;
  window: Window;
  coveredUntil: string;
  status: SnapshotStatus;
  sliceCount: number;
  renewalLineCount: number;
  reversalEventCount: number;
  recipientCount: number;
  totals: JoinedTotals;
  checks: Check[];
}

/** Finds a snapshot for the command line, an export or verification. Throws when there is none with that id. */
export async function findSnapshot(db: Db, gameId: number, snapshotId: number): Promise<Snapshot> {
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
    status: parseSnapshotStatus(row.status),
    sliceCount: slices.count,
    renewalLineCount: row.renewal_line_count,
    reversalEventCount: row.reversal_event_count,
    recipientCount: row.recipient_count,
    totals: totalsOfRow<JoinedTotals>(row),
    checks: await listChecks(db, gameId, snapshotId),
  };
}

/** A check as it is stored with a snapshot. */
export type StoredCheck = Check;

/** Lists the checks of a snapshot in their stored order, each with both sides. */
export async function listChecks(db: Db, gameId: number, snapshotId: number): Promise<Check[]> {
  const rows = await db
    .selectFrom('snapshot_check')
    .select(['name', 'severity', 'ok', 'expected', 'actual', 'difference', 'offenders'])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .orderBy('check_no')
    .execute();
  return rows.map((row) => ({ ...row, severity: parseSeverity(row.severity), offenders: parseOffenders(row.offenders) }));
}

/** Finds the snapshot an export takes: the newest complete one, otherwise the newest, with a later one if there is one; null when never pulled. */
export async function findExportable(
  db: Db,
  gameId: number,
  window: Window,
): Promise<{ snapshotId: number; newer: { snapshotId: number; status: SnapshotStatus } | null } | null> {
  const of = (table: 'snapshot' | 'current_window') =>
    db
      .selectFrom(table)
      .select(['snapshot_id', 'status'])
      .where('game_id', '=', gameId)
      .where('window_start', '=', window.start)
      .where('window_end', '=', window.end);
  const current = await of('current_window').executeTakeFirst();
  if (!current) return null;
  const newest = await of('snapshot').orderBy('snapshot_id', 'desc').limit(1).executeTakeFirstOrThrow();
  const newer =
    newest.snapshot_id > current.snapshot_id ? { snapshotId: newest.snapshot_id, status: parseSnapshotStatus(newest.status) } : null;
  return { snapshotId: current.snapshot_id, newer };
}

export interface CurrentSnapshot {
  snapshotId: number;
  status: SnapshotStatus;
  sliceIds: number[];
  totals: JoinedTotals;
}

/** Finds the current snapshot of a window: the newest complete one, otherwise the newest; null when never pulled. A re-check compares with it. */
export async function findCurrentSnapshot(db: Db, gameId: number, window: Window): Promise<CurrentSnapshot | null> {
  const row = await db
    .selectFrom('current_window')
    .innerJoin('snapshot', (join) =>
      join.onRef('snapshot.game_id', '=', 'current_window.game_id').onRef('snapshot.snapshot_id', '=', 'current_window.snapshot_id'),
    )
    .selectAll('snapshot')
    .where('current_window.game_id', '=', gameId)
    .where('current_window.window_start', '=', window.start)
    .where('current_window.window_end', '=', window.end)
    .executeTakeFirst();
  if (!row) return null;
  const slices = await db
    .selectFrom('snapshot_slice')
    .select('slice_id')
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', row.snapshot_id)
    .orderBy('slice_no')
    .execute();
  return {
    snapshotId: row.snapshot_id,
    status: parseSnapshotStatus(row.status),
    sliceIds: slices.map((slice) => slice.slice_id),
    totals: totalsOfRow<JoinedTotals>(row),
  };
}

/** One snapshot in the history of a window. */
export interface SnapshotSummary {
  snapshotId: number;
  chainNo: number;
  status: SnapshotStatus;
  createdAt: string;
  coveredUntil: string;
  gross_attributed_usd: string;
  reversed_attributed_usd: string;
  net_attributed_usd: string;
  callCount: number;
  /** Email of the person who requested the pull, "command line" or "schedule". */
  requestedBy: string;
}

/** Snapshots shown in a list; older ones stay in the database. */
const SNAPSHOTS_MAX = 30;

/** Lists the snapshots of one window, newest first, at most 30. */
export async function listSnapshots(db: Db, gameId: number, window: Window): Promise<SnapshotSummary[]> {
  const rows = await db
    .selectFrom('snapshot')
    .innerJoin('pull', (join) => join.onRef('pull.game_id', '=', 'snapshot.game_id').onRef('pull.pull_id', '=', 'snapshot.pull_id'))
    .where('snapshot.game_id', '=', gameId)
    .where('snapshot.window_start', '=', window.start)
    .where('snapshot.window_end', '=', window.end)
    .orderBy('snapshot.snapshot_id', 'desc')
    .limit(SNAPSHOTS_MAX)
    .select([
      'snapshot.snapshot_id as snapshotId',
      'snapshot.chain_no as chainNo',
      'snapshot.status',
      'snapshot.created_at as createdAt',
      'snapshot.covered_until as coveredUntil',
      'snapshot.gross_attributed_usd',
      'snapshot.reversed_attributed_usd',
      'snapshot.net_attributed_usd',
      'pull.call_count as callCount',
      'pull.requested_by as requestedBy',
    ])
    .execute();
  return rows.map((row) => ({ ...row, status: parseSnapshotStatus(row.status) }));
}

/** How much evidence a snapshot has. */
export interface EvidenceCounts {
  sliceCount: number;
  /** Responses of Invo stored for it. */
  responseCount: number;
  /** Bytes of those responses before compression. */
  responseByteCount: number;
  /** Calls its slices and the pull that built it took. */
  callCount: number;
}

/** Counts the evidence of a snapshot: slices, stored responses with their bytes, and calls. */
export async function countEvidence(db: Db, gameId: number, snapshotId: number): Promise<EvidenceCounts> {
  const { rows } = await sql<EvidenceCounts>`
    with own as (
      select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${snapshotId}
    ), stored as (
      select inflated_byte_count from response where game_id = ${gameId} and slice_id in (select slice_id from own)
      union all
      select inflated_byte_count from response where game_id = ${gameId} and snapshot_id = ${snapshotId}
    )
    select
      (select count(*) from own) as "sliceCount",
      (select count(*) from stored) as "responseCount",
      (select coalesce(sum(inflated_byte_count), 0)::bigint from stored) as "responseByteCount",
      (select p.call_count::bigint from snapshot s join pull p using (game_id, pull_id)
        where s.game_id = ${gameId} and s.snapshot_id = ${snapshotId}) as "callCount"`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error(`no evidence counts for snapshot ${snapshotId}`);
  return counts;
}
