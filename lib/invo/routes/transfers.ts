import type * as z from 'zod';
import { parseExactJson } from '#lib/core/exact-json.ts';
import type { Exchange, Invo } from '../invo.ts';
import { recordSegment } from '../request-path.ts';
import { type AnswerTree, idOf, instantOf, isFields, moneyOf, textOf, treeShape } from '../shapes/answer-tree.ts';
import { otherThanRequested, readerOf, unreadableAmounts } from '../shapes/fields.ts';
import { withTreeEvidence } from '../transport/body.ts';

/**
 * The status of one transfer (document 3, Transfer status). Both status fields are Invo's words. Amounts are under Invo's own names, null where
 * they are absent or no plain decimal text. The receiver's number, masked, and identity are reported to the destination game only.
 */
export interface TransferReading {
  transactionId: string;
  transaction_status: string | null;
  verification_state: string | null;
  amount: string | null;
  net_amount: string | null;
  /** The names of amounts that are no plain decimal text. */
  unreadable: string[];
  claimCodeExpiresAt: string | null;
  isDestination: boolean;
  toPhone: string | null;
  /** null: not reported, or nobody's own; see `sharesNumber`. */
  toIdentityId: string | null;
  /** Invo reports the identity as null: several players share the number (document 3). An identity that is absent says nothing. */
  sharesNumber: boolean;
  /** The whole answer. */
  tree: AnswerTree;
}

/** The shape of a transfer's status; `findMismatch` of the read compares its ID with the requested one. */
export const transferReading: z.ZodType<TransferReading> = treeShape((body, refuse) => {
  if (!isFields(body)) return refuse('body', 'expected an object');
  const transactionId = idOf(body['transaction_id']);
  if (transactionId === null) return refuse('transaction_id', 'expected an id');
  const claim = isFields(body['claim_info']) ? body['claim_info'] : {};
  return {
    transactionId,
    transaction_status: textOf(body['transaction_status']),
    verification_state: textOf(body['verification_state']),
    amount: moneyOf(body['amount']),
    net_amount: moneyOf(body['net_amount']),
    unreadable: unreadableAmounts(body, ['amount', 'net_amount']),
    claimCodeExpiresAt: instantOf(claim['claim_code_expires_at']),
    isDestination: 'to_phone' in body || 'to_identity_id' in body,
    toPhone: textOf(body['to_phone']),
    toIdentityId: idOf(body['to_identity_id']),
    sharesNumber: body['to_identity_id'] === null,
    tree: body,
  };
});

/** Whether a guardian agreed (document 3, Guardian approval). `state` is Invo's word. */
export interface ApprovalReading {
  state: string | null;
  tree: AnswerTree;
}

/** The shape of a guardian's approval: only its state is documented. */
export const approvalReading: z.ZodType<ApprovalReading> = treeShape((tree, refuse) => {
  const approval = isFields(tree) ? tree['approval'] : undefined;
  return isFields(approval) ? { state: textOf(approval['state']), tree } : refuse('approval', 'expected an object');
});

const COMMON = { route: { kind: 'other' }, family: 'transfer_read', parse: parseExactJson } as const;

/** Reads one transfer, as either of its games sees it. Throws InvoError not_found for one that is not in this game and environment. */
export async function readTransferStatus({ ask }: Invo, transactionId: string, signal?: AbortSignal): Promise<Exchange<TransferReading>> {
  const path = `/api/transfers/${recordSegment(transactionId)}/status`;
  const read = readerOf(transferReading, (value) => (value.transactionId === transactionId ? null : otherThanRequested('transaction_id')));
  return withTreeEvidence(await ask({ ...COMMON, path, read, signal }));
}

/** Reads a guardian's answer about one transaction. Throws InvoError not_found where no guardian's approval is needed. */
export async function readApprovalStatus({ ask }: Invo, transactionId: string, signal?: AbortSignal): Promise<Exchange<ApprovalReading>> {
  const path = `/api/transactions/${recordSegment(transactionId)}/approval-status`;
  // The answer names its transaction only where it repeats the id.
  const read = readerOf(approvalReading, ({ tree }) => {
    const records = isFields(tree) ? [tree, ...Object.values(tree).filter(isFields)] : [];
    const named = records.map((record) => idOf(record['transaction_id']));
    return named.every((id) => id === null || id === transactionId) ? null : otherThanRequested('transaction_id');
  });
  return withTreeEvidence(await ask({ ...COMMON, path, read, signal }));
}
