import { recordAttempt } from './record-attempt.ts';
import { standingOf, stepBeforeAttempt } from './rules/next-step.ts';
import { digestBaseline } from './rules/period-facts.ts';
import type { RefundJob } from './rules/refund-job.ts';
import type { RefundPorts } from './rules/refund-ports.ts';
import { renewEstimate } from './rules/renew-estimate.ts';
import { READ_AGAIN_MS } from './rules/retry-schedule.ts';
import { letApprovalLapse } from './verify-refund.ts';

const BUSY_MS = 1_000;

/** Sends a refund whose time has come, unless it must not be sent any more, or not yet. */
export async function sendOrStop(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store } = ports;
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
  if (step === 'ask_again') return letApprovalLapse(ports, job);
  const wait = await ports.wire.takeCall(job.subscription_id);
  if (wait > 0) return store.postpone(job, (await store.now()) + wait);
  // While nothing can have been carried out, the period must still be what was approved; afterwards only the key keeps us safe.
  if (job.unanswered_count === 0 && !job.hasExtraCall && !(await isStillAsApproved(ports, job))) return;
  await send(ports, job);
}

async function isStillAsApproved(ports: RefundPorts, job: RefundJob): Promise<boolean> {
  const { store, wire } = ports;
  const read = await wire.readPeriod(job.period_id);
  if ('trouble' in read) {
    await store.postpone(job, (await store.now()) + READ_AGAIN_MS.before, { code: read.trouble, errorId: read.errorId });
    return false;
  }
  await store.keepRead(job, 'before', read.period);
  if (digestBaseline(read.period).toString('hex') === job.baselineDigest) return true;
  if (job.attempt_count > 0) {
    await store.move(job, 'found the period changed after an attempt', { state: 'verifying', lookAt: await store.now() });
    return false;
  }
  const fresh = await wire.readFacts(job.period_id);
  if ('trouble' in fresh) {
    await store.postpone(job, (await store.now()) + READ_AGAIN_MS.before, { code: fresh.trouble, errorId: fresh.errorId });
    return false;
  }
  // Where nothing can be estimated any more the old facts stay: the request can only be withdrawn.
  const renewed = renewEstimate(fresh.facts, job.amount_usd, { now: ports.businessNow(), timeZone: ports.timeZone });
  await store.move(job, 'found the period changed', {
    state: 'awaiting_approval',
    lookAt: null,
    isApprovalVoid: true,
    last_error_code: 'period_changed',
    ...(renewed === null ? {} : { renewed }),
  });
  return false;
}

async function send(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store, wire } = ports;
  const begun = await store.begin(job);
  if (begun === 'moved_on' || begun === 'stopped') return;
  if (begun === 'busy') return store.postpone(job, (await store.now()) + BUSY_MS);
  const answer = await wire.send(job.subscription_id, job.requestBytes);
  const sent = { ...job, attempt_count: begun.attempt_no, firstSentAt: job.firstSentAt ?? (await store.now()), hasExtraCall: false };
  await recordAttempt(ports, sent, begun.attempt_no, answer);
}
