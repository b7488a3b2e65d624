import { sql } from 'kysely';
import { isErased } from '#db/kit/erased.ts';
import { type List, type ListColumn, type ListFilter, type ListSource, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import type { GameRef } from '#lib/core/game.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { type Month, monthOfWindow } from '#lib/core/month.ts';
import { maskName } from '#lib/core/roles.ts';
import { payoutsOf, type RecipientPayouts } from '#lib/payouts/reads/run-lines.ts';
import { parseSnapshotStatus, type Recipient, type Snapshot, type SnapshotStatus } from '../rules/evidence.ts';
import { sumOf } from '../rules/totals.ts';
import { type CurrentWindow, WINDOW_COLUMNS } from './month-snapshot.ts';
import { type RepeatedReversals, repeatedInMonths } from './months.ts';
import { searchOf } from './recipients-sheet.ts';

/** What the recipients of all months are read from, and for whom. */
interface AllRecipientsOf {
  game: GameRef;
  snapshotIds: number[];
  /** Without it emails are masked and cannot be searched. */
  canSeeEmails: boolean;
}

export interface AllRecipientsRow
  extends Pick<
    Recipient,
    'recipient_player_id' | 'resolved' | 'gross_attributed_usd' | 'reversed_attributed_usd' | 'net_attributed_usd' | 'renewal_count'
  > {
  recipient_name: string | null;
  recipient_email: string | null;
  month_count: number;
  last_month: string;
}

const ID: SortKey = { sql: sql`r.recipient_player_id`, type: 'bigint' };

/** A column that rows can be ordered by, the largest first. */
function figure(kind: CellKind, key: string, label: string, width: number, type: SortKey['type'] = 'bigint'): ListColumn<AllRecipientsOf> {
  const value = sql.ref(`r.${key}`);
  return {
    key,
    label,
    kind,
    sql: value,
    width,
    sort: [
      { sql: value, type },
      { ...ID, isReversed: true },
    ],
  };
}

/** Every recipient with figures in a complete month, over all complete months. */
export const ALL_RECIPIENTS: List<AllRecipientsOf, AllRecipientsRow> = {
  name: 'all-recipients',
  noun: ['recipient', 'recipients'],
  columns: [
    {
      key: 'recipient_name',
      label: 'Recipient',
      kind: 'text',
      sql: sql`r.recipient_name`,
      width: 256,
      shape: 'identity',
      sort: [{ sql: sql`left(lower(coalesce(r.recipient_name, '')), 200)`, type: 'text' }, ID],
    },
    { key: 'recipient_player_id', label: 'Player', kind: 'count', sql: ID.sql, width: 90, shape: 'id', sort: [ID] },
    { ...figure('count', 'renewal_count', 'Renewals', 96), isSummed: true },
    { ...figure('money', 'gross_attributed_usd', 'Gross', 118, 'numeric'), isSummed: true },
    { ...figure('money', 'reversed_attributed_usd', 'Reversed', 118, 'numeric'), isSummed: true, isDeducted: true },
    { ...figure('money', 'net_attributed_usd', 'Net attributed', 124, 'numeric'), isSummed: true, shape: 'money-strong', isKey: true },
    figure('count', 'month_count', 'Months', 84),
    { ...figure('text', 'last_month', 'Last month', 130, 'text'), shape: 'link' },
  ],
  composed: [{ key: 'flags', label: 'Remarks', shape: 'flags', width: 124 }],
  facts: [
    { key: 'recipient_email', sql: sql`r.recipient_email` },
    { key: 'resolved', sql: sql`r.resolved` },
  ],
  shown: [],
  chips: [],
  search: searchOf({ name: 'r.recipient_name', email: 'r.recipient_email', id: 'r.recipient_player_id' }),
  from: recipientsOver,
  order: { key: 'net_attributed_usd', dir: 'desc' },
  ends: { first: 'Highest net', last: 'Lowest net' },
  scope: ({ snapshotIds }) => `all ${Math.max(0, ...snapshotIds)}`,
};

/** Reads one page of everybody who appears in these snapshots, with the sums over them. Throws `CursorError`. */
export async function listRecipients(
  db: Db,
  of: AllRecipientsOf,
  request: ListFilter & { page: PageRequest },
): Promise<RowPage<AllRecipientsRow>> {
  const { rows, ...rest } = await listRows(db, ALL_RECIPIENTS, of, request);
  return {
    ...rest,
    rows: rows.map((row) => ({
      ...row,
      recipient_name: maskName(row.recipient_name, of.canSeeEmails),
      recipient_email: seenEmail(row.recipient_email, of.canSeeEmails),
    })),
  };
}

/** The sums over the snapshots as `r`. The schema has no such table; the SQL of the columns names what is selected here. */
function recipientsOver(db: Db, { game, snapshotIds }: AllRecipientsOf): ListSource {
  const newest = (column: string) => sql`(array_agg(${sql.ref(`own.${column}`)} order by snapshot.window_start desc))[1]`;
  const month = sql<string>`to_char(max(snapshot.window_start) at time zone ${sql.lit(game.timeZone)}, 'YYYY-MM')`;
  const totals = db
    .selectFrom('snapshot_recipient as own')
    .innerJoin('snapshot', 'snapshot.snapshot_id', 'own.snapshot_id')
    .where('snapshot.game_id', '=', game.gameId)
    .where('own.game_id', '=', game.gameId)
    .where('own.snapshot_id', 'in', snapshotIds.length > 0 ? snapshotIds : [-1])
    .groupBy('own.recipient_player_id')
    .select([
      'own.recipient_player_id',
      newest('player_name').$castTo<string | null>().as('recipient_name'),
      newest('player_email').$castTo<string | null>().as('recipient_email'),
      newest('resolved').$castTo<boolean | null>().as('resolved'),
      sql<string>`sum(own.gross_attributed_usd)`.as('gross_attributed_usd'),
      sql<string>`sum(own.reversed_attributed_usd)`.as('reversed_attributed_usd'),
      sql<string>`sum(own.net_attributed_usd)`.as('net_attributed_usd'),
      sql<number>`sum(own.renewal_count)::bigint`.as('renewal_count'),
      sql<number>`count(*)`.as('month_count'),
      month.as('last_month'),
    ]);
  return db.selectFrom(totals.as('r')) as unknown as ListSource;
}

function seenEmail(email: string | null, canSee: boolean): string | null {
  return email === null || canSee ? email : maskEmail(email);
}

export interface RecipientMonth extends Pick<Snapshot, 'status' | 'coveredUntil'> {
  month: Month;
  /** USD. */
  earned: string;
  /** USD taken back in this month, whenever it was earned. */
  reversed: string;
  /** USD. */
  net: string;
  renewalCount: number;
  reversalCount: number;
}

export interface RecipientHistory {
  playerId: number;
  name: string | null;
  /** Masked unless it may be seen. */
  email: string | null;
  identityId: string | null;
  /** False: Invo could not find the player record; null: not recorded. */
  resolved: boolean | null;
  /** Whether what named them was erased. */
  isErased: boolean;
  /** Months with a row for this recipient, newest first. */
  months: RecipientMonth[];
  /** Every month that has a snapshot, newest first: one without a row above had nothing for this recipient. */
  stated: { month: Month; status: SnapshotStatus }[];
  /** Sums over the complete months, USD. */
  total: { earned: string; reversed: string; net: string; renewalCount: number; monthCount: number };
  /** Reversals that a later month, complete or open, reports again. */
  repeated: RepeatedReversals[];
  /** What their runs paid, and their minimum. */
  payouts: RecipientPayouts;
  /** Every current window of the game: the lines of a month are read from its snapshot. */
  windows: CurrentWindow[];
}

/** Reads everything stored about one recipient, month by month, in one statement; null when no month has the player. */
export async function findRecipientHistory(
  db: Db,
  game: GameRef,
  playerId: number,
  canSeeEmails: boolean,
): Promise<RecipientHistory | null> {
  const windows = await db
    .selectFrom('current_window')
    .leftJoin('snapshot_recipient as own', (join) =>
      join
        .on('own.game_id', '=', game.gameId)
        .onRef('own.snapshot_id', '=', 'current_window.snapshot_id')
        .on('own.recipient_player_id', '=', playerId),
    )
    .select(WINDOW_COLUMNS.map((column) => `current_window.${column}` as const))
    .select([
      'own.recipient_player_id',
      'own.player_name',
      'own.player_email',
      'own.identity_id',
      'own.resolved',
      'own.gross_attributed_usd',
      'own.reversed_attributed_usd',
      'own.net_attributed_usd',
      'own.renewal_count',
      'own.reversal_count',
      repeatedInMonths(game, { statuses: ['complete', 'open'], playerId }).as('repeated'),
      isErased(game.gameId, sql`${playerId}`).as('is_erased'),
      // Once, not with every window.
      sql<RecipientPayouts | null>`case when row_number() over () = 1 then ${payoutsOf(game.gameId, playerId)} end`.as('payouts'),
    ])
    .where('current_window.game_id', '=', game.gameId)
    .execute();
  const stated = monthsOf(windows, game);
  const rows = stated.filter(({ row }) => row.recipient_player_id !== null);
  const newest = rows[0]?.row;
  if (!newest) return null;
  const months = rows.map(({ month, status, coveredUntil, row }) => ({
    month,
    status,
    coveredUntil,
    earned: row.gross_attributed_usd ?? '',
    reversed: row.reversed_attributed_usd ?? '',
    net: row.net_attributed_usd ?? '',
    renewalCount: row.renewal_count ?? 0,
    reversalCount: row.reversal_count ?? 0,
  }));
  return {
    playerId,
    name: maskName(newest.player_name, canSeeEmails),
    email: seenEmail(newest.player_email, canSeeEmails),
    identityId: newest.identity_id,
    resolved: newest.resolved,
    isErased: newest.is_erased,
    months,
    stated: stated.map(({ month, status }) => ({ month, status })),
    total: totalOf(months.filter((month) => month.status === 'complete')),
    repeated: newest.repeated,
    payouts: windows.find(({ payouts }) => payouts !== null)?.payouts ?? { minimum_usd: null, runs: [] },
    windows,
  };
}

function totalOf(months: RecipientMonth[]): RecipientHistory['total'] {
  return {
    earned: sumOf(months, 'earned'),
    reversed: sumOf(months, 'reversed'),
    net: sumOf(months, 'net'),
    renewalCount: months.reduce((sum, month) => sum + month.renewalCount, 0),
    monthCount: months.length,
  };
}

interface CompleteMonth extends Pick<Snapshot, 'snapshotId' | 'status' | 'coveredUntil'> {
  month: Month;
}

/**
 * The complete snapshot of each calendar month that has one, newest first, and what their reversals count twice; other windows are left out, they
 * would count twice as well.
 */
export async function listCompleteMonths(db: Db, game: GameRef): Promise<{ months: CompleteMonth[]; repeated: RepeatedReversals[] }> {
  const found = await db
    .selectFrom('current_window')
    .select(WINDOW_COLUMNS)
    .select(repeatedInMonths(game, { statuses: ['complete'] }).as('repeated'))
    .where('game_id', '=', game.gameId)
    .where('status', '=', 'complete')
    .execute();
  return { months: monthsOf(found, game), repeated: found[0]?.repeated ?? [] };
}

function monthsOf<Row extends CurrentWindow>(found: Row[], game: GameRef): (CompleteMonth & { row: Row })[] {
  return found
    .toSorted((a, b) => compareInstants(b.window_start, a.window_start))
    .flatMap((row) => {
      const month = monthOfWindow({ start: row.window_start, end: row.window_end }, game.timeZone);
      return month === null
        ? []
        : [{ month, snapshotId: row.snapshot_id, status: parseSnapshotStatus(row.status), coveredUntil: row.covered_until, row }];
    });
}
