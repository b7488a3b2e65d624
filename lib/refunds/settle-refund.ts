import { completeReceipt } from './complete-receipt.ts';
import { recordSilence } from './record-attempt.ts';
import type { RefundPorts } from './rules/refund-ports.ts';
import { sendOrStop } from './send-refund.ts';
import { verifyRefund } from './verify-refund.ts';

/**
 * Takes one step with one refund whose time has come; false when there is none. One key and the same bytes for ever; no byte is sent
 * before its attempt is committed; a process that dies leaves either no attempt, or one that counts as perhaps carried out.
 */
export async function settleRefund(ports: RefundPorts): Promise<boolean> {
  const job = await ports.store.takeDue();
  if (job === null) return false;
  switch (job.state) {
    case 'sending':
      await recordSilence(ports, job);
      return true;
    case 'approved':
    case 'waiting':
    case 'unknown':
      await sendOrStop(ports, job);
      return true;
    case 'verifying':
      await verifyRefund(ports, job);
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
      throw new Error(`refund ${job.refundId} is ${job.state}: no worker has anything to do with it`);
  }
}
