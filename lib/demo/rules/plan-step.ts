import type { RunProgress } from '#lib/payouts/rules/run-content.ts';

/** What is stored of the month that the demo people work on. */
export interface MonthWork {
  /** Whether its evidence is complete. */
  isComplete: boolean;
  /** Of the twelve: payments of the last one stay open on purpose. */
  isLast: boolean;
  /** null: there is none. */
  run: {
    progress: RunProgress;
    /** Whether the demo's preparer drafted it. */
    isOurs: boolean;
  } | null;
  /** What its draft still needs; null: there is no draft. */
  close: {
    recheck: 'current' | 'pulling' | 'needed' | 'failed';
    /** Items that take a note or a finding. */
    unanswered: number;
    /** Other items that block. */
    blockers: readonly string[];
  } | null;
  sender: 'none' | 'proposed' | 'in_force';
  /** Payments that a file can take. */
  waiting: number;
  files: readonly { batchNo: number; isHandedOver: boolean; isReported: boolean }[];
  hasStatements: boolean;
}

/** What the demo people do with the run of a month. */
export type RunAct =
  | 'recheck'
  | 'answer'
  | 'submit'
  | 'approve'
  | 'propose_sender'
  | 'confirm_sender'
  | 'make_files'
  | 'hand_over'
  | 'report'
  | 'request_statements'
  | 'close';

/** What the demo people do next, or why they do nothing. */
export type Step =
  | { kind: 'draft' }
  /** `batchNo`: of the file that it is about. */
  | { kind: RunAct; batchNo?: number }
  /** A pull has to end first. */
  | { kind: 'wait' }
  /** This month is done. */
  | { kind: 'done' }
  /** Something that only people decide. */
  | { kind: 'stop'; because: string };

/** Plans the next step of a month by what exists, so that whatever stopped between two steps continues with the right one. */
export function planMonth(work: MonthWork): Step {
  const { run, close } = work;
  if (run === null) return { kind: work.isComplete ? 'draft' : 'wait' };
  if (run.progress === 'closed') return { kind: 'done' };
  if (run.progress === 'rejected' || (isInReview(run.progress) && !run.isOurs))
    return { kind: 'stop', because: 'a person works on its run' };
  if (run.progress === 'draft') return close === null ? { kind: 'wait' } : planDraft(close);
  if (run.progress === 'submitted') return { kind: 'approve' };
  return planPayment(work, run.progress);
}

function isInReview(progress: RunProgress): boolean {
  return progress === 'draft' || progress === 'submitted';
}

function planDraft({ recheck, unanswered, blockers }: NonNullable<MonthWork['close']>): Step {
  if (recheck === 'pulling') return { kind: 'wait' };
  if (recheck === 'needed') return { kind: 'recheck' };
  if (recheck === 'failed') return { kind: 'stop', because: 'its re-check failed or differs' };
  if (blockers.length > 0) return { kind: 'stop', because: `${blockers.join(', ')} blocks its run` };
  return { kind: unanswered > 0 ? 'answer' : 'submit' };
}

function planPayment({ sender, waiting, files, hasStatements, isLast }: MonthWork, progress: RunProgress): Step {
  if (waiting > 0) {
    if (sender === 'none') return { kind: 'propose_sender' };
    return { kind: sender === 'proposed' ? 'confirm_sender' : 'make_files' };
  }
  const made = files.find(({ isHandedOver }) => !isHandedOver);
  if (made !== undefined) return { kind: 'hand_over', batchNo: made.batchNo };
  const sent = files.find(({ isReported }) => !isReported);
  if (sent !== undefined) return { kind: 'report', batchNo: sent.batchNo };
  if (!hasStatements) return { kind: 'request_statements' };
  if (progress === 'paid') return { kind: 'close' };
  return isLast ? { kind: 'done' } : { kind: 'stop', because: 'a payment of its run is open' };
}
