import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { fetchParts } from '#db/kit/copy.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';
import { OUTCOMES, type RunLine } from '../rules/decide-line.ts';
import type { DecidedReversal, DriftAdjustment } from '../rules/decide-reversal.ts';
import type { EurRate } from '../rules/policy.ts';
import type { RunContent } from '../rules/run-content.ts';
import { driftAdjustments } from './deductions.ts';
import type { Run, RunId } from './find-run.ts';

/** What binds a run to its snapshot and to the run before. */
type RunLinks = Pick<Run, 'snapshotDigest' | 'composedAt' | 'contentDigest' | 'previousContentDigest'>;

/** A run as it is verified. */
export interface RunToVerify
  extends Pick<Run, 'runId' | 'runNo' | 'snapshotId' | 'policyNo' | 'previousRunId' | 'approvalsWanted'>,
    RunLinks {
  state: string;
  windowStart: string;
  windowEnd: string;
  /** The adjustments that are stored as part of it. */
  adjustments: RunContent['adjustments'];
  content: RunContent | null;
  /** People whose approval covers the content and who did not work on the run. */
  approvalCount: number;
  /** The rate that is stored; null: none. */
  eurRate: EurRate | null;
  isApproved: boolean;
}

/** Lists the runs of a game in order. */
export async function listRunsToVerify(db: Db, gameId: number): Promise<RunToVerify[]> {
  const { rows } = await sql<RunToVerify>`
    select run.run_id as "runId", run.run_no as "runNo", run.state, run.snapshot_id as "snapshotId", coalesce(encode(s.digest, 'hex'), 'none') as "snapshotDigest",
      run.window_start as "windowStart", run.window_end as "windowEnd", run.policy_no as "policyNo", run.composed_at as "composedAt",
      (select coalesce(json_agg(json_build_object('adjustmentId', a.adjustment_id, 'recipientId', a.recipient_player_id, 'amount_usd', a.amount_usd::text,
          'kind', a.kind)), '[]') from payout_adjustment a where a.game_id = ${gameId} and a.run_id = run.run_id) as adjustments,
      run.previous_run_id as "previousRunId", encode(before.content_digest, 'hex') as "previousContentDigest", run.content,
      encode(run.content_digest, 'hex') as "contentDigest", run.approvals_wanted as "approvalsWanted",
      case when run.usd_per_eur is not null then json_build_object('usd_per_eur', run.usd_per_eur::text, 'source', run.eur_rate_source) end as "eurRate", run.approved_at is not null as "isApproved",
      (select count(*) from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id and a.content_digest = run.content_digest
        and not exists (select from payout_editor e where e.game_id = ${gameId} and e.run_id = a.run_id and e.person_id = a.approved_by)) as "approvalCount"
    from payout_run run
      left join snapshot s on s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id
      left join payout_run before on before.game_id = ${gameId} and before.run_id = run.previous_run_id
    where run.game_id = ${gameId} order by run.run_id`.execute(db);
  return rows;
}

/** A stored reversal of a run. */
export interface ReversalToVerify extends Omit<DecidedReversal, 'pinned_usd'> {
  /** What the run before it that reported the period had deducted in total; null: none did, so that earlier months say it. */
  takenByRuns_usd: string | null;
  /** Adjustments of the period that runs until this one include, in order. */
  adjustments: Omit<DriftAdjustment, 'periodId'>[];
}

/** Lists the stored reversals of a run, by period. */
export async function listReversalsToVerify(db: Db, gameId: number, runId: number): Promise<ReversalToVerify[]> {
  const { rows } = await sql<ReversalToVerify>`
    with run as (select * from payout_run where game_id = ${gameId} and run_id = ${runId})
    select r.period_id as "periodId", r.recipient_player_id as "recipientId", r.is_coarse as "isCoarse", r.attributed_usd, r.reported_usd,
      r.taken_before_usd as "takenBefore_usd", r.taken_usd, earlier.usd::text as "takenByRuns_usd", (
        select coalesce(json_agg(json_build_object('amount_usd', a.amount_usd::text, 'correctsRunId', coalesce(a.corrects_run_id, 0),
          'runTaken_usd', coalesce(corrected.taken_usd, 0)::text, 'isCounted', coalesce(earlier.window_start >= included.window_start, false)) order by a.adjustment_id), '[]')
        from ${driftAdjustments(gameId)} and a.corrects_period_id = r.period_id
          and included.window_start <= run.window_start) as adjustments
    from run join payout_reversal r on r.game_id = ${gameId} and r.run_id = run.run_id left join lateral (
      select e.taken_before_usd + e.taken_usd as usd, o.window_start from payout_reversal e join payout_run o on o.game_id = ${gameId} and o.run_id = e.run_id
      where e.game_id = ${gameId} and e.period_id = r.period_id and o.window_start < run.window_start
        and (o.state <> 'void' or o.voided_at > coalesce(run.submitted_at, run.drafted_at))
      order by o.window_start desc, o.run_no desc limit 1) earlier on true
    where r.game_id = ${gameId} order by r.period_id`.execute(db);
  return rows;
}

