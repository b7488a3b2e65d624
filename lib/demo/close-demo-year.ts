import { isLoopback } from '../core/game.ts';
import type { Month } from '../core/month.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import type { GameContext } from '../games/game-context.ts';
import { markRead } from '../notices/announce.ts';
import { listNotices } from '../notices/reads.ts';
import { proposeDetails } from '../payees/propose-details.ts';
import { findStoredPayees } from '../payees/reads/payee-details.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { decideSender, proposeSender } from '../payments/change-sender.ts';
import { closeRun } from '../payments/close-run.ts';
import { findDemoReport } from '../payments/find-demo-report.ts';
import { handOver } from '../payments/hand-over.ts';
import { makeFiles } from '../payments/make-files.ts';
import { findBatch } from '../payments/reads/batches.ts';
import { recordReport } from '../payments/record-report.ts';
import { approveRun } from '../payouts/decide-run.ts';
import { draftRun } from '../payouts/draft-run.ts';
import { requestStatements } from '../payouts/draw-statements.ts';
import { placeHold, releaseHold } from '../payouts/hold-payment.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { findNotedHold } from '../payouts/reads/holds.ts';
import { noteCheck, recordFinding, submitRun } from '../payouts/submit-run.ts';
import { DEMO_METHOD, type FoundMonth, findMonth, listOpenMonths } from './find-month-work.ts';
import type { DemoPeople } from './open-demo-people.ts';
import { planMonth, type RunAct, type Step } from './rules/plan-step.ts';
import { DETAIL_REASONS, FINDING, formatUpload, HOLD_NOTES, noteOf } from './text.ts';

/** A game with what the demo people need to close its months: a database with the rights of the pages, and the key of payment details. */
export interface DemoYear extends GameContext {
  key: PayeeKey;
  people: DemoPeople;
}

/** What a step came to. `taken`: it was done, or something else was first: the next one is planned by what exists then. */
export type YearStep =
  | {
      outcome: 'taken';
      month: Month | null;
      kind: Step['kind'] | 'read_notices' | 'hold' | 'release' | 'propose_details';
      because?: string;
    }
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
  if (step.kind === 'done') return (await readNotices(year, runs)) ?? (await releaseEarly(year)) ?? (await leaveDetailsOpen(year));
  const acted = await takeStep(year, work, step);
  return { outcome: 'taken', month, kind: step.kind, ...(!acted.ok && { because: acted.reason }) };
}

type Acted = { ok: true } | { ok: false; reason: string };

/** Takes a step of a month. */
async function takeStep(
  year: DemoYear,
  found: FoundMonth,
  { kind, batchNo = 0 }: { kind: RunAct | 'draft'; batchNo?: number },
): Promise<Acted> {
  const { game, people } = year;
  if (kind === 'draft') return await draftRun(game, people.preparer, found.month);
  const { run } = found;
  if (run === null) throw new Error(`${found.month} has no run to ${kind}`);
  return await ACTS[kind](year, { ...found, run, batchNo });
}

/** A month with its run, and the file that an act is about. */
type ActedOn = FoundMonth & { run: Run; batchNo: number };

