import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { List, ListColumn } from '#db/kit/list.ts';
import type { SortKey } from '#db/kit/paging.ts';
import type { Month } from '#lib/core/month.ts';
import type { Recipient } from '../rules/evidence.ts';
import { formatRecipientMatch } from '../text.ts';
import { escapeLike, SHEET_COLUMNS, type SheetSource, settledMonth } from './month-snapshot.ts';

/** What the cells of a recipient are composed of. Amounts in USD, exact text. */
export interface RecipientRow extends Pick<Recipient, 'recipient_player_id' | 'resolved' | 'net_attributed_usd'> {
  recipient_name: string | null;
  recipient_email: string | null;
  baseMismatchCount: number;
  coarseReversalCount: number;
  netsToZeroCount: number;
  /** Months settled before this window that are reversed in it, oldest first. */
  reversedMonths: Month[];
  isFirstTime: boolean;
  /** Net of six months, oldest first, this one last; null: no row that month, or the month is not complete. */
  sixNets: (string | null)[];
}

const ID: SortKey = { sql: sql`snapshot_recipient.recipient_player_id`, type: 'bigint' };
const LARGEST: SortKey = { ...ID, isReversed: true };

const own = (column: string): RawBuilder<unknown> => sql.ref(`snapshot_recipient.${column}`);

/** A column that rows can be ordered by, the largest first. */
function figure(kind: 'money' | 'count', key: string, label: string, width: number): ListColumn<SheetSource> {
  return { key, label, kind, sql: own(key), width, sort: [{ sql: own(key), type: kind === 'money' ? 'numeric' : 'bigint' }, LARGEST] };
}

/** The recipients of a month: their figures, and how they compare with other months. */
export const RECIPIENTS: List<SheetSource, RecipientRow> = {
  name: 'recipients',
  noun: ['recipient', 'recipients'],
  columns: [
    ...SHEET_COLUMNS,
    { key: 'recipient_player_id', label: 'Player', kind: 'count', sql: own('recipient_player_id'), width: 80, shape: 'id', sort: [ID] },
    { key: 'recipient_email', label: 'Email', kind: 'text', sql: own('player_email'), isFileOnly: true },
    {
      key: 'recipient_name',
      label: 'Recipient',
      kind: 'text',
      sql: own('player_name'),
      width: 200,
      shape: 'identity',
      sort: [{ sql: sql`left(lower(coalesce(snapshot_recipient.player_name, '')), 200)`, type: 'text' }, ID],
    },
    { key: 'recipient_identity_id', label: 'Identity', kind: 'text', sql: own('identity_id'), width: 150, isOptional: true },
    { key: 'resolved', label: 'Found by Invo', kind: 'boolean', sql: own('resolved'), width: 100, isOptional: true },
    { ...figure('count', 'renewal_count', 'Renewals', 84), isSummed: true },
    { ...figure('count', 'subscription_count', 'Subscriptions', 112), isOptional: true },
    { ...figure('money', 'gross_attributed_usd', 'Gross', 100), isSummed: true },
    { ...figure('money', 'reversed_attributed_usd', 'Reversed', 100), isSummed: true, isDeducted: true },
    { ...figure('money', 'net_attributed_usd', 'Net attributed', 116), isSummed: true, shape: 'money-strong', isKey: true },
    { key: 'first_paid_at', label: 'First settled', kind: 'instant', sql: own('first_paid_at'), width: 180, isOptional: true },
    { key: 'last_paid_at', label: 'Last settled', kind: 'instant', sql: own('last_paid_at'), width: 180, isOptional: true },
  ],
  added: [
    {
      key: 'previous_net_usd',
      label: 'Month before',
      kind: 'money',
      sql: sql`coalesce(before.net_attributed_usd, 0.00)`,
      width: 108,
      isOptional: true,
      isSummed: true,
      isBeside: true,
    },
    {
      key: 'change',
      label: 'Change',
      kind: 'money',
      sql: sql`snapshot_recipient.net_attributed_usd - coalesce(before.net_attributed_usd, 0)`,
      width: 100,
      sort: [{ sql: sql`abs(snapshot_recipient.net_attributed_usd - coalesce(before.net_attributed_usd, 0))`, type: 'numeric' }, LARGEST],
      isBeside: true,
    },
  ],
  composed: [
    { key: 'months', label: 'Six months', shape: 'months', width: 108 },
    { key: 'flags', label: 'Remarks', shape: 'flags', width: 228 },
  ],
  facts: [
    { key: 'baseMismatchCount', sql: own('base_mismatch_count') },
    { key: 'coarseReversalCount', sql: own('coarse_reversal_count') },
    { key: 'netsToZeroCount', sql: own('nets_to_zero_count') },
    { key: 'reversedMonths', sql: reversedMonths },
    { key: 'isFirstTime', sql: firstTime, isBeside: true },
    { key: 'sixNets', sql: sixNets, isBeside: true },
  ],
  shown: [
    'recipient_name',
    'recipient_player_id',
    'renewal_count',
    'subscription_count',
    'gross_attributed_usd',
    'reversed_attributed_usd',
    'net_attributed_usd',
    'previous_net_usd',
    'change',
    'months',
    'flags',
    'resolved',
  ],
  chips: [
    { key: 'negative', label: 'Negative balance', where: sql`snapshot_recipient.net_attributed_usd < 0` },
    { key: 'zero', label: 'Zero', where: sql`snapshot_recipient.net_attributed_usd = 0` },
    { key: 'unresolved', label: 'Unresolved', where: sql`snapshot_recipient.resolved is false` },
    {
      key: 'open_items',
      label: 'With open items',
      where: sql`(snapshot_recipient.resolved is false or snapshot_recipient.base_mismatch_count > 0 or snapshot_recipient.coarse_reversal_count > 0)`,
    },
    { key: 'first', label: 'First time', where: firstTime, isBeside: true },
    { key: 'changed', label: 'Largest changes', where: changed, isBeside: true, sort: 'change' },
  ],
  hasCounts: true,
  search: searchOf({
    name: 'snapshot_recipient.player_name',
    email: 'snapshot_recipient.player_email',
    id: 'snapshot_recipient.recipient_player_id',
  }),
  from: (db, { snapshot: { gameId, snapshotId } }) =>
    db
      .selectFrom('snapshot_recipient')
      .where('snapshot_recipient.game_id', '=', sql.lit(gameId))
      .where('snapshot_recipient.snapshot_id', '=', sql.lit(snapshotId)),
  joins: (source, { snapshot, previousSnapshotId }) =>
    source.leftJoin('snapshot_recipient as before', (join) =>
      join
        .on('before.game_id', '=', sql.lit(snapshot.gameId))
        .on('before.snapshot_id', '=', sql.lit(previousSnapshotId ?? -1))
        .onRef('before.recipient_player_id', '=', 'snapshot_recipient.recipient_player_id'),
    ),
  order: { key: 'net_attributed_usd', dir: 'desc' },
  ends: { first: 'Highest net', last: 'Lowest net' },
  scope: ({ snapshot: { snapshotId } }) => `recipients ${snapshotId}`,
  isRanked: true,
};

