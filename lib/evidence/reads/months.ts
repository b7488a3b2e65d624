import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { Window } from '#lib/core/window.ts';
import { parseSnapshotStatus, type Snapshot, type SnapshotStatus } from '../rules/evidence.ts';
import { type JoinedTotals, TOTAL_NAMES, TOTALS } from '../rules/totals.ts';
import { type Drift, driftOfSnapshot } from './drift.ts';
import type { CurrentWindow } from './month-snapshot.ts';
import { type PullFacts, pullColumn, reshapePull, type StoredPull } from './pulls.ts';
import { reshapeChecks, type StoredCheck, type StoredCheckRow } from './snapshots.ts';

/** What is stored about one window. */
export interface WindowFacts {
  window: Window;
  /** The newest complete snapshot, otherwise the newest of all; null: none. */
  snapshot: Snapshot | null;
  /** An inconsistent snapshot that is newer than the complete one; null: none. */
  newer: NewerSnapshot | null;
  /** The last comparison of the current snapshot with Invo; null: none. */
  recheck: { checkedAt: string; isEqual: boolean; callCount: number } | null;
  /** How the snapshot differs from an earlier complete one; null: it doesn't, or isn't complete. */
  drift: Drift | null;
  /** The last pull of the window; null: none. */
  pull: PullFacts | null;
  /** The payout run of the window that isn't voided; null: none. */
  run: MonthRun | null;
  /** The database's clock when this was read: ages are computed from it. */
  readAt: string;
}

/** The payout run of a month: how far it is, and what it pays in USD. */
export interface MonthRun {
  runNo: number;
  /** `parseRunProgress` reads it. */
  state: string;
  payable_usd: string;
}

/** A snapshot beside the current one, with its totals in USD. */
export interface NewerSnapshot
  extends Pick<Snapshot, 'snapshotId' | 'createdAt'>,
    Pick<JoinedTotals, 'gross_attributed_usd' | 'reversed_attributed_usd' | 'net_attributed_usd'> {}

/** What is stored about one month, with what its page says above the figures. */
export interface MonthFacts extends WindowFacts {
  /** The hard checks of the current snapshot that don't match, in order. */
  failingChecks: StoredCheck[];
  /** Every current window of the game: rows of a month without a rendition are read from its snapshot, beside earlier ones. */
  windows: CurrentWindow[];
}

interface WindowRow extends Pick<WindowFacts, 'newer' | 'recheck' | 'drift' | 'run' | 'readAt'> {
  snapshot: StoredSnapshot | null;
  pull: StoredPull | null;
}

/**
 * Lists what is stored about each of these windows of a game, in the same order, and the reversals that two of its months report: a few reads by
 * key a window, and no line.
 */
export async function listMonths(
  db: Db,
  game: Pick<GameRef, 'gameId' | 'timeZone'>,
  windows: Window[],
): Promise<{ windows: WindowFacts[]; repeated: RepeatedReversals[] }> {
  const repeated = repeatedInMonths(game, { statuses: ['complete', 'open'] });
  const rows = await readWindows(db, game.gameId, windows, sql`, case when asked.place = 1 then ${repeated} end as repeated`);
  return { windows: windows.map((window, index) => reshapeWindow(window, rows[index])), repeated: rows[0]?.repeated ?? [] };
}

/** Finds what is stored about a month and about the one before it, in one statement. */
export async function findMonth(
  db: Db,
  gameId: number,
  { window, before }: { window: Window; before: Window },
): Promise<{ month: MonthFacts; before: WindowFacts }> {
  const [row, rowBefore] = await readWindows(db, gameId, [window, before], monthColumns(gameId));
  const { failing_checks: failing = null, windows = null } = row ?? {};
  return {
    month: { ...reshapeWindow(window, row), failingChecks: reshapeChecks(failing ?? []), windows: windows ?? [] },
    before: reshapeWindow(before, rowBefore),
  };
}

