import { sql } from 'kysely';
import { type Db, epochSeconds } from '#db/kit/open.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import type { AcceptedFact, StoredFact } from '../rules/stored-fact.ts';

/** One audit row about reports or re-issues, with the person whose email it names. */
export interface ReportEvent {
  /** Seconds since 1970. */
  at: number;
  personId: string | null;
  act: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** Lists what the audit has about bank reports and re-issues of a game, oldest first; refused attempts are left out. */
export async function listReportEvents(db: Db, gameId: number): Promise<ReportEvent[]> {
  const { rows } = await sql<ReportEvent>`
    select ${epochSeconds('audit.at')} as at, p.id as "personId", audit.act, audit.subject, audit.detail
    from audit left join person p on p.email = audit.actor
    where audit.game_id = ${gameId} and (audit.act in ('recorded a bank report', 'accepted a row of a bank report', 'set aside a row of a bank report',
        'set aside rows of a bank report')
      or audit.act in ('proposed to re-issue a payment', 'confirmed the re-issue of a payment', 'withdrew the re-issue of a payment'))
    order by audit.audit_id`.execute(db);
  return rows;
}

/** A report as it is verified. */
export interface ReportToVerify {
  reportNo: number;
  kind: string;
  sha256: string;
  dateOrder: string | null;
  rowCount: number;
  feeCount: number;
  result: string;
  addedBy: string;
  addedAt: string;
  addedAtSeconds: number;
  keyName: string;
  /** null: earlier than version 1. */
  rulesVersion: number | null;
}

/** Lists the reports of a game, by number, without their bytes. */
export async function listReportsToVerify(db: Db, gameId: number): Promise<ReportToVerify[]> {
  const { rows } = await sql<ReportToVerify>`
    select r.report_no as "reportNo", r.kind, encode(r.sha256, 'hex') as sha256, r.date_order as "dateOrder", r.row_count as "rowCount", r.fee_count as "feeCount",
      r.result, r.added_by as "addedBy", r.added_at as "addedAt", ${epochSeconds('r.added_at')} as "addedAtSeconds", r.key_name as "keyName",
      r.rules_version as "rulesVersion"
    from payment_report r where r.game_id = ${gameId} order by r.report_no`.execute(db);
  return rows;
}

/** What is stored of a confirmation `c`, as a `StoredFact`. */
export const CONFIRMED_FACTS = sql`
  c.row_no as "rowNo", c.run_id as "runId", c.item_no as "itemNo", null::int as "batchNo", c.state, c.occurred_on::text as "occurredOn", c.amount::text as amount, c.currency,
  c.provider_id as "providerId", c.reason_code as "reasonCode", c.matched_by as "matchedBy", null as problem, c.fee_usd::text as fee_usd, encode(c.row_digest, 'hex') as digest`;

/** Lists what is stored of the rows of a report, without what people decided. */
export async function listStoredFacts(db: Db, gameId: number, reportNo: number): Promise<StoredFact[]> {
  const { rows } = await sql<StoredFact>`
    select ${CONFIRMED_FACTS} from payment_confirmation c where c.game_id = ${gameId} and c.report_no = ${reportNo} and c.matched_by <> 'person'
    union all
    select r.row_no, r.run_id, r.item_no, r.batch_no, r.state, r.occurred_on::text, r.amount::text, r.currency, r.provider_id, null, null, r.problem, null, encode(r.row_digest, 'hex')
    from payment_report_row r where r.game_id = ${gameId} and r.report_no = ${reportNo}`.execute(db);
  return rows;
}

/** A row that a person decided, with what it confirms. */
export interface DecidedToVerify {
  reportNo: number;
  rowNo: number;
  /** null: it confirms something though nobody decided. */
  decision: string | null;
  note: string | null;
  decidedBy: string | null;
  /** Seconds since 1970. */
  decidedAt: number | null;
  /** Whether each confirmation states what the row does, amount, ID and digest, and counts from its date or not before it was decided. */
  isSame: boolean;
}

/** Lists the rows that people decided, by report and row, and those that confirm something in a person's name. */
export async function listDecidedRows(db: Db, gameId: number): Promise<DecidedToVerify[]> {
  const { rows } = await sql<DecidedToVerify>`
    select coalesce(r.report_no, said.report_no) as "reportNo", coalesce(r.row_no, said.row_no) as "rowNo", r.decision, r.note, r.decided_by as "decidedBy",
      ${epochSeconds('r.decided_at')} as "decidedAt",
      coalesce(said.facts = jsonb_build_array(jsonb_build_array(true, r.amount, r.currency, r.provider_id, encode(r.row_digest, 'hex'), null)), said.facts is null) as "isSame"
    from (select * from payment_report_row where game_id = ${gameId} and num_nonnulls(decision, note, decided_by, decided_at) > 0) r
      full join (
        select c.report_no, c.row_no,
          jsonb_agg(distinct jsonb_build_array(c.occurred_on is not distinct from r.occurred_on or c.occurred_on >= (r.decided_at at time zone 'UTC')::date, c.amount, c.currency, c.provider_id, encode(c.row_digest, 'hex'), c.reason_code)) as facts
        from payment_confirmation c left join payment_report_row r on r.game_id = ${gameId} and r.report_no = c.report_no and r.row_no = c.row_no
        where c.game_id = ${gameId} and c.matched_by = 'person' group by c.report_no, c.row_no) said on said.report_no = r.report_no and said.row_no = r.row_no
    order by 1, 2`.execute(db);
  return rows;
}

/** Lists what is confirmed in the name of people. */
export async function listAcceptedFacts(db: Db, gameId: number): Promise<(AcceptedFact & { reportNo: number })[]> {
  const { rows } = await sql<Omit<AcceptedFact, 'reference'> & { reportNo: number; runNo: number; itemNo: number }>`
    select c.report_no as "reportNo", run.run_no as "runNo", ${CONFIRMED_FACTS}
    from payment_confirmation c join payout_run run on run.game_id = ${gameId} and run.run_id = c.run_id
    where c.game_id = ${gameId} and c.matched_by = 'person'`.execute(db);
  return rows.map(({ runNo, ...fact }) => ({ ...fact, reference: formatPaymentReference({ gameId, runNo, itemNo: fact.itemNo }) }));
}

/** A re-issue as the audit is compared with it. Times in seconds since 1970. */
export interface ReissueToVerify {
  runNo: number;
  itemNo: number;
  replacesItemNo: number;
  reason: string;
  proposedBy: string;
  proposedAt: number;
  confirmedBy: string | null;
  confirmedAt: number | null;
  withdrawnBy: string | null;
  withdrawnAt: number | null;
}

/** Lists the re-issues of payments that failed or came back, by run and number; those of a cancelled file are its own. */
export async function listReissuesToVerify(db: Db, gameId: number): Promise<ReissueToVerify[]> {
  const { rows } = await sql<ReissueToVerify>`
    select run.run_no as "runNo", i.item_no as "itemNo", i.replaces_item_no as "replacesItemNo", i.reason, i.proposed_by as "proposedBy",
      ${epochSeconds('i.proposed_at')} as "proposedAt", i.confirmed_by as "confirmedBy", ${epochSeconds('i.confirmed_at')} as "confirmedAt",
      i.withdrawn_by as "withdrawnBy", ${epochSeconds('i.withdrawn_at')} as "withdrawnAt"
    from payout_item i join payout_run run on run.game_id = ${gameId} and run.run_id = i.run_id
      left join payout_item before on before.game_id = ${gameId} and before.run_id = i.run_id and before.item_no = i.replaces_item_no
      left join payout_batch b on b.game_id = ${gameId} and b.batch_no = before.batch_no
    where i.game_id = ${gameId} and i.replaces_item_no is not null and b.cancelled_at is null order by i.run_id, i.item_no`.execute(db);
  return rows;
}