// Amounts without trailing zeros, so that a digest is about amounts and not about how many decimals a sum came with. Lines of runs that are older than
// payment details have none, and concat_ws leaves NULL out: their digests stay as they were.
const digestedLines = ({ gameId, runId }: RunId): RawBuilder<{ text: string }> => sql`
  select concat_ws('|', recipient_player_id, coalesce(seen_snapshot_id::text, '-'), coalesce(resolved::text, '-'), trim_scale(opening_usd), trim_scale(earned_usd),
    trim_scale(reversed_usd), trim_scale(pinned_usd), trim_scale(adjusted_usd), trim_scale(returned_usd), trim_scale(held_usd), trim_scale(minimum_usd),
    trim_scale(together_usd), trim_scale(payable_usd), outcome, array_to_string(also, ','), detail_no) as text
  from payout_line where game_id = ${gameId} and run_id = ${runId} order by recipient_player_id`;
const digestedReversals = ({ gameId, runId }: RunId): RawBuilder<{ text: string }> => sql`
  select concat_ws('|', period_id, recipient_player_id, is_coarse, trim_scale(attributed_usd), trim_scale(reported_usd), trim_scale(taken_before_usd),
    trim_scale(taken_usd)) as text
  from payout_reversal where game_id = ${gameId} and run_id = ${runId} order by period_id`;

/** Digests of a run's lines and reversals as they are stored, each in the order of its ids. Hex. */
export interface RunDigests {
  lines: string;
  reversals: string;
}

/** Digests the stored lines and reversals of a run: as it is composed, approved and verified. */
export async function digestRun(db: Db, run: RunId): Promise<RunDigests> {
  return await inTransaction(db, async (tx) => ({
    lines: await digestRows(tx, digestedLines(run)),
    reversals: await digestRows(tx, digestedReversals(run)),
  }));
}

async function digestRows(tx: Db, statement: RawBuilder<{ text: string }>): Promise<string> {
  const hash = createHash('sha256');
  for await (const rows of fetchParts(tx, statement)) for (const row of rows) hash.update(row.text).update('\n');
  return hash.digest('hex');
}

