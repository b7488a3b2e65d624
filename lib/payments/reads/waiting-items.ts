import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { maskName } from '#lib/core/roles.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { detailsInForce, newestNaming, paysIdentity } from '#lib/payees/reads/in-force.ts';
import { type DetailRow, detailColumns, detailOf, type StoredDetail } from '#lib/payees/reads/payee-details.ts';
import type { RunId } from '#lib/payouts/reads/find-run.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../rules/payment.ts';
import { paysReported } from './reported-paid.ts';

/** A payment that is in no file yet, with the payment details it goes to. */
export interface WaitingItem {
  itemNo: number;
  recipientId: number;
  amount_usd: string;
  /** It replaces one that failed, came back or could enter no file; not one of a cancelled file alone. */
  isReissue: boolean;
  detail: StoredDetail;
  /** The details it was approved with are no longer in force, or were made for another identity than the recipient has now. */
  isChanged: boolean;
  /** A row of a bank report that nobody has decided may show it as paid, or a payment whose money it pays again. */
  isReportedPaid: boolean;
}

/** Whether one person recorded a payment, by the column of its number, as paid elsewhere and a second person hasn't decided. */
export const isProposed = (
  gameId: number,
  runId: number | RawBuilder<unknown>,
  itemNo: string,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from payout_batch b where b.game_id = ${gameId} and b.run_id = ${runId} and b.method = 'elsewhere'
    and b.handed_over_at is null and b.cancelled_at is null and ${sql.ref(itemNo)} = any(b.item_nos))`;

/**
 * Whether a re-issue of a payment that waits, by the columns of its run and number, waits for a second person. The few of a game are read once, so that a plan without
 * statistics of new payments isn't slow.
 */
export const hasReissue = (gameId: number, runId: number | RawBuilder<unknown>, itemNo: string): RawBuilder<boolean> => sql<boolean>`(
  (${runId}, ${sql.ref(itemNo)}) in (select next.run_id, next.replaces_item_no from payout_item next where next.game_id = ${gameId} and next.state = 'proposed'))`;

/**
 * The payments `i` of a run that are in no file and that nobody proposed to re-issue or to record as paid elsewhere, with `d`: the details they were approved with, or those in
 * force where their run is older than payment details or they are re-issued; NULL: none.
 */
const waiting = ({ gameId, runId }: { gameId: number; runId: number | RawBuilder<unknown> }): RawBuilder<unknown> => sql`
  payout_item i
    left join lateral ${newestNaming(gameId, 'i.recipient_player_id')} newest on true
    left join lateral ${detailsInForce(gameId, 'i.recipient_player_id')} own on true
    left join payee_detail d on d.game_id = ${gameId} and d.recipient_player_id = i.recipient_player_id and d.detail_no = coalesce(i.detail_no,
      case when ${paysIdentity('own', 'newest.identity_id')} then own.detail_no end)
  where i.game_id = ${gameId} and i.run_id = ${runId} and i.state = 'waiting'
    and not ${isProposed(gameId, runId, 'i.item_no')} and not ${hasReissue(gameId, runId, 'i.item_no')}`;

/** Whether the details `d` that a payment was approved with are no longer in force, or were made for another identity than the recipient has now. */
const isChanged = sql<boolean>`(d.detail_no is distinct from own.detail_no or not ${paysIdentity('own', 'newest.identity_id')})`;

/**
 * What of a run `run` waits for a file, as a lateral source: the sum of what can enter one, and of what can't. No file takes payments without payment details, whose
 * details changed, or by SEPA of a run that was approved without a rate.
 */
export const waitingSums = (gameId: number): RawBuilder<unknown> => sql`(
  select coalesce(nullif(d.method, 'none') <> 'sepa' or d.method = 'sepa' and run.usd_per_eur is not null, false) and not ${isChanged} as "entersFile",
    sum(i.amount_usd) as amount_usd from ${waiting({ gameId, runId: sql.ref('run.run_id') })} group by 1)`;

/** Lists the recipients of payments of a run, by the numbers of the payments or that of their file. */
export async function listRecipients(
  db: Db,
  { gameId, runId }: RunId,
  payments: { itemNos: readonly number[] } | { batchNo: number },
): Promise<number[]> {
  const chosen = 'batchNo' in payments ? sql`i.batch_no = ${payments.batchNo}` : sql`i.item_no = any(${payments.itemNos}::int[])`;
  const { rows } = await sql<{ id: number }>`
    select distinct i.recipient_player_id as id from payout_item i
    where i.game_id = ${gameId} and i.run_id = ${runId} and ${chosen}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists the payments of a run that wait for a file of a method, by number. */
