import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { postPayments } from '#lib/accounting/post-journals.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { lockRun } from '#lib/payouts/reads/find-run.ts';
import { findPayoutPause } from '#lib/payouts/reads/payout-pause.ts';
import { asPreparer, lockDecider, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import { parseInstant } from '../core/instant.ts';
import { sumMoney } from '../core/money.ts';
import { localTimeOf } from '../core/month.ts';
import type { Actor } from '../core/roles.ts';
import { parseTypedNote } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { isPayable } from './make-files.ts';
import { findBatch } from './reads/batches.ts';
import { findNextNumbers, updateBatch } from './writes/batches.ts';
import { refreshStates } from './writes/item-states.ts';

/** Characters of the note that says how the payments were made. */
const NOTE_MAX = 500;

/** Payments that were made outside Sharebook. */
export interface PaidElsewhere {
  runId: number;
  itemNos: readonly number[];
  /** The day they were paid, `2026-11-05`. */
  paidOn: string;
  note: string;
}

export type ElsewhereResult =
  | { ok: true; batchNo: number }
  | { ok: false; reason: PreparerRefusal | 'moved_on' | 'paused' | 'sandbox' | 'not_a_day' | 'in_future' | 'missing' | 'too_long' };

/**
 * Proposes to record payments that wait as paid outside Sharebook. They are in no file meanwhile, and count as paid once a second person confirms. Refused when one of
 * them is in a file or proposed already.
 */
export async function proposeElsewhere(
  game: OpenGame,
  actor: Actor,
  { runId, itemNos, paidOn, note }: PaidElsewhere,
): Promise<ElsewhereResult> {
  const typed = parseTypedNote(note, NOTE_MAX);
  if (!typed.ok) return { ok: false, reason: typed.reason };
  const createdLocal = localTimeOf(game.now(), game.timeZone);
  if (!/^\d{4}-\d\d-\d\d$/.test(paidOn) || parseInstant(paidOn) === null) return { ok: false, reason: 'not_a_day' };
  if (paidOn > createdLocal.slice(0, 10)) return { ok: false, reason: 'in_future' };
  if (game.environment === 'sandbox') return { ok: false, reason: 'sandbox' };
  const { gameId } = game;
  return await asPreparer(game, actor, async (tx): Promise<ElsewhereResult> => {
    await lockRunsOf(tx, gameId);
    const run = await lockRun(tx, gameId, runId);
    if (run === null || !isPayable(run)) return { ok: false, reason: 'moved_on' };
    if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
    const wanted = [...new Set(itemNos)].toSorted((one, other) => one - other);
    const amounts = await listFree(tx, run, wanted);
    if (amounts.length === 0 || amounts.length !== wanted.length) return { ok: false, reason: 'moved_on' };
    const { batchNo, batchPrefix } = await findNextNumbers(tx, gameId, runId);
    const total_usd = sumMoney(amounts);
    await tx
      .insertInto('payout_batch')
      .values({
        game_id: gameId,
        batch_no: batchNo,
        run_id: runId,
        method: 'elsewhere',
        message_id: `${batchPrefix}-${batchNo}`,
        part_no: 1,
        part_count: 1,
        created_local: createdLocal,
        execution_date: paidOn,
        note: typed.text,
        item_count: wanted.length,
        total_usd,
        currency: 'USD',
        total_file: total_usd,
        item_nos: wanted,
        made_by: actor.id,
      })
      .execute();
    const detail = { run_no: run.runNo, payments: wanted.length, item_nos: wanted, total_usd, paid_on: paidOn, note: typed.text };
    const subject = `payments elsewhere ${batchNo}`;
    await recordAudit(tx, { gameId, actor: actor.email, act: 'proposed payments as paid elsewhere', subject, detail });
    return { ok: true, batchNo };
  });
}

/** The amounts of those payments of a run that are in no file and not proposed. */
async function listFree(tx: Db, { gameId, runId }: { gameId: number; runId: number }, itemNos: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ amount_usd: string }>`
    select i.amount_usd from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = any(${itemNos}::int[]) and i.state = 'waiting'
      and not exists (select from payout_batch b where b.game_id = ${gameId} and b.run_id = ${runId} and b.method = 'elsewhere'
        and b.handed_over_at is null and b.cancelled_at is null and i.item_no = any(b.item_nos))
    order by i.item_no for update`.execute(tx);
  return rows.map(({ amount_usd }) => amount_usd);
}

export type ElsewhereDecision =
  | { ok: true }
  | { ok: false; reason: PreparerRefusal | ApproverRefusal | 'same_person' | 'moved_on' | 'paused' };

/** Confirms that payments another person proposed were paid elsewhere, or withdraws the proposal, which everybody who prepares payouts may do. */
export async function decideElsewhere(
  game: OpenGame,
  actor: Actor,
  { batchNo, decision }: { batchNo: number; decision: 'confirmed' | 'withdrawn' },
): Promise<ElsewhereDecision> {
  const { gameId } = game;
  const subject = `payments elsewhere ${batchNo}`;
  let author: string | null = null;
  const answer = await asPreparer(game, actor, async (tx): Promise<ElsewhereDecision> => {
    await lockRunsOf(tx, gameId);
    const batch = await findBatch(tx, gameId, batchNo);
    const run = batch === null ? null : await lockRun(tx, gameId, batch.runId);
    if (batch?.state !== 'proposed' || run === null) return { ok: false, reason: 'moved_on' };
    author = batch.madeBy.id;
    if (decision === 'withdrawn') {
      await updateBatch(tx, batch, sql`cancelled_by = ${actor.id}, cancelled_at = clock_now()`);
    } else {
      if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
      if (author === actor.id) return { ok: false, reason: 'same_person' };
      if (!(await lockDecider(tx, actor.id, author, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
      if (!isPayable(run)) return { ok: false, reason: 'moved_on' };
      const { numAffectedRows } = await sql`
        update payout_item set batch_no = ${batchNo}, amount_file = amount_usd
        where game_id = ${gameId} and run_id = ${run.runId} and item_no = any(${batch.itemNos}::int[]) and batch_no is null`.execute(tx);
      if (Number(numAffectedRows ?? 0) !== batch.itemCount) throw new Error(`${subject}: a payment is in a file`);
      await updateBatch(tx, batch, sql`handed_over_by = ${actor.id}, handed_over_at = clock_now()`);
      await refreshStates(tx, run);
      await postPayments(tx, game, { batchNo }, actor);
    }
    const act = decision === 'confirmed' ? 'confirmed payments as paid elsewhere' : 'withdrew payments as paid elsewhere';
    const detail = { run_no: run.runNo, payments: batch.itemCount, total_usd: batch.total_usd };
    await recordAudit(tx, { gameId, actor: actor.email, act, subject, detail });
    return { ok: true };
  });
  if (answer.ok || author === null || (answer.reason !== 'not_allowed' && answer.reason !== 'same_person')) return answer;
  const reason =
    answer.reason === 'same_person'
      ? 'same_person'
      : ((await findApproverRefusal(game.db, actor.id, { right: 'payouts.approve', preparerId: author })) ?? answer.reason);
  const attempt = { actor, gameId, what: 'confirmation of payments elsewhere', subject };
  return await auditRefusal(game.db, attempt, { ok: false, reason });
}
