import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { monthOfWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import type { MonthPulled } from '#lib/evidence/rules/due-pulls.ts';
import { parseSnapshotStatus, type SnapshotStatus } from '#lib/evidence/rules/evidence.ts';
import { type JoinedTotals, TOTAL_NAMES, TOTALS } from '#lib/evidence/rules/totals.ts';
import { type PullFacts, type PullRow, pullColumns, reshapePull } from './pulls.ts';

/** What is stored about one window. */
export interface WindowFacts {
  window: Window;
  /** The newest complete snapshot, otherwise the newest of all; null: none. */
  snapshot: SnapshotFacts | null;
  /** An inconsistent snapshot that is newer than the complete one; null: none. */
  newer: { snapshotId: number; createdAt: string } | null;
  /** The last comparison of the current snapshot with Invo; null: none. */
  recheck: { checkedAt: string; isEqual: boolean; callCount: number } | null;
  /** The last pull of the window; null: none. */
  pull: PullFacts | null;
  /** The database's clock when this was read: ages are computed from it. */
  readAt: string;
}

interface WindowRow extends PullRow, SnapshotRow {
  read_at: string;
  newer_snapshot_id: number | null;
  newer_created_at: string | null;
  rechecked_at: string | null;
  recheck_is_equal: boolean | null;
  recheck_call_count: number | null;
}

/** Lists what is stored about each of these windows of a game, in the same order: three reads by key a window, and no line. */
export async function listMonths(db: Db, gameId: number, windows: Window[]): Promise<WindowFacts[]> {
  const starts = windows.map(({ start }) => start);
  const ends = windows.map(({ end }) => end);
  const { rows } = await sql<WindowRow>`
    select now() as read_at, ${snapshotColumns}, ${pullColumns},
      current_window.newer_snapshot_id, current_window.newer_created_at,
      current_window.rechecked_at, current_window.recheck_is_equal, current_window.recheck_call_count
    from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality as asked (window_start, window_end, place)
    left join current_window
      on current_window.game_id = ${gameId} and current_window.window_start = asked.window_start and current_window.window_end = asked.window_end
    left join snapshot on snapshot.game_id = ${gameId} and snapshot.snapshot_id = current_window.snapshot_id
    left join lateral (
      select * from pull p
      where p.game_id = ${gameId} and p.window_start = asked.window_start and p.window_end = asked.window_end
      order by p.pull_id desc limit 1
    ) pull on true
    order by asked.place`.execute(db);
  return windows.map((window, place) => reshapeWindow(window, rows[place]));
}

function reshapeWindow(window: Window, row: WindowRow | undefined): WindowFacts {
  if (!row) throw new Error(`no row for the window from ${window.start}`);
  const { newer_snapshot_id: newerId, newer_created_at: newerAt, rechecked_at: checkedAt } = row;
  return {
    window,
    snapshot: reshapeSnapshot(row),
    newer: newerId === null || newerAt === null ? null : { snapshotId: newerId, createdAt: newerAt },
    recheck: checkedAt === null ? null : { checkedAt, isEqual: row.recheck_is_equal === true, callCount: row.recheck_call_count ?? 0 },
    pull: reshapePull(row),
    readAt: row.read_at,
  };
}

/** A snapshot of a window, with Invo's totals in Invo's own names. */
export interface SnapshotFacts {
  snapshotId: number;
  chainNo: number;
  /** Hexadecimal. */
  digest: string;
  pullId: number;
  createdAt: string;
  coveredUntil: string;
  status: SnapshotStatus;
  /** Invo's clock on the control totals. */
  generatedAt: string;
  controlWindowCount: number;
  totals: JoinedTotals & { recipient_count: number };
  renewalLineCount: number;
  reversalEventCount: number;
  negativeBalanceCount: number;
  negative_balance_usd: string;
  unresolvedRecipientCount: number;
  baseMismatchCount: number;
  coarseReversalCount: number;
  openItemCount: number;
  checkCount: number;
  /** Checks that match. */
  checkOkCount: number;
  /** Checks that don't match and only warn. */
  warningCount: number;
  /** Complete snapshots of the window, this one included: figures can have changed where there are several. */
  completeCount: number;
}

interface SnapshotRow {
  snapshot: (Omit<SnapshotFacts, 'createdAt' | 'coveredUntil' | 'status'> & { status: string }) | null;
  snapshot_created_at: string | null;
  snapshot_covered_until: string | null;
}

const totalsAsJson = sql.join(
  TOTAL_NAMES.flatMap((name) => {
    const column = sql.ref(`snapshot.${name}`);
    return [sql.lit(name), TOTALS[name] === 'money' ? sql`${column}::text` : column];
  }),
);

// Amounts leave the database as text inside the object: a number in JSON would lose digits.
const snapshotColumns = sql`
  snapshot.created_at as snapshot_created_at,
  snapshot.covered_until as snapshot_covered_until,
  case when snapshot.snapshot_id is not null then jsonb_build_object(
    'snapshotId', snapshot.snapshot_id, 'chainNo', snapshot.chain_no, 'digest', encode(snapshot.digest, 'hex'), 'pullId', snapshot.pull_id,
    'status', snapshot.status, 'generatedAt', snapshot.generated_at, 'controlWindowCount', snapshot.control_window_count,
    'renewalLineCount', snapshot.renewal_line_count, 'reversalEventCount', snapshot.reversal_event_count,
    'negativeBalanceCount', snapshot.negative_balance_count, 'negative_balance_usd', snapshot.negative_balance_usd::text,
    'unresolvedRecipientCount', snapshot.unresolved_recipient_count, 'baseMismatchCount', snapshot.base_mismatch_count,
    'coarseReversalCount', snapshot.coarse_reversal_count, 'openItemCount', snapshot.open_item_count,
    'checkCount', current_window.check_count, 'checkOkCount', current_window.check_ok_count,
    'warningCount', current_window.warning_count, 'completeCount', current_window.complete_count,
    'totals', jsonb_build_object(${totalsAsJson})
  ) end as snapshot`;

function reshapeSnapshot(row: SnapshotRow): SnapshotFacts | null {
  const { snapshot, snapshot_created_at: createdAt, snapshot_covered_until: coveredUntil } = row;
  if (snapshot === null || createdAt === null || coveredUntil === null) return null;
  return { ...snapshot, status: parseSnapshotStatus(snapshot.status), createdAt, coveredUntil };
}

/** Lists each calendar month of a game that was ever requested, with its status and the time of its last pull, for the schedule. */
export async function listPulledMonths(db: Db, gameId: number, timeZone: string): Promise<MonthPulled[]> {
  const rows = await db
    .selectFrom('pull')
    .leftJoin('current_window', (join) =>
      join
        .onRef('current_window.game_id', '=', 'pull.game_id')
        .onRef('current_window.window_start', '=', 'pull.window_start')
        .onRef('current_window.window_end', '=', 'pull.window_end'),
    )
    .select(['pull.window_start', 'pull.window_end', 'current_window.status'])
    .select((expression) => expression.fn.max('pull.requested_at').as('last_pulled_at'))
    .where('pull.game_id', '=', gameId)
    .groupBy(['pull.window_start', 'pull.window_end', 'current_window.status'])
    .execute();
  return rows.flatMap((row) => {
    const month = monthOfWindow({ start: row.window_start, end: row.window_end }, timeZone);
    return month === null
      ? []
      : [{ month, status: row.status === null ? null : parseSnapshotStatus(row.status), lastPulledAt: row.last_pulled_at }];
  });
}

/** Finds the start of the earliest window a pull of a game asked for; null when there was no pull. */
export async function findFirstWindowStart(db: Db, gameId: number): Promise<string | null> {
  const row = await db
    .selectFrom('pull')
    .where('game_id', '=', gameId)
    .orderBy('window_start')
    .limit(1)
    .select('window_start')
    .executeTakeFirst();
  return row?.window_start ?? null;
}
