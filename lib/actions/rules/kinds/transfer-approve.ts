import * as z from 'zod';
import { textOf } from '../answers.ts';
import { APPROVE, type Approved, approveRequest, classifyApproval, pickApproved } from '../phone-approvals.ts';
import type { Protocol } from '../protocol.ts';

const request = z.object(approveRequest);

/**
 * Moves the coins of a transfer that the player's phone approved, once in its life. Its answer has the claim code, which is in no other (document 3, Approve
 * request): it goes to the screen of its requester. After a lost answer the status says what happened, and the phone still collects.
 */
export const transferApprove: Protocol<z.infer<typeof request>, Approved, 'never'> = {
  ...APPROVE,
  kind: 'transfer_approve',
  group: 'transfers',
  isForRequester: true,
  movesCoins: true,
  request,
  pick: (json) => {
    const code = textOf(json['claim_code']);
    return { answer: pickApproved(json), passes: code === null ? null : { what: 'claim_code', text: code } };
  },
  classify: (observed, { transaction_id }) =>
    classifyApproval(observed, transaction_id, ({ status }) => status?.toLowerCase() === 'approved'),
};
