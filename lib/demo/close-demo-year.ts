import { isLoopback } from '../core/game.ts';
import { type Month, monthWindow } from '../core/month.ts';
import type { Actor, SessionActor } from '../core/roles.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import type { GameContext } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { proposeDetails } from '../payees/propose-details.ts';
import { findStoredPayees } from '../payees/reads/payee-details.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { decideSender, proposeSender } from '../payments/change-sender.ts';
import { closeRun } from '../payments/close-run.ts';
import { findDemoReport } from '../payments/find-demo-report.ts';
import { handOver } from '../payments/hand-over.ts';
import { makeFiles } from '../payments/make-files.ts';
import { recordReport } from '../payments/record-report.ts';
import { approveRun } from '../payouts/decide-run.ts';
import { draftRun } from '../payouts/draft-run.ts';
import { requestStatements } from '../payouts/draw-statements.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { noteCheck, recordFinding, submitRun } from '../payouts/submit-run.ts';
import { DEMO_METHOD, type FoundMonth, findMonth, listOpenMonths } from './find-month-work.ts';
import type { DemoPeople } from './open-demo-people.ts';
import { planMonth, type Step } from './rules/plan-step.ts';
import { DETAIL_REASONS, FINDING, formatUpload, noteOf } from './text.ts';

/** A game with what the demo people need to close its months: a database with the rights of the pages, and the key of payment details. */
export interface DemoYear extends GameContext {
  key: PayeeKey;
  people: DemoPeople;
}

/** What a step came to. `taken`: it was done, or something else was first: the next one is planned by what exists then. */
export type YearStep =
  | { outcome: 'taken'; month: Month | null; kind: Step['kind']; because?: string }
  /** A pull has to end first. */
  | { outcome: 'waiting' }
  /** Everything exists that the demo people make. */
  | { outcome: 'finished' }
  /** People decide what comes next. */
  | { outcome: 'stopped'; month: Month | null; because: string };

/**
 * Takes the next step of the demo's year: the demo people close and pay the twelve months before the last complete one, by the verbs that people use. What exists decides which
 * step is next, so a process that was killed is continued by any other.
 * Errors: throws when the data is not simulated or Invo is not on this machine, before anything is read or written.
 */
export async function takeYearStep(year: DemoYear): Promise<YearStep> {
  const { game, config, people } = year;
  if (game.isSimulated !== true) throw new Error('the demo’s year belongs in a simulated database only');
  if (!isLoopback(new URL(config.baseUrl).hostname)) throw new Error('the demo’s year is closed with the simulated Invo only');
  const found = await listOpenMonths(game);
  if (found === 'left') return { outcome: 'finished' };
  const { open, last, runs } = found;
  const [month] = open;
  if (month === undefined) return { outcome: 'finished' };
  const about = { month, run: runs.get(month) ?? null, isLast: month === last, preparerId: people.preparer.id };
  const work = await findMonth(game, about);
  const step = planMonth(work.work);
  if (step.kind === 'wait') return { outcome: 'waiting' };
  if (step.kind === 'stop') return { outcome: 'stopped', month, because: step.because };
  if (step.kind === 'done') return await leaveDetailsOpen(year);
  const refusal = await act(year, work, step);
  return { outcome: 'taken', month, kind: step.kind, ...(refusal !== null && { because: refusal }) };
}

/** Takes a step of a month. Returns why the verb refused; null: it didn't. */
async function act(year: DemoYear, found: FoundMonth, step: Step): Promise<string | null> {
  const { game, people } = year;
  const { preparer } = people;
  if (step.kind === 'draft') return refusalOf(await draftRun(game, preparer, found.month));
  const { run } = found;
  if (run === null) throw new Error(`${found.month} has no run to ${step.kind}`);
  switch (step.kind) {
    case 'recheck':
      return refusalOf(await recheck(game, preparer, run));
    case 'answer':
      return await answerItems(game, preparer, run, found);
    case 'submit':
      return refusalOf(await submitRun(game, preparer, run.runId, run.draftDigest ?? ''));
    case 'approve': {
      const approver = await people.proveApprover();
      return approver === null
        ? 'the approver has another password'
        : refusalOf(await approveRun(game, approver, run.runId, run.contentDigest ?? ''));
    }
    case 'request_statements':
      return refusalOf(await requestStatements(game, run.runNo, preparer.email));
    case 'close':
      return refusalOf(await closeRun(game, preparer, run.runId));
    default:
      return await pay(year, { ...found, run }, step);
  }
}

