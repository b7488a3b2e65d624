import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { type PullState, parsePullState } from '#lib/evidence/rules/evidence.ts';
import { saidOf } from '#lib/payments/reads/item-states.ts';
import { OUTCOMES } from '../rules/decide-line.ts';
import type { RunRef, StatementFacts, StatementLine } from '../rules/statement.ts';
import type { RunId } from './find-run.ts';
import { windowOf } from './run-facts.ts';

/** The stored statements of a run. */
const storedOf = (db: Db, { gameId, runId }: RunId) =>
  db.selectFrom('recipient_statement').where('game_id', '=', gameId).where('run_id', '=', runId);

/** Finds the stored PDF of a recipient; null: not drawn yet. */
export async function findStoredStatement(db: Db, run: RunId, playerId: number): Promise<Buffer | null> {
  const stored = await storedOf(db, run).where('recipient_player_id', '=', playerId).select('pdf').executeTakeFirst();
  return stored?.pdf ?? null;
}

/** Lists the next recipients of a run whose statement isn't drawn, by player id, with how many renewals each statement lists. */
export async function listUndrawn(db: Db, { gameId, runId }: RunId, limit: number): Promise<{ playerId: number; renewalCount: number }[]> {
  const { rows } = await sql<{ playerId: number; renewalCount: number }>`
    select line.recipient_player_id as "playerId", coalesce(seen.renewal_count, 0)::int as "renewalCount"
    from payout_run run join payout_line line on line.game_id = ${gameId} and line.run_id = run.run_id
      left join snapshot_recipient seen on seen.game_id = ${gameId} and seen.snapshot_id = run.snapshot_id
        and seen.recipient_player_id = line.recipient_player_id
    where run.game_id = ${gameId} and run.run_id = ${runId} and not exists (
      select from recipient_statement s where s.game_id = ${gameId} and s.run_id = line.run_id and s.recipient_player_id = line.recipient_player_id)
    order by line.recipient_player_id limit ${limit}`.execute(db);
  return rows;
}

/** Counts the stored statements of a run. */
export async function countDrawn(db: Db, run: RunId): Promise<number> {
  const { count } = await storedOf(db, run).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Lists the recipients of a run whose statement is stored, by player id. */
export async function listDrawn(db: Db, run: RunId): Promise<number[]> {
  const stored = await storedOf(db, run).select('recipient_player_id as playerId').orderBy('recipient_player_id').execute();
  return stored.map(({ playerId }) => playerId);
}

/** Reads the stored statements of a run by player id, a few at a time, so that a large run takes little memory. */
export async function* streamStatements(db: Db, run: RunId, size = 50): AsyncGenerator<{ playerId: number; pdf: Buffer }> {
  for (let after = -1; ; ) {
    const part = await storedOf(db, run)
      .where('recipient_player_id', '>', after)
      .select(['recipient_player_id as playerId', 'pdf'])
      .orderBy('recipient_player_id')
      .limit(size)
      .execute();
    yield* part;
    const last = part.at(-1);
    if (last === undefined || part.length < size) return;
    after = last.playerId;
  }
}

/** A job that draws all statements of a run, as pages show it. */
export interface StatementJob {
  statementJobId: number;
  state: PullState;
  drawnCount: number;
  lineCount: number;
  endedAt: string | null;
  /** For people; null: no failure. */
  failure: string | null;
}

/** Finds the newest job of a run; null: nobody requested all statements. */
export async function findStatementJob(db: Db, { gameId, runId }: RunId): Promise<StatementJob | null> {
  const row = await db
    .selectFrom('statement_job')
    .select(['statement_job_id', 'state', 'drawn_count', 'line_count', 'ended_at', 'failure_message'])
    .where('game_id', '=', gameId)
    .where('run_id', '=', runId)
    .orderBy('statement_job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { statement_job_id, state, drawn_count, line_count, ended_at, failure_message } = row;
  return {
    statementJobId: statement_job_id,
    state: parsePullState(state),
    drawnCount: drawn_count,
    lineCount: line_count,
    endedAt: ended_at,
    failure: failure_message,
  };
}

const runRef = (alias: string): RawBuilder<RunRef | null> => {
  const runNo = sql.ref(`${alias}.run_no`);
  return sql`case when ${runNo} is not null then json_build_object('runNo', ${runNo}, 'windowStart', ${nestedInstant(`${alias}.window_start`)}) end`;
};

const renewalsOf = (gameId: number): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('periodId', r.period_id, 'subscriptionId', r.subscription_id, 'itemName', r.item_name,
      'settledAt', ${nestedInstant('r.paid_at')}, 'periodStart', r.period_start, 'periodEnd', r.period_end, 'percent', r.percent_at_renewal,
      'base_usd', r.base_usd::text, 'attributed_usd', r.attributed_amount_usd::text) order by r.paid_at, r.period_id), '[]') as renewals
  from snapshot_slice s join renewal_line r on r.game_id = ${gameId} and r.slice_id = s.slice_id
  where s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id and r.recipient_player_id = line.recipient_player_id`;

// A period can have a row in several slices of its month. What the runs before deducted of it was approved and can't be voided any more.
const reversalsOf = (gameId: number): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('periodId', d.period_id, 'subscriptionId', of_period.subscription_id, 'isCoarse', d.is_coarse,
      'settledAt', ${nestedInstant('of_period.paid_at')}, 'attributed_usd', d.attributed_usd::text, 'reported_usd', d.reported_usd::text,
      'takenBefore_usd', d.taken_before_usd::text, 'taken_usd', d.taken_usd::text, 'pinned_usd', d.pinned_usd::text,
      'refundedAt', refunds.refunded_at, 'isFullRefund', refunds.is_full, 'earnedIn', ${runRef('earned')}, 'deductedIn', before.runs)
      order by of_period.paid_at, d.period_id), '[]') as reversals
  from payout_reversal d
    join lateral (
      select min(r.subscription_id) as subscription_id, min(r.paid_at) as paid_at
      from snapshot_slice s join reversal_line r on r.game_id = ${gameId} and r.slice_id = s.slice_id
      where s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id and r.period_id = d.period_id
    ) of_period on true
    join lateral (
      select coalesce(json_agg(${nestedInstant('e.refunded_at')} order by e.refunded_at, e.event_no), '[]') as refunded_at,
        coalesce(bool_or(e.is_full_refund), false) as is_full
      from snapshot_slice s join refund_event e on e.game_id = ${gameId} and e.slice_id = s.slice_id
      where s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id and e.period_id = d.period_id
    ) refunds on true
    left join payout_run earned on earned.game_id = ${gameId} and earned.state = 'approved'
      and of_period.paid_at >= earned.window_start and of_period.paid_at < earned.window_end
    join lateral (
      select coalesce(json_agg(${runRef('b')} order by b.window_start), '[]') as runs
      from payout_reversal taken join payout_run b on b.game_id = ${gameId} and b.run_id = taken.run_id
      where taken.game_id = ${gameId} and taken.period_id = d.period_id and taken.taken_usd > 0 and b.state = 'approved'
        and b.window_start < run.window_start
    ) before on true
  where d.game_id = ${gameId} and d.run_id = line.run_id and d.recipient_player_id = line.recipient_player_id`;

