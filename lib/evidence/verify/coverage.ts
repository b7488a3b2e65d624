/** Tables whose rows `verify` compares with what they follow from. */
export const VERIFIED_TABLES = [
  'slice',
  'slice_recipient',
  'renewal_line',
  'reversal_line',
  'refund_event',
  'snapshot',
  'snapshot_slice',
  'snapshot_check',
  'snapshot_recipient',
  'recheck',
  'response',
  'detail_month',
  'recipient_salt',
  'recipient_erasure',
  'refund',
  'refund_attempt',
  'refund_decision',
  'audit',
  'audit_link',
] as const;

/** Tables of payouts whose rows `verify` compares with the audit, with what was approved and with each other. */
export const VERIFIED_PAYOUT_TABLES = [
  'payout_run',
  'payout_line',
  'payout_reversal',
  'payout_adjustment',
  'payout_approval',
  'payout_editor',
  'journal_entry',
  'journal_transfer',
] as const;

/** Tables of payments whose rows `verify` compares with runs, with the audit, and where the key is set with the bytes of files. */
export const VERIFIED_PAYMENT_TABLES = ['payout_item', 'payout_batch', 'payout_sender'] as const;

/** Payment details, whose rows `verify` compares with the audit of their proposal. */
const VERIFIED_DETAIL_TABLES = ['payee_detail'] as const;

/** Bank reports, what they confirm, and what people decided about their rows: `verify` compares them with the audit and reads them again. */
export const VERIFIED_REPORT_TABLES = ['payment_report', 'payment_confirmation', 'payment_report_row'] as const;

/** Desk actions, whose rows `verify` compares with the audit and with what their kinds require. */
export const VERIFIED_ACTION_TABLES = ['desk_action', 'desk_action_attempt', 'desk_action_decision'] as const;

const CLOCK = 'set by the database clock, which nothing binds';
const WORK = 'only tells the worker what to do next';

/** Columns in which a change goes unnoticed, with the reason; all others are covered. `verify --coverage` prints the list. */
export const UNCOVERED: Readonly<Record<string, string>> = {
  'slice.pulled_at': CLOCK,
  'recheck.recheck_id': 'only names the row',
  'recheck.checked_at': CLOCK,
  'recheck.call_count': 'no figure follows from it',
  'response.response_id': 'only its order is bound',
  'response.refusal': 'refused responses belong to no figure; only their bytes are compared with their digest',
  'detail_month.computed_at': 'only says which readings count',
  'detail_month.search_next_at': WORK,
  'detail_month.search_stopped': WORK,
  'recipient_erasure.erased_at': CLOCK,
  'recipient_erasure.erased_by': 'the audit has it',
  'recipient_erasure.reason': 'the audit has it',
  'refund.draft_id': 'only prevents submitting a form twice',
  'refund.version': WORK,
  'refund.state_since': CLOCK,
  'refund.requested_at': CLOCK,
  'refund.assignee_id': 'no money follows from it',
  'refund.approval': 'follows from who approved; the database allows no other value',
  'refund.approved_at': CLOCK,
  'refund.first_sent_at': CLOCK,
  'refund.last_sent_at': CLOCK,
  'refund.unanswered_count': WORK,
  'refund.extra_call_count': WORK,
  'refund.next_look_at': WORK,
  'refund.lease_owner': WORK,
  'refund.last_error_code': 'repeats the newest attempt',
  'refund.last_error_id': 'repeats the newest attempt',
  'refund.attention_reason': WORK,
  'refund.proposal': WORK,
  'refund.ended_at': CLOCK,
  'refund.reversal_seen_at': CLOCK,
  'refund_attempt.owner': 'only names a process',
  'refund_attempt.committed_at': CLOCK,
  'refund_attempt.finished_at': CLOCK,
  'refund_attempt.retry_after_ms': 'only says when the next call may be made',
  'refund_decision.decision_no': 'only its order is used',
  'refund_decision.proposed_at': CLOCK,
  'refund_decision.read_no': 'the response bytes of a reading are not stored',
  'refund_decision.confirmed_at': CLOCK,
  'refund_decision.withdrawn_at': CLOCK,
  'desk_action.draft_id': 'only prevents submitting a form twice',
  'desk_action.version': WORK,
  'desk_action.state_since': CLOCK,
  'desk_action.requested_at': CLOCK,
  'desk_action.approval': 'follows from who approved; the database allows no other value',
  'desk_action.approved_at': CLOCK,
  'desk_action.first_sent_at': CLOCK,
  'desk_action.last_sent_at': CLOCK,
  'desk_action.unanswered_count': WORK,
  'desk_action.lease_owner': WORK,
  'desk_action.next_look_at': WORK,
  'desk_action.settle_until': WORK,
  'desk_action.waits_for': WORK,
  'desk_action.waits_until': WORK,
  'desk_action.last_error_code': 'repeats the newest attempt',
  'desk_action.last_error_id': 'repeats the newest attempt',
  'desk_action.attention_reason': WORK,
  'desk_action.paid_order_id': 'the order at Invo says it',
  'desk_action.ended_at': CLOCK,
  'desk_action_attempt.owner': 'only names a process',
  'desk_action_attempt.committed_at': CLOCK,
  'desk_action_attempt.finished_at': CLOCK,
  'desk_action_attempt.body': 'only its digest is compared',
  'desk_action_attempt.retry_after_ms': 'only says when the next call may be made',
  'desk_action_decision.decision_no': 'only its order is used',
  'desk_action_decision.proposed_at': CLOCK,
  'desk_action_decision.read_no': 'readings are not compared',
  'desk_action_decision.confirmed_at': CLOCK,
  'desk_action_decision.withdrawn_at': CLOCK,
  'audit_link.linked_at': CLOCK,
  'payout_run.version': 'counts changes of the row; only forms compare it',
  'payout_run.revision': 'counts compositions; nothing is derived from it',
  'payout_run.draft_digest': 'only forms of a draft compare it',
  'payout_run.exported_at': CLOCK,
  'payout_run.paid_at': CLOCK,
  'payout_adjustment.pair_id': 'only joins the halves of a transfer; each half is compared',
  'payee_detail.key_name': 'only says which key opens it',
  'payee_detail.reason': 'the audit has it',
  'payee_detail.proposed_by': 'the audit has it',
  'payee_detail.proposed_at': CLOCK,
  'payee_detail.confirmed_by': 'the audit has it',
  'payee_detail.confirmed_at': CLOCK,
  'payee_detail.withdrawn_by': 'the audit has it',
  'payee_detail.withdrawn_at': CLOCK,
  'payee_detail.erased_at': CLOCK,
  'payment_report.file_name': 'only names the file',
  'payment_report.key_name': 'only says which key opens it',
  'payment_confirmation.confirmed_at': CLOCK,
  'payout_item.proposed_at': CLOCK,
  'payout_item.confirmed_at': CLOCK,
  'payout_batch.made_at': CLOCK,
  'payout_batch.handed_over_at': CLOCK,
  'payout_batch.cancel_requested_at': CLOCK,
  'payout_batch.cancelled_at': CLOCK,
  'payout_batch.key_name': 'only says which key opens it',
  'payout_sender.key_name': 'only says which key opens it',
  'payout_sender.proposed_at': CLOCK,
  'payout_sender.confirmed_at': CLOCK,
  'payout_sender.withdrawn_at': CLOCK,
  'journal_transfer.transfer_no': 'only its order is used',
};

