import { createHash } from 'node:crypto';
import type pg from 'pg';
import { fetchClientParts } from '#db/kit/client.ts';
import { type Cell, copyRows } from '#db/kit/copy.ts';
import { dbOn } from '#db/kit/open.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';
import {
  type ComposedLine,
  type HeldPeriod,
  holdsToPlace,
  lineBuilder,
  type RecipientFacts,
  splitAtIdentity,
} from '#lib/payouts/rules/compose-run.ts';
import { decideLines } from '#lib/payouts/rules/decide-line.ts';
import { type DecidedReversal, decideReversals } from '#lib/payouts/rules/decide-reversal.ts';
import { HOLD_NOTES } from '#lib/payouts/text.ts';
import { findReversalHistory } from '../reads/deductions.ts';
import { findPolicyNo, lockRun, type Run } from '../reads/find-run.ts';
import { listHeldPeriods, listHolds, type NamedHold } from '../reads/holds.ts';
import { lineFactsQuery } from '../reads/run-facts.ts';
import { DIGESTED_LINES, DIGESTED_REVERSALS } from '../reads/run-verification.ts';

/** Digests of what a run's rows say, each in the order of its ids. */
export interface RunDigests {
  lines: string;
  reversals: string;
}

/** A hold as an approval covers it. */
type AppliedHold = Omit<NamedHold, 'takenBefore_usd'>;

/** An adjustment as an approval covers it. */
interface IncludedAdjustment {
  adjustmentId: number;
  recipientId: number;
  amount_usd: string;
  kind: string;
}

/** What a composition took and made, beside the run itself. */
export interface Composition {
  run: Run;
  digests: RunDigests;
  holds: AppliedHold[];
  adjustments: IncludedAdjustment[];
}

/**
 * Composes the lines of a draft again in the caller's transaction, from its snapshot, its policy and whatever else holds at `now`: places the holds of a
 * draft, decides reversals and lines, and writes sums and digest. The run is locked by the caller. Lines are stored a part at a time.
 */
export async function composeRun(client: pg.ClientBase, run: Run, placedBy: string, now: string): Promise<Composition> {
  const key: Cell[] = [run.gameId, run.runId];
  const policy = await findPolicyNo(client, run.gameId, run.policyNo);
  const reversals = decideReversals(await findReversalHistory(client, run));
  await placeHolds(client, run, placedBy, holdsToPlace(policy, await listHeldPeriods(client, run), reversals));
  const holds = await listHolds(client, run, now);
  await client.query('delete from payout_line where game_id = $1 and run_id = $2', key);
  await client.query('delete from payout_reversal where game_id = $1 and run_id = $2', key);
  await copyRows(dbOn(client), 'payout_reversal', REVERSAL_COLUMNS, cellsOf(reversals, key));
  await writeLines(client, run, lineBuilder(policy, reversals, holds), key);
  await client.query(SUM_LINES, key);
  const digests = await digestRun(client, run);
  const adjustments = await listIncluded(client, run);
  const draft = {
    digests,
    holds: holds.map(({ takenBefore_usd: _, ...hold }): AppliedHold => hold),
    adjustments,
    policyNo: run.policyNo,
    snapshot: run.snapshotDigest,
  };
  await client.query('update payout_run set draft_digest = $3 where game_id = $1 and run_id = $2', [
    ...key,
    digestOf({ ...draft, before: run.previousContentDigest }),
  ]);
  const composed = await lockRun(client, run.gameId, run.runId);
  if (composed === null) throw new Error(`run ${run.runId} is gone`);
  return { run: composed, digests, holds: draft.holds, adjustments };
}

const REVERSAL_COLUMNS = [
  'game_id',
  'run_id',
  'period_id',
  'recipient_player_id',
  'is_coarse',
  'attributed_usd',
  'reported_usd',
  'taken_before_usd',
  'taken_usd',
];

function* cellsOf(reversals: readonly DecidedReversal[], key: Cell[]): Generator<Cell[]> {
  for (const each of reversals) {
    const { periodId, recipientId, isCoarse, attributed_usd, reported_usd, takenBefore_usd, taken_usd } = each;
    yield [...key, periodId, recipientId, isCoarse, attributed_usd, reported_usd, takenBefore_usd, taken_usd];
  }
}

const LINE_COLUMNS = [
  'game_id',
  'run_id',
  'recipient_player_id',
  'seen_snapshot_id',
  'resolved',
  'opening_usd',
  'earned_usd',
  'reversed_usd',
  'pinned_usd',
  'adjusted_usd',
  'returned_usd',
  'held_usd',
  'minimum_usd',
  'together_usd',
  'payable_usd',
  'outcome',
  'also',
];

