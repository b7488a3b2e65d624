import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readBlock, type SortKey } from '#db/kit/paging.ts';
import { signOfMoney } from '#lib/core/money.ts';
import type { Month } from '#lib/core/month.ts';
import { maskEmail } from '#lib/core/roles.ts';
import { type MonthNet, RECIPIENT_FILTERS, type RecipientFilterName } from '#lib/evidence/rules/table-answer.ts';
import type { MonthSnapshot } from './month-snapshot.ts';
import { type RecipientSheetRow, recipientSource, type SheetSnapshot, settledMonth } from './sheet-rows.ts';

const ID: SortKey = { sql: sql`snapshot_recipient.recipient_player_id`, type: 'bigint' };
const numeric = (column: string): SortKey[] => [
  { sql: sql.ref(`snapshot_recipient.${column}`), type: 'numeric' },
  { ...ID, isReversed: true },
];
const count = (column: string): SortKey[] => [
  { sql: sql.ref(`snapshot_recipient.${column}`), type: 'bigint' },
  { ...ID, isReversed: true },
];

/** What the recipients of a month can be ordered by; the id makes every order whole. */
export const RECIPIENT_SORTS: Record<string, SortKey[]> = {
  net_attributed_usd: numeric('net_attributed_usd'),
  gross_attributed_usd: numeric('gross_attributed_usd'),
  reversed_attributed_usd: numeric('reversed_attributed_usd'),
  renewal_count: count('renewal_count'),
  subscription_count: count('subscription_count'),
  recipient_name: [{ sql: sql`left(lower(coalesce(snapshot_recipient.player_name, '')), 200)`, type: 'text' }, ID],
  recipient_player_id: [ID],
  change: [
    { sql: sql`abs(snapshot_recipient.net_attributed_usd - coalesce(before.net_attributed_usd, 0))`, type: 'numeric' },
    { ...ID, isReversed: true },
  ],
};

export interface RecipientRow extends RecipientSheetRow {
  /** Net of the month before, USD; null: no row that month, or the month is not complete. */
  previousNet: string | null;
  isFirstTime: boolean;
  baseMismatchCount: number;
  coarseReversalCount: number;
  netsToZeroCount: number;
  /** Months settled before this window that are reversed in it, oldest first. */
  reversedMonths: string[];
  /** Six months, oldest first, this one last. */
  sixMonths: MonthNet[];
}

/** Reads one page of the recipients of a month's snapshot. Emails are masked unless they may be seen. Throws `CursorError`. */
export async function listRecipientRows(
  db: Db,
  monthSnapshot: MonthSnapshot,
  filter: RecipientFilter,
  request: PageRequest,
): Promise<RowPage<RecipientRow>> {
  const query = recipientsBeside(db, monthSnapshot)
    .where(recipientFilter(monthSnapshot, filter))
    .select([
      'before.net_attributed_usd as previous_net_usd',
      'snapshot_recipient.base_mismatch_count',
      'snapshot_recipient.coarse_reversal_count',
      'snapshot_recipient.nets_to_zero_count',
      'snapshot_recipient.earlier_reversed_usd',
      recipientFilter(monthSnapshot, { chip: 'first', find: '', canSeeEmails: false }).as('is_first_time'),
    ]);
  const scope = { list: `recipients ${monthSnapshot.snapshot.snapshotId}`, sort: request.sort, dir: request.dir };
  // Who is there for the first time depends on the months before.
  const list = { rows: query, total: totalOf(db, monthSnapshot, filter), isChanging: filter.chip === 'first' };
  const page = await readBlock(db, list, keysOf(RECIPIENT_SORTS, request.sort), request, scope);
  const ids = page.rows.map((row) => row.recipient_player_id);
  const [sixMonths, reversedMonths] = await Promise.all([
    listSixMonths(db, monthSnapshot, ids),
    listReversedMonths(
      db,
      monthSnapshot.snapshot,
      monthSnapshot.timeZone,
      page.rows.filter((row) => signOfMoney(row.earlier_reversed_usd) !== 0).map((row) => row.recipient_player_id),
    ),
  ]);
  const rows = page.rows.map((found) => {
    const {
      previous_net_usd,
      base_mismatch_count,
      coarse_reversal_count,
      nets_to_zero_count,
      earlier_reversed_usd: _,
      is_first_time,
      ...sheet
    } = found;
    return {
      ...sheet,
      recipient_email: sheet.recipient_email === null || filter.canSeeEmails ? sheet.recipient_email : maskEmail(sheet.recipient_email),
      previousNet: previous_net_usd,
      isFirstTime: is_first_time === true,
      baseMismatchCount: base_mismatch_count,
      coarseReversalCount: coarse_reversal_count,
      netsToZeroCount: nets_to_zero_count,
      reversedMonths: reversedMonths.get(sheet.recipient_player_id) ?? [],
      sixMonths: sixMonths.get(sheet.recipient_player_id) ?? [],
    };
  });
  return { ...page, rows };
}