/** Columns that are covered in part, with what isn't. */
const PARTLY_COVERED: Readonly<Record<string, string>> = {
  'payment_report.sealed': 'covered where SHAREBOOK_PAYEE_KEY is set',
  'payee_detail.sealed': 'covered where SHAREBOOK_PAYEE_KEY is set',
  'payee_detail.fingerprint': 'covered where SHAREBOOK_PAYEE_KEY is set',
  'payout_item.trace': 'covered by the bytes of its file, where SHAREBOOK_PAYEE_KEY is set',
  'payout_batch.sealed': 'covered where SHAREBOOK_PAYEE_KEY is set',
  'payout_sender.sealed': 'covered where SHAREBOOK_PAYEE_KEY is set',
  'detail_month.figures': 'covered except for the comparison of lifetime totals, which depends on the months pulled at that time',
};

const ALL_COVERED = 'every column is covered';

/** Every table whose rows `verify` compares. */
export const ALL_VERIFIED_TABLES: readonly string[] = [
  ...VERIFIED_TABLES,
  ...VERIFIED_PAYOUT_TABLES,
  ...VERIFIED_PAYMENT_TABLES,
  ...VERIFIED_ACTION_TABLES,
  ...VERIFIED_DETAIL_TABLES,
  ...VERIFIED_REPORT_TABLES,
];

/** Every verified table with the columns that `verify` doesn't cover and why, as lines of three aligned columns. */
export function formatVerifyCoverage(): string {
  const rows = ALL_VERIFIED_TABLES.flatMap((table) => {
    const notes = Object.entries({ ...UNCOVERED, ...PARTLY_COVERED }).filter(([name]) => name.startsWith(`${table}.`));
    return notes.length === 0 ? [[table, '', ALL_COVERED]] : notes.map(([name, why]) => [table, name.slice(table.length + 1), why]);
  });
  const lines = [['Table', 'Not covered', 'Why'], ...rows].map(([table = '', column = '', why = '']) =>
    `${table.padEnd(22)}${column.padEnd(21)}${why}`.trimEnd(),
  );
  return [
    'verify compares every column of these tables with the evidence it follows from, except the columns named here.',
    'Tables of payout runs and journals are compared once their run is approved.',
    '',
    ...lines,
  ].join('\n');
}
