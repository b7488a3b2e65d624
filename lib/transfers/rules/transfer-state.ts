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