// Only the first window's: the month before is read for its net.
const monthColumns = (gameId: number): RawBuilder<unknown> => sql`,
  case when asked.place = 1 and snapshot.status = 'inconsistent' then (
    select json_agg(failing order by failing.check_no) from snapshot_check failing
    where failing.game_id = ${gameId} and failing.snapshot_id = snapshot.snapshot_id and not failing.ok and failing.severity = 'hard'
  ) end as failing_checks,
  case when asked.place = 1 then (
    select json_agg(json_build_object('snapshot_id', w.snapshot_id, 'window_start', ${nestedInstant('w.window_start')},
      'window_end', ${nestedInstant('w.window_end')}, 'status', w.status, 'covered_until', ${nestedInstant('w.covered_until')}))
    from current_window w where w.game_id = ${gameId} and w.game_id = current_window.game_id
  ) end as windows`;

interface MonthRow extends WindowRow {
  repeated?: RepeatedReversals[] | null;
  failing_checks?: StoredCheckRow[] | null;
  windows?: CurrentWindow[] | null;
}

async function readWindows(db: Db, gameId: number, windows: Window[], more: RawBuilder<unknown>): Promise<MonthRow[]> {
  const starts = windows.map(({ start }) => start);
  const ends = windows.map(({ end }) => end);
  const { rows } = await sql<MonthRow>`
    select (select clock_now()) as "readAt", ${snapshotColumn(gameId)}, ${pullColumn} as pull, ${newerColumn}, ${driftOfSnapshot(gameId)} as drift,
      ${recheckColumn}, ${runColumn(gameId)}${more}
    from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality as asked (window_start, window_end, place)
    left join current_window
      on current_window.game_id = ${gameId} and current_window.window_start = asked.window_start and current_window.window_end = asked.window_end
    left join snapshot on snapshot.game_id = ${gameId} and snapshot.snapshot_id = current_window.snapshot_id
    left join snapshot newer on newer.game_id = ${gameId} and newer.snapshot_id = current_window.newer_snapshot_id
    left join lateral (
      select * from pull p
      where p.game_id = ${gameId} and p.window_start = asked.window_start and p.window_end = asked.window_end
      order by p.pull_id desc limit 1
    ) pull on true
    order by asked.place`.execute(db);
  return rows;
}

const runColumn = (gameId: number): RawBuilder<unknown> => sql`(
    select json_build_object('runNo', run.run_no, 'state', case when run.state <> 'approved' then run.state when run.closed_at is not null then 'closed'
      when run.paid_at is not null then 'paid' when run.exported_at is not null then 'exported' else run.state end, 'payable_usd', ${nestedMoney('run.payable_usd')}) from payout_run run
    where run.game_id = ${gameId} and run.game_id = current_window.game_id and run.window_start = asked.window_start and run.window_end = asked.window_end and run.state <> 'void'
  ) as run`;

const newerColumn = sql`case when newer.snapshot_id is not null then json_build_object(
    'snapshotId', newer.snapshot_id, 'createdAt', ${nestedInstant('newer.created_at')},
    'gross_attributed_usd', ${nestedMoney('newer.gross_attributed_usd')},
    'reversed_attributed_usd', ${nestedMoney('newer.reversed_attributed_usd')},
    'net_attributed_usd', ${nestedMoney('newer.net_attributed_usd')}
  ) end as newer`;

const recheckColumn = sql`case when current_window.rechecked_at is not null then json_build_object(
    'checkedAt', ${nestedInstant('current_window.rechecked_at')}, 'isEqual', coalesce(current_window.recheck_is_equal, false),
    'callCount', coalesce(current_window.recheck_call_count, 0)) end as recheck`;

function reshapeWindow(window: Window, row: WindowRow | undefined): WindowFacts {
  if (!row) throw new Error(`no row for the window from ${window.start}`);
  const { snapshot, pull, newer, recheck, drift, run, readAt } = row;
  return {
    window,
    snapshot: snapshot === null ? null : reshapeSnapshot(snapshot),
    pull: pull === null ? null : reshapePull(pull),
    newer,
    recheck,
    drift,
    run,
    readAt,
  };
}

type StoredSnapshot = Omit<Snapshot, 'status'> & { status: string };