/** Decides and stores the lines a part at a time; a part ends where an identity does. */
async function writeLines(client: pg.ClientBase, run: Run, toLine: ReturnType<typeof lineBuilder>, key: Cell[]): Promise<void> {
  const write = (rows: RecipientFacts[]): Promise<void> =>
    copyRows(
      dbOn(client),
      'payout_line',
      LINE_COLUMNS,
      decideLines(rows.map(toLine)).map((line) => [...key, ...lineCells(line)]),
    );
  let waiting: RecipientFacts[] = [];
  for await (const part of fetchClientParts<RecipientFacts>(client, lineFactsQuery(run))) {
    const [complete, rest] = splitAtIdentity([...waiting, ...part]);
    if (complete.length > 0) await write(complete);
    waiting = rest;
  }
  if (waiting.length > 0) await write(waiting);
}

function lineCells(line: ComposedLine): Cell[] {
  return [
    line.recipientId,
    line.seenSnapshotId,
    line.isResolved,
    line.opening_usd,
    line.earned_usd,
    line.reversed_usd,
    line.pinned_usd,
    line.adjusted_usd,
    line.returned_usd,
    line.held_usd,
    line.minimum_usd,
    line.together_usd,
    line.payable_usd,
    line.outcome,
    `{${line.also.join(',')}}`,
  ];
}

const SUM_LINES = `
  update payout_run set (line_count, payable_count, opening_usd, earned_usd, reversed_usd, pinned_usd, adjusted_usd, returned_usd, payable_usd, closing_usd) = (
      select count(*), count(*) filter (where payable_usd > 0), coalesce(sum(opening_usd), 0.00), coalesce(sum(earned_usd), 0.00),
        coalesce(sum(reversed_usd), 0.00), coalesce(sum(pinned_usd), 0.00), coalesce(sum(adjusted_usd), 0.00), coalesce(sum(returned_usd), 0.00),
        coalesce(sum(payable_usd), 0.00), coalesce(sum(closing_usd), 0.00)
      from payout_line line where line.game_id = $1 and line.run_id = $2),
    revision = revision + 1, composed_at = clock_now()
  where game_id = $1 and run_id = $2`;

async function placeHolds(
  client: pg.ClientBase,
  run: Run,
  placedBy: string,
  holds: readonly (HeldPeriod & { amount_usd: string })[],
): Promise<void> {
  const columns = [
    'game_id',
    'recipient_player_id',
    'period_id',
    'attributed_usd',
    'amount_usd',
    'reason_code',
    'note',
    'assigned_to',
    'placed_by',
  ];
  const rows = holds.map(({ recipientId, periodId, attributed_usd, amount_usd, reason }): Cell[] => [
    run.gameId,
    recipientId,
    periodId,
    attributed_usd,
    amount_usd,
    reason,
    HOLD_NOTES[reason],
    placedBy,
    placedBy,
  ]);
  if (rows.length > 0) await copyRows(dbOn(client), 'payout_hold', columns, rows);
}

/** Digests the stored lines and reversals of a run. Verification does the same. */
export async function digestRun(client: pg.ClientBase, { gameId, runId }: Pick<Run, 'gameId' | 'runId'>): Promise<RunDigests> {
  return {
    lines: await digestRows(client, DIGESTED_LINES, [gameId, runId]),
    reversals: await digestRows(client, DIGESTED_REVERSALS, [gameId, runId]),
  };
}

async function digestRows(client: pg.ClientBase, text: string, values: unknown[]): Promise<string> {
  const hash = createHash('sha256');
  for await (const rows of fetchClientParts<{ text: string }>(client, { text, values }))
    for (const row of rows) hash.update(row.text).update('\n');
  return hash.digest('hex');
}

/** Lists the adjustments that a run includes, or would include as it is submitted. */
async function listIncluded(client: pg.ClientBase, { gameId, runId, previousRunId }: Run): Promise<IncludedAdjustment[]> {
  const { rows } = await client.query<IncludedAdjustment>(
    `select adjustment_id as "adjustmentId", recipient_player_id as "recipientId", amount_usd, kind from payout_adjustment
     where game_id = $1 and confirmed_at is not null and withdrawn_at is null and (run_id is null or run_id = $2)
       and (kind <> 'brought_forward' or $3::bigint is null)
     order by adjustment_id`,
    [gameId, runId, previousRunId],
  );
  return rows;
}
