import { ATTEMPT_CLASSES } from '#lib/refunds/rules/attempt.ts';
import type { RefundChange, RefundJob, RefundStore } from '#lib/refunds/rules/ports.ts';
import { isEnded, isSendable, NOT_CARRIED_OUT_STATES } from '#lib/refunds/rules/state.ts';

/** A refund in the memory store. */
export interface KeptRefund extends RefundJob {
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
  readonly refunds: KeptRefund[] = [];
  isPaused = false;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  insert(refund: KeptRefund): boolean {
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

  find(job: { refundId: number }): KeptRefund {
    const found = this.refunds.find((each) => each.refundId === job.refundId);
    if (found === undefined) throw new Error(`no refund ${job.refundId}`);
    return found;
  }

  move(job: RefundJob, change: RefundChange): boolean {
    const kept = this.find(job);
    if (kept.version !== job.version) return false;
    this.#apply(kept, change);
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
    const kept = this.find(job);
    if (this.isPaused) return 'paused';
    if (kept.version !== job.version || !isSendable(kept.state)) return 'moved_on';
    if (this.refunds.some((each) => each !== kept && each.state === 'sending')) return 'busy';
    const now = this.#now();
    kept.version++;
    kept.attempt_count++;
    kept.attempts.push({ no: kept.attempt_count, bytes: job.content.request_bytes.toString('hex'), finishedAs: null, at: now });
    Object.assign(kept, {
      state: 'sending',
      stateSince: now,
      lease_owner: owner,
      checkAt: now + SENDER_SILENT_MS,
      hasExtraCall: false,
      firstSentAt: kept.firstSentAt ?? now,
      lastSentAt: now,
    });
    return { attempt_no: kept.attempt_count };
  }

  #finish(owner: string, job: RefundJob, no: number, attempt: Parameters<RefundStore['finish']>[2], change: RefundChange): void {
    const kept = this.find(job);
    const isSilence = attempt.answer.transportError === 'sender_silent';
    const isOurs = isSilence
      ? kept.version === job.version
      : kept.state === 'sending' && kept.lease_owner === owner && kept.attempt_count === no;
    if (isSilence && !isOurs) return;
    const tried = kept.attempts.find((each) => each.no === no);
    if (tried && (tried.finishedAs === null || tried.finishedAs === 'no_answer')) tried.finishedAs = attempt.class;
    const isLateLanding = change.state === 'landed' && kept.approvedDigest !== null && kept.state !== 'landed';
    if (isOurs || isLateLanding) this.#apply(kept, change);
  }

  #apply(kept: KeptRefund, change: RefundChange): void {
    const { checkAt, state, renewed, isApprovalVoid, ...rest } = change;
    kept.version++;
    if (state !== undefined && state !== kept.state) kept.stateSince = this.#now();
    if (state !== undefined) {
      if (isEnded(kept.state) && kept.state !== state && state !== 'landed')
        throw new Error(`refund ${kept.refundId} left ${kept.state} for ${state}`);
      kept.state = state;
      kept.lease_owner = null;
      if (isEnded(state)) kept.endedAt ??= this.#now();
      if (state !== 'attention') Object.assign(kept, { attention_reason: null, proposal: null });
    }
    if (checkAt !== undefined) kept.checkAt = checkAt;
    if (isApprovalVoid) Object.assign(kept, { approvedDigest: null, approvedAt: null, hasExtraCall: false });
    if (renewed) {
      const { facts, estimate, baseline_digest } = renewed;
      Object.assign(kept, { facts, baselineDigest: baseline_digest.toString('hex') });
      kept.content = { ...kept.content, facts, estimate, baseline_digest };
    }
    for (const name of ['unanswered_count', 'transaction_id', 'proposal', 'attention_reason', 'total_refunded_amount_usd'] as const) {
      if (rest[name] !== undefined) Object.assign(kept, { [name]: rest[name] });
    }
  }
}
