import { ATTEMPT_CLASSES } from '#lib/refunds/rules/attempt.ts';
import type { RefundChange, RefundJob, RefundStore } from '#lib/refunds/rules/ports.ts';
import { isEnded, NOT_CARRIED_OUT_STATES, type RefundState, SENDABLE_STATES } from '#lib/refunds/rules/state.ts';

/** A refund in the memory store. */
export interface StoredRefund extends RefundJob {
  checkAt: number | null;
  lease_owner: string | null;
  attention_reason: string | null;
  proposal: 'landed' | 'not_landed' | null;
  total_refunded_amount_usd: string | null;
  attempts: { no: number; bytes: string; finishedAs: string | null; at: number }[];
  lastReadAt: number | null;
  /** The times of its approvals. */
  approvals: number[];
  /** Two people ordered a call of this full refund. */
  wasOrdered: boolean;
}

const LOOK_MS = 60_000;
const SENDER_SILENT_MS = 120_000;

/** The rules of the refund tables without Postgres: steps on a version, one sender per subscription, one open refund per period. */
export class MemoryStore {
  readonly refunds: StoredRefund[] = [];
  isPaused = false;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  insert(refund: StoredRefund): boolean {
    const hasOpenRefund = this.refunds.some((each) => each.period_seq === refund.period_seq && !isEnded(each.state));
    if (!hasOpenRefund) this.refunds.push(refund);
    return !hasOpenRefund;
  }

  /** The store as one process sees it; `around` may kill the process before or after each call. */
  as(owner: string, around: <T>(name: string, work: () => T) => Promise<T>): RefundStore {
    return {
      now: () => around('now', () => this.#now()),
      takeDue: () => around('takeDue', () => this.#takeDue()),
      begin: (job) => around('begin', () => this.#begin(owner, job)),
      finish: (job, no, attempt, change) => around('finish', () => this.#finish(owner, job, no, attempt, change)),
      move: (job, _act, change) => around('move', () => this.move(job, change)),
      postpone: (job, checkAt) => around('postpone', () => void this.move(job, { checkAt })),
      storeReading: (job) => around('storeReading', () => void (this.find(job).lastReadAt = this.#now())),
      listClaimed: (job) =>
        around('listClaimed', () =>
          this.refunds.flatMap((each) =>
            each.refundId !== job.refundId && each.period_id === job.period_id && each.transaction_id !== null ? [each.transaction_id] : [],
          ),
        ),
      hasRival: (job) =>
        around('hasRival', () =>
          this.refunds.some(
            (each) =>
              each.refundId > job.refundId &&
              each.period_id === job.period_id &&
              each.firstSentAt !== null &&
              each.transaction_id === null &&
              !NOT_CARRIED_OUT_STATES.some((state) => state === each.state),
          ),
        ),
    };
  }

  find(job: { refundId: number }): StoredRefund {
    const found = this.refunds.find((each) => each.refundId === job.refundId);
    if (found === undefined) throw new Error(`no refund ${job.refundId}`);
    return found;
  }

  move(job: RefundJob, change: RefundChange): boolean {
    const stored = this.find(job);
    if (stored.version !== job.version) return false;
    this.#apply(stored, change);
    return true;
  }

  #takeDue(): RefundJob | null {
    const now = this.#now();
    const due = this.refunds.filter((each) => each.checkAt !== null && each.checkAt <= now && !(this.isPaused && isSendable(each.state)));
    const [first] = due.toSorted((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0));
    if (first === undefined) return null;
    first.checkAt = now + LOOK_MS;
    first.version++;
    return { ...first, lastClass: ATTEMPT_CLASSES.find((each) => each === first.attempts.at(-1)?.finishedAs) ?? null };
  }

  #begin(owner: string, job: RefundJob): { attempt_no: number } | 'paused' | 'busy' | 'moved_on' {
    const stored = this.find(job);
    if (this.isPaused) return 'paused';
    if (stored.version !== job.version || !isSendable(stored.state)) return 'moved_on';
    if (this.refunds.some((each) => each !== stored && each.state === 'sending')) return 'busy';
    const now = this.#now();
    stored.version++;
    stored.attempt_count++;
    stored.attempts.push({ no: stored.attempt_count, bytes: job.content.request_bytes.toString('hex'), finishedAs: null, at: now });
    Object.assign(stored, {
      state: 'sending',
      stateSince: now,
      lease_owner: owner,
      checkAt: now + SENDER_SILENT_MS,
      hasExtraCall: false,
      firstSentAt: stored.firstSentAt ?? now,
      lastSentAt: now,
    });
    return { attempt_no: stored.attempt_count };
  }

  #finish(owner: string, job: RefundJob, no: number, attempt: Parameters<RefundStore['finish']>[2], change: RefundChange): void {
    const stored = this.find(job);
    const isSilence = attempt.answer.transportError === 'sender_silent';
    const isOurs = isSilence
      ? stored.version === job.version
      : stored.state === 'sending' && stored.lease_owner === owner && stored.attempt_count === no;
    if (isSilence && !isOurs) return;
    const tried = stored.attempts.find((each) => each.no === no);
    if (tried && (tried.finishedAs === null || tried.finishedAs === 'no_answer')) tried.finishedAs = attempt.class;
    const isLateLanding = change.state === 'landed' && stored.approvedDigest !== null && stored.state !== 'landed';
    if (isOurs || isLateLanding) this.#apply(stored, change);
  }

  #apply(stored: StoredRefund, change: RefundChange): void {
    const { checkAt, state, renewed, isApprovalVoid, ...rest } = change;
    stored.version++;
    if (state !== undefined && state !== stored.state) stored.stateSince = this.#now();
    if (state !== undefined) {
      if (isEnded(stored.state) && stored.state !== state && state !== 'landed')
        throw new Error(`refund ${stored.refundId} left ${stored.state} for ${state}`);
      stored.state = state;
      stored.lease_owner = null;
      if (isEnded(state)) stored.endedAt ??= this.#now();
      if (state !== 'attention') Object.assign(stored, { attention_reason: null, proposal: null });
    }
    if (checkAt !== undefined) stored.checkAt = checkAt;
    if (isApprovalVoid) Object.assign(stored, { approvedDigest: null, approvedAt: null, hasExtraCall: false });
    if (renewed) {
      const { facts, estimate, baseline_digest } = renewed;
      Object.assign(stored, { facts, baselineDigest: baseline_digest.toString('hex') });
      stored.content = { ...stored.content, facts, estimate, baseline_digest };
    }
    for (const name of ['unanswered_count', 'transaction_id', 'proposal', 'attention_reason', 'total_refunded_amount_usd'] as const) {
      if (rest[name] !== undefined) Object.assign(stored, { [name]: rest[name] });
    }
  }
}

function isSendable(state: RefundState): boolean {
  return (SENDABLE_STATES as readonly RefundState[]).includes(state);
}
