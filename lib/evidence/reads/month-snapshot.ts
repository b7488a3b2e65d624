import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { List, ListColumn } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { CellKind } from '#lib/core/csv.ts';
import type { GameRef } from '#lib/core/game.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, listMonths, type Month, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { parseSnapshotStatus, type Snapshot } from '../rules/evidence.ts';

/** The snapshot whose rows are read, and the facts about it that are repeated in every row of a sheet. */
export interface SheetSnapshot {
  gameId: number;
  /** The game in addresses and files. */
  slug: string;
  environment: string;
  snapshotId: number;
  /** First instant, ISO 8601 ending in Z. */
  windowStart: string;
  /** Up to, not including. */
  windowEnd: string;
}

/** The snapshot of one month that a list reads from, and those of the months before it for comparison. */
export interface MonthSnapshot extends Pick<Snapshot, 'status' | 'coveredUntil'> {
  snapshot: SheetSnapshot;
  month: Month;
  timeZone: string;
  /** The newest snapshot of the month; another than this one's when the list is stale. */
  newestSnapshotId: number;
  /** Six months, oldest first, this one last; NULL id: never pulled or not complete. */
  recent: { month: Month; snapshotId: number | null }[];
  /** The month before, only when it is complete. */
  previousSnapshotId: number | null;
  /** Whether any complete snapshot ends at or before this window: without one no recipient can be called new. */
  hasEarlier: boolean;
}

/** The current snapshot of a window: the newest complete one, otherwise the newest. */
export interface CurrentWindow {
  snapshot_id: number;
  window_start: string;
  window_end: string;
  status: string;
  covered_until: string;
}

/** The columns of a current window, or of any snapshot. */
export const WINDOW_COLUMNS = ['snapshot_id', 'window_start', 'window_end', 'status', 'covered_until'] as const;