/** Compares the sums of a run with its lines, and its lines with its snapshot, the run before, its reversals, its adjustments and payments that came back. */
export async function listRunViolations(db: Db, gameId: number, run: RunToVerify): Promise<Violation[]> {
  // Only a run in review or approved has its adjustments and returned payments as a part.
  const given = sql.lit(run.state === 'submitted' || run.state === 'approved' ? 0 : 1);
  const { rows } = await sql<Violation>`
    with line as (select * from payout_line where game_id = ${gameId} and run_id = ${run.runId}),
      run as (select * from payout_run where game_id = ${gameId} and run_id = ${run.runId}),
      reported as (select * from snapshot_recipient where game_id = ${gameId} and snapshot_id = ${run.snapshotId}),
      before as (select * from payout_line where game_id = ${gameId} and run_id = ${run.previousRunId}),
      pinned as (select recipient_player_id, sum(pinned_usd) as usd from payout_reversal where game_id = ${gameId} and run_id = ${run.runId} group by 1),
      back as (select recipient_player_id, sum(amount_usd) as usd from payout_item where game_id = ${gameId} and returned_in_run_id = ${run.runId} group by 1),
      included as (select recipient_player_id, sum(amount_usd) as usd from payout_adjustment where game_id = ${gameId} and run_id = ${run.runId} group by 1),
      reversed as (
        select l.period_id, sum(l.reversed_attributed_usd) as usd from snapshot_slice s
          join reversal_line l on l.game_id = ${gameId} and l.slice_id = s.slice_id
        where s.game_id = ${gameId} and s.snapshot_id = ${run.snapshotId} group by l.period_id),
      compared as (
        select 'run_' || side.name as name, 'run' as about, side.stated, side.added from run, lateral (
          select count(*)::numeric as n, count(*) filter (where payable_usd > 0)::numeric as paid, sum(opening_usd) as opening, sum(earned_usd) as earned,
            sum(reversed_usd) as reversed, sum(pinned_usd) as pinned, sum(adjusted_usd) as adjusted, sum(returned_usd) as returned,
            sum(payable_usd) as payable, sum(closing_usd) as closing from line) sums,
          lateral (values ('lines', run.line_count::numeric, sums.n), ('payable_count', run.payable_count, sums.paid), ('opening', run.opening_usd, sums.opening),
            ('earned', run.earned_usd, sums.earned), ('reversed', run.reversed_usd, sums.reversed), ('pinned', run.pinned_usd, sums.pinned),
            ('adjusted', run.adjusted_usd, sums.adjusted), ('returned', run.returned_usd, sums.returned), ('payable', run.payable_usd, sums.payable),
            ('closing', run.closing_usd, sums.closing)) as side (name, stated, added)
        union all
        select 'line_' || side.name, 'recipient ' || coalesce(line.recipient_player_id, reported.recipient_player_id, before.recipient_player_id), side.stated, side.added
        from line full join reported using (recipient_player_id)
          full join (select * from before where closing_usd <> 0) before using (recipient_player_id)
          left join pinned using (recipient_player_id) left join included using (recipient_player_id) left join back using (recipient_player_id),
          lateral (values ('opening', line.opening_usd, coalesce(before.closing_usd, 0)), ('earned', line.earned_usd, coalesce(reported.gross_attributed_usd, 0)),
            ('reversed', line.reversed_usd, coalesce(reported.reversed_attributed_usd, 0)), ('pinned', line.pinned_usd, coalesce(pinned.usd, 0)),
            ('adjusted', line.adjusted_usd, coalesce(included.usd, line.adjusted_usd * ${given}, 0)), ('returned', line.returned_usd, coalesce(back.usd, line.returned_usd * ${given}, 0))) as side (name, stated, added)
        union all
        select 'reversal_reported', 'period ' || coalesce(r.period_id, reversed.period_id), r.reported_usd, reversed.usd
        from (select * from payout_reversal where game_id = ${gameId} and run_id = ${run.runId}) r full join reversed using (period_id))
    select name, case about when 'run' then ${`run ${run.runNo}`} else ${`run ${run.runNo}, `}::text || about end as subject,
      coalesce(trim_scale(added)::text, 'none') as expected, coalesce(trim_scale(stated)::text, 'none') as actual
    from (select name, about, stated::numeric, coalesce(added, case when about = 'run' then 0 end)::numeric as added from compared) c
    where stated is distinct from added
    order by name, about limit 1000`.execute(db);
  return rows;
}

/** Lists the stored statements of a run whose bytes have another digest than was recorded when they were drawn, at most 1,000. */
export async function listChangedStatements(
  db: Db,
  gameId: number,
  runId: number,
): Promise<{ recipientId: number; recorded: string; actual: string }[]> {
  const { rows } = await sql<{ recipientId: number; recorded: string; actual: string }>`
    select recipient_player_id as "recipientId", encode(sha256, 'hex') as recorded, encode(sha256(pdf), 'hex') as actual
    from recipient_statement where game_id = ${gameId} and run_id = ${runId} and sha256 <> sha256(pdf) order by recipient_player_id limit 1000`.execute(
    db,
  );
  return rows;
}

const COLUMNS = [
  'line.recipient_player_id as recipientId',
  'line.resolved as isResolved',
  'line.opening_usd',
  'line.earned_usd',
  'line.reversed_usd',
  'line.pinned_usd',
  'line.adjusted_usd',
  'line.returned_usd',
  'line.minimum_usd',
  'line.due_usd',
  'line.held_usd',
  'line.together_usd',
  'line.payable_usd',
  'line.closing_usd',
  'line.outcome',
  'line.also',
  'line.detail_no as detailNo',
] as const;

/** Streams every line of a run, by recipient. */
export async function* streamLines(db: Db, { gameId, runId }: RunId): AsyncGenerator<RunLine> {
  const lines = db
    .selectFrom('payout_line as line')
    .select(COLUMNS)
    .where('line.game_id', '=', gameId)
    .where('line.run_id', '=', runId)
    .orderBy('line.recipient_player_id');
  for await (const line of lines.stream(500)) {
    yield { ...line, outcome: parseEnum(OUTCOMES, line.outcome), also: line.also.map((each) => parseEnum(OUTCOMES, each)) };
  }
}
