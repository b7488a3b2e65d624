import { followStart } from './follow-start.ts';
import { repeatAction } from './repeat-action.ts';
import type { ActionPorts } from './rules/action-ports.ts';
import { isReadAsPlayer, protocolOf } from './rules/protocols.ts';
import { lapse, NO_ANSWER, recordAnswer } from './send-approved.ts';
import { readWalletAfter, settleAction, stopReading } from './settle-action.ts';

/**
 * Takes one step with one due action; false when none is due. The worker records that a sender fell silent, reads, and lets expire what nobody can use
 * any more. After an action that moved coins it reads the wallet. It sends only the kinds that it repeats.
 */
export async function advanceAction(ports: ActionPorts): Promise<boolean> {
  const job = await ports.store.takeDue();
  if (job === null) return false;
  switch (job.state) {
    case 'sending':
      await recordAnswer(ports, job, job.attempt_count, NO_ANSWER);
      return true;
    case 'checking':
      await (isReadAsPlayer(job.content.kind) ? stopReading(ports, job) : settleAction(ports, job));
      return true;
    case 'approved':
    case 'waiting':
    case 'unknown':
      await (protocolOf(job.content.kind).repeats === 'worker' ? repeatAction(ports, job) : lapse(ports, job));
      return true;
    case 'with_player':
      await followStart(ports, job);
      return true;
    case 'done':
      await readWalletAfter(ports, job);
      return true;
    case 'awaiting_approval':
    case 'attention':
    case 'refused':
    case 'not_done':
    case 'lapsed':
    case 'rejected':
    case 'withdrawn':
      throw new Error(`desk action ${job.actionId} is due in state ${job.state}, which no worker can advance`);
  }
}
