import { compareMoney } from '../../domain/money.ts';
import { classifyAttempt } from '../../domain/refund/classify-attempt.ts';
import { estimateRefund } from '../../domain/refund/estimate-refund.ts';
import { findRefundHindrance } from '../../domain/refund/find-hindrance.ts';
import { type RefundStanding, stepAfterAttempt, stepBeforeAttempt } from '../../domain/refund/next-step.ts';
import { digestBaseline, type PeriodFacts } from '../../domain/refund/period-facts.ts';
import type { AttemptAnswer, RefundChange, RefundJob, RefundStore } from '../../domain/refund/refund-job.ts';
import { remainingOf } from '../../domain/refund/remaining-of.ts';
import { completeReceipt } from './complete-receipt.ts';
import { letApprovalLapse, verifyRefund } from './verify-refund.ts';

/** The road to Invo as the protocol needs it. */
export interface RefundWire {
  /** Milliseconds to wait before a refund call on the subscription may be made; 0 takes the call. */
  takeCall(subscriptionId: string): Promise<number>;
  /** Sends exactly these bytes, once. Never throws for trouble with Invo. */
  send(subscriptionId: string, bytes: Buffer): Promise<AttemptAnswer>;
  /** Reads the period; an answer that cannot be had is a trouble, never an exception. */
  readPeriod(periodId: number): Promise<{ period: PeriodFacts } | { trouble: string; errorId: string | null }>;
}

/** What the protocol works with. `jitter` is 0 up to 1; `businessNow` is the game's clock, for the month a reversal lands in. */
export interface RefundGround {
  store: RefundStore;
  wire: RefundWire;
  jitter: () => number;
  businessNow: () => string;
  timeZone: string;
}

const READ_AGAIN_MS = 30_000;
const BUSY_MS = 1_000;

/**
 * Takes one step with one refund whose time has come; false when there is none. One key and the same bytes for ever; no byte is sent
 * before its attempt is committed; a process that dies leaves either no attempt, or one that counts as perhaps carried out.
 */
export async function settleRefund(ground: RefundGround): Promise<boolean> {
  const job = await ground.store.takeDue();
  if (job === null) return false;
  switch (job.state) {
    case 'sending':
      await recordSilence(ground, job);
      return true;
    case 'approved':
    case 'waiting':
    case 'unknown':
      await sendOrStop(ground, job);
      return true;
    case 'verifying':
      await verifyRefund(ground, job);
      return true;
    case 'landed':
      await completeReceipt(ground, job);
      return true;
    case 'awaiting_approval':
    case 'attention':
    case 'refused':
    case 'not_landed':
    case 'rejected':
    case 'withdrawn':
      throw new Error(`refund ${job.refundId} is ${job.state}: no worker has anything to do with it`);
  }
}

/** The process that was sending fell silent: its call may have been carried out. */
async function recordSilence(ground: RefundGround, job: RefundJob): Promise<void> {
  const answer: AttemptAnswer = { ...NOTHING_HEARD, phase: 'sent', trouble: 'sender_silent' };
  await finish(ground, job, job.attempt_count, answer);
}

async function sendOrStop(ground: RefundGround, job: RefundJob): Promise<void> {
  const { store } = ground;
  // First of all: an altered row may name another period, and must not be asked about anew with what it says now.
  if (job.approvedDigest !== job.contentDigest) {
    await store.move(job, 'found its content altered', { state: 'attention', lookAt: null, attention_reason: 'content_altered' });
    return;
  }
  const step = stepBeforeAttempt(standingOf(job), await store.now());
  // What was sent once and is said not to be carried out is looked for all the same: a repeated delivery may have been.
  if (step === 'verify' || (step === 'ask_again' && job.attempt_count > 0)) {
    await store.move(job, 'stopped sending after a day', { state: 'verifying', lookAt: await store.now() });
    return;
  }
  if (step === 'ask_again') return letApprovalLapse(ground, job);
  const wait = await ground.wire.takeCall(job.subscription_id);
  if (wait > 0) return void (await store.move(job, 'waited for the rate limit', { lookAt: (await store.now()) + wait }));
  // While nothing can have been carried out, the period must still be what was approved; afterwards only the key keeps us safe.
  if (job.unanswered_count === 0 && !job.hasExtraCall && !(await isStillAsApproved(ground, job))) return;
  await send(ground, job);
}

