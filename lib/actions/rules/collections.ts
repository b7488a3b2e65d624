import * as z from 'zod';
import type { ActionFacts } from './action-facts.ts';
import { idOf, textOf } from './answers.ts';
import type { Fields, Protocol } from './protocol.ts';
import { COLLECTION_SETTLED_MS, onceStep, readNow } from './settling-times.ts';

// What both ways to collect a transfer into this game share: neither takes a key and their answers aren't documented, so each is sent once, and after any
// answer the transfer's status decides (document 3, Endpoints).

/** The transfer, as it was read. */
export const collectRequest = { transaction_id: z.string() };

export type Collected = { status: string | null; transaction_id: string | null; amount_received: string | null };

/** What a collection is beside its own request and body. */
export const COLLECT = {
  group: 'transfers',
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  keepsBody: false,
  isUndigested: true,
  decidedBy: 2,
  reading: 'status',
  movesCoins: true,
  unit: null,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  // Even an answer that says so is no proof: the documents show none.
  next: (answer, status) => (answer === 'done' || answer === 'replayed' ? readNow(status) : onceStep(answer, readNow(status))),
  judge: (reading, { now, lastSentAt }) => {
    if (reading.kind !== 'status') return 'open';
    if (reading.verification_state === 'completed') return 'done';
    if (reading.verification_state === 'expired' || reading.verification_state === 'failed') return 'not_done';
    return reading.transaction_status === 'pending_claim' && now - lastSentAt >= COLLECTION_SETTLED_MS ? 'not_done' : 'open';
  },
} as const satisfies Partial<Protocol<{ transaction_id: string }, Collected, 'never'>>;

/** The transfer that must still wait when it is collected. */
export function waitingOf({ status }: ActionFacts): object | null {
  return status ? { transaction_id: status.transaction_id, transaction_status: status.transaction_status } : null;
}

/** Reads the listed fields of an answer. */
export function pickCollected({ status, transaction_id, amount_received }: Fields): { answer: Collected; passes: null } {
  return {
    answer: { status: textOf(status), transaction_id: idOf(transaction_id), amount_received: textOf(amount_received) },
    passes: null,
  };
}