const ACTS: Readonly<Record<RunAct, (year: DemoYear, on: ActedOn) => Promise<Acted>>> = {
  recheck: async ({ game: { db, gameId, settleLag_minutes, now }, people: { preparer } }, { run: { window } }) =>
    await requestPull(db, { gameId, window, isFresh: false, requestedBy: preparer.email, now: now(), settleLag_minutes }),
  answer: answerItems,
  submit: async ({ game, people: { preparer } }, { run }) => await submitRun(game, preparer, run.runId, run.draftDigest ?? ''),
  approve: async ({ game, people }, { run }) => {
    const approver = await people.proveApprover();
    return approver === null ? { ok: false, reason: 'password' } : await approveRun(game, approver, run.runId, run.contentDigest ?? '');
  },
  propose_sender: async ({ game, key, people: { preparer } }) =>
    await proposeSender(game, preparer, key, { method: DEMO_METHOD, typed: { decimal_sign: '.' } }),
  confirm_sender: async ({ game, key, people: { approver } }, { proposedSenderNo }) =>
    await decideSender(game, approver, key, { senderNo: proposedSenderNo ?? 0, decision: 'confirmed' }),
  make_files: async ({ game, key, people: { preparer } }, { run: { runId }, month, waiting }) => {
    const shown = { count: waiting?.count ?? 0, total_usd: waiting?.total_usd ?? '0.00' };
    const note = `Revenue share ${month}`;
    return await makeFiles(game, preparer, key, { runId, method: DEMO_METHOD, format: null, executionDate: null, note, shown });
  },
  hand_over: async ({ game, people: { preparer } }, { batchNo }) =>
    await handOver(game, preparer, { batchNo, providerReference: formatUpload(batchNo) }),
  report: async ({ game, key, people: { preparer } }, { batchNo }) => {
    const batch = await findBatch(game.db, game.gameId, batchNo);
    const report = batch && (await findDemoReport(game, batch));
    return report === null ? { ok: false, reason: 'moved_on' } : await recordReport(game, preparer, key, { ...report, dateOrder: null });
  },
  request_statements: async ({ game, people: { preparer } }, { run }) => await requestStatements(game, run.runNo, preparer.email),
  close: async ({ game, people: { preparer } }, { run }) => await closeRun(game, preparer, run.runId),
};

/** Writes a note or a finding on each item of a draft that takes one. */
async function answerItems({ game, people: { preparer } }: DemoYear, { run: { runId }, unanswered }: ActedOn): Promise<Acted> {
  for (const { key, facts, count, answer } of unanswered) {
    const answered =
      answer === 'note'
        ? await noteCheck(game, preparer, runId, { checkKey: key, facts, note: noteOf(key) })
        : await recordFinding(game, preparer, runId, { reason: key, renewalCount: count, conclusion: 'raised_with_invo', note: FINDING });
    if (!answered.ok) return answered;
  }
  return { ok: true };
}

const NOTICES_MAX = 100;

/** Marks the notices of the two about each other's runs as read, so that a newcomer sees what is new. null: nothing is unread. */
async function readNotices({ game: { db, gameId }, people }: DemoYear, runs: ReadonlyMap<Month, Run>): Promise<YearStep | null> {
  const runNos = new Set([...runs.values()].map(({ runNo }) => runNo));
  let count = 0;
  for (const { id } of [people.preparer, people.approver]) {
    const { notices } = await listNotices(db, id, NOTICES_MAX);
    for (const notice of notices) {
      const isOfRun = notice.kind === 'run_submitted' || notice.kind === 'run_approved';
      if (!isOfRun || notice.gameId !== gameId || notice.seenAt !== null || !runNos.has(notice.runNo ?? 0)) continue;
      await markRead(db, id, notice);
      count += 1;
    }
  }
  return count === 0 ? null : { outcome: 'taken', month: null, kind: 'read_notices' };
}

/** A recipient of the simulated Invo whose payments were on hold for a while. */
const HELD = 500_011;

/** Holds the payments of a recipient and releases them, which Exceptions list. Each once, whatever people did since. null: both were done. */
async function releaseEarly({ game, key, people: { preparer } }: DemoYear): Promise<YearStep | null> {
  const about = { recipientId: HELD, note: HOLD_NOTES.placed };
  const hold = await findNotedHold(game.db, game.gameId, about);
  if (hold?.isReleased) return null;
  const typed = { recipientIds: [HELD], periodId: null, amount: '', reason: 'identity', note: HOLD_NOTES.placed, expiresAt: '' };
  const acted =
    hold === null
      ? await placeHold(game, preparer, typed, key)
      : await releaseHold(game, preparer, { holdId: hold.holdId, note: HOLD_NOTES.released });
  return { outcome: 'taken', month: null, kind: hold === null ? 'hold' : 'release', ...(!acted.ok && { because: acted.reason }) };
}

/** Recipients of the simulated Invo: the first changes an account that was paid before, the second has no details yet. */
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
  const acted = await proposeDetails(game, by, key, { recipientId, method: DEMO_METHOD, typed: { email }, reason });
  return { outcome: 'taken', month: null, kind: 'propose_details', ...(!acted.ok && { because: acted.reason }) };
}
