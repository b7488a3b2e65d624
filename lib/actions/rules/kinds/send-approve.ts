import * as z from 'zod';
import { APPROVE, type Approved, approveRequest, classifyApproval, pickApproved } from '../phone-approvals.ts';
import type { Protocol } from '../protocol.ts';

/** The start, its transaction, and the house account whose phone approved. */
const request = z.object({ ...approveRequest, house_player_id: z.number().int() });

/**
 * Moves the coins of a send that the house account's phone approved: the only call that does, and sent once in its life. A 400 TRANSFER_APPROVE_FAILED may
 * have moved them (document 3): afterwards the status alone says what happened, and no other approval of the transaction begins. The documents show no
 * answer: any 200 is one.
 */
export const sendApprove: Protocol<z.infer<typeof request>, Approved, 'never'> = {
  ...APPROVE,
  kind: 'send_approve',
  group: 'sends',
  isForRequester: false,
  request,
  pick: (json) => ({ answer: pickApproved(json), passes: null }),
  classify: (observed, { transaction_id }) => classifyApproval(observed, transaction_id),
};