const adjustmentsOf = (gameId: number): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('adjustmentId', a.adjustment_id, 'amount_usd', a.amount_usd::text, 'reason', a.reason,
      'corrects', ${runRef('c')}) order by a.adjustment_id), '[]') as adjustments
  from payout_adjustment a left join payout_run c on c.game_id = ${gameId} and c.run_id = a.corrects_run_id
  where a.game_id = ${gameId} and a.run_id = line.run_id and a.recipient_player_id = line.recipient_player_id`;

const returnsOf = (gameId: number): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('runNo', origin.run_no, 'windowStart', ${nestedInstant('origin.window_start')}, 'amount_usd', i.amount_usd::text,
      'hasFailed', said.state = 'failed', 'occurredOn', said.occurred_on::text) order by i.run_id, i.item_no), '[]') as returned
  from payout_item i join payout_run origin on origin.game_id = ${gameId} and origin.run_id = i.run_id
    left join lateral ${saidOf(gameId)} said on true
  where i.game_id = ${gameId} and i.returned_in_run_id = line.run_id and i.recipient_player_id = line.recipient_player_id`;

const statementsOf = (gameId: number, runNo: number, playerIds: readonly number[]): RawBuilder<StatementDbRow> => sql`
  select run.run_no as "runNo", ${windowOf('run')} as "window", run.approved_at as "approvedAt", encode(run.content_digest, 'hex') as "contentDigest", ${runRef('previous')} as previous,
    line.recipient_player_id as "recipientId", line.opening_usd, line.earned_usd, line.reversed_usd, line.pinned_usd, line.adjusted_usd, line.returned_usd, line.due_usd,
    line.held_usd, line.minimum_usd, line.together_usd, line.payable_usd, line.closing_usd, line.outcome, line.also,
    seen.player_name as name, seen.player_email as email, renewals, reversals, adjustments, returned
  from payout_run run join payout_line line on line.game_id = ${gameId} and line.run_id = run.run_id
    left join payout_run previous on previous.game_id = ${gameId} and previous.run_id = run.previous_run_id
    left join snapshot_recipient seen on seen.game_id = ${gameId} and seen.snapshot_id = line.seen_snapshot_id
      and seen.recipient_player_id = line.recipient_player_id
    cross join lateral (${renewalsOf(gameId)}) own_renewals
    cross join lateral (${reversalsOf(gameId)}) own_reversals
    cross join lateral (${adjustmentsOf(gameId)}) own_adjustments
    cross join lateral (${returnsOf(gameId)}) own_returns
  where run.game_id = ${gameId} and run.run_no = ${runNo} and run.state = 'approved' and line.recipient_player_id = any(${playerIds}::bigint[])
  order by line.recipient_player_id`;

type StatementDbRow = Omit<StatementLine, 'outcome' | 'also'> &
  StatementFacts['run'] &
  Omit<StatementFacts, 'game' | 'run' | 'line'> & {
    outcome: string;
    also: string[];
  };

/**
 * Reads, in one statement, what the statements of these recipients say of an approved run, by player id. A recipient without a line is left out; of a
 * run that isn't approved there is none.
 */
export async function listStatementFacts(
  db: Db,
  { gameId, runNo }: { gameId: number; runNo: number },
  playerIds: readonly number[],
): Promise<Omit<StatementFacts, 'game'>[]> {
  const { rows } = await statementsOf(gameId, runNo, playerIds).execute(db);
  return rows.map(({ runNo, window, approvedAt, contentDigest, previous, renewals, reversals, adjustments, returned, ...line }) => {
    const [outcome, also] = [parseEnum(OUTCOMES, line.outcome), line.also.map((each) => parseEnum(OUTCOMES, each))];
    const run = { runNo, window, approvedAt, contentDigest, previous };
    return { run, line: { ...line, outcome, also }, renewals, reversals, adjustments, returned };
  });
}