const totalsAsJson = sql.join(
  TOTAL_NAMES.flatMap((name) => {
    const column = sql.ref(`snapshot.${name}`);
    return [sql.lit(name), TOTALS[name] === 'money' ? sql`${column}::text` : column];
  }),
);

// Amounts leave the database as text inside the object: a number in JSON would lose digits.
const snapshotColumn = (gameId: number): RawBuilder<unknown> => sql`
  case when snapshot.snapshot_id is not null then jsonb_build_object(
    'snapshotId', snapshot.snapshot_id, 'chainNo', snapshot.chain_no, 'digest', encode(snapshot.digest, 'hex'), 'pullId', snapshot.pull_id,
    'status', snapshot.status, 'createdAt', ${nestedInstant('snapshot.created_at')}, 'coveredUntil', ${nestedInstant('snapshot.covered_until')},
    'generatedAt', snapshot.generated_at, 'controlWindowCount', snapshot.control_window_count,
    'renewalLineCount', snapshot.renewal_line_count, 'reversalEventCount', snapshot.reversal_event_count,
    'negativeBalanceCount', snapshot.negative_balance_count, 'negative_balance_usd', snapshot.negative_balance_usd::text,
    'unresolvedRecipientCount', snapshot.unresolved_recipient_count, 'baseMismatchCount', snapshot.base_mismatch_count,
    'coarseReversalCount', snapshot.coarse_reversal_count, 'openItemCount', snapshot.open_item_count, 'repeatedReversalCount', (
      select count(*) from repeated_reversal r
      where r.game_id = ${gameId} and r.window_start = snapshot.window_start and r.window_end = snapshot.window_end),
    'checkCount', current_window.check_count, 'checkOkCount', current_window.check_ok_count,
    'warningCount', current_window.warning_count,
    'totals', jsonb_build_object(${totalsAsJson})
  ) end as snapshot`;

function reshapeSnapshot(snapshot: StoredSnapshot): Snapshot {
  const openItemCount = snapshot.openItemCount + snapshot.repeatedReversalCount;
  return { ...snapshot, openItemCount, status: parseSnapshotStatus(snapshot.status) };
}

/** Reversals without receipts of one window that a later one reports again, grown or not: sums over both count them twice. */
export interface RepeatedReversals {
  window: Window;
  periodCount: number;
  /** USD, exact text, as the earlier window reports them. */
  reversed_attributed_usd: string;
}

/** Selects, oldest first, what calendar months of these statuses report that a later one of them reports again; of one recipient, if given. */
export function repeatedInMonths(
  { gameId, timeZone }: Pick<GameRef, 'gameId' | 'timeZone'>,
  { statuses, playerId }: { statuses: readonly SnapshotStatus[]; playerId?: number },
): RawBuilder<RepeatedReversals[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('window', json_build_object('start', ${nestedInstant('month.window_start')},
        'end', ${nestedInstant('month.window_end')}), 'periodCount', month.period_count,
        'reversed_attributed_usd', month.reversed_attributed_usd::text) order by month.window_start), '[]')
    from (
      select each.window_start, each.window_end, count(*) as period_count, sum(each.reversed_attributed_usd) as reversed_attributed_usd
      from (
        select r.*, lead(r.period_id) over (partition by r.period_id order by r.window_start) is not null as is_repeated
        from repeated_reversal r
        join current_window w on w.game_id = ${gameId} and w.window_start = r.window_start and w.window_end = r.window_end
        where r.game_id = ${gameId} and w.status = any(${statuses}) and ${isMonthOf('w', timeZone)}
          ${playerId === undefined ? sql`` : sql`and r.recipient_player_id = ${playerId}`}
      ) each
      where each.is_repeated group by each.window_start, each.window_end
    ) month)`;
}

/** Whether the window of a table is a calendar month of a time zone. */
export function isMonthOf(table: string, timeZone: string): RawBuilder<boolean> {
  const [start, end] = [sql.ref(`${table}.window_start`), sql.ref(`${table}.window_end`)];
  const local = sql`(${start} at time zone ${timeZone})`;
  return sql`(${local} = date_trunc('month', ${local}) and ${end} = (${local} + interval '1 month') at time zone ${timeZone})`;
}
