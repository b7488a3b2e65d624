import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type ChainHead, type GameHead, parseSnapshotStatus, type Snapshot, type SnapshotStatus } from '../rules/evidence.ts';
import { type Check, parseOffenders, parseSeverity } from '../rules/reconciliation/check.ts';
import { type JoinedTotals, totalsOfRow } from '../rules/totals.ts';
import { type DriftDetails, driftOf, type IdentityChanges, identityChangesOf, withLines } from './drift.ts';

/** One snapshot with its totals, in Invo's names, and its checks. */
export interface CheckedSnapshot
  extends Pick<Snapshot, 'snapshotId' | 'coveredUntil' | 'status' | 'renewalLineCount' | 'reversalEventCount'> {
  digest: Buffer;
  window: Window;
  sliceCount: number;
  recipientCount: number;
  totals: JoinedTotals;
  checks: Check[];
}

/** Finds a snapshot for the command line, an export or verification. Throws when there is none with that id. */
export async function findSnapshot(db: Db, gameId: number, snapshotId: number): Promise<CheckedSnapshot> {
  const row = await db
    .selectFrom('snapshot')
    .selectAll('snapshot')
    .select([
      sql<number>`(select count(*) from snapshot_slice s where s.game_id = ${gameId} and s.snapshot_id = snapshot.snapshot_id)`.as(
        'slice_count',
      ),
      jsonArrayFrom(checksOf(db, gameId, snapshotId)).as('stored_checks'),
    ])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
  return {
    snapshotId,
    digest: row.digest,
    window: { start: row.window_start, end: row.window_end },
    coveredUntil: row.covered_until,
    status: parseSnapshotStatus(row.status),
    sliceCount: row.slice_count,
    renewalLineCount: row.renewal_line_count,
    reversalEventCount: row.reversal_event_count,
    recipientCount: row.recipient_count,
    totals: totalsOfRow<JoinedTotals>(row),
    checks: reshapeChecks(row.stored_checks),
  };
}

/** A check as it is stored with a snapshot. */
export type StoredCheck = Check;

/** A check as its row has it, before its parts are parsed. */
export type StoredCheckRow = Omit<Check, 'severity' | 'offenders'> & { severity: string; offenders: unknown };

function checksOf(db: Db, gameId: number, snapshotId: number) {
  return db
    .selectFrom('snapshot_check')
    .select(['name', 'severity', 'ok', 'expected', 'actual', 'difference', 'offenders'])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .orderBy('check_no');
}

/** Parses checks, each with both sides, in the order they come. */
export function reshapeChecks(rows: StoredCheckRow[]): StoredCheck[] {
  return rows.map(({ name, severity, ok, expected, actual, difference, offenders }) => ({
    name,
    severity: parseSeverity(severity),
    ok,
    expected,
    actual,
    difference,
    offenders: parseOffenders(offenders),
  }));
}

/**
 * Finds the snapshot an export takes: the newest complete one, otherwise the newest, or the one requested by its id; with the newest of the window
 * if that is a later one. null when never pulled, or no snapshot of this window has the id.
 */
export async function findExportable(
  db: Db,
  gameId: number,
  window: Window,
  snapshotId?: number,
): Promise<{ snapshotId: number; newer: { snapshotId: number; status: SnapshotStatus } | null } | null> {
  const rowsOf = (table: 'snapshot' | 'current_window') =>
    db
      .selectFrom(table)
      .select(['snapshot_id', 'status'])
      .where('game_id', '=', gameId)
      .where('window_start', '=', window.start)
      .where('window_end', '=', window.end);
  const taken =
    snapshotId === undefined
      ? await rowsOf('current_window').executeTakeFirst()
      : await rowsOf('snapshot').where('snapshot_id', '=', snapshotId).executeTakeFirst();
  if (!taken) return null;
  const newest = await rowsOf('snapshot').orderBy('snapshot_id', 'desc').limit(1).executeTakeFirstOrThrow();
  const newer =
    newest.snapshot_id > taken.snapshot_id ? { snapshotId: newest.snapshot_id, status: parseSnapshotStatus(newest.status) } : null;
  return { snapshotId: taken.snapshot_id, newer };
}

interface CurrentSnapshot extends Pick<Snapshot, 'snapshotId' | 'status' | 'createdAt'> {
  sliceIds: number[];
  totals: JoinedTotals;
}

/** Finds the current snapshot of a window: the newest complete one, otherwise the newest; null when never pulled. A re-check compares with it. */
export async function findCurrentSnapshot(db: Db, gameId: number, window: Window): Promise<CurrentSnapshot | null> {
  const row = await db
    .selectFrom('current_window')
    .innerJoin('snapshot', (join) =>
      join.on('snapshot.game_id', '=', gameId).onRef('snapshot.snapshot_id', '=', 'current_window.snapshot_id'),
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
    createdAt: row.created_at,
    sliceIds: slices.map((slice) => slice.slice_id),
    totals: totalsOfRow<JoinedTotals>(row),
  };
}

/** One snapshot in the history of a window. */
export interface SnapshotSummary
  extends Pick<Snapshot, 'snapshotId' | 'chainNo' | 'status' | 'createdAt' | 'coveredUntil'>,
    Pick<JoinedTotals, 'gross_attributed_usd' | 'reversed_attributed_usd' | 'net_attributed_usd'> {
  callCount: number;
  /** Email of the person who requested the pull, "command line" or "schedule". */
  requestedBy: string;
}