async function isStillAsApproved(ground: RefundGround, job: RefundJob): Promise<boolean> {
  const { store, wire } = ground;
  const read = await wire.readPeriod(job.period_id);
  if ('trouble' in read) {
    const lookAt = (await store.now()) + READ_AGAIN_MS;
    await store.move(job, 'could not read the period before sending', {
      lookAt,
      last_error_code: read.trouble,
      last_error_id: read.errorId,
    });
    return false;
  }
  await store.keepRead(job, 'before', read.period);
  if (digestBaseline(read.period).toString('hex') === job.baselineDigest) return true;
  if (job.attempt_count > 0) {
    await store.move(job, 'found the period changed after an attempt', { state: 'verifying', lookAt: await store.now() });
    return false;
  }
  await store.move(job, 'found the period changed', {
    state: 'awaiting_approval',
    lookAt: null,
    isApprovalVoid: true,
    last_error_code: 'period_changed',
    ...renewedFacts(ground, job, read.period),
  });
  return false;
}

/** The facts the next approval is about; the old ones stay where nothing can be estimated any more. */
function renewedFacts(ground: RefundGround, job: RefundJob, period: PeriodFacts): Pick<RefundChange, 'renewed'> {
  const remaining = remainingOf(period);
  if (findRefundHindrance(period) !== null || remaining === null || compareMoney(job.amount_usd, remaining) > 0) return {};
  const facts = { ...job.facts, period, read_at: ground.businessNow() };
  return { renewed: { facts, estimate: estimateRefund(facts, job.amount_usd, { now: ground.businessNow(), timeZone: ground.timeZone }) } };
}

async function send(ground: RefundGround, job: RefundJob): Promise<void> {
  const { store, wire } = ground;
  const begun = await store.begin(job);
  if (begun === 'moved_on' || begun === 'stopped') return;
  if (begun === 'busy') return void (await store.move(job, 'waited for another refund', { lookAt: (await store.now()) + BUSY_MS }));
  const answer = await wire.send(job.subscription_id, job.requestBytes);
  const sent = { ...job, attempt_count: begun.attempt_no, firstSentAt: job.firstSentAt ?? (await store.now()), hasExtraCall: false };
  await finish(ground, sent, begun.attempt_no, answer);
}

async function finish(ground: RefundGround, job: RefundJob, attempt_no: number, answer: AttemptAnswer): Promise<void> {
  const { store } = ground;
  const kind = classifyAttempt(answer, { ...job, period_amount_usd: job.facts.period.amount_usd });
  const now = await store.now();
  const next = stepAfterAttempt(standingOf(job), { class: kind, retryAfterMs: answer.retryAfterMs, now, jitter: ground.jitter() });
  const hasLanded = next.state === 'landed';
  await store.finish(
    job,
    attempt_no,
    { class: kind, answer },
    {
      state: next.state,
      lookAt: next.lookAt,
      unanswered_count: next.unanswered_count,
      attention_reason: next.attention_reason,
      last_error_code: hasLanded ? null : (answer.errorCode ?? answer.trouble),
      last_error_id: hasLanded ? null : answer.errorId,
      ...(hasLanded
        ? {
            outcome_source: sourceOf(kind, answer),
            transaction_id: answer.transaction_id,
            ...(answer.keptReceipt === null ? {} : { receipt: answer.keptReceipt }),
            total_refunded_amount_usd: answer.keptReceipt?.total_refunded_amount_usd ?? null,
          }
        : {}),
    },
  );
}

function sourceOf(kind: string, answer: AttemptAnswer): NonNullable<RefundChange['outcome_source']> {
  if (kind === 'landed') return 'receipt';
  if (kind === 'replayed') return 'replay';
  return answer.reduced === null ? 'conflict_replay' : 'reduced';
}

function standingOf(job: RefundJob): RefundStanding {
  const { attempt_count, unanswered_count, firstSentAt, hasExtraCall } = job;
  return { attempt_count, unanswered_count, firstSentAt, hasExtraCall, approvedAt: job.approvedAt ?? job.stateSince };
}

const NOTHING_HEARD: Omit<AttemptAnswer, 'phase' | 'trouble'> = {
  status: null,
  errorCode: null,
  errorId: null,
  retryAfterMs: null,
  facts: {},
  receipt: null,
  reduced: null,
  keptReceipt: null,
  transaction_id: null,
  body: null,
};
