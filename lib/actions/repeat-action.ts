import { sha256Of } from '../core/canonical-digest.ts';
import type { ActionJob, ActionPorts } from './rules/action-ports.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { protocolOf } from './rules/protocols.ts';
import { READ_BEFORE_MS, sendsUntil } from './rules/settling-times.ts';
import { isAsApproved, lapse, prepareBody, recordAnswer } from './send-approved.ts';
import { settleAction } from './settle-action.ts';

const BUSY_MS = 1_000;

/**
 * Sends a due action of a kind that the worker repeats: the stored bytes, under one key, for 23.5 hours. While nothing can have been executed, what it
 * depends on is read again and must be as approved; afterwards the key alone prevents a second execution.
 */
export async function repeatAction(ports: ActionPorts, job: ActionJob): Promise<void> {
  const { store, wire } = ports;
  if (!(await isAsApproved(ports, job))) return;
  const now = await store.now();
  if (now >= sendsUntil(job)) return await stopRepeating(ports, job);
  const bytes = job.requestBytes;
  if (bytes === null || !sha256Of(bytes).equals(job.content.request_digest)) {
    await store.move(job, ACTION_ACTS.needsAttention, { state: 'attention', checkAt: null, attention_reason: 'content_altered' });
    return;
  }
  const wait_ms = await wire.takeCall(job);
  if (wait_ms > 0) return await store.postpone(job, now + wait_ms);
  if (job.unanswered_count === 0) {
    const prepared = await prepareBody(ports, job);
    if ('error' in prepared) return await store.postpone(job, (await store.now()) + READ_BEFORE_MS, prepared);
    if ('reason' in prepared) return;
  }
  const started = await store.begin(job, null);
  if (started === 'busy') return await store.postpone(job, (await store.now()) + BUSY_MS);
  // Paused or turned off: it is due again when its claim ends.
  if (typeof started === 'string') return;
  const answer = await wire.send(job, bytes, null);
  const sent = { ...job, attempt_count: started.attempt_no, firstSentAt: job.firstSentAt ?? now };
  await recordAnswer(ports, sent, started.attempt_no, answer);
}

/** Nobody knows how long Invo remembers a key: after a day a last reading decides, or people. What was never executed expires. */
async function stopRepeating(ports: ActionPorts, job: ActionJob): Promise<void> {
  if (job.unanswered_count === 0) return await lapse(ports, job);
  if (protocolOf(job.content.kind).reading !== null) return await settleAction(ports, { ...job, settleUntil: null });
  const attention = { state: 'attention', checkAt: null, settleUntil: null, attention_reason: 'not_settled' } as const;
  await ports.store.move(job, ACTION_ACTS.needsAttention, attention);
}
