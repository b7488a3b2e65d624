import { coversContent } from '../approvals/rules/approval.ts';
import { decidingCode } from '../invo/rules/error-codes.ts';
import { checkOutcome, completeReceipt, voidLapsedApproval } from './check-outcome.ts';
import { digestContent, renewContent } from './content-digest.ts';
import { digestBaseline } from './read-refund-facts.ts';
import { classifyAttempt } from './rules/attempt.ts';
import { REFUND_ACTIONS } from './rules/audit-actions.ts';
import { renewEstimate } from './rules/estimate.ts';
import { READ_AGAIN_MS, sendingStatusOf, stepAfterAttempt, stepBeforeAttempt } from './rules/next-step.ts';
import type { AttemptAnswer, RefundJob, RefundPorts } from './rules/ports.ts';

const BUSY_MS = 1_000;

/**
 * Takes one step with one due refund; false when none is due. One key and the same bytes for ever. No byte is sent before its attempt is
 * committed, so a process that dies leaves either no attempt or one that counts as possibly executed.
 */
export async function advanceRefund(ports: RefundPorts): Promise<boolean> {
  const job = await ports.store.takeDue();
  if (job === null) return false;
  switch (job.state) {
    case 'sending':
      // The sending process fell silent: its call may have been executed.
      await recordAttempt(ports, job, job.attempt_count, NO_ANSWER);
      return true;
    case 'approved':
    case 'waiting':
    case 'unknown':
      await sendIfAllowed(ports, job);
      return true;
    case 'verifying':
      await checkOutcome(ports, job);
      return true;
    case 'landed':
      await completeReceipt(ports, job);
      return true;
    case 'awaiting_approval':
    case 'attention':
    case 'refused':
    case 'not_landed':
    case 'rejected':
    case 'withdrawn':
      throw new Error(`refund ${job.refundId} is due in state ${job.state}, which no worker can advance`);
  }
}

/** Sends a due refund, unless it must not be sent any more, or not yet. */
async function sendIfAllowed(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store } = ports;
  // First of all: an altered row may name another period, and must not be read or approved again under its new content.
  if (!coversContent(job.approvedDigest, digestContent(job.content).toString('hex'))) {
    await store.move(job, REFUND_ACTIONS.contentAltered, { state: 'attention', checkAt: null, attention_reason: 'content_altered' });
    return;
  }
  const step = stepBeforeAttempt(sendingStatusOf(job), await store.now());
  // A call answered as not executed is checked too: a network may have delivered it twice.
  if (step === 'verify' || (step === 'ask_again' && job.attempt_count > 0)) {
    await store.move(job, REFUND_ACTIONS.stoppedSending, { state: 'verifying', checkAt: await store.now() });
    return;
  }
  if (step === 'ask_again') return voidLapsedApproval(ports, job);
  const wait = await ports.wire.takeCall(job.subscription_id);
  if (wait > 0) return store.postpone(job, (await store.now()) + wait);
  // While nothing can have been executed, the period must still be what was approved. Afterwards only the key protects against a second refund.
  if (job.unanswered_count === 0 && !job.hasExtraCall && !(await isStillAsApproved(ports, job))) return;
  await send(ports, job);
}

async function isStillAsApproved(ports: RefundPorts, job: RefundJob): Promise<boolean> {
  const { store, wire } = ports;
  const read = await wire.readPeriod(job.period_id);
  if ('error' in read) {
    await store.postpone(job, (await store.now()) + READ_AGAIN_MS.before, { code: read.error, errorId: read.errorId });
    return false;
  }
  await store.storeReading(job, 'before', read.period);
  if (digestBaseline(read.period).toString('hex') === job.baselineDigest) return true;
  if (job.attempt_count > 0) {
    await store.move(job, REFUND_ACTIONS.periodChangedLater, { state: 'verifying', checkAt: await store.now() });
    return false;
  }
  const fresh = await wire.readFacts(job.period_id);
  if ('error' in fresh) {
    await store.postpone(job, (await store.now()) + READ_AGAIN_MS.before, { code: fresh.error, errorId: fresh.errorId });
    return false;
  }
  // When the refund is no longer possible the earlier facts stay: the request can only be withdrawn.
  const renewed = renewEstimate(fresh.facts, job.amount_usd, { now: ports.businessNow(), timeZone: ports.timeZone });
  await store.move(job, REFUND_ACTIONS.periodChanged, {
    state: 'awaiting_approval',
    checkAt: null,
    isApprovalVoid: true,
    last_error_code: 'period_changed',
    ...(renewed === null ? {} : { renewed: renewContent(job.content, renewed) }),
  });
  return false;
}

async function send(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store, wire } = ports;
  const started = await store.begin(job);
  if (started === 'moved_on' || started === 'paused') return;
  if (started === 'busy') return store.postpone(job, (await store.now()) + BUSY_MS);
  const answer = await wire.send(job.subscription_id, job.content.request_bytes);
  const sent = { ...job, attempt_count: started.attempt_no, firstSentAt: job.firstSentAt ?? (await store.now()), hasExtraCall: false };
  await recordAttempt(ports, sent, started.attempt_no, answer);
}

async function recordAttempt(ports: RefundPorts, job: RefundJob, attempt_no: number, answer: AttemptAnswer): Promise<void> {
  const { store } = ports;
  const kind = classifyAttempt(answer, { ...job, period_amount_usd: job.facts.period.amount_usd });
  const now = await store.now();
  const next = stepAfterAttempt(sendingStatusOf(job), { class: kind, retryAfterMs: answer.retryAfterMs, now, jitter: ports.jitter() });
  const hasLanded = next.state === 'landed';
  await store.finish(
    job,
    attempt_no,
    { class: kind, answer },
    {
      state: next.state,
      checkAt: next.checkAt,
      unanswered_count: next.unanswered_count,
      ...(next.attention_reason === null ? {} : { attention_reason: next.attention_reason }),
      last_error_code: hasLanded ? null : (decidingCode(answer) ?? answer.transportError),
      last_error_id: hasLanded ? null : answer.errorId,
      ...(hasLanded
        ? {
            outcome_source: kind === 'replayed' ? 'replay' : 'receipt',
            transaction_id: answer.transaction_id,
            ...(answer.storedReceipt === null ? {} : { receipt: answer.storedReceipt }),
            total_refunded_amount_usd: answer.storedReceipt?.total_refunded_amount_usd ?? null,
          }
        : // An answer without amounts gives a transaction id, and the period has to show that very refund.
          kind === 'reduced' && answer.reduced !== null
          ? { transaction_id: answer.reduced.transaction_id }
          : {}),
    },
  );
}

/** What is known of a call whose sender fell silent. */
export const NO_ANSWER: AttemptAnswer = {
  phase: 'sent',
  status: null,
  errorCode: null,
  errorId: null,
  retryAfterMs: null,
  facts: {},
  receipt: null,
  reduced: null,
  transportError: 'sender_silent',
  storedReceipt: null,
  transaction_id: null,
  body: null,
};
