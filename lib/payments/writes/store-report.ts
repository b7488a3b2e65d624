import { type RawBuilder, sql } from 'kysely';
import { type Cell, copyRows } from '#db/kit/copy.ts';
import type { Db } from '#db/kit/open.ts';
import type { AddedReport } from '../reads/known-payments.ts';
import { CONFIRMED_FACTS } from '../reads/report-verification.ts';
import type { ChosenDateOrder, ReportKind } from '../rules/report-row.ts';
import { BACK_STATES, type ReportedState } from '../rules/reported-states.ts';
import { MATCH_RULES_VERSION, type StoredFact } from '../rules/stored-fact.ts';

/** A report as it is stored, without its rows. */
export interface NewReport {
  gameId: number;
  reportNo: number;
  kind: ReportKind;
  fileName: string | null;
  sealed: Buffer;
  keyName: string;
  /** Hex. */
  sha256: string;
  dateOrder: ChosenDateOrder | null;
  rowCount: number;
  feeCount: number;
  result: string;
  addedBy: string;
  addedAt: string;
}

/** Finds the number and the time of a report that is added now. To store it, the caller holds `lockRunsOf`; a preview doesn't need to. */
export async function findNextReport(tx: Db, gameId: number): Promise<AddedReport> {
  const { rows } = await sql<AddedReport>`
    select coalesce(max(report_no), 0) + 1 as "reportNo", clock_now() as "addedAt" from payment_report where game_id = ${gameId}`.execute(
    tx,
  );
  if (rows[0] === undefined) throw new Error('an aggregate has one row');
  return rows[0];
}

const ROW_FACTS = ['run_id', 'item_no', 'state', 'occurred_on', 'amount', 'currency', 'provider_id', 'row_digest'];
const CONFIRMED_COLUMNS = ['game_id', 'report_no', 'row_no', ...ROW_FACTS, 'reason_code', 'matched_by'];
const LISTED_COLUMNS = ['game_id', 'report_no', 'row_no', ...ROW_FACTS, 'batch_no', 'problem'];

/** Stores a report with what its rows confirm and those that it lists. Rows that repeat what is known are stored nowhere but in its bytes. */
export async function insertReport(tx: Db, report: NewReport, facts: readonly StoredFact[]): Promise<void> {
  const { gameId, reportNo, kind, fileName, sealed, keyName, sha256, dateOrder, rowCount, feeCount, result, addedBy, addedAt } = report;
  await tx
    .insertInto('payment_report')
    .values({
      game_id: gameId,
      report_no: reportNo,
      kind,
      file_name: fileName,
      sealed,
      key_name: keyName,
      sha256: Buffer.from(sha256, 'hex'),
      date_order: dateOrder,
      row_count: rowCount,
      fee_count: feeCount,
      result,
      added_by: addedBy,
      added_at: addedAt,
      rules_version: MATCH_RULES_VERSION,
    })
    .execute();
  const key: Cell[] = [gameId, reportNo];
  await copyRows(tx, 'payment_confirmation', CONFIRMED_COLUMNS, confirmationCells(key, facts));
  await copyRows(tx, 'payment_report_row', LISTED_COLUMNS, listedCells(key, facts));
}

function* confirmationCells(key: Cell[], facts: readonly StoredFact[]): Generator<Cell[]> {
  for (const fact of facts) if (fact.problem === null) yield [...key, ...cellsOf(fact), fact.reasonCode, fact.matchedBy];
}

function* listedCells(key: Cell[], facts: readonly StoredFact[]): Generator<Cell[]> {
  for (const fact of facts) if (fact.problem !== null) yield [...key, ...cellsOf(fact), fact.batchNo, fact.problem];
}

/** The number of a row, and its facts in the order of `ROW_FACTS`. */
function cellsOf({ rowNo, runId, itemNo, state, occurredOn, amount, currency, providerId, digest }: StoredFact): Cell[] {
  return [rowNo, runId, itemNo, state, occurredOn, amount, currency, providerId, `\\x${digest}`];
}

/** A payment of a run by its number. */
interface PaymentKey {
  runId: number;
  itemNo: number;
}

