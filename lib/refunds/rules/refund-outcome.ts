/** What reading the period suggests became of a refund; the SQL check of `refund.proposal` repeats the list. */
export const PROPOSALS = ['landed', 'not_landed'] as const;
export type Proposal = (typeof PROPOSALS)[number];

/**
 * How it is known that a refund landed: its receipt, the same one again, Invo's word without amounts that the period bears out, or two
 * people. The SQL check of `refund.outcome_source` repeats the list.
 */
export const OUTCOME_SOURCES = ['receipt', 'replay', 'reduced', 'people'] as const;
export type OutcomeSource = (typeof OUTCOME_SOURCES)[number];

/** What two people say happened, or shall happen; the SQL check of `refund_decision.decision` repeats the list. */
export const OUTCOME_DECISIONS = ['landed', 'not_landed', 'send_again'] as const;
export type OutcomeDecision = (typeof OUTCOME_DECISIONS)[number];

/** How a refund was let through: within the limit of who asked, or by a second person. The SQL check of `refund.approval` repeats the list. */
export const APPROVALS = ['policy', 'person'] as const;
export type ApprovalKind = (typeof APPROVALS)[number];