/** How a list of recipients is searched over its own columns. */
export function searchOf<Source extends { canSeeEmails: boolean }>(
  columns: Parameters<typeof findsRecipient>[0],
): List<Source, object>['search'] {
  return {
    label: ({ canSeeEmails }) => (canSeeEmails ? 'Search name, email or player ID' : 'Search name or player ID'),
    note: ({ canSeeEmails }) => formatRecipientMatch(canSeeEmails),
    where: ({ canSeeEmails }, find) => findsRecipient(columns, { find, canSeeEmails }),
  };
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

function firstTime({ snapshot, hasEarlier }: SheetSource): RawBuilder<SqlBool> {
  if (!hasEarlier) return sql`false`;
  return sql`not exists (select from snapshot_recipient earlier join snapshot before_it using (game_id, snapshot_id)
    where earlier.game_id = ${snapshot.gameId} and earlier.recipient_player_id = snapshot_recipient.recipient_player_id
      and before_it.status = 'complete' and before_it.window_end <= ${snapshot.windowStart}::timestamptz)`;
}

function changed({ snapshot, previousSnapshotId }: SheetSource): RawBuilder<SqlBool> {
  if (previousSnapshotId === null) return sql`false`;
  return sql`snapshot_recipient.net_attributed_usd <> coalesce((select past.net_attributed_usd from snapshot_recipient past
    where past.game_id = ${snapshot.gameId} and past.snapshot_id = ${previousSnapshotId}
      and past.recipient_player_id = snapshot_recipient.recipient_player_id), 0)`;
}

function sixNets({ snapshot, recent }: SheetSource): RawBuilder<(string | null)[]> {
  const ids = recent.map(({ snapshotId }) => snapshotId);
  return sql`array(select past.net_attributed_usd::text from unnest(${ids}::bigint[]) with ordinality as shown (snapshot_id, month_no)
    left join snapshot_recipient past on past.game_id = ${snapshot.gameId} and past.snapshot_id = shown.snapshot_id
      and past.recipient_player_id = snapshot_recipient.recipient_player_id order by shown.month_no)`;
}

/** Only where something of earlier months is reversed; otherwise no line is read. */
function reversedMonths({ snapshot, timeZone }: SheetSource): RawBuilder<Month[]> {
  return sql`case when snapshot_recipient.earlier_reversed_usd = 0 then '{}'::text[] else array(
    select distinct ${settledMonth(timeZone)} from snapshot_slice join reversal_line using (game_id, slice_id)
    where snapshot_slice.game_id = ${snapshot.gameId} and snapshot_slice.snapshot_id = ${snapshot.snapshotId}
      and reversal_line.recipient_player_id = snapshot_recipient.recipient_player_id
      and reversal_line.paid_at < ${snapshot.windowStart}::timestamptz order by 1) end`;
}
