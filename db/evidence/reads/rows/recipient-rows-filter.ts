import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { MonthStatement } from '../months/find-month-statement.ts';
import { recipientSource } from '../sheets/sheet-source.ts';

/** The ready-made choices above the recipients of a month. */
export const RECIPIENT_CHIPS = ['all', 'owe', 'zero', 'unresolved', 'questions', 'first', 'changed'] as const;
export type RecipientChip = (typeof RECIPIENT_CHIPS)[number];

export interface RecipientFilter {
  /** What was typed: part of a name or e-mail, or the beginning of a player id; empty: everything. */
  find: string;
  chip: RecipientChip;
  /** Without it e-mails are masked and cannot be searched. */
  canSeeEmails: boolean;
}

/** The condition a filter puts on `snapshot_recipient`, for lists, totals and files alike. */
export function recipientFilter(statement: MonthStatement, filter: RecipientFilter): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${chipFilter(statement, filter.chip)} and ${findFilter(filter)})`;
}

/** How many recipients of a month each choice holds. */
export async function countRecipientChips(db: Db, statement: MonthStatement): Promise<Record<RecipientChip, number>> {
  const counts = RECIPIENT_CHIPS.map((chip) => sql<number>`count(*) filter (where ${chipFilter(statement, chip)})`.as(chip));
  return await recipientSource(db, statement.snapshot).clearSelect().select(counts).executeTakeFirstOrThrow();
}

/** Text for a LIKE pattern, taken literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function chipFilter(statement: MonthStatement, chip: RecipientChip): RawBuilder<SqlBool> {
  const conditions: Record<RecipientChip, () => RawBuilder<SqlBool>> = {
    all: () => sql`true`,
    owe: () => sql`snapshot_recipient.net_attributed_usd < 0`,
    zero: () => sql`snapshot_recipient.net_attributed_usd = 0`,
    unresolved: () => sql`snapshot_recipient.resolved is false`,
    questions: () =>
      sql`(snapshot_recipient.resolved is false or snapshot_recipient.base_mismatch_count > 0 or snapshot_recipient.coarse_reversal_count > 0)`,
    first: () => firstTime(statement),
    changed: () => changed(statement),
  };
  return conditions[chip]();
}

function findFilter({ find, canSeeEmails }: RecipientFilter): RawBuilder<SqlBool> {
  if (find === '') return sql`true`;
  const part = `%${escapeLike(find)}%`;
  const either = [sql<SqlBool>`snapshot_recipient.player_name ilike ${part}`];
  if (canSeeEmails) either.push(sql`snapshot_recipient.player_email ilike ${part}`);
  if (/^\d{1,18}$/.test(find)) either.push(sql`snapshot_recipient.recipient_player_id::text like ${`${find}%`}`);
  return sql`(${sql.join(either, sql` or `)})`;
}

function firstTime({ snapshot, hasEarlier }: MonthStatement): RawBuilder<SqlBool> {
  if (!hasEarlier) return sql`false`;
  return sql`not exists (select from snapshot_recipient earlier join snapshot before_it using (game_id, snapshot_id)
    where earlier.game_id = ${snapshot.gameId} and earlier.recipient_player_id = snapshot_recipient.recipient_player_id
      and before_it.standing = 'complete' and before_it.window_end <= ${snapshot.windowStart}::timestamptz)`;
}

function changed({ snapshot, previousSnapshotId }: MonthStatement): RawBuilder<SqlBool> {
  if (previousSnapshotId === null) return sql`false`;
  return sql`snapshot_recipient.net_attributed_usd <> coalesce((select past.net_attributed_usd from snapshot_recipient past
    where past.game_id = ${snapshot.gameId} and past.snapshot_id = ${previousSnapshotId}
      and past.recipient_player_id = snapshot_recipient.recipient_player_id), 0)`;
}
