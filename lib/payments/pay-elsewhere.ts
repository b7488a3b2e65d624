import { postPayments } from '#lib/accounting/post-journals.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { lockRun } from '#lib/payouts/reads/find-run.ts';
import { findPayoutPause } from '#lib/payouts/reads/payout-pause.ts';
import { asPreparer, lockDecider, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { explainRefusal } from '#lib/people/explain-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import { parseInstant } from '../core/instant.ts';
import { sumMoney } from '../core/money.ts';
import { localTimeOf } from '../core/month.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { namesAccountOf } from '../payees/find-named-account.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { isPayable } from './make-files.ts';
import { findBatch } from './reads/batches.ts';
import { listRecipients } from './reads/waiting-items.ts';
import { refreshStates } from './writes/refresh-states.ts';
import { findNextNumbers, insertElsewhere, lockFreeItems, putElsewhere, setCancelled, setHandedOver } from './writes/store-batches.ts';

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
  | {
      ok: false;
      reason: PreparerRefusal | 'moved_on' | 'paused' | 'sandbox' | 'not_a_day' | 'in_future' | 'too_early' | SharedTextRefusal;
    };

/**
 * Proposes to record payments that wait as paid outside Sharebook. They are in no file meanwhile, and count as paid once a second person confirms. Refused when one of
 * them is in a file or proposed already, and on a day before the month of the run was over: its amounts weren't known then. `key`: see `namesAccountOf`.
 */
export async function proposeElsewhere(
  game: OpenGame,
  actor: Actor,
  { runId, itemNos, paidOn, note }: PaidElsewhere,
  key: PayeeKey | null = null,
): Promise<ElsewhereResult> {
  const typed = parseSharedNote(note, NOTE_MAX);
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
    if (paidOn < localTimeOf(run.window.end, game.timeZone).slice(0, 10)) return { ok: false, reason: 'too_early' };
    if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
    const wanted = [...new Set(itemNos)].toSorted((one, other) => one - other);
    const amounts = await lockFreeItems(tx, run, wanted);
    if (amounts.length === 0 || amounts.length !== wanted.length) return { ok: false, reason: 'moved_on' };
    const recipientIds = await listRecipients(tx, run, { itemNos: wanted });
    if (await namesAccountOf(tx, gameId, key, { text: typed.text, recipientIds })) return { ok: false, reason: 'account' };
    const { batchNo, batchPrefix } = await findNextNumbers(tx, gameId, runId);
    const total_usd = sumMoney(amounts);
    const messageId = `${batchPrefix}-${batchNo}`;
    await insertElsewhere(tx, {
      gameId,
      batchNo,
      runId,
      messageId,
      createdLocal,
      paidOn,
      note: typed.text,
      itemNos: wanted,
      total_usd,
      actorId: actor.id,
    });
    const detail = { run_no: run.runNo, payments: wanted.length, item_nos: wanted, total_usd, paid_on: paidOn, note: typed.text };
    const subject = `payments elsewhere ${batchNo}`;
    await recordAudit(tx, { gameId, actor: actor.email, act: 'proposed payments as paid elsewhere', subject, detail });
    return { ok: true, batchNo };
  });
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
      await setCancelled(tx, batch, actor.id);
    } else {
      if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
      if (author === actor.id) return { ok: false, reason: 'same_person' };
      if (!(await lockDecider(tx, actor.id, author, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
      if (!isPayable(run)) return { ok: false, reason: 'moved_on' };
      await putElsewhere(tx, { ...batch, itemNos: batch.itemNos ?? [] });
      await setHandedOver(tx, batch, actor.id, null);
      await refreshStates(tx, run);
      await postPayments(tx, game, { batchNo }, actor);
    }
    const act = decision === 'confirmed' ? 'confirmed payments as paid elsewhere' : 'withdrew payments as paid elsewhere';
    const detail = { run_no: run.runNo, payments: batch.itemCount, total_usd: batch.total_usd };
    await recordAudit(tx, { gameId, actor: actor.email, act, subject, detail });
    return { ok: true };
  });
  return await explainRefusal(game, { actor, authorId: author, what: 'confirmation of payments elsewhere', subject }, answer);
}
