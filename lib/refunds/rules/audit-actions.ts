/** The audit subject of one refund. */
export function auditSubjectOf(refundId: number): string {
  return `refund ${refundId}`;
}

/** The audit subject of the pause and the limits, which concern all refunds of a game. */
export const ALL_REFUNDS = 'refunds';

/** What the audit records about refunds, as the end of a sentence that starts with a name. */
export const REFUND_ACTIONS = {
  requested: 'requested this refund',
  approved: 'approved this refund',
  rejected: 'rejected this refund',
  withdrew: 'withdrew this refund',
  assigned: 'became the assignee',
  refreshed: 'updated the figures before approval',
  readPeriod: 'read the period again',
  recordedOutcome: 'recorded an outcome',
  confirmedOutcome: 'confirmed the outcome',
  discardedOutcome: 'discarded the recorded outcome',
  paused: 'paused refunds',
  requestedResume: 'asked to resume refunds',
  resumed: 'resumed refunds',
  checkedAfterRestore: 'began to check the period, because the database was restored',
  changedLimit: 'changed an auto-approval limit',
  requestedRaise: 'asked to raise an auto-approval limit',
  approvedRaise: 'approved a higher auto-approval limit',
  declinedRaise: 'declined a higher auto-approval limit',
  startedSending: 'started sending',
  needsAttention: 'asked for a manual check',
  contentAltered: 'found that the stored refund was altered',
  stoppedSending: 'stopped retrying after a day',
  periodChanged: 'found that the period changed',
  periodChangedLater: 'found that the period changed after an attempt',
  approvalLapsed: 'let the approval expire',
  refusalConfirmed: 'confirmed the refusal',
  matchedPeriod: 'found the refund in the period',
  completedReceipt: 'completed the receipt from the period',
  otherReceipt: 'received the receipt of another refund',
} as const;

/** What is recorded about refunds. */
export type RefundAct = (typeof REFUND_ACTIONS)[keyof typeof REFUND_ACTIONS] | ReturnType<typeof answeredAction>;

/** The action recorded with the answer of an attempt. */
export function answeredAction(attempt_no: number): `recorded the answer to attempt ${number}` {
  return `recorded the answer to attempt ${attempt_no}`;
}

/** Audit rows are append-only: the texts of earlier versions, beside today's. */
const EARLIER_TEXTS: Readonly<Record<string, string>> = {
  'asked for a refund': REFUND_ACTIONS.requested,
  'approved a refund': REFUND_ACTIONS.approved,
  'rejected a refund': REFUND_ACTIONS.rejected,
  'withdrew a refund': REFUND_ACTIONS.withdrew,
  'stopped sending after a day': REFUND_ACTIONS.stoppedSending,
  'took a refund over': REFUND_ACTIONS.assigned,
  'found other facts than were shown': REFUND_ACTIONS.refreshed,
  'had the period read again': REFUND_ACTIONS.readPeriod,
  'said what became of a refund': REFUND_ACTIONS.recordedOutcome,
  'confirmed what became of a refund': REFUND_ACTIONS.confirmedOutcome,
  'dropped a statement about a refund': REFUND_ACTIONS.discardedOutcome,
  'stopped all refunds': REFUND_ACTIONS.paused,
  'asked to let refunds be sent again': REFUND_ACTIONS.requestedResume,
  'let refunds be sent again': REFUND_ACTIONS.resumed,
  'set a refund limit': REFUND_ACTIONS.changedLimit,
  'began to send': REFUND_ACTIONS.startedSending,
  'asked for two people': REFUND_ACTIONS.needsAttention,
  'found its content altered': REFUND_ACTIONS.contentAltered,
  'found the period changed': REFUND_ACTIONS.periodChanged,
  'found the period changed after an attempt': REFUND_ACTIONS.periodChangedLater,
  'let the approval lapse': REFUND_ACTIONS.approvalLapsed,
  'found the refusal borne out': REFUND_ACTIONS.refusalConfirmed,
  'found in the period what Invo said without amounts': REFUND_ACTIONS.matchedPeriod,
  'met the receipt of another refund': REFUND_ACTIONS.otherReceipt,
};

/** The texts under which an action is recorded, those of earlier versions too. */
export function textsOfAction(action: string): string[] {
  const earlier = Object.entries(EARLIER_TEXTS).filter(([, current]) => current === action);
  return [action, ...earlier.map(([text]) => text)];
}

/** The current text of a recorded action, whatever version recorded it. Unknown texts are returned as they are. */
export function formatRefundAction(text: string): string {
  const known = Object.hasOwn(EARLIER_TEXTS, text) ? EARLIER_TEXTS[text] : undefined;
  return known ?? text.replace(/^heard of attempt (\d+)$/, (_, attempt_no: string) => answeredAction(Number(attempt_no)));
}

/** Whether a recorded action only marks the start or the answer of a call, which the timeline shows as an entry of its own. */
export function isAboutCall(text: string): boolean {
  const action = formatRefundAction(text);
  return action === REFUND_ACTIONS.startedSending || /^recorded the answer to attempt \d+$/.test(action);
}