export async function listWaiting(db: Db, run: RunId, method: PaymentMethod): Promise<WaitingItem[]> {
  const { rows } = await sql<Omit<WaitingItem, 'detail'> & DetailRow>`
    select i.item_no as "itemNo", i.amount_usd, i.replaces_item_no is not null and not exists (select from payout_item before
        join payout_batch b on b.game_id = ${run.gameId} and b.batch_no = before.batch_no and b.cancelled_at is not null and b.reissue_no is null
        where before.game_id = ${run.gameId} and before.run_id = ${run.runId} and before.item_no = i.replaces_item_no) as "isReissue", ${detailColumns('d')},
      ${isChanged} as "isChanged",
      ${paysReported(run)} as "isReportedPaid"
    from ${waiting(run)} and d.method = ${method} order by i.item_no`.execute(db);
  return rows.map(({ itemNo, amount_usd, isReissue, isChanged, isReportedPaid, ...row }) => {
    return { itemNo, recipientId: row.recipientId, amount_usd, isReissue, isChanged, isReportedPaid, detail: detailOf(row) };
  });
}

/** What waits for a file, by the method it will be paid by; null: no payment details are in force. */
export interface WaitingGroup {
  method: PaymentMethod | null;
  count: number;
  total_usd: string;
}

/** Sums what of a run waits for a file, by method. */
export async function sumWaiting(db: Db, run: RunId): Promise<WaitingGroup[]> {
  const { rows } = await sql<Omit<WaitingGroup, 'method'> & { method: string | null }>`
    select nullif(d.method, 'none') as method, count(*)::int as count, sum(i.amount_usd)::text as total_usd from ${waiting(run)}
    group by nullif(d.method, 'none')`.execute(db);
  const groups = rows.map(({ method, ...group }): WaitingGroup => {
    return { ...group, method: method === null ? null : parseEnum(PAYMENT_METHODS, method) };
  });
  const index = ({ method }: WaitingGroup): number => (method === null ? PAYMENT_METHODS.length : PAYMENT_METHODS.indexOf(method));
  return groups.toSorted((one, other) => index(one) - index(other));
}

/** A recipient with a payment that waits. */
export interface WaitingRecipient {
  recipientId: number;
  name: string | null;
}

/** Lists the recipients of payments that wait for a file of a method, or, by null, have no payment details in force; by player, at most `limit`. */
export async function listWaitingRecipients(
  db: Db,
  run: RunId,
  { method, limit, canSeeEmails }: { method: PaymentMethod | null; limit: number; canSeeEmails: boolean },
): Promise<WaitingRecipient[]> {
  const { rows } = await sql<WaitingRecipient>`
    select i.recipient_player_id as "recipientId", newest.player_name as name
    from ${waiting(run)} and nullif(d.method, 'none') is not distinct from ${method}::text order by i.recipient_player_id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ recipientId, name }) => ({ recipientId, name: maskName(name, canSeeEmails) }));
}

/** Lists the names of recipients as Invo reported them last, by player. */
export async function listNames(
  db: Db,
  gameId: number,
  { recipientIds, canSeeEmails }: { recipientIds: readonly number[]; canSeeEmails: boolean },
): Promise<Map<number, string | null>> {
  const { rows } = await sql<WaitingRecipient>`
    select named.id as "recipientId", newest.player_name as name from unnest(${recipientIds}::bigint[]) as named(id)
      left join lateral ${newestNaming(gameId, 'named.id')} newest on true`.execute(db);
  return new Map(rows.map(({ recipientId, name }) => [recipientId, maskName(name, canSeeEmails)]));
}
