import type { ActionJob, ActionPorts } from './rules/action-ports.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { AFTER_WINDOW_MS, followAt } from './rules/settling-times.ts';

/** How soon a start whose approval isn't settled is read again. */
const AGAIN_MS = 60_000;

/**
 * Ends a start by what became of its approval. Without one Invo returns the coins when the window is over (document 3), and reports no status of a send, so
 * time ends it. Sends nothing.
 */
export async function followStart({ store }: Pick<ActionPorts, 'store'>, job: ActionJob): Promise<void> {
  const now = await store.now();
  const step = await store.findStep(job);
  switch (step) {
    case 'done':
      await store.move(job, ACTION_ACTS.settled, { state: 'done', checkAt: null, outcome_source: 'reading' });
      return;
    case 'not_done':
      await store.move(job, ACTION_ACTS.settled, { state: 'not_done', checkAt: null });
      return;
    case null:
    case 'refused':
    case 'lapsed':
    case 'rejected':
    case 'withdrawn':
      // Until a while after the window the phone may still approve.
      if (job.waitsUntil === null || now >= job.waitsUntil + AFTER_WINDOW_MS)
        await store.move(job, ACTION_ACTS.lapsed, { state: 'lapsed', checkAt: null });
      else await store.postpone(job, followAt({ now, waitsUntil: job.waitsUntil }));
      return;
    case 'awaiting_approval':
    case 'approved':
    case 'sending':
    case 'waiting':
    case 'with_player':
    case 'unknown':
    case 'checking':
    case 'attention':
      await store.postpone(job, now + AGAIN_MS);
  }
}
