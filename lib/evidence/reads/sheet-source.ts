import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListColumn } from '#db/kit/list.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { Window } from '#lib/core/window.ts';
import type { MonthSnapshot, SheetSnapshot } from './month-snapshot.ts';

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
const fixed = (value: (snapshot: SheetSnapshot) => RawBuilder<unknown>): ListColumn<SheetSource>['sql'] => {
  return ({ snapshot }) => value(snapshot);
};

/** The columns that every sheet begins with. */
export const WINDOW_COLUMNS: ListColumn<SheetSource>[] = [
  { key: 'game', label: 'Game', kind: 'text', sql: fixed(({ slug }) => sql.lit(slug)), isFileOnly: true },
  { key: 'environment', label: 'Environment', kind: 'text', sql: fixed(({ environment }) => sql.lit(environment)), isFileOnly: true },
  { key: 'window_start', label: 'Window start', kind: 'instant', sql: fixed(({ windowStart }) => sql.lit(windowStart)), isFileOnly: true },
  {
    key: 'window_end',
    label: 'Window end, not included',
    kind: 'instant',
    sql: fixed(({ windowEnd }) => sql.lit(windowEnd)),
    isFileOnly: true,
  },
  {
    key: 'snapshot_id',
    label: 'Snapshot',
    kind: 'count',
    sql: fixed(({ snapshotId }) => sql`${sql.lit(snapshotId)}::bigint`),
    isFileOnly: true,
  },
];

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
