import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { KnownBatch, KnownConfirmation, KnownPayment, KnownPayments } from '../rules/match-rows.ts';
import { formatPaymentReference, listLikelyPayments, type PaymentReference, parsePaymentReference } from '../rules/payment-reference.ts';
import type { ReportRow } from '../rules/report-row.ts';

/** A report that is stored: payments are read as they were known when it was added. */
export interface AddedReport {
  reportNo: number;
  addedAt: string;
}

/**
 * Reads what is known of the payments that rows of a report may name: by reference, by trace, by the ID of an earlier movement or by their file.
 * `asOf`: as they were known before that report; null: now.
 */
export async function findKnownPayments(
  db: Db,
  gameId: number,
  rows: readonly ReportRow[],
  asOf: AddedReport | null = null,
): Promise<KnownPayments> {
  const named = namedBy(gameId, rows);
  const payments = (await listNamed(db, gameId, named, asOf)).map((row) => reshape(gameId, row));
  const byReference = new Map(payments.map(({ payment }) => [payment.reference, payment]));
  const batches = Map.groupBy(
    payments.filter(({ batchId }) => batchId !== null && named.batchIds.includes(batchId)),
    ({ batchId }) => batchId ?? '',
  );
  return {
    byReference,
    byTrace: uniqueBy(payments.flatMap(({ trace, payment }) => (trace === null ? [] : [[trace, payment]]))),
    byProviderId: uniqueBy(
      payments.flatMap(({ payment }) =>
        [...new Set(payment.confirmations.flatMap(({ providerId }) => providerId ?? []))].map((id) => [id, payment]),
      ),
    ),
    byBatchId: new Map([...batches].map(([batchId, own]) => [batchId, batchOf(batchId, own)])),
    byMistyped: new Map(
      [...named.likely].map(([word, own]) => [word, own.flatMap((each) => byReference.get(formatPaymentReference(each)) ?? [])]),
    ),
    listed: await findListed(db, gameId, rows, asOf),
  };
}

const NOTHING: Named = { likely: new Map(), runNos: [], itemNos: [], traces: [], providerIds: [], batchIds: [] };

/** Finds a payment of the game by its reference, in upper or lower case; null: there is none. */
export async function findKnownPayment(db: Db, gameId: number, reference: string): Promise<KnownPayment | null> {
  const parsed = parsePaymentReference(reference.replaceAll(/\s/g, ''));
  if (parsed?.gameId !== gameId) return null;
  const [found] = await listNamed(db, gameId, { ...NOTHING, runNos: [parsed.runNo], itemNos: [parsed.itemNo] }, null);
  return found === undefined ? null : reshape(gameId, found).payment;
}

/** Finds a file with its payments by the ID that the bank knows it by; null: there is none. */
export async function findKnownBatch(db: Db, gameId: number, batchId: string): Promise<KnownBatch | null> {
  const payments = (await listNamed(db, gameId, { ...NOTHING, batchIds: [batchId] }, null)).map((row) => reshape(gameId, row));
  return payments.length === 0 ? null : batchOf(batchId, payments);
}

interface Named {
  runNos: number[];
  itemNos: number[];
  traces: string[];
  providerIds: string[];
  batchIds: string[];
  /** By a word that may be a reference with one wrong letter. */
  likely: ReadonlyMap<string, readonly PaymentReference[]>;
}

function namedBy(gameId: number, rows: readonly ReportRow[]): Named {
  const unique = (each: (row: ReportRow) => readonly string[] | string | null): string[] => [
    ...new Set(rows.flatMap((row) => each(row) ?? [])),
  ];
  const likely = new Map(
    unique(({ mistyped }) => mistyped).flatMap((word): [string, PaymentReference[]][] => {
      const own = listLikelyPayments(word, gameId);
      return own.length === 0 ? [] : [[word, own]];
    }),
  );
  const references = [
    ...unique(({ references: own }) => own).flatMap((reference) => parsePaymentReference(reference) ?? []),
    ...[...likely.values()].flat(),
  ].filter((reference) => reference.gameId === gameId);
  return {
    likely,
    runNos: references.map(({ runNo }) => runNo),
    itemNos: references.map(({ itemNo }) => itemNo),
    traces: unique(({ trace }) => trace),
    providerIds: unique(({ relatedId }) => relatedId),
    batchIds: unique(({ batchId }) => batchId),
  };
}

