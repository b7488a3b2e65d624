import type { Deadline, GameContext, InvoFailure } from '../games/game-context.ts';
import type { TransferReading } from '../invo/routes/transfers.ts';
import { listPlayersOfIdentity } from '../players/reads.ts';
import { readTransferDetail } from '../transfers/read-transfer.ts';
import type { ActionBlocker, ActionFacts, Reading } from './rules/action-facts.ts';

type StatusFacts = NonNullable<ActionFacts['status']>;

/**
 * What collecting a transfer depends on: it must wait to be collected in this game, by one known player. A claim makes a player where there is none
 * (document 2), so a receiver whom nobody knows here is refused.
 */
export async function readTransferFacts(
  context: GameContext,
  transactionId: string,
  deadline: Deadline,
): Promise<
  | { kind: 'status'; facts: StatusFacts; receiverId: number }
  | { kind: 'blocked'; blocker: ActionBlocker }
  | { kind: 'no_answer'; error: InvoFailure }
> {
  const read = await readTransferDetail(context, transactionId, deadline);
  if (read.kind === 'not_found') return { kind: 'blocked', blocker: 'transfer_not_found' };
  if (read.kind !== 'live') return { kind: 'no_answer', error: read.error };
  const transfer = read.value;
  if (!transfer.isDestination) return { kind: 'blocked', blocker: 'transfer_elsewhere' };
  if (transfer.transaction_status !== 'pending_claim') return { kind: 'blocked', blocker: 'transfer_state' };
  if (transfer.sharesNumber) return { kind: 'blocked', blocker: 'number_shared' };
  const { gameId, db } = context.game;
  const receivers = transfer.toIdentityId === null ? [] : await listPlayersOfIdentity(db, gameId, transfer.toIdentityId);
  const [only, ...others] = receivers;
  if (only === undefined || others.length > 0) return { kind: 'blocked', blocker: 'receiver_unknown' };
  return { kind: 'status', facts: statusOf(transfer), receiverId: only.playerId };
}

/** Reads the status of a transfer, which settles what became of it. */
export async function readTransferStatus(
  context: GameContext,
  transactionId: string,
  deadline: Deadline,
): Promise<{ reading: Reading } | { error: InvoFailure | null }> {
  const read = await readTransferDetail(context, transactionId, deadline);
  if (read.kind === 'live') return { reading: statusOf(read.value) };
  return { error: 'error' in read ? read.error : null };
}

function statusOf({
  transactionId: transaction_id,
  transaction_status,
  verification_state,
  amount,
  net_amount,
  claimCodeExpiresAt: claim_expires_at,
}: TransferReading): StatusFacts {
  return { kind: 'status', transaction_id, transaction_status, verification_state, amount, net_amount, claim_expires_at };
}
