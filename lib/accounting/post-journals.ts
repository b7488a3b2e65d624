import type { Db } from '#db/kit/open.ts';
import type { Game } from '#lib/core/game.ts';
import { signOfMoney } from '#lib/core/money.ts';
import { lastDayOf, localTimeOf, monthOf } from '#lib/core/month.ts';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer, auditRun, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { type ApprovedRun, findRunningTotals, listApprovedRuns, listJournals, listPaymentChanges, type PaymentSource } from './reads.ts';
import {
  accrue,
  cardFeesOf,
  cardFeesToPost,
  type ExactTransfer,
  type JournalKind,
  nextJournalNo,
  POSTED_ACT,
  postTransfers,
  reverseTransfers,
} from './rules/journal.ts';
import { postPaymentChanges } from './rules/payment-postings.ts';
import { insertJournal } from './writes.ts';

type Journals = Pick<Game, 'gameId' | 'timeZone'>;
type RunOf = Pick<ApprovedRun, 'runId'>;

/**
 * Posts the accrual of a run in the transaction that approved it, and the card fees of its month if they are read whole. Running totals of the game carry
 * over, so the caller holds `lockRunsOf`.
 */
export async function postAccrual(tx: Db, game: Journals, { runId }: RunOf, actor: Actor): Promise<void> {
  const run = await findApproved(tx, game, runId);
  await post(tx, game, run, { kind: 'accrual', exact: accrue(run.facts), actor });
  await postFeesOf(tx, game, run, actor);
}

/** Takes back everything posted of an approved run, in the transaction that voids it. The caller holds `lockRunsOf`. */
export async function reverseJournals(tx: Db, game: Journals, { runId }: RunOf, actor: Actor): Promise<void> {
  const run = await findApproved(tx, game, runId);
  const posted = (await listJournals(tx, game.gameId, run.window)).filter((journal) => journal.runId === runId);
  await post(tx, game, run, { kind: 'reversal', exact: reverseTransfers(posted.flatMap(({ transfers }) => transfers)), actor });
}

export type CardFeesResult = { ok: true } | { ok: false; reason: PreparerRefusal | 'moved_on' | 'nothing' };

/** Posts card fees of an approved run that were read after its approval, or what changed of them since. Pressed twice, it posts once. */
export async function postCardFees(game: OpenGame, actor: Actor, runId: number): Promise<CardFeesResult> {
  return await asPreparer(game, actor, async (tx): Promise<CardFeesResult> => {
    await lockRunsOf(tx, game.gameId);
    const [run] = await listApprovedRuns(tx, game.gameId, runId);
    if (run?.state !== 'approved') return { ok: false, reason: 'moved_on' };
    return (await postFeesOf(tx, game, run, actor)) ? { ok: true } : { ok: false, reason: 'nothing' };
  });
}

/** Posts card fees that are read whole and not posted; false: there are none. */
async function postFeesOf(tx: Db, game: Journals, run: ApprovedRun, actor: Actor): Promise<boolean> {
  const journals = (await listJournals(tx, game.gameId, run.window)).filter(({ runId }) => runId === run.runId);
  const exact_usd = cardFeesToPost(cardFeesOf(run.details), journals);
  if (exact_usd === null || signOfMoney(exact_usd) === 0) return false;
  await post(tx, game, run, { kind: 'card_fees', exact: [{ kind: 'card_fees', exact_usd }], actor });
  return true;
}

/**
 * Posts what became paid and what came back, in the transaction that stores why: rows of a report, a decision about one of its rows, or the confirmation of a batch paid
 * elsewhere. One journal for each run, day and direction. The caller holds `lockRunsOf`.
 */
export async function postPayments(
  tx: Db,
  game: Journals & Pick<OpenGame, 'now'>,
  source: PaymentSource,
  actor: Pick<Actor, 'id' | 'email'>,
): Promise<void> {
  const today = localTimeOf(game.now(), game.timeZone).slice(0, 10);
  for (const [runId, changes] of await listPaymentChanges(tx, game.gameId, source)) {
    const postings = postPaymentChanges(changes);
    if (postings.length === 0) continue;
    const run = await findApproved(tx, game, runId);
    for (const { kind, on, exact } of postings) await post(tx, game, run, { kind, exact, actor, postedOn: on ?? today });
  }
}

async function post(
  tx: Db,
  { gameId, timeZone }: Journals,
  { runId, runNo, window }: ApprovedRun,
  {
    kind,
    exact,
    actor,
    postedOn = lastDayOf(window, timeZone),
  }: { kind: JournalKind; exact: ExactTransfer[]; actor: Pick<Actor, 'id' | 'email'>; postedOn?: string },
): Promise<void> {
  const numbers = (await listJournals(tx, gameId, window)).map(({ journalNo }) => journalNo);
  const journalNo = nextJournalNo(monthOf(window.start, timeZone), kind, numbers);
  const transfers = postTransfers(exact, await findRunningTotals(tx, gameId));
  await insertJournal(tx, { gameId, runId, journalNo, kind, postedOn, writtenBy: actor.id, transfers });
  const posted = Object.fromEntries(transfers.map((transfer) => [transfer.kind, transfer.exact_usd]));
  await auditRun(tx, { gameId, runNo }, actor, POSTED_ACT, { journal_no: journalNo, posted_on: postedOn, exact_usd: posted });
}

async function findApproved(tx: Db, { gameId }: Journals, runId: number): Promise<ApprovedRun> {
  const [run] = await listApprovedRuns(tx, gameId, runId);
  if (run === undefined) throw new Error(`run ${runId} is not approved`);
  return run;
}
