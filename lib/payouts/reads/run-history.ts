import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { NewAdjustment } from '../rules/policy.ts';

/** The seconds since 1970 of a column. */
const seconds = (column: string): RawBuilder<number> => sql`extract(epoch from ${sql.ref(column)})::float8`;

/** One audit row about payouts, with the person whose email it names. */
export interface PayoutEvent {
  /** Seconds since 1970. */
  at: number;
  /** null: nobody has that email, such as what Sharebook did itself. */
  personId: string | null;
  act: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** Lists what the audit has about runs, adjustments, holds and minimums of a game, oldest first; refused attempts are left out. */
export async function listPayoutEvents(db: Db, gameId: number): Promise<PayoutEvent[]> {
  const { rows } = await sql<PayoutEvent>`
    select ${seconds('audit.at')} as at, p.id as "personId", audit.act, audit.subject, audit.detail
    from audit left join person p on p.email = audit.actor
    where audit.game_id = ${gameId} and (audit.subject ~ '^(payout run|adjustment) \\d+$'
      or audit.act in ('excluded from a run', 'released a hold', 'set the minimum payout'))
    order by audit.audit_id`.execute(db);
  return rows;
}

/** Texts and times of a run that the audit knows too. */
export const RUN_TEXTS = [
  'state',
  'contentDigest',
  'draftedBy',
  'submittedBy',
  'rejectedBy',
  'rejectReason',
  'voidRequestedBy',
  'voidReason',
  'voidedBy',
  'closedBy',
  'usdPerEur',
  'eurRateSource',
] as const;
export const RUN_TIMES = ['draftedAt', 'submittedAt', 'approvedAt', 'voidedAt', 'closedAt'] as const;

/** What a run's row has about people and times. Times in seconds since 1970. */
export interface RunHistory extends Record<(typeof RUN_TEXTS)[number], string | null>, Record<(typeof RUN_TIMES)[number], number | null> {
  runNo: number;
  approvalsWanted: number;
  approvals: { digest: string; by: string; at: number; provedAt: number }[];
  editors: { by: string; because: string; at: number }[];
}

/** Lists people and times of the runs of a game, by number. */
export async function listRunHistories(db: Db, gameId: number): Promise<RunHistory[]> {
  const { rows } = await sql<RunHistory>`
    select run.run_no as "runNo", run.state, encode(run.content_digest, 'hex') as "contentDigest", run.approvals_wanted as "approvalsWanted",
      run.drafted_by as "draftedBy", ${seconds('run.drafted_at')} as "draftedAt", run.submitted_by as "submittedBy",
      ${seconds('run.submitted_at')} as "submittedAt", run.rejected_by as "rejectedBy", run.reject_reason as "rejectReason",
      ${seconds('run.approved_at')} as "approvedAt", run.void_requested_by as "voidRequestedBy", run.void_reason as "voidReason",
      run.usd_per_eur::text as "usdPerEur", run.eur_rate_source as "eurRateSource", run.voided_by as "voidedBy", ${seconds('run.voided_at')} as "voidedAt",
      run.closed_by as "closedBy", ${seconds('run.closed_at')} as "closedAt",
      (select coalesce(json_agg(json_build_object('digest', encode(a.content_digest, 'hex'), 'by', a.approved_by,
          'at', ${seconds('a.approved_at')}, 'provedAt', ${seconds('a.proved_at')})), '[]')
        from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id) as approvals,
      (select coalesce(json_agg(json_build_object('by', e.person_id, 'because', e.because, 'at', ${seconds('e.edited_at')})), '[]')
        from payout_editor e where e.game_id = ${gameId} and e.run_id = run.run_id) as editors
    from payout_run run where run.game_id = ${gameId} order by run.run_no`.execute(db);
  return rows;
}

/** An adjustment as the audit is compared with it. Times in seconds since 1970. */
export interface AdjustmentHistory extends NewAdjustment {
  adjustmentId: number;
  proposedBy: string;
  proposedAt: number;
  confirmedBy: string | null;
  confirmedAt: number | null;
  withdrawnBy: string | null;
  withdrawnAt: number | null;
}

/** Lists the adjustments of a game, by id. */
export async function listAdjustmentHistories(db: Db, gameId: number): Promise<AdjustmentHistory[]> {
  const { rows } = await sql<AdjustmentHistory>`
    select adjustment_id as "adjustmentId", pair_id as "pairId", recipient_player_id as "recipientId", amount_usd::text, kind, reason,
      corrects_run_id as "correctsRunId", corrects_period_id as "correctsPeriodId", proposed_by as "proposedBy", ${seconds('proposed_at')} as "proposedAt", confirmed_by as "confirmedBy",
      ${seconds('confirmed_at')} as "confirmedAt", withdrawn_by as "withdrawnBy",
      ${seconds('withdrawn_at')} as "withdrawnAt"
    from payout_adjustment where game_id = ${gameId} order by adjustment_id`.execute(db);
  return rows;
}

/** A journal as the audit is compared with it. */
export interface JournalHistory {
  journalNo: string;
  /** null: its run is gone. */
  runNo: number | null;
  writtenBy: string;
  /** Seconds since 1970. */
  writtenAt: number;
  /** Exact USD by kind of transfer. */
  exact_usd: Record<string, string>;
}

/** Lists the journals of a game, those whose run is gone too. */
export async function listJournalHistories(db: Db, gameId: number): Promise<JournalHistory[]> {
  const { rows } = await sql<JournalHistory>`
    select e.journal_no as "journalNo", run.run_no as "runNo", e.written_by as "writtenBy", ${seconds('e.written_at')} as "writtenAt",
      (select coalesce(json_object_agg(t.kind, t.exact_usd::text), '{}') from journal_transfer t
        where t.game_id = ${gameId} and t.entry_no = e.entry_no) as exact_usd
    from journal_entry e left join payout_run run on run.game_id = ${gameId} and run.run_id = e.run_id
    where e.game_id = ${gameId} order by e.entry_no`.execute(db);
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