function totalOf(db: Db, monthSnapshot: MonthSnapshot, filter: RecipientFilter) {
  return recipientsBeside(db, monthSnapshot)
    .where(recipientFilter(monthSnapshot, filter))
    .clearSelect()
    .select([
      sql<number>`count(*)`.as('count'),
      sql<string>`coalesce(sum(snapshot_recipient.renewal_count), 0)::text`.as('renewal_count'),
      sql<string>`coalesce(sum(snapshot_recipient.gross_attributed_usd), 0.00)::text`.as('gross_attributed_usd'),
      sql<string>`coalesce(sum(snapshot_recipient.reversed_attributed_usd), 0.00)::text`.as('reversed_attributed_usd'),
      sql<string>`coalesce(sum(snapshot_recipient.net_attributed_usd), 0.00)::text`.as('net_attributed_usd'),
      sql<string>`coalesce(sum(before.net_attributed_usd), 0.00)::text`.as('previous_net_usd'),
    ]);
}

function recipientsBeside(db: Db, { snapshot, previousSnapshotId }: MonthSnapshot) {
  return recipientSource(db, snapshot).leftJoin('snapshot_recipient as before', (join) =>
    join
      .onRef('before.game_id', '=', 'snapshot_recipient.game_id')
      .on('before.snapshot_id', '=', previousSnapshotId ?? -1)
      .onRef('before.recipient_player_id', '=', 'snapshot_recipient.recipient_player_id'),
  );
}

export interface RecipientFilter {
  /** What was typed: part of a name or email, or the beginning of a player id; empty: everything. */
  find: string;
  chip: RecipientFilterName;
  /** Without it emails are masked and cannot be searched. */
  canSeeEmails: boolean;
}

