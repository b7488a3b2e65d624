/** What the audit says of a refund is said under this name. */
export function subjectOf(refundId: number): string {
  return `refund ${refundId}`;
}

/** What the audit says of all refunds of a game, of their stop and their limits, is said under this name. */
export const ALL_REFUNDS = 'refunds';

/** The act that stands before a call. */
export const BEGAN_TO_SEND = 'began to send';

/** The act that stands after a call. */
export function heardOfAttempt(attempt_no: number): string {
  return `heard of attempt ${attempt_no}`;
}

/** Whether an act only stands before or after a call, which is told itself. */
export function isAboutCall(act: string): boolean {
  return act === BEGAN_TO_SEND || /^heard of attempt \d+$/.test(act);
}