/** What a person decides of a listed row. `confirms`: the payments that it is about, what it states of them, and what banks withheld of a return. */
export interface RowDecision {
  gameId: number;
  reportNo: number;
  rowNo: number;
  note: string;
  decidedBy: string;
  confirms: { payments: readonly PaymentKey[]; state: ReportedState; fee_usd: string | null } | null;
}

/** Decides a listed row once, and returns what is stored of its payments; null: it is decided already. */
export async function insertRowDecision(
  tx: Db,
  { gameId, reportNo, rowNo, note, decidedBy, confirms }: RowDecision,
): Promise<StoredFact[] | null> {
  const { numAffectedRows } = await sql`
    update payment_report_row r set decision = ${confirms === null ? 'set_aside' : 'accepted'}, decided_by = ${decidedBy}, decided_at = clock_now(), note = ${note}
    where r.game_id = ${gameId} and r.report_no = ${reportNo} and r.row_no = ${rowNo} and r.decision is null`.execute(tx);
  if (numAffectedRows !== 1n) return null;
  if (confirms === null) return [];
  const column = (name: keyof PaymentKey): RawBuilder<unknown> => sql`${confirms.payments.map((payment) => payment[name])}`;
  const { rows } = await sql<StoredFact>`
    insert into payment_confirmation as c (game_id, report_no, row_no, run_id, item_no, state, occurred_on, amount, currency, fee_usd, provider_id, matched_by, row_digest)
    select r.game_id, r.report_no, r.row_no, chosen.run_id, chosen.item_no, ${confirms.state},
      ${dayOfDecided(gameId, 'chosen', sql`${confirms.state}`)}, r.amount, r.currency, ${confirms.fee_usd}::whole_cents,
      r.provider_id, 'person', r.row_digest
    from payment_report_row r cross join unnest(${column('runId')}::bigint[], ${column('itemNo')}::int[]) as chosen (run_id, item_no)
    where r.game_id = ${gameId} and r.report_no = ${reportNo} and r.row_no = ${rowNo}
    returning ${CONFIRMED_FACTS}`.execute(tx);
  return rows;
}

/** Sets the open rows of a report aside that name no payment of the game. Returns their numbers, in order. */
export async function setForeignAside(
  tx: Db,
  { gameId, reportNo, note, decidedBy }: Pick<RowDecision, 'gameId' | 'reportNo' | 'note' | 'decidedBy'>,
): Promise<number[]> {
  const { rows } = await sql<{ rowNo: number }>`
    update payment_report_row r set decision = 'set_aside', decided_by = ${decidedBy}, decided_at = clock_now(), note = ${note}
    where r.game_id = ${gameId} and r.report_no = ${reportNo} and r.problem = 'foreign' and r.decision is null
    returning r.row_no as "rowNo"`.execute(tx);
  return rows.map(({ rowNo }) => rowNo).toSorted((one, other) => one - other);
}

/**
 * The day from which the decided row `r` counts for a payment, by its alias and the state that was accepted: its own, unless it has none, or one by which it would change
 * nothing. Then it counts from the day of the decision, a failure from the day after the payment at the earliest (`dayOfReturn` for a return). A debit counts later than its
 * own date only for the payment that its row names: one that failed after its whole file was debited stays failed.
 */
const dayOfDecided = (gameId: number, payment: string, state: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select case when beside.first > coalesce(r.occurred_on, '-infinity') then greatest(beside.first, day.decided) else coalesce(r.occurred_on, day.decided) end
  from (select (r.decided_at at time zone 'UTC')::date as decided) day cross join (
    select max(case when p.state = 'paid' and ${state}::text = any(${BACK_STATES}::text[]) then p.occurred_on + (${state}::text = 'failed')::int
        when p.state = 'pending' and ${state}::text = 'failed' then p.occurred_on
        when p.state = 'failed' and ${state}::text = 'paid' and (r.run_id, r.item_no) = (${sql.ref(`${payment}.run_id`)}, ${sql.ref(`${payment}.item_no`)})
        then p.occurred_on end) as first
    from payment_confirmation p where p.game_id = ${gameId} and p.run_id = ${sql.ref(`${payment}.run_id`)}
      and p.item_no = ${sql.ref(`${payment}.item_no`)} and p.confirmed_at <= r.decided_at) beside)`;