/** The condition a filter puts on `snapshot_recipient`, for lists, totals and files alike. */
export function recipientFilter(monthSnapshot: MonthSnapshot, filter: RecipientFilter): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${chipFilter(monthSnapshot, filter.chip)} and ${findsRecipient(SEARCHED, filter)})`;
}

/** How many recipients of a month each choice holds. */
export async function countRecipientChips(db: Db, monthSnapshot: MonthSnapshot): Promise<Record<RecipientFilterName, number>> {
  const counts = RECIPIENT_FILTERS.map((chip) => sql<number>`count(*) filter (where ${chipFilter(monthSnapshot, chip)})`.as(chip));
  return await recipientSource(db, monthSnapshot.snapshot).clearSelect().select(counts).executeTakeFirstOrThrow();
}

/** Text for a LIKE pattern, taken literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function chipFilter(monthSnapshot: MonthSnapshot, chip: RecipientFilterName): RawBuilder<SqlBool> {
  const conditions: Record<RecipientFilterName, () => RawBuilder<SqlBool>> = {
    all: () => sql`true`,
    negative: () => sql`snapshot_recipient.net_attributed_usd < 0`,
    zero: () => sql`snapshot_recipient.net_attributed_usd = 0`,
    unresolved: () => sql`snapshot_recipient.resolved is false`,
    open_items: () =>
      sql`(snapshot_recipient.resolved is false or snapshot_recipient.base_mismatch_count > 0 or snapshot_recipient.coarse_reversal_count > 0)`,
    first: () => firstTime(monthSnapshot),
    changed: () => changed(monthSnapshot),
  };
  return conditions[chip]();
}

/** What a recipient is searched for by. */
export interface RecipientSearch {
  /** Part of a name or an email, or the beginning of a player id; empty: everybody. */
  find: string;
  /** Without it emails can't be searched, nor names that hold one. */
  canSeeEmails: boolean;
}

/** The condition of a search for recipients over a list's own columns; without `email` emails aren't searched. */
export function findsRecipient(
  columns: { name: string; email?: string; id: string },
  { find, canSeeEmails }: RecipientSearch,
): RawBuilder<SqlBool> {
  if (find === '') return sql`true`;
  const part = `%${escapeLike(find)}%`;
  const name = sql.ref(columns.name);
  const either = [canSeeEmails ? sql<SqlBool>`${name} ilike ${part}` : sql<SqlBool>`(${name} ilike ${part} and ${name} !~ '[@＠]')`];
  if (canSeeEmails && columns.email !== undefined) either.push(sql`${sql.ref(columns.email)} ilike ${part}`);
  if (/^\d{1,18}$/.test(find)) either.push(sql`${sql.ref(columns.id)}::text like ${`${find}%`}`);
  return sql`(${sql.join(either, sql` or `)})`;
}

const SEARCHED = {
  name: 'snapshot_recipient.player_name',
  email: 'snapshot_recipient.player_email',
  id: 'snapshot_recipient.recipient_player_id',
};

function firstTime({ snapshot, hasEarlier }: MonthSnapshot): RawBuilder<SqlBool> {
  if (!hasEarlier) return sql`false`;
  return sql`not exists (select from snapshot_recipient earlier join snapshot before_it using (game_id, snapshot_id)
    where earlier.game_id = ${snapshot.gameId} and earlier.recipient_player_id = snapshot_recipient.recipient_player_id
      and before_it.status = 'complete' and before_it.window_end <= ${snapshot.windowStart}::timestamptz)`;
}

function changed({ snapshot, previousSnapshotId }: MonthSnapshot): RawBuilder<SqlBool> {
  if (previousSnapshotId === null) return sql`false`;
  return sql`snapshot_recipient.net_attributed_usd <> coalesce((select past.net_attributed_usd from snapshot_recipient past
    where past.game_id = ${snapshot.gameId} and past.snapshot_id = ${previousSnapshotId}
      and past.recipient_player_id = snapshot_recipient.recipient_player_id), 0)`;
}

/** Net of some recipients over the six months that end with a snapshot's own, oldest first. */
async function listSixMonths(db: Db, monthSnapshot: MonthSnapshot, playerIds: number[]): Promise<Map<number, MonthNet[]>> {
  const snapshotIds = monthSnapshot.recent.flatMap((each) => each.snapshotId ?? []);
  if (playerIds.length === 0 || snapshotIds.length === 0) return new Map();
  const found = await db
    .selectFrom('snapshot_recipient')
    .select(['snapshot_id', 'recipient_player_id', 'net_attributed_usd'])
    .where('game_id', '=', monthSnapshot.snapshot.gameId)
    .where('recipient_player_id', 'in', playerIds)
    .where('snapshot_id', 'in', snapshotIds)
    .execute();
  const nets = new Map(found.map((row) => [`${row.recipient_player_id} ${row.snapshot_id}`, row.net_attributed_usd]));
  const monthsOf = (playerId: number): MonthNet[] =>
    monthSnapshot.recent.map(({ month, snapshotId }) => ({ month, net: nets.get(`${playerId} ${snapshotId}`) ?? null }));
  return new Map(playerIds.map((playerId) => [playerId, monthsOf(playerId)]));
}

/** The months whose settlements are reversed in a snapshot, for some recipients or all, oldest first; in the game's reporting time zone. */
export async function listReversedMonths(
  db: Db,
  snapshot: Pick<SheetSnapshot, 'gameId' | 'snapshotId' | 'windowStart'>,
  timeZone: string,
  playerIds?: number[],
): Promise<Map<number, Month[]>> {
  if (playerIds?.length === 0) return new Map();
  const found = await db
    .selectFrom('snapshot_slice')
    .innerJoin('reversal_line', (join) =>
      join.onRef('reversal_line.game_id', '=', 'snapshot_slice.game_id').onRef('reversal_line.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .select(['reversal_line.recipient_player_id', settledMonth(timeZone).as('month')])
    .distinct()
    .where('snapshot_slice.game_id', '=', snapshot.gameId)
    .where('snapshot_slice.snapshot_id', '=', snapshot.snapshotId)
    .$if(playerIds !== undefined, (query) => query.where('reversal_line.recipient_player_id', 'in', playerIds ?? []))
    .where('reversal_line.paid_at', '<', snapshot.windowStart)
    .orderBy('month')
    .execute();
  const months = new Map<number, Month[]>();
  for (const row of found) months.set(row.recipient_player_id, [...(months.get(row.recipient_player_id) ?? []), row.month]);
  return months;
}