/** Snapshots shown in a list; older ones stay in the database. */
const SNAPSHOTS_MAX = 30;

function snapshotsOf(db: Db, gameId: number, window: Window) {
  return db
    .selectFrom('snapshot')
    .innerJoin('pull', (join) => join.on('pull.game_id', '=', gameId).onRef('pull.pull_id', '=', 'snapshot.pull_id'))
    .where('snapshot.game_id', '=', gameId)
    .where('snapshot.window_start', '=', window.start)
    .where('snapshot.window_end', '=', window.end)
    .orderBy('snapshot.snapshot_id', 'desc')
    .limit(SNAPSHOTS_MAX)
    .select([
      'snapshot.snapshot_id as snapshotId',
      'snapshot.chain_no as chainNo',
      'snapshot.status',
      nestedInstant('snapshot.created_at').as('createdAt'),
      nestedInstant('snapshot.covered_until').as('coveredUntil'),
      nestedMoney('snapshot.gross_attributed_usd').as('gross_attributed_usd'),
      nestedMoney('snapshot.reversed_attributed_usd').as('reversed_attributed_usd'),
      nestedMoney('snapshot.net_attributed_usd').as('net_attributed_usd'),
      'pull.call_count as callCount',
      'pull.requested_by as requestedBy',
    ]);
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

function evidenceOf(gameId: number, snapshotId: number): RawBuilder<EvidenceCounts> {
  return sql<EvidenceCounts>`(
    with own as (
      select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${snapshotId}
    ), stored as (
      select inflated_byte_count from response where game_id = ${gameId} and slice_id in (select slice_id from own)
      union all
      select inflated_byte_count from response where game_id = ${gameId} and snapshot_id = ${snapshotId}
    )
    select json_build_object(
      'sliceCount', (select count(*) from own),
      'responseCount', (select count(*) from stored),
      'responseByteCount', (select coalesce(sum(inflated_byte_count), 0) from stored),
      'callCount', (select p.call_count from snapshot s join pull p using (game_id, pull_id)
        where s.game_id = ${gameId} and s.snapshot_id = ${snapshotId})))`;
}

/** A snapshot as its reconciliation shows it. */
export interface Reconciliation {
  /** In their stored order. */
  checks: StoredCheck[];
  /** Those of a newer snapshot that doesn't reconcile; empty without one. */
  newerChecks: StoredCheck[];
  evidence: EvidenceCounts;
  /** What changed since the snapshot that this one differs from; null: its figures were never others. */
  changes: DriftDetails | null;
  /** Recipients whom an earlier snapshot names otherwise, as they are stored; null: none. */
  identityChanges: IdentityChanges | null;
  /** The snapshots of the window, newest first, at most 30. */
  snapshots: SnapshotSummary[];
}

/** Finds the checks and the evidence of a snapshot, and the history of its window, in one statement, and one more for lines that changed. */
export async function findReconciliation(
  db: Db,
  gameId: number,
  { window, snapshotId, newerId }: { window: Window; snapshotId: number; newerId: number | null },
): Promise<Reconciliation> {
  const row = await db
    .selectNoFrom([
      jsonArrayFrom(checksOf(db, gameId, snapshotId)).as('checks'),
      jsonArrayFrom(checksOf(db, gameId, newerId ?? -1)).as('newerChecks'),
      jsonArrayFrom(snapshotsOf(db, gameId, window)).as('snapshots'),
      evidenceOf(gameId, snapshotId).as('evidence'),
      driftOf(gameId, snapshotId).as('changes'),
      identityChangesOf(gameId, snapshotId).as('identityChanges'),
    ])
    .executeTakeFirstOrThrow();
  return {
    checks: reshapeChecks(row.checks),
    newerChecks: reshapeChecks(row.newerChecks),
    evidence: row.evidence,
    changes: row.changes === null ? null : await withLines(db, { gameId, snapshotId }, row.changes),
    identityChanges: row.identityChanges,
    snapshots: row.snapshots.map((each) => ({ ...each, status: parseSnapshotStatus(each.status) })),
  };
}

/** Finds the newest link of a game's chain of snapshots; null: nothing is stored. */
export async function findChainHead(db: Db, gameId: number): Promise<ChainHead | null> {
  const row = await db
    .selectFrom('snapshot')
    .select(['chain_no', 'digest'])
    .where('game_id', '=', gameId)
    .orderBy('chain_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { position: row.chain_no, digest: row.digest.toString('hex') } : null;
}

/** Lists the newest link of each game that has one, or of one game. */
export async function listChainHeads(db: Db, game: { slug: string; environment: string } | null): Promise<GameHead[]> {
  const rows = await db
    .selectFrom('snapshot')
    .innerJoin('game', 'game.game_id', 'snapshot.game_id')
    .distinctOn('snapshot.game_id')
    .select(['game.slug', 'game.environment', 'snapshot.chain_no', 'snapshot.digest'])
    .$if(game !== null, (query) => query.where('slug', '=', game?.slug ?? '').where('environment', '=', game?.environment ?? ''))
    .orderBy('snapshot.game_id')
    .orderBy('snapshot.chain_no', 'desc')
    .execute();
  return rows.map((row) => ({ game: row.slug, environment: row.environment, position: row.chain_no, digest: row.digest.toString('hex') }));
}
