/** The states of a transfer's verification (document 3, States and transitions). */
export const VERIFICATION_STATES = ['awaiting', 'approved', 'completed', 'expired', 'failed'] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** The states of a guardian's approval (document 3). */
export const GUARDIAN_STATES = ['pending', 'approved', 'rejected', 'expired'] as const;
export type GuardianState = (typeof GUARDIAN_STATES)[number];

/** The state a text names; null for any other text, which is shown as it came and ends nothing. */
export function parseVerificationState(text: string | null): VerificationState | null {
  return VERIFICATION_STATES.find((state) => state === text) ?? null;
}

/** The guardian's state a text names; null for any other text. */
export function parseGuardianState(text: string | null): GuardianState | null {
  return GUARDIAN_STATES.find((state) => state === text) ?? null;
}

/** `transaction_status` of a transfer that waits to be collected: the one value of that field the documents name. */
export const PENDING_CLAIM = 'pending_claim';

/** A webhook about a transfer: the event Invo names, and what became of the delivery. */
export interface TransferEvent {
  eventType: string | null;
  state: string;
}

/**
 * Who says that the coins are back with the sender; null: nobody. A status does. A webhook does where the transfer was read as expired or failed, which
 * alone says that they will be back; it sets no state. One that contradicts another, or came too late to be trusted, says nothing.
 */
export function findReturn(
  { state, status }: { state: VerificationState; status: string | null },
  events: readonly TransferEvent[],
): 'status' | 'webhook' | null {
  if (state === 'completed') return null;
  if (status === 'refunded') return 'status';
  if (state !== 'expired' && state !== 'failed') return null;
  const isReported = events.some(
    ({ eventType, state: stored }) => eventType === 'transfer.refunded' && stored !== 'conflict' && stored !== 'stale',
  );
  return isReported ? 'webhook' : null;
}

/** What the list of known transfers can be narrowed to. */
export const TRANSFER_FILTERS = ['needs_person', 'reserved', 'ends_soon'] as const;
export type TransferFilter = (typeof TRANSFER_FILTERS)[number];

/** A transfer as it was last read. */
interface ReadTransfer {
  verification_state: string | null;
  /** Null: Invo reported no end of its claim window. */
  claimExpiresAt: string | null;
}

const SOON_MS = 24 * 60 * 60 * 1_000;

/**
 * Whether a known transfer belongs to a filter. `needs_person`: it was never read, or its state is none the documents name; `reserved`: its coins
 * are reserved and the sender hasn't approved it; `ends_soon`: it isn't over, and its claim window ends within a day of `nowMs`. `unread`: only a
 * webhook names it; `no_status`: Invo answered and reports none, which leaves a person nothing to do.
 */
export function isInFilter(filter: TransferFilter, transfer: ReadTransfer | 'unread' | 'no_status', nowMs: number): boolean {
  if (transfer === 'no_status') return false;
  const read = transfer === 'unread' ? null : transfer;
  const state = parseVerificationState(read?.verification_state ?? null);
  switch (filter) {
    case 'needs_person':
      return state === null;
    case 'reserved':
      return state === 'awaiting';
    case 'ends_soon': {
      if (read === null || read.claimExpiresAt === null || state === 'completed' || state === 'expired' || state === 'failed') return false;
      const left_ms = Date.parse(read.claimExpiresAt) - nowMs;
      return left_ms > 0 && left_ms <= SOON_MS;
    }
  }
}
