import { decidingCode } from '../invo/rules/error-codes.ts';
import { classifyAttempt } from './rules/classify-attempt.ts';
import { standingOf, stepAfterAttempt } from './rules/next-step.ts';
import type { RefundJob } from './rules/refund-job.ts';
import type { AttemptAnswer, RefundPorts } from './rules/refund-ports.ts';

/** The process that was sending fell silent: its call may have been carried out. */
export async function recordSilence(ports: RefundPorts, job: RefundJob): Promise<void> {
  const answer: AttemptAnswer = { ...NOTHING_HEARD, phase: 'sent', trouble: 'sender_silent' };
  await recordAttempt(ports, job, job.attempt_count, answer);
}

/** Records what became of an attempt, and takes the step that follows. */
export async function recordAttempt(ports: RefundPorts, job: RefundJob, attempt_no: number, answer: AttemptAnswer): Promise<void> {
  const { store } = ports;
  const kind = classifyAttempt(answer, { ...job, period_amount_usd: job.facts.period.amount_usd });
  const now = await store.now();
  const next = stepAfterAttempt(standingOf(job), { class: kind, retryAfterMs: answer.retryAfterMs, now, jitter: ports.jitter() });
  const hasLanded = next.state === 'landed';
  await store.finish(
    job,
    attempt_no,
    { class: kind, answer },
    {
      state: next.state,
      lookAt: next.lookAt,
      unanswered_count: next.unanswered_count,
      ...(next.attention_reason === null ? {} : { attention_reason: next.attention_reason }),
      last_error_code: hasLanded ? null : (decidingCode(answer) ?? answer.trouble),
      last_error_id: hasLanded ? null : answer.errorId,
      ...(hasLanded
        ? {
            outcome_source: kind === 'replayed' ? 'replay' : 'receipt',
            transaction_id: answer.transaction_id,
            ...(answer.keptReceipt === null ? {} : { receipt: answer.keptReceipt }),
            total_refunded_amount_usd: answer.keptReceipt?.total_refunded_amount_usd ?? null,
          }
        : // The id Invo gives without amounts is kept: the period has to show this very refund.
          kind === 'reduced' && answer.reduced !== null
          ? { transaction_id: answer.reduced.transaction_id }
          : {}),
    },
  );
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
