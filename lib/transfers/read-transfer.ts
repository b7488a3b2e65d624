import { parseExactJson } from '#lib/core/exact-json.ts';
import { followTransfer } from '../actions/writes/follow-readings.ts';
import { parseRecordId } from '../core/typed-input.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { isAbsent } from '../invo/invo-error.ts';
import {
  type ApprovalReading,
  approvalReading,
  readApprovalStatus,
  readTransferStatus,
  type TransferReading,
  transferReading,
} from '../invo/routes/transfers.ts';
import { idOf, isFields } from '../invo/shapes/answer-tree.ts';
import { firstOf } from '../invo/undocumented/find-in-answer.ts';
import { type InboundPending, type InboundRow, readInboundTransfers } from '../invo/undocumented/inbound-transfers.ts';
import { type Detail, type DetailRoute, readDetail } from '../subscriptions/read-detail.ts';
import { recordTransfer } from './writes.ts';

/** Reads one transfer, as this game sees it: live, else stored. Throws an Error for a text that is no id. */
export async function readTransferDetail(
  context: GameContext,
  transactionId: string,
  deadline: Deadline = {},
): Promise<Detail<TransferReading>> {
  return await readOf(context, transactionId, deadline, {
    kind: 'transfer',
    shape: transferReading,
    ask: (invo, signal) => readTransferStatus(invo, transactionId, signal),
    store: async ({ claimCodeExpiresAt: claimExpiresAt, ...transfer }, sentAt_ms) => {
      const { db, gameId } = context.game;
      await recordTransfer(db, gameId, { ...transfer, claimExpiresAt }, sentAt_ms);
      await followTransfer(db, gameId, transactionId);
    },
  });
}

/** Reads a guardian's answer about one transaction: live, else stored. `not_found`: no guardian's approval is needed. */
export async function readApproval(context: GameContext, transactionId: string, deadline: Deadline = {}): Promise<Detail<ApprovalReading>> {
  return await readOf(context, transactionId, deadline, {
    kind: 'approval',
    shape: approvalReading,
    ask: (invo, signal) => readApprovalStatus(invo, transactionId, signal),
  });
}

async function readOf<T>(
  context: GameContext,
  transactionId: string,
  deadline: Deadline,
  route: Pick<DetailRoute<T>, 'kind' | 'shape' | 'ask' | 'store'>,
): Promise<Detail<T>> {
  if (parseRecordId(transactionId) === null) throw new Error('not a transaction id');
  return await readDetail(context, { ...route, subject: transactionId, parse: parseExactJson, isNotFound: isAbsent }, deadline);
}

/** What waits to be collected, requested now: an older list would show money that was collected since, so none is stored. */
export type InboundList = { kind: 'live'; value: InboundPending; readAt: string } | { kind: 'nothing'; error: InvoFailure };

/** Reads the transfers that wait to be collected in this game. Never throws InvoError. */
export async function readInboundPending(context: GameContext, deadline: Deadline = {}): Promise<InboundList> {
  try {
    const { value } = await askWithin(context, deadline, (invo, signal) => readInboundTransfers(invo, signal));
    return { kind: 'live', value, readAt: context.game.now() };
  } catch (error) {
    return { kind: 'nothing', error: toInvoFailure(error, { isUnstored: true, isList: true }) };
  }
}

/** Whether a row of what waits to be collected names this identity as its receiver. */
export function isForIdentity({ fields }: InboundRow, identityId: string): boolean {
  return idOf(firstOf([fields, ...Object.values(fields).filter(isFields)], ['to_identity_id'])) === identityId;
}