/** Takes a step of the payments of an approved run. */
async function pay(
  { game, key, people }: DemoYear,
  { run, month, waiting, proposedSenderNo }: FoundMonth & { run: Run },
  step: Step,
): Promise<string | null> {
  const { preparer, approver } = people;
  switch (step.kind) {
    case 'propose_sender':
      return refusalOf(await proposeSender(game, preparer, key, { method: DEMO_METHOD, typed: { decimal_sign: '.' } }));
    case 'confirm_sender':
      return refusalOf(await decideSender(game, approver, key, { senderNo: proposedSenderNo ?? 0, decision: 'confirmed' }));
    case 'make_files': {
      const shown = { count: waiting?.count ?? 0, total_usd: waiting?.total_usd ?? '0.00' };
      const request = { runId: run.runId, method: DEMO_METHOD, format: null, executionDate: null, note: `Revenue share ${month}`, shown };
      return refusalOf(await makeFiles(game, preparer, key, request));
    }
    case 'hand_over':
      return refusalOf(await handOver(game, preparer, { batchNo: step.batchNo, providerReference: formatUpload(step.batchNo) }));
    case 'report': {
      const report = await findDemoReport(game, step.batchNo);
      return report === null ? 'moved_on' : refusalOf(await recordReport(game, preparer, key, { ...report, dateOrder: null }));
    }
    default:
      throw new Error(`${step.kind} is no step of a payment`);
  }
}

async function recheck(
  { db, gameId, settleLag_minutes, now }: OpenGame,
  { email }: Actor,
  { window }: Run,
): ReturnType<typeof requestPull> {
  return await requestPull(db, { gameId, window, isFresh: false, requestedBy: email, now: now(), settleLag_minutes });
}

/** Writes a note or a finding on each item of a draft that takes one. */
async function answerItems(game: OpenGame, preparer: Actor, run: Run, { unanswered }: FoundMonth): Promise<string | null> {
  for (const { key, facts, count, answer } of unanswered) {
    const finding = { reason: key, renewalCount: count, conclusion: 'raised_with_invo', note: FINDING };
    const refusal = refusalOf(
      answer === 'note'
        ? await noteCheck(game, preparer, run.runId, { checkKey: key, facts, note: noteOf(key) })
        : await recordFinding(game, preparer, run.runId, finding),
    );
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Recipients of the simulated Invo: one is paid by PayPal and asks for another account, one has no details yet. */
const [CHANGED, FIRST] = [500_003, 800_070];

/** Proposes the payment details that a second person has to look at: a change, and first ones of a recipient. Each once, whatever people decided of it. */
async function leaveDetailsOpen({ game, key, people }: DemoYear): Promise<YearStep> {
  const payees = await findStoredPayees(game.db, game.gameId, [CHANGED, FIRST]);
  const wanted = [
    { recipientId: CHANGED, nextNo: 2, by: people.approver, email: `studio.${CHANGED}@elsewhere.example`, reason: DETAIL_REASONS.change },
    { recipientId: FIRST, nextNo: 1, by: people.preparer, email: `payee.${FIRST}@creators.example`, reason: DETAIL_REASONS.first },
  ];
  const missing = wanted.find(({ recipientId, nextNo }) => payees.get(recipientId)?.nextNo === nextNo);
  if (missing === undefined) return { outcome: 'finished' };
  const { recipientId, by, email, reason } = missing;
  const because = refusalOf(await proposeDetails(game, by, key, { recipientId, method: DEMO_METHOD, typed: { email }, reason }));
  return { outcome: 'taken', month: null, kind: 'propose_details', ...(because !== null && { because }) };
}

function refusalOf(result: { ok: true } | { ok: false; reason: string }): string | null {
  return result.ok ? null : result.reason;
}
