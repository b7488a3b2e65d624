import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { fetchParts } from '#db/kit/copy.ts';
import { type Db, inTransaction, nestedMoney } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { OUTCOMES, type RunLine } from '../rules/decide-line.ts';
import {
  DIGESTED_LINE,
  DIGESTED_REVERSAL,
  type DigestedLine,
  type DigestedReversal,
  textOfLine,
  textOfReversal,
} from '../rules/digested-rows.ts';
import { type RunSources, type StatedReversal, type StatedRun, type StatedSums, SUMMED_AMOUNTS } from '../rules/prove-run.ts';
import { driftAdjustments } from './deductions.ts';
import type { Run, RunId } from './find-run.ts';
import { isOfRun } from './run-history.ts';

/** A run as it is verified. */
export interface RunToVerify extends StatedRun, Pick<Run, 'runId' | 'previousRunId'> {
  sums: StatedSums;
  /** People whose approval covers the content and who did not work on the run. */
  approvalCount: number;
  isApproved: boolean;
}

/** Lists the runs of a game in order; with `runId` only that one. */
export async function listRunsToVerify(db: Db, gameId: number, runId: number | null = null): Promise<RunToVerify[]> {
  const { rows } = await sql<RunToVerify>`
    select run.run_id as "runId", run.run_no as "runNo", run.state, run.snapshot_id as "snapshotId", coalesce(encode(s.digest, 'hex'), 'none') as "snapshotDigest",
      json_build_object('lines', run.line_count, 'payable_count', run.payable_count, ${sql.join(SUMMED_AMOUNTS.flatMap((amount) => [sql.lit(amount), nestedMoney(`run.${amount}_usd`)]))}) as sums,
      run.window_start as "windowStart", run.window_end as "windowEnd", run.policy_no as "policyNo", run.composed_at as "composedAt",
      (select coalesce(json_agg(json_build_object('adjustmentId', a.adjustment_id, 'recipientId', a.recipient_player_id, 'amount_usd', a.amount_usd::text,
          'kind', a.kind)), '[]') from payout_adjustment a where a.game_id = ${gameId} and a.run_id = run.run_id) as adjustments,
      (select coalesce(json_agg(json_build_object('runNo', origin.run_no, 'itemNo', i.item_no, 'recipientId', i.recipient_player_id,
          'amount_usd', i.amount_usd::text) order by i.run_id, i.item_no), '[]')
        from payout_item i join payout_run origin on origin.game_id = ${gameId} and origin.run_id = i.run_id
        where i.game_id = ${gameId} and i.returned_in_run_id = run.run_id) as returned,
      run.previous_run_id as "previousRunId", encode(before.content_digest, 'hex') as "previousContentDigest", run.content,
      encode(run.content_digest, 'hex') as "contentDigest", run.approvals_wanted as "approvalsWanted",
      case when run.usd_per_eur is not null then json_build_object('usd_per_eur', run.usd_per_eur::text, 'source', run.eur_rate_source) end as "eurRate", run.approved_at is not null as "isApproved",
      (select count(*) from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id and a.content_digest = run.content_digest
        and not exists (select from payout_editor e where e.game_id = ${gameId} and e.run_id = a.run_id and e.person_id = a.approved_by)) as "approvalCount"
    from payout_run run
      left join snapshot s on s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id
      left join payout_run before on before.game_id = ${gameId} and before.run_id = run.previous_run_id
    where run.game_id = ${gameId} and ${isOfRun('run.run_id', runId)} order by run.run_id`.execute(db);
  return rows;
}

