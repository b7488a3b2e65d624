import { sql } from 'kysely';
import { type Cell, copyRows, fetchParts } from '#db/kit/copy.ts';
import type { Db } from '#db/kit/open.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';
import { listReturnedItems } from '#lib/payments/reads/item-states.ts';
import type { ReturnedItem } from '#lib/payments/rules/item-state.ts';
import { findReversalHistory } from '../reads/deductions.ts';
import { findPolicyNo, lockRun, type Run } from '../reads/find-run.ts';
import { listHeldPeriods, listHolds, type NamedHold } from '../reads/holds.ts';
import { lineFactsQuery } from '../reads/run-facts.ts';
import { digestRun, type RunDigests } from '../reads/run-verification.ts';
import {
  type ComposedLine,
  type HeldPeriod,
  holdsToPlace,
  lineBuilder,
  RUN_AMOUNTS,
  type RunRecipient,
  splitAtIdentity,
} from '../rules/compose-run.ts';
import { decideLines } from '../rules/decide-line.ts';
import { type DecidedReversal, decideReversals } from '../rules/decide-reversal.ts';
import type { RunContent } from '../rules/run-content.ts';
import { HOLD_NOTES } from '../text.ts';
import { updateRun } from './run-states.ts';

/** A hold as an approval covers it. */
type AppliedHold = Omit<NamedHold, 'takenBefore_usd'>;
type IncludedAdjustment = RunContent['adjustments'][number];

/** What a composition took and made, beside the run itself. */
export interface Composition {
  run: Run;
  digests: RunDigests;
  holds: AppliedHold[];
  adjustments: IncludedAdjustment[];
  returned: ReturnedItem[];
}

/**
 * Composes the lines of a draft again in the caller's transaction, from its snapshot, its policy and whatever else holds at `now`: creates the holds of a
 * draft, decides reversals and lines, and writes sums and digest. The run is locked by the caller. Lines are stored a part at a time.
 */
export async function composeRun(tx: Db, run: Run, placedBy: string, now: string): Promise<Composition> {
  const key: Cell[] = [run.gameId, run.runId];
  const policy = await findPolicyNo(tx, run.gameId, run.policyNo);
  const reversals = decideReversals(await findReversalHistory(tx, run));
  await placeHolds(tx, run, placedBy, holdsToPlace(policy, await listHeldPeriods(tx, run), reversals));
  const holds = await listHolds(tx, run, now);
  await tx.deleteFrom('payout_line').where('game_id', '=', run.gameId).where('run_id', '=', run.runId).execute();
  await tx.deleteFrom('payout_reversal').where('game_id', '=', run.gameId).where('run_id', '=', run.runId).execute();
  await copyRows(tx, 'payout_reversal', REVERSAL_COLUMNS, reversalRows(reversals, key));
  await writeLines(tx, run, lineBuilder(policy, reversals, holds), key);
  await sumLines(tx, run);
  const digests = await digestRun(tx, run);
  const adjustments = await listIncluded(tx, run);
  const returned = await listReturnedItems(tx, run);
  const draft = {
    digests,
    holds: holds.map(({ takenBefore_usd: _, ...hold }): AppliedHold => hold),
    adjustments,
    returned,
    policyNo: run.policyNo,
    snapshot: run.snapshotDigest,
  };
  const rate = run.eurRate === null ? {} : { eurRate: run.eurRate };
  await updateRun(tx, run, { draft_digest: digestOf({ ...draft, ...rate, before: run.previousContentDigest }) });
  const composed = await lockRun(tx, run.gameId, run.runId);
  if (composed === null) throw new Error(`run ${run.runId} is gone`);
  return { run: composed, digests, holds: draft.holds, adjustments, returned };
}

const REVERSAL_AMOUNTS = ['attributed_usd', 'reported_usd', 'taken_before_usd', 'taken_usd'];
const REVERSAL_COLUMNS = ['game_id', 'run_id', 'period_id', 'recipient_player_id', 'is_coarse', ...REVERSAL_AMOUNTS];

