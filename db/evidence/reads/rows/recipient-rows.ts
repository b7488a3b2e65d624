import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, type RowTotal, readPage, type SortKey } from '#db/kit/paging.ts';
import { signOfMoney } from '#lib/core/money.ts';
import { maskEmail } from '#lib/core/roles.ts';
import type { MonthStatement } from '../months/find-month-statement.ts';
import { type RecipientSheetRow, recipientSource } from '../sheets/sheet-source.ts';
import { type RecipientFilter, recipientFilter } from './recipient-rows-filter.ts';
import { listReversedMonths, listSixMonths, type MonthNet } from './recipient-rows-months.ts';

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

/** Reads one page of the recipients of a month's statement. E-mails are masked unless they may be seen. Throws `CursorError`. */
export async function listRecipientRows(
  db: Db,
  statement: MonthStatement,
  filter: RecipientFilter,
  request: PageRequest,
): Promise<RowPage<RecipientRow>> {
  const query = recipientsBeside(db, statement)
    .where(recipientFilter(statement, filter))
    .select([
      'before.net_attributed_usd as previous_net_usd',
      'snapshot_recipient.base_mismatch_count',
      'snapshot_recipient.coarse_reversal_count',
      'snapshot_recipient.nets_to_zero_count',
      'snapshot_recipient.earlier_reversed_usd',
      recipientFilter(statement, { chip: 'first', find: '', canSeeEmails: false }).as('is_first_time'),
    ]);
  const scope = { list: `recipients ${statement.snapshot.snapshotId}`, sort: request.sort, dir: request.dir };
  const page = await readPage(query, keysOf(RECIPIENT_SORTS, request.sort), request, scope);
  const ids = page.rows.map((row) => row.recipient_player_id);
  const [sixMonths, reversedMonths] = await Promise.all([
    listSixMonths(db, statement, ids),
    listReversedMonths(
      db,
      statement,
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
  return { rows, next: page.next };
}

/** Adds up every recipient the filter leaves, not only those on a page. */
export async function sumRecipientRows(db: Db, statement: MonthStatement, filter: RecipientFilter): Promise<RowTotal> {
  const { count, ...sums } = await recipientsBeside(db, statement)
    .where(recipientFilter(statement, filter))
    .clearSelect()
    .select([
      sql<number>`count(*)`.as('count'),
      sql<string>`coalesce(sum(snapshot_recipient.renewal_count), 0)::text`.as('renewal_count'),
      sql<string>`coalesce(sum(snapshot_recipient.gross_attributed_usd), 0.00)::text`.as('gross_attributed_usd'),
      sql<string>`coalesce(sum(snapshot_recipient.reversed_attributed_usd), 0.00)::text`.as('reversed_attributed_usd'),
      sql<string>`coalesce(sum(snapshot_recipient.net_attributed_usd), 0.00)::text`.as('net_attributed_usd'),
      sql<string>`coalesce(sum(before.net_attributed_usd), 0.00)::text`.as('previous_net_usd'),
    ])
    .executeTakeFirstOrThrow();
  return { count, sums };
}

function recipientsBeside(db: Db, { snapshot, previousSnapshotId }: MonthStatement) {
  return recipientSource(db, snapshot).leftJoin('snapshot_recipient as before', (join) =>
    join
      .onRef('before.game_id', '=', 'snapshot_recipient.game_id')
      .on('before.snapshot_id', '=', previousSnapshotId ?? -1)
      .onRef('before.recipient_player_id', '=', 'snapshot_recipient.recipient_player_id'),
  );
}