/** Lists the stored reversals of a run, by period. */
export async function listReversalsToVerify(db: Db, gameId: number, runId: number): Promise<StatedReversal[]> {
  const { rows } = await sql<StatedReversal>`
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

/** The columns of a digest as text, each under its own name. */
const asText = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    columns.map((column) => {
      const own = sql.ref(column);
      if (column === 'also') return sql`array_to_string(${own}, ',') as also`;
      return column.endsWith('_usd') ? sql`trim_scale(${own})::text as ${own}` : sql`${own}::text as ${own}`;
    }),
  );

/** The lines of a run as they are digested, by recipient; with amounts that follow from others. */
const digestedLines = ({ gameId, runId }: RunId): RawBuilder<DigestedLine> => sql`
  select ${asText(DIGESTED_LINE)} from payout_line where game_id = ${gameId} and run_id = ${runId} order by payout_line.recipient_player_id`;
const digestedReversals = ({ gameId, runId }: RunId): RawBuilder<DigestedReversal> => sql`
  select ${asText(DIGESTED_REVERSAL)} from payout_reversal where game_id = ${gameId} and run_id = ${runId} order by payout_reversal.period_id`;

/** Lists lines of a run as they are digested, with the two amounts that follow from the others: those after a recipient, at most so many. */
export async function listDigestedLines(
  db: Db,
  { gameId, runId }: RunId,
  after: number,
  limit: number,
): Promise<(DigestedLine & { due_usd: string; closing_usd: string })[]> {
  const { rows } = await sql<DigestedLine & { due_usd: string; closing_usd: string }>`
    select ${asText([...DIGESTED_LINE, 'due_usd', 'closing_usd'])} from payout_line
    where game_id = ${gameId} and run_id = ${runId} and payout_line.recipient_player_id > ${after}
    order by payout_line.recipient_player_id limit ${limit}`.execute(db);
  return rows;
}

/** Lists the reversals of a run as they are digested, by period. */
export async function listDigestedReversals(db: Db, run: RunId): Promise<DigestedReversal[]> {
  return (await digestedReversals(run).execute(db)).rows;
}

/** Digests of a run's lines and reversals as they are stored, each in the order of its ids. Hex. */
export interface RunDigests {
  lines: string;
  reversals: string;
}

/** Digests the stored lines and reversals of a run: as it is composed, approved and verified. */
export async function digestRun(db: Db, run: RunId): Promise<RunDigests> {
  return await inTransaction(db, async (tx) => ({
    lines: await digestRows(tx, digestedLines(run), textOfLine),
    reversals: await digestRows(tx, digestedReversals(run), textOfReversal),
  }));
}

async function digestRows<Row>(tx: Db, statement: RawBuilder<Row>, textOf: (row: Row) => string): Promise<string> {
  const hash = createHash('sha256');
  for await (const rows of fetchParts(tx, statement)) hash.update(rows.map((row) => `${textOf(row)}\n`).join(''));
  return hash.digest('hex');
}

/** Finds what the lines of a run are compared with: its snapshot, the run before, its adjustments and payments that came back. */
export async function findRunSources(db: Db, gameId: number, run: RunToVerify): Promise<RunSources> {
  const { rows: reported } = await sql<{ id: number; earned_usd: string; reversed_usd: string }>`
    select recipient_player_id as id, gross_attributed_usd as earned_usd, reversed_attributed_usd as reversed_usd
    from snapshot_recipient where game_id = ${gameId} and snapshot_id = ${run.snapshotId}`.execute(db);
  const carried = sql<{ id: number; usd: string }>`
    select recipient_player_id as id, closing_usd as usd from payout_line
    where game_id = ${gameId} and run_id = ${run.previousRunId} and closing_usd <> 0`;
  const adjusted = sql<{ id: number; usd: string }>`
    select recipient_player_id as id, sum(amount_usd) as usd from payout_adjustment
    where game_id = ${gameId} and run_id = ${run.runId} group by recipient_player_id`;
  const returned = sql<{ id: number; usd: string }>`
    select recipient_player_id as id, sum(amount_usd) as usd from payout_item
    where game_id = ${gameId} and returned_in_run_id = ${run.runId} group by recipient_player_id`;
  const reversed = sql<{ id: number; usd: string }>`
    select line.period_id as id, sum(line.reversed_attributed_usd) as usd
    from snapshot_slice s join reversal_line line on line.game_id = ${gameId} and line.slice_id = s.slice_id
    where s.game_id = ${gameId} and s.snapshot_id = ${run.snapshotId} group by line.period_id`;
  const amountsOf = async (statement: typeof carried): Promise<Map<number, string>> =>
    new Map((await statement.execute(db)).rows.map(({ id, usd }) => [id, usd]));
  const isBound = run.state === 'submitted' || run.state === 'approved';
  return {
    reported: new Map(reported.map(({ id, ...amounts }) => [id, amounts])),
    carried: await amountsOf(carried),
    adjusted: isBound ? await amountsOf(adjusted) : null,
    returned: isBound ? await amountsOf(returned) : null,
    reversed: await amountsOf(reversed),
  };
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