function* reversalRows(reversals: readonly DecidedReversal[], key: Cell[]): Generator<Cell[]> {
  for (const { periodId, recipientId, isCoarse, attributed_usd, reported_usd, takenBefore_usd, taken_usd } of reversals)
    yield [...key, periodId, recipientId, isCoarse, attributed_usd, reported_usd, takenBefore_usd, taken_usd];
}

const LINE_AMOUNTS = ['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'returned', 'held', 'minimum', 'together', 'payable'] as const;
const LINE_KEYS = ['game_id', 'run_id', 'recipient_player_id', 'seen_snapshot_id', 'resolved'];
const LINE_COLUMNS = [...LINE_KEYS, ...LINE_AMOUNTS.map((amount) => `${amount}_usd`), 'outcome', 'also', 'detail_no'];

/** Decides and stores the lines a part at a time; a part ends where an identity does. */
async function writeLines(tx: Db, run: Run, toLine: ReturnType<typeof lineBuilder>, key: Cell[]): Promise<void> {
  const write = async (recipients: RunRecipient[]): Promise<void> => {
    const rows = decideLines(recipients.map(toLine)).map((line) => [...key, ...lineCells(line)]);
    await copyRows(tx, 'payout_line', LINE_COLUMNS, rows);
  };
  let waiting: RunRecipient[] = [];
  for await (const part of fetchParts(tx, lineFactsQuery(run))) {
    const [complete, rest] = splitAtIdentity([...waiting, ...part]);
    if (complete.length > 0) await write(complete);
    waiting = rest;
  }
  if (waiting.length > 0) await write(waiting);
}

function lineCells(line: ComposedLine): Cell[] {
  const { recipientId, seenSnapshotId, isResolved, outcome, also, detailNo } = line;
  const amounts = LINE_AMOUNTS.map((amount) => line[`${amount}_usd`]);
  return [recipientId, seenSnapshotId, isResolved, ...amounts, outcome, `{${also.join(',')}}`, detailNo];
}

/** What a run stores of the sums of its lines; what is due is the sum of the last two. */
const SUMMED = RUN_AMOUNTS.filter((amount) => amount !== 'due').map((amount) => `${amount}_usd`);

async function sumLines(tx: Db, { gameId, runId }: Run): Promise<void> {
  const sumsOf = sql.join(SUMMED.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0.00) as ${sql.ref(column)}`));
  const { rows } = await sql<Record<string, string>>`
    select count(*) as line_count, count(*) filter (where payable_usd > 0) as payable_count, ${sumsOf}
    from payout_line where game_id = ${gameId} and run_id = ${runId}`.execute(tx);
  const sums = Object.entries(rows[0] ?? {}).map(([column, sum]) => sql`${sql.ref(column)} = ${sum}`);
  await sql`update payout_run set ${sql.join(sums)}, revision = revision + 1, composed_at = clock_now()
    where game_id = ${gameId} and run_id = ${runId}`.execute(tx);
}

const HOLD_COLUMNS = ['attributed_usd', 'amount_usd', 'reason_code', 'note', 'assigned_to', 'placed_by'];

async function placeHolds(tx: Db, run: Run, placedBy: string, holds: readonly (HeldPeriod & { amount_usd: string })[]): Promise<void> {
  const columns = ['game_id', 'recipient_player_id', 'period_id', ...HOLD_COLUMNS];
  const rows = holds.map(({ recipientId, periodId, attributed_usd, amount_usd, reason }): Cell[] => {
    const note = HOLD_NOTES[reason];
    return [run.gameId, recipientId, periodId, attributed_usd, amount_usd, reason, note, placedBy, placedBy];
  });
  if (rows.length > 0) await copyRows(tx, 'payout_hold', columns, rows);
}

/** Lists the adjustments that a run includes, or would include as it is submitted. */
async function listIncluded(tx: Db, { gameId, runId, previousRunId }: Run): Promise<IncludedAdjustment[]> {
  const { rows } = await sql<IncludedAdjustment>`
    select adjustment_id as "adjustmentId", recipient_player_id as "recipientId", amount_usd, kind from payout_adjustment
    where game_id = ${gameId} and confirmed_at is not null and withdrawn_at is null and (run_id is null or run_id = ${runId})
      and (kind <> 'brought_forward' or ${previousRunId}::bigint is null)
    order by adjustment_id`.execute(tx);
  return rows;
}
