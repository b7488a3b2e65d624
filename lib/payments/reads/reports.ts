import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { LISTED_REASONS, type ListedReason } from '../rules/match-rows.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import { REPORT_KINDS, type ReportKind } from '../rules/report-row.ts';
import { REPORTED_STATES, type ReportedState } from '../rules/reported-states.ts';

/** A stored report, as lists and pages show it. */
export interface StoredReport {
  reportNo: number;
  kind: ReportKind;
  /** Without what may be an account; null: pasted. */
  fileName: string | null;
  /** Hex. */
  sha256: string;
  rowCount: number;
  feeCount: number;
  /** What it states, in one sentence. */
  result: string;
  addedBy: string;
  addedAt: string;
  /** Its confirmations of payments, and its rows that a person decides or has decided. */
  confirmedCount: number;
  listedCount: number;
  openCount: number;
  /** Of the open ones, those that name no payment of this game. */
  openForeignCount: number;
}

const reportsOf = (gameId: number): RawBuilder<Omit<StoredReport, 'kind'> & { kind: string }> => sql`
  select report.report_no as "reportNo", report.kind, report.file_name as "fileName", encode(report.sha256, 'hex') as sha256, report.row_count as "rowCount",
    report.fee_count as "feeCount", report.result, person.name as "addedBy", report.added_at as "addedAt",
    (select count(*)::int from payment_confirmation c where c.game_id = ${gameId} and c.report_no = report.report_no) as "confirmedCount",
    (select count(*)::int from payment_report_row r where r.game_id = ${gameId} and r.report_no = report.report_no) as "listedCount",
    (select count(*)::int from payment_report_row r where r.game_id = ${gameId} and r.report_no = report.report_no and r.decision is null) as "openCount",
    (select count(*)::int from payment_report_row r where r.game_id = ${gameId} and r.report_no = report.report_no and r.decision is null
      and r.problem = 'foreign') as "openForeignCount"
  from payment_report report join person on person.id = report.added_by where report.game_id = ${gameId}`;

const reshapeReport = ({ kind, ...report }: Omit<StoredReport, 'kind'> & { kind: string }): StoredReport => ({
  ...report,
  kind: parseEnum(REPORT_KINDS, kind),
});

/** Finds a report by its number, or by the hex SHA-256 of its bytes; null: there is none. */
export async function findReport(db: Db, gameId: number, key: { reportNo: number } | { sha256: string }): Promise<StoredReport | null> {
  const isIt = 'sha256' in key ? sql`report.sha256 = decode(${key.sha256}, 'hex')` : sql`report.report_no = ${key.reportNo}::bigint`;
  const { rows } = await sql<Omit<StoredReport, 'kind'> & { kind: string }>`${reportsOf(gameId)} and ${isIt}`.execute(db);
  return rows[0] === undefined ? null : reshapeReport(rows[0]);
}

/** Lists the reports of a game, newest first, those before a number; at most `limit`. */
export async function listReports(
  db: Db,
  gameId: number,
  { before = null, limit = 100 }: { before?: number | null; limit?: number } = {},
): Promise<StoredReport[]> {
  const { rows } = await sql<Omit<StoredReport, 'kind'> & { kind: string }>`
    ${reportsOf(gameId)} and (${before}::bigint is null or report.report_no < ${before}::bigint) order by report.report_no desc limit ${limit}`.execute(
    db,
  );
  return rows.map(reshapeReport);
}

/** What a person decides of a row that confirmed nothing by itself: it is about a payment, or about none. */
const ROW_DECISIONS = ['accepted', 'set_aside'] as const;
type RowDecisionKind = (typeof ROW_DECISIONS)[number];

/** A row that confirmed nothing by itself, with what a person decided about it. */
export interface ListedRow {
  reportNo: number;
  rowNo: number;
  /** Whether the layout of its report has amounts: a bank's answer to a file has none. */
  hasAmounts: boolean;
  problem: ListedReason;
  /** The payment it seems to be about; null: none, or several. */
  payment: { runNo: number; itemNo: number; reference: string; amount: string; currency: string; amount_usd: string } | null;
  /** null: its word isn't known. */
  state: ReportedState | null;
  occurredOn: string | null;
  amount: string | null;
  currency: string | null;
  providerId: string | null;
  decision: RowDecisionKind | null;
  decidedBy: string | null;
  decidedAt: string | null;
  note: string | null;
}

interface ListedDbRow extends Omit<ListedRow, 'problem' | 'payment' | 'state' | 'decision'> {
  problem: string;
  payment: Omit<NonNullable<ListedRow['payment']>, 'reference'> | null;
  state: string | null;
  decision: string | null;
}

/** Most rows of a bank statement name no payment of the game: they come after those that a person looks at one by one. */
const isForeign = sql`(r.problem = 'foreign')`;