interface PaymentRow extends Omit<KnownPayment, 'reference'> {
  runNo: number;
  trace: string | null;
  batchNo: number | null;
  batchId: string | null;
  total: string | null;
}

type Read = { payment: KnownPayment } & Pick<PaymentRow, 'trace' | 'batchNo' | 'batchId' | 'total'>;

/** Whether a row was stored before the report that is read again, by its alias and the column of its time; true where none is. */
const isBefore = (asOf: AddedReport | null, at: string): RawBuilder<boolean> =>
  asOf === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(at)} <= ${asOf.addedAt}`;

/**
 * Whether another payment replaces `i`, or an approved run pays it again. Both parts are read once for all payments, so that a plan without statistics of new rows isn't
 * slow. Earlier than now, the content of the runs decides: a run that was voided since has freed what it paid again.
 */
export const isReplaced = (gameId: number, asOf: AddedReport | null = null): RawBuilder<boolean> => sql<boolean>`(
  (i.run_id, i.item_no) in (select next.run_id, next.replaces_item_no from payout_item next where next.game_id = ${gameId}
    and next.replaces_item_no is not null and next.confirmed_at is not null and ${isBefore(asOf, 'next.confirmed_at')})
  or ${asOf === null ? isPaidAgain(gameId) : wasPaidAgain(gameId, asOf)})`;

const isPaidAgain = (gameId: number): RawBuilder<boolean> => sql<boolean>`
  i.returned_in_run_id is not null and i.returned_in_run_id in (select back.run_id from payout_run back where back.game_id = ${gameId}
    and back.approved_at is not null)`;

const wasPaidAgain = (gameId: number, { addedAt }: AddedReport): RawBuilder<boolean> => sql<boolean>`
  (run.run_no, i.item_no) in (select returned."runNo", returned."itemNo" from payout_run back
      cross join lateral jsonb_to_recordset(coalesce(back.content -> 'returned', '[]')) as returned ("runNo" int, "itemNo" int)
    where back.game_id = ${gameId} and back.approved_at <= ${addedAt} and (back.voided_at is null or back.voided_at > ${addedAt}))`;

/** Payments of one run by their numbers. */
interface RunItems {
  runId: number;
  itemNos: number[];
}

async function listNamed(db: Db, gameId: number, named: Named, asOf: AddedReport | null): Promise<PaymentRow[]> {
  const payments: PaymentRow[] = [];
  for (const { runId, itemNos } of await listNamedKeys(db, gameId, named)) {
    const { rows } = await sql<PaymentRow>`
      select i.run_id as "runId", run.run_no as "runNo", i.item_no as "itemNo", i.amount_usd::text as amount_usd, case when b.batch_no is null then i.amount_usd else coalesce(i.amount_file, i.amount_usd) end::text as amount,
        coalesce(b.currency, 'USD') as currency, case when b.batch_no is not null then i.trace end as trace, b.batch_no as "batchNo", b.message_id as "batchId", b.total_file::text as total,
        case when b.method <> 'elsewhere' then left(b.created_local, 10) end as "madeOn",
        coalesce(b.handed_over_at is not null and ${isBefore(asOf, 'b.handed_over_at')}, false) as "isHandedOver", ${isReplaced(gameId, asOf)} as "isReplaced",
        said.confirmations
      from payout_item i
        join payout_run run on run.game_id = ${gameId} and run.run_id = ${runId}
        left join payout_batch b on b.game_id = ${gameId} and b.batch_no = i.batch_no and ${isBefore(asOf, 'b.made_at')}
        cross join lateral (
          select coalesce(json_agg(json_build_object('state', c.state, 'kind', (select report.kind from payment_report report
            where report.game_id = ${gameId} and report.report_no = c.report_no), 'providerId', c.provider_id, 'digest', encode(c.row_digest, 'hex'),
            'occurredOn', c.occurred_on, 'isOfFile', c.matched_by in ('batch_total', 'message') or c.matched_by = 'person' and exists (
              select from payment_confirmation other where other.game_id = ${gameId} and other.report_no = c.report_no and other.row_no = c.row_no
                and (other.run_id, other.item_no) <> (c.run_id, c.item_no)))), '[]') as confirmations
          from payment_confirmation c where c.game_id = ${gameId} and c.run_id = i.run_id and c.item_no = i.item_no
            and (${asOf?.reportNo ?? null}::int is null or c.report_no < ${asOf?.reportNo ?? null}) and ${isBefore(asOf, 'c.confirmed_at')}) said
      where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = any(${itemNos}::int[]) order by i.item_no`.execute(db);
    payments.push(...rows);
  }
  return payments;
}

/** The payments that are named, by run. Their facts are read in a statement of each run: its list of numbers is one the planner can't misjudge. */
async function listNamedKeys(db: Db, gameId: number, named: Named): Promise<RunItems[]> {
  const { runNos, itemNos, traces, providerIds, batchIds } = named;
  const { rows } = await sql<RunItems>`
    select named.run_id as "runId", array_agg(distinct named.item_no) as "itemNos" from (
      select run.run_id, n.item_no from unnest(${runNos}::int[], ${itemNos}::int[]) as n (run_no, item_no)
        join payout_run run on run.game_id = ${gameId} and run.run_no = n.run_no
      union all select t.run_id, t.item_no from payout_item t where t.game_id = ${gameId} and t.trace = any(${traces}::text[])
      union all select c.run_id, c.item_no from payment_confirmation c where c.game_id = ${gameId} and c.provider_id = any(${providerIds}::text[])
      union all select of_batch.run_id, of_batch.item_no from payout_batch batch
        join payout_item of_batch on of_batch.game_id = ${gameId} and of_batch.batch_no = batch.batch_no
        where batch.game_id = ${gameId} and batch.message_id = any(${batchIds}::text[])) named
    group by named.run_id order by named.run_id`.execute(db);
  return rows;
}

function reshape(gameId: number, { runNo, trace, batchNo, batchId, total, ...row }: PaymentRow): Read {
  const confirmations: readonly KnownConfirmation[] = row.confirmations;
  return {
    payment: { ...row, confirmations, reference: formatPaymentReference({ gameId, runNo, itemNo: row.itemNo }) },
    trace,
    batchNo,
    batchId,
    total,
  };
}

function batchOf(batchId: string, payments: readonly Read[]): KnownBatch {
  const [first] = payments;
  if (first === undefined || first.batchNo === null || first.total === null) throw new Error(`the file ${batchId} has no payments`);
  return {
    batchNo: first.batchNo,
    runId: first.payment.runId,
    currency: first.payment.currency,
    total: first.total,
    payments: payments.map(({ payment }) => payment),
  };
}

/** Entries whose key names one payment. */
function uniqueBy(entries: readonly (readonly [string, KnownPayment])[]): Map<string, KnownPayment> {
  const byKey = Map.groupBy(entries, ([key]) => key);
  return new Map([...byKey].flatMap(([key, own]) => (own.length === 1 && own[0] !== undefined ? [[key, own[0][1]]] : [])));
}

/** Of these rows, the digests of those that an earlier report had and that confirmed nothing. */
async function findListed(db: Db, gameId: number, rows: readonly ReportRow[], asOf: AddedReport | null): Promise<Set<string>> {
  const { rows: listed } = await sql<{ digest: string }>`
    select distinct encode(r.row_digest, 'hex') as digest from unnest(${rows.map(({ digest }) => digest)}::text[]) as wanted (digest)
      join payment_report_row r on r.game_id = ${gameId} and r.row_digest = decode(wanted.digest, 'hex')
    where ${asOf?.reportNo ?? null}::int is null or r.report_no < ${asOf?.reportNo ?? null}`.execute(db);
  return new Set(listed.map(({ digest }) => digest));
}
