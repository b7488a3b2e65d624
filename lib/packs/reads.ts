import { type Selectable, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { AuditTable, SnapshotTable } from '#db/types.ts';
import { POSTED_ACT } from '#lib/accounting/rules/journal.ts';
import { saidOf } from '#lib/payments/reads/item-states.ts';
import { isListedInPack, runsOfPack } from '#lib/payments/reads/pack-rows.ts';
import { driftAdjustments } from '#lib/payouts/reads/deductions.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import type { HistoryAdjustment, PackRun, RunFile } from './rules/pack-files.ts';

/** What a pack has that no page and no verification of the database reads. */

/** Finds the stored row of a snapshot, and the id of Invo's game that its game is pinned to; null: not pinned. */
export async function findSnapshotRow(
  db: Db,
  gameId: number,
  snapshotId: number,
): Promise<Selectable<SnapshotTable> & { invoGameId: string | null }> {
  return await db
    .selectFrom('snapshot')
    .innerJoin('game', 'game.game_id', 'snapshot.game_id')
    .selectAll('snapshot')
    .select('game.invo_game_id as invoGameId')
    .where('snapshot.game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
}

/** Lists the approved runs of a game whose window is before that of a run, oldest first. */
export async function listEarlierRuns(db: Db, { gameId, window }: Run): Promise<PackRun[]> {
  const { rows } = await sql<PackRun>`
    select run_id as "runId", run_no as "runNo", window_start as "windowStart", window_end as "windowEnd", encode(content_digest, 'hex') as "contentDigest"
    from payout_run where game_id = ${gameId} and state = 'approved' and window_start < ${window.start} order by window_start`.execute(db);
  return rows;
}

/** Lists what the run before carried forward, where it isn't 0, by recipient. */
export async function listClosings(
  db: Db,
  { gameId, previousRunId }: Run,
): Promise<{ recipient_player_id: number; closing_usd: string }[]> {
  return await db
    .selectFrom('payout_line')
    .select(['recipient_player_id', 'closing_usd'])
    .where('game_id', '=', gameId)
    .where('run_id', '=', previousRunId ?? 0)
    .where('closing_usd', '<>', '0')
    .orderBy('recipient_player_id')
    .execute();
}

/** What an earlier run deducted of a period. */
export interface TakenRow {
  period_id: number;
  run_no: number;
  taken_before_usd: string;
  taken_usd: string;
}

/** Lists what earlier approved runs deducted of the periods that a run reports as reversed, by period and run. */
export async function listTaken(db: Db, { gameId, runId, window }: Run): Promise<TakenRow[]> {
  const { rows } = await sql<TakenRow>`
    select e.period_id, o.run_no, e.taken_before_usd, e.taken_usd
    from payout_reversal own join payout_reversal e on e.game_id = ${gameId} and e.period_id = own.period_id
      join payout_run o on o.game_id = ${gameId} and o.run_id = e.run_id and o.state = 'approved' and o.window_start < ${window.start}
    where own.game_id = ${gameId} and own.run_id = ${runId} order by e.period_id, o.window_start`.execute(db);
  return rows;
}

/** Lists the adjustments of changed months that name these periods and are part of this run or an earlier one, in order. */
export async function listHistoryAdjustments(db: Db, { gameId, runId, window }: Run): Promise<HistoryAdjustment[]> {
  const { rows } = await sql<HistoryAdjustment>`
    select a.adjustment_id as "adjustmentId", a.corrects_period_id as "periodId", a.amount_usd, coalesce(corrects.run_no, 0) as "correctsRunNo",
      included.run_no as "includedRunNo"
    from ${driftAdjustments(gameId)} and included.window_start <= ${window.start} and exists (
      select from payout_reversal own where own.game_id = ${gameId} and own.run_id = ${runId} and own.period_id = a.corrects_period_id)
    order by a.adjustment_id`.execute(db);
  return rows;
}

/** Lists people by ID, with the email the audit names them with. */
export async function listPeopleById(db: Db, ids: readonly string[]): Promise<{ id: string; email: string }[]> {
  if (ids.length === 0) return [];
  return await db.selectFrom('person').select(['id', 'email']).where('id', 'in', ids).orderBy('id').execute();
}

/** A row of the audit with its link; null: not linked yet. */
type LinkedAuditRow = Selectable<AuditTable> & { link: { position: number; previous: string | null; digest: string } | null };

/**
 * Lists the audit of a run, oldest first: what names it, its adjustments, bank reports and decided rows about its payments, what its editors did before acts named
 * the run, and every posting of the game up to its last one, which the running totals of its journals come from.
 */
export async function listRunAudit(db: Db, { gameId, runId, runNo }: Run, adjustmentIds: readonly number[]): Promise<LinkedAuditRow[]> {
  const subjects = [`payout run ${runNo}`, ...adjustmentIds.map((id) => `adjustment ${id}`)];
  // What reports confirm of the run's payments, and rows about them, or about voided runs that it replaced, that people decide.
  const rowsAbout = sql`
    select c.report_no, c.row_no from payment_confirmation c where c.game_id = ${gameId} and c.run_id = ${runId}
    union select r.report_no, r.row_no from payment_report_row r where r.game_id = ${gameId} and ${isListedInPack({ gameId, runId })}`;
  const { rows } = await sql<LinkedAuditRow>`
    select a.audit_id, ${nestedInstant('a.at')} as at, a.actor, a.game_id, a.act, a.subject, a.detail,
      case when l.position is not null then json_build_object('position', l.position, 'digest', encode(l.digest, 'hex'),
        'previous', (select encode(before.digest, 'hex') from audit_link before where before.position = l.position - 1)) end as link
    from audit a left join audit_link l using (audit_id)
    where a.game_id = ${gameId} and (a.subject = any(${subjects}::text[]) or a.detail ->> 'run_no' = ${String(runNo)}
      or a.act not like 'downloaded%' and a.subject in (
        select case when b.method = 'elsewhere' then 'payments elsewhere ' else 'payment file ' end || b.batch_no from payout_batch b
        where b.game_id = ${gameId} and b.run_id = ${runId})
      or a.act = 'voided payout run' and a.subject in (select 'payout run ' || own.run_no from ${runsOfPack({ gameId, runId })})
      or a.act = 'recorded a bank report' and a.subject in (select 'bank report ' || about.report_no from (${rowsAbout}) about)
      or a.act in ('accepted a row of a bank report', 'set aside a row of a bank report') and (a.subject, a.detail ->> 'row') in (
        select 'bank report ' || about.report_no, about.row_no::text from (${rowsAbout}) about)
      or a.act = ${POSTED_ACT} and a.audit_id <= (select max(own.audit_id) from audit own
        where own.game_id = ${gameId} and own.act = ${POSTED_ACT} and own.subject = ${`payout run ${runNo}`})
      or a.act in ('excluded from a run', 'released a hold', 'set the minimum payout') and not a.detail ? 'run_no' and exists (
        select from payout_editor e join person p on p.id = e.person_id where e.game_id = ${gameId} and e.run_id = ${runId} and p.email = a.actor
          and abs(extract(epoch from a.at - e.edited_at)) <= 600))
    order by a.audit_id`.execute(db);
  return rows;
}

/** Lists the recipients of a run with how many renewals the statement of each lists, by player ID. */
export async function listStatementSizes(
  db: Db,
  { gameId, runId, snapshotId }: Run,
): Promise<{ playerId: number; renewalCount: number }[]> {
  const { rows } = await sql<{ playerId: number; renewalCount: number }>`
    select line.recipient_player_id as "playerId", coalesce(seen.renewal_count, 0)::int as "renewalCount"
    from payout_line line left join snapshot_recipient seen on seen.game_id = ${gameId} and seen.snapshot_id = ${snapshotId}
      and seen.recipient_player_id = line.recipient_player_id
    where line.game_id = ${gameId} and line.run_id = ${runId} order by line.recipient_player_id`.execute(db);
  return rows;
}

/** Lists the payments of earlier runs that are part of a run, with what its statements state of them, by run and number. */
export async function listReturnedFacts(db: Db, { gameId, runId }: Pick<Run, 'gameId' | 'runId'>): Promise<RunFile['returned']> {
  const { rows } = await sql<RunFile['returned'][number]>`
    select origin.run_no as "runNo", i.item_no as "itemNo", i.recipient_player_id as "recipientId", i.amount_usd::text as amount_usd,
      origin.window_start as "windowStart", coalesce(said.state = 'failed', false) as "hasFailed", said.occurred_on::text as "occurredOn"
    from payout_item i join payout_run origin on origin.game_id = ${gameId} and origin.run_id = i.run_id left join lateral ${saidOf(gameId)} said on true
    where i.game_id = ${gameId} and i.returned_in_run_id = ${runId} order by i.run_id, i.item_no`.execute(db);
  return rows;
}
