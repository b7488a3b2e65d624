import type { ActionJob, ActionPorts, ActionWire } from './rules/action-ports.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { isReadAsPlayer, protocolOf } from './rules/protocols.ts';
import { nextReadAt, nextWalletAt } from './rules/settling-times.ts';

/** Reads what an action is about and settles an unknown outcome by it. What no reading settles in time, people do. Sends nothing. */
export async function settleAction(ports: ActionPorts, job: ActionJob): Promise<void> {
  await settleByReading(ports, job, await ports.wire.read(job, protocolOf(job.content.kind).reading ?? 'wallet'));
}

/** Settles an unknown outcome by what was read; otherwise it is read again later. */
export async function settleByReading(
  { store }: ActionPorts,
  job: ActionJob,
  read: Awaited<ReturnType<ActionWire['read']>>,
): Promise<void> {
  const protocol = protocolOf(job.content.kind);
  const now = await store.now();
  const times = { now, firstSentAt: job.firstSentAt ?? now, lastSentAt: job.lastSentAt ?? now };
  const settleUntil = job.settleUntil ?? now;
  // No worker acts as a player: it continues when people must decide.
  const nextAt = isReadAsPlayer(job.content.kind) ? Math.max(settleUntil, now) : nextReadAt({ ...times, settleUntil }, protocol.reading);
  if ('error' in read) {
    const error = { last_error_code: read.error, last_error_id: read.errorId };
    if (now >= settleUntil) await store.move(job, ACTION_ACTS.needsAttention, { ...attention('cannot_be_read'), ...error });
    else await store.postpone(job, nextAt, read);
    return;
  }
  await store.storeReading(job, read.reading);
  const { content, unanswered_count, lastClass } = job;
  const judged = protocol.judge(read.reading, { ...times, unanswered_count, lastClass, facts: content.facts });
  switch (judged) {
    case 'done': {
      const outcome_source = lastClass === 'replayed' ? 'replay' : lastClass === 'done' ? 'answer' : 'reading';
      const checkAt = protocol.movesCoins ? nextWalletAt({ now, doneAt: now }) : null;
      const end = { state: 'done', checkAt, settleUntil: null, outcome_source, last_error_code: null, last_error_id: null } as const;
      await store.move(job, ACTION_ACTS.settled, end);
      return;
    }
    case 'not_done':
      // Invo stated that it executed the call, and the reading says otherwise: one of them is wrong.
      if (lastClass === 'done' || lastClass === 'replayed')
        await store.move(job, ACTION_ACTS.needsAttention, attention('reading_contradicts'));
      else await store.move(job, ACTION_ACTS.settled, { state: 'not_done', checkAt: null, settleUntil: null });
      return;
    case 'open':
      if (now >= settleUntil) await store.move(job, ACTION_ACTS.needsAttention, attention('not_settled'));
      else await store.postpone(job, nextAt);
  }
}

/** Reads the wallet after an action that moved coins, to be shown beside the one before. Settles nothing; a reading that fails is left out. */
export async function readWalletAfter({ store, wire }: ActionPorts, job: ActionJob): Promise<void> {
  const read = await wire.read(job, 'wallet');
  if ('reading' in read) await store.storeReading(job, read.reading);
  await store.postpone(job, nextWalletAt({ now: await store.now(), doneAt: job.stateSince }));
}

/** Hands what no reading settled in time to people. */
export async function stopReading({ store }: Pick<ActionPorts, 'store'>, job: ActionJob): Promise<void> {
  await store.move(job, ACTION_ACTS.needsAttention, attention('not_settled'));
}

function attention<Reason extends string>(
  attention_reason: Reason,
): { state: 'attention'; checkAt: null; settleUntil: null; attention_reason: Reason } {
  return { state: 'attention', checkAt: null, settleUntil: null, attention_reason };
}