/** Finds the snapshot of a month: the current one, or an older one by its id; null when there is none. */
export async function findMonthSnapshot(db: Db, game: GameRef, month: Month, snapshotId?: number): Promise<MonthSnapshot | null> {
  const windows = await db.selectFrom('current_window').select(WINDOW_COLUMNS).where('game_id', '=', game.gameId).execute();
  const current = monthSnapshotOf(game, month, windows);
  if (current === null || snapshotId === undefined || snapshotId === current.newestSnapshotId) return current;
  const older = await db
    .selectFrom('snapshot')
    .select(WINDOW_COLUMNS)
    .where('game_id', '=', game.gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirst();
  return older === undefined ? null : monthSnapshotOf(game, month, windows, older);
}

/** The snapshot of a month among the current windows of its game, or an older one of the month; null when it has none, or the older one is of another window. */
export function monthSnapshotOf(game: GameRef, month: Month, current: CurrentWindow[], older?: CurrentWindow): MonthSnapshot | null {
  const own = monthWindow(month, game.timeZone);
  const newest = current.find((row) => isOf(row, own));
  const shown = older ?? newest;
  if (!newest || !shown || !isOf(shown, own)) return null;
  const before = listMonths(addMonths(month, -5), addMonths(month, -1)).map((each) => {
    const row = current.find((one) => one.status === 'complete' && isOf(one, monthWindow(each, game.timeZone)));
    return { month: each, snapshotId: row?.snapshot_id ?? null };
  });
  return {
    snapshot: {
      gameId: game.gameId,
      slug: game.slug,
      environment: game.environment,
      snapshotId: shown.snapshot_id,
      windowStart: own.start,
      windowEnd: own.end,
    },
    month,
    timeZone: game.timeZone,
    status: parseSnapshotStatus(shown.status),
    coveredUntil: shown.covered_until,
    newestSnapshotId: newest.snapshot_id,
    recent: [...before, { month, snapshotId: shown.snapshot_id }],
    previousSnapshotId: before.at(-1)?.snapshotId ?? null,
    hasEarlier: current.some((row) => row.status === 'complete' && compareInstants(row.window_end, own.start) <= 0),
  };
}

function isOf(row: { window_start: string; window_end: string }, window: Window): boolean {
  return compareInstants(row.window_start, window.start) === 0 && compareInstants(row.window_end, window.end) === 0;
}

/** What a sheet is read from, and for whom. */
export interface SheetSource extends Pick<MonthSnapshot, 'snapshot' | 'timeZone' | 'recent' | 'previousSnapshotId' | 'hasEarlier'> {
  /** Without it emails can't be searched, nor names that hold one. */
  canSeeEmails: boolean;
  /** One recipient's rows only; null: all. */
  recipient: number | null;
}

/** A snapshot alone as the source of its sheets: no other month is compared, and all rows are read. */
export function snapshotSource(game: GameRef, { snapshotId, window }: { snapshotId: number; window: Window }): SheetSource {
  const { gameId, slug, environment, timeZone } = game;
  return {
    snapshot: { gameId, slug, environment, snapshotId, windowStart: window.start, windowEnd: window.end },
    timeZone,
    recent: [],
    previousSnapshotId: null,
    hasEarlier: false,
    canSeeEmails: true,
    recipient: null,
  };
}

/** Some rows of a sheet: the condition on its source, and the same in words for the manifest. */
export interface ChosenRows {
  filter: Record<string, string>;
  condition: RawBuilder<SqlBool>;
}

// Every value is written as a literal: the compiled statement has no parameters, so a COPY can carry it as it is.
function fixed(
  kind: CellKind,
  key: string,
  label: string,
  value: (snapshot: SheetSnapshot) => RawBuilder<unknown>,
): ListColumn<SheetSource> {
  return { key, label, kind, sql: ({ snapshot }) => value(snapshot), isFileOnly: true };
}

/** The columns that every sheet begins with. */
export const SHEET_COLUMNS: ListColumn<SheetSource>[] = [
  fixed('text', 'game', 'Game', ({ slug }) => sql.lit(slug)),
  fixed('text', 'environment', 'Environment', ({ environment }) => sql.lit(environment)),
  fixed('instant', 'window_start', 'Window start', ({ windowStart }) => sql.lit(windowStart)),
  fixed('instant', 'window_end', 'Window end, not included', ({ windowEnd }) => sql.lit(windowEnd)),
  fixed('count', 'snapshot_id', 'Snapshot', ({ snapshotId }) => sql`${sql.lit(snapshotId)}::bigint`),
];

type OwnColumn = (kind: CellKind, key: string, label: string, choice?: Partial<ListColumn<SheetSource>>) => ListColumn<SheetSource>;

/** Makes columns of a table; without SQL of its own, one is read from the column of the same name. */
export function columnsOf(table: 'renewal_line' | 'reversal_line' | 'refund_event'): OwnColumn {
  return (kind, key, label, choice = {}) => ({ key, label, kind, sql: sql.ref(`${table}.${key}`), ...choice });
}

/** What the sheets of renewals and of reversals have in common: whose lines are read, in the order of their recipients, who are joined. */
export function linesOf(
  table: 'renewal_line' | 'reversal_line',
): Pick<List<SheetSource, object>, 'joins' | 'only' | 'order' | 'ends' | 'isCompact' | 'isRanked'> {
  return {
    joins: (source, { snapshot: { gameId } }) =>
      source.leftJoin('snapshot_recipient', (join) =>
        join
          .on('snapshot_recipient.game_id', '=', sql.lit(gameId))
          .onRef('snapshot_recipient.snapshot_id', '=', 'snapshot_slice.snapshot_id')
          .on(sql<SqlBool>`snapshot_recipient.recipient_player_id = ${sql.ref(`${table}.recipient_player_id`)}`),
      ),
    only: ({ recipient }) => (recipient === null ? null : sql`${sql.ref(`${table}.recipient_player_id`)} = ${recipient}`),
    order: { key: 'recipient_player_id', dir: 'asc' },
    ends: { first: 'First player', last: 'Last player' },
    isCompact: true,
    isRanked: true,
  };
}

/** The month a reversed period settled in, in a reporting time zone. */
export function settledMonth(timeZone: string): RawBuilder<string> {
  return sql<string>`to_char(reversal_line.paid_at at time zone ${sql.lit(timeZone)}, 'YYYY-MM')`;
}

/** What a text that names a subscription, a period or a recipient finds among lines of a table; further ways to match are added. */
export function findsLine(table: 'renewal_line' | 'reversal_line', find: string, more: RawBuilder<unknown>[] = []): RawBuilder<boolean> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  const either = [sql`${column('subscription_id')} like ${`${escapeLike(find)}%`}`, ...more];
  if (/^\d{1,18}$/.test(find))
    either.push(sql`${column('period_id')} = ${find}::bigint`, sql`${column('recipient_player_id')} = ${find}::bigint`);
  return sql<boolean>`(${sql.join(either, sql` or `)})`;
}

/** Text for a LIKE pattern, taken literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
