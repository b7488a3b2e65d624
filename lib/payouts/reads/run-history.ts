import { type RawBuilder, sql } from 'kysely';
import { type Db, epochSeconds } from '#db/kit/open.ts';
import type { AdjustmentHistory, JournalHistory, PayoutEvent, RunHistory } from '../rules/replay-run.ts';

/** Limits rows to one run, by the column of its ID; null: all rows. */
export const isOfRun = (column: string, runId: number | null): RawBuilder<boolean> =>
  runId === null ? sql`true` : sql`${sql.ref(column)} = ${runId}`;

/** Lists what the audit has about runs, adjustments, holds and minimums of a game, oldest first; refused attempts are left out. */
export async function listPayoutEvents(db: Db, gameId: number): Promise<PayoutEvent[]> {
  const { rows } = await sql<PayoutEvent>`
    select ${epochSeconds('audit.at')} as at, p.id as "personId", audit.act, audit.subject, audit.detail
    from audit left join person p on p.email = audit.actor
    where audit.game_id = ${gameId} and (audit.subject ~ '^(payout run|adjustment) \\d+$'
      or audit.act in ('excluded from a run', 'released a hold', 'set the minimum payout'))
    order by audit.audit_id`.execute(db);
  return rows;
}

/** Lists people and times of the runs of a game, by number; with `runId` only that one. */
export async function listRunHistories(db: Db, gameId: number, runId: number | null = null): Promise<RunHistory[]> {
  const { rows } = await sql<RunHistory>`
    select run.run_no as "runNo", run.state, encode(run.content_digest, 'hex') as "contentDigest", run.approvals_wanted as "approvalsWanted",
      run.drafted_by as "draftedBy", ${epochSeconds('run.drafted_at')} as "draftedAt", run.submitted_by as "submittedBy",
      ${epochSeconds('run.submitted_at')} as "submittedAt", run.rejected_by as "rejectedBy", run.reject_reason as "rejectReason",
      ${epochSeconds('run.approved_at')} as "approvedAt", run.void_requested_by as "voidRequestedBy", run.void_reason as "voidReason",
      run.usd_per_eur::text as "usdPerEur", run.eur_rate_source as "eurRateSource", run.voided_by as "voidedBy", ${epochSeconds('run.voided_at')} as "voidedAt",
      run.closed_by as "closedBy", ${epochSeconds('run.closed_at')} as "closedAt",
      (select coalesce(json_agg(json_build_object('digest', encode(a.content_digest, 'hex'), 'by', a.approved_by,
          'at', ${epochSeconds('a.approved_at')}, 'provedAt', ${epochSeconds('a.proved_at')})), '[]')
        from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id) as approvals,
      (select coalesce(json_agg(json_build_object('by', e.person_id, 'because', e.because, 'at', ${epochSeconds('e.edited_at')})), '[]')
        from payout_editor e where e.game_id = ${gameId} and e.run_id = run.run_id) as editors
    from payout_run run where run.game_id = ${gameId} and ${isOfRun('run.run_id', runId)} order by run.run_no`.execute(db);
  return rows;
}

/** Lists the adjustments of a game, by id; with `runId` those that are part of that run. */
export async function listAdjustmentHistories(db: Db, gameId: number, runId: number | null = null): Promise<AdjustmentHistory[]> {
  const { rows } = await sql<AdjustmentHistory>`
    select adjustment_id as "adjustmentId", pair_id as "pairId", recipient_player_id as "recipientId", amount_usd::text, kind, reason,
      corrects_run_id as "correctsRunId", corrects_period_id as "correctsPeriodId", proposed_by as "proposedBy", ${epochSeconds('proposed_at')} as "proposedAt", confirmed_by as "confirmedBy",
      ${epochSeconds('confirmed_at')} as "confirmedAt", withdrawn_by as "withdrawnBy",
      ${epochSeconds('withdrawn_at')} as "withdrawnAt"
    from payout_adjustment where game_id = ${gameId} and ${isOfRun('run_id', runId)} order by adjustment_id`.execute(db);
  return rows;
}

/** Lists the journals of a game, those whose run is gone too; with `runId` those of that run. */
export async function listJournalHistories(db: Db, gameId: number, runId: number | null = null): Promise<JournalHistory[]> {
  const { rows } = await sql<JournalHistory>`
    select e.journal_no as "journalNo", run.run_no as "runNo", e.written_by as "writtenBy", ${epochSeconds('e.written_at')} as "writtenAt",
      (select coalesce(json_object_agg(t.kind, t.exact_usd::text), '{}') from journal_transfer t
        where t.game_id = ${gameId} and t.entry_no = e.entry_no) as exact_usd
    from journal_entry e left join payout_run run on run.game_id = ${gameId} and run.run_id = e.run_id
    where e.game_id = ${gameId} and ${isOfRun('e.run_id', runId)} order by e.entry_no`.execute(db);
  return rows;
}

// Every column that names a run.
const NAMES_RUN = [
  ['payout_line', 'run_id'],
  ['payout_reversal', 'run_id'],
  ['payout_approval', 'run_id'],
  ['payout_editor', 'run_id'],
  ['payout_note', 'run_id'],
  ['payout_adjustment', 'run_id'],
  ['payout_adjustment', 'corrects_run_id'],
  ['payout_hold', 'only_run_id'],
  ['payout_run', 'previous_run_id'],
  ['journal_entry', 'run_id'],
  ['recipient_statement', 'run_id'],
  ['statement_job', 'run_id'],
] as const;

/** Counts the rows that name a run that isn't stored, by table and run. */
export async function listRowsWithoutRun(db: Db, gameId: number): Promise<{ table: string; runId: number; count: number }[]> {
  const each = NAMES_RUN.map(
    ([table, column]) => sql`select ${sql.lit(table)} as "table", ${sql.ref(`t.${column}`)} as "runId", count(*)::int as count
      from ${sql.table(table)} t where t.game_id = ${gameId} and ${sql.ref(`t.${column}`)} is not null
        and not exists (select from payout_run run where run.game_id = ${gameId} and run.run_id = ${sql.ref(`t.${column}`)})
      group by ${sql.ref(`t.${column}`)}`,
  );
  const { rows } = await sql<{ table: string; runId: number; count: number }>`${sql.join(each, sql` union all `)}`.execute(db);
  return rows;
}