/** `chosen`: the condition on the rows, with what limits them; they come in its order. */
const listedOf = (gameId: number, chosen: RawBuilder<unknown>): RawBuilder<ListedDbRow> => sql`
  select r.report_no as "reportNo", r.row_no as "rowNo", report.kind <> 'pain_002' as "hasAmounts", r.problem, r.state, r.occurred_on::text as "occurredOn", r.amount::text as amount, r.currency,
    r.provider_id as "providerId", r.decision, person.name as "decidedBy", ${nestedInstant('r.decided_at')} as "decidedAt", r.note,
    case when i.item_no is not null then json_build_object('runNo', run.run_no, 'itemNo', i.item_no, 'amount', coalesce(i.amount_file, i.amount_usd)::text,
      'currency', coalesce(b.currency, 'USD'), 'amount_usd', i.amount_usd::text) end as payment
  from (select * from payment_report_row r where r.game_id = ${gameId} and ${chosen}) r
    join payment_report report on report.game_id = ${gameId} and report.report_no = r.report_no
    left join payout_item i on i.game_id = ${gameId} and i.run_id = r.run_id and i.item_no = r.item_no
    left join payout_run run on run.game_id = ${gameId} and run.run_id = r.run_id
    left join payout_batch b on b.game_id = ${gameId} and b.batch_no = i.batch_no
    left join person on person.id = r.decided_by
  order by ${isForeign}, r.report_no, r.row_no`;

const reshapeListed = (gameId: number, { problem, payment, state, decision, ...row }: ListedDbRow): ListedRow => ({
  ...row,
  problem: parseEnum(LISTED_REASONS, problem),
  payment: payment === null ? null : { ...payment, reference: formatPaymentReference({ gameId, ...payment }) },
  state: state === null ? null : parseEnum(REPORTED_STATES, state),
  decision: decision === null ? null : parseEnum(ROW_DECISIONS, decision),
});

/** Listed rows that a page shows. */
export const LISTED_ROWS_MAX = 200;

/**
 * Lists rows that confirmed nothing by themselves: of one report, or the open ones of a game, by report and row, those that name no payment last; those after a listed
 * row, at most `limit`.
 */
export async function listListedRows(
  db: Db,
  gameId: number,
  {
    reportNo = null,
    isOpen = false,
    after = null,
    limit = LISTED_ROWS_MAX,
  }: { reportNo?: number | null; isOpen?: boolean; after?: { reportNo: number; rowNo: number } | null; limit?: number },
): Promise<ListedRow[]> {
  const { rows } = await listedOf(
    gameId,
    sql`(${reportNo}::bigint is null or r.report_no = ${reportNo}::bigint) and (r.decision is null or not ${isOpen}::boolean)
      and (${after === null}::boolean or (${isForeign}, r.report_no, r.row_no) > (select ${isForeign}, r.report_no, r.row_no from payment_report_row r
        where r.game_id = ${gameId} and r.report_no = ${after?.reportNo ?? 0}::bigint and r.row_no = ${after?.rowNo ?? 0}::bigint))
      order by ${isForeign}, r.report_no, r.row_no limit ${limit}`,
  ).execute(db);
  return rows.map((row) => reshapeListed(gameId, row));
}

/** Lists rows about one payment, or about the whole of its file, that wait for a person's decision, by report and row; at most `LISTED_ROWS_MAX`. */
export async function listOpenRowsAbout(
  db: Db,
  gameId: number,
  { runId, itemNo, batchNo }: { runId: number; itemNo: number; batchNo: number | null },
): Promise<ListedRow[]> {
  const { rows } = await listedOf(
    gameId,
    sql`r.decision is null and ((r.run_id = ${runId}::bigint and r.item_no = ${itemNo}::int) or (r.item_no is null and r.batch_no = ${batchNo}::bigint))
      order by r.report_no, r.row_no limit ${LISTED_ROWS_MAX}`,
  ).execute(db);
  return rows.map((row) => reshapeListed(gameId, row));
}

/** Finds one listed row; null: there is none. */
export async function findListedRow(
  db: Db,
  gameId: number,
  { reportNo, rowNo }: { reportNo: number; rowNo: number },
): Promise<ListedRow | null> {
  const { rows } = await listedOf(gameId, sql`r.report_no = ${reportNo}::bigint and r.row_no = ${rowNo}::bigint`).execute(db);
  return rows[0] === undefined ? null : reshapeListed(gameId, rows[0]);
}

/**
 * Whether rows of reports about payments of a run wait for a person's decision. A row that names several payments, or a whole file, may be about any run; a foreign one
 * is about none.
 */
export async function hasOpenRows(db: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<boolean> {
  const row = await db
    .selectFrom('payment_report_row')
    .select('row_no')
    .where('game_id', '=', gameId)
    .where((is) => is.or([is('run_id', '=', runId), is.and([is('run_id', 'is', null), is('problem', '<>', 'foreign')])]))
    .where('decision', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds the sealed bytes of a report; null: there is no such report. */
export async function findSealedReport(
  db: Db,
  gameId: number,
  reportNo: number,
): Promise<{ sealed: Buffer; keyName: string; sha256: string; dateOrder: string | null } | null> {
  const { rows } = await sql<{ sealed: Buffer; keyName: string; sha256: string; dateOrder: string | null }>`
    select sealed, key_name as "keyName", encode(sha256, 'hex') as sha256, date_order as "dateOrder" from payment_report
    where game_id = ${gameId} and report_no = ${reportNo}`.execute(db);
  return rows[0] ?? null;
}
