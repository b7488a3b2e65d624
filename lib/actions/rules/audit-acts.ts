import type { AuditAct } from '#lib/audit/rules/acts.ts';

/** The audit subject of one desk action. */
export function auditSubjectOf(actionId: number): string {
  return `desk action ${actionId}`;
}

/** What the audit records of a desk action. */
export const ACTION_ACTS = {
  requested: 'requested a desk action',
  approved: 'approved a desk action',
  rejected: 'rejected a desk action',
  withdrew: 'withdrew a desk action',
  startedSending: 'started sending a desk action',
  answered: 'recorded the answer to a desk action',
  settled: 'settled a desk action',
  lapsed: 'let a desk action expire',
  needsAttention: 'asked for a manual check of a desk action',
  requestedPhone: 'asked a phone to approve',
  read: 'read what a desk action is about',
  recordedOutcome: 'recorded the outcome of a desk action',
  confirmedOutcome: 'confirmed the outcome of a desk action',
  discardedOutcome: 'discarded the outcome of a desk action',
} as const satisfies Record<string, AuditAct>;
export type ActionAct = (typeof ACTION_ACTS)[keyof typeof ACTION_ACTS];
