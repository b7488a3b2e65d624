/**
 * Where each table goes when `sharebook distribute` spreads the schema over the servers of a Citus cluster (.github/docs/scaling.md). `distributed`: by `game_id`, which every primary key, unique and exclusion constraint contains, and every foreign key
 * too unless it points at a reference table. `reference`: a copy on every server. `local`: on the coordinator only, for a reason. A test compares the
 * list with the catalog, so that every row stays with its game.
 */
export interface Placement {
  is: 'distributed' | 'reference' | 'local';
  /** Why it is not distributed. */
  why?: string;
  /** Its triggers, for which the operator must allow triggers on distributed tables; those of local tables need nothing. */
  triggers?: readonly string[];
}

const NEVER_CHANGED = (table: string): Placement => ({ is: 'distributed', triggers: [`${table}_kept`, `${table}_whole`] });
const JOBS = 'the job engine works on one server; rows of pull and refund say what is true';
const SIGN_IN = 'belongs to a person, not to a game; small and short-lived';
const MIGRATIONS = 'which migrations are applied';

export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  game: {
    is: 'reference',
    why: 'one row per game, joined everywhere; slug and environment are unique over all games',
  },
  person: { is: 'reference', why: 'a person works for several games; rows of refunds refer to it' },
  database_restore: {
    is: 'reference',
    why: 'concerns all games; pauses refer to it',
    triggers: ['database_restore_kept', 'database_restore_whole'],
  },

  slice: NEVER_CHANGED('slice'),
  slice_recipient: NEVER_CHANGED('slice_recipient'),
  renewal_line: NEVER_CHANGED('renewal_line'),
  reversal_line: NEVER_CHANGED('reversal_line'),
  refund_event: NEVER_CHANGED('refund_event'),
  snapshot: { is: 'distributed', triggers: ['snapshot_is_current', 'snapshot_kept', 'snapshot_whole'] },
  snapshot_slice: NEVER_CHANGED('snapshot_slice'),
  snapshot_check: NEVER_CHANGED('snapshot_check'),
  snapshot_recipient: NEVER_CHANGED('snapshot_recipient'),
  recipient_salt: NEVER_CHANGED('recipient_salt'),
  recipient_erasure: NEVER_CHANGED('recipient_erasure'),
  game_lock: { is: 'distributed' },
  recheck: { is: 'distributed', triggers: ['recheck_is_current', 'recheck_kept', 'recheck_whole'] },
  response: NEVER_CHANGED('response'),
  current_window: { is: 'distributed', triggers: ['current_window_compared', 'current_window_repeats'] },
  snapshot_drift: { is: 'distributed' },
  repeated_reversal: { is: 'distributed' },
  pull_schedule: { is: 'distributed' },
  rendition: { is: 'distributed' },
  rendition_part: { is: 'distributed' },
  month_comparison: { is: 'distributed' },
  snapshot_day: { is: 'distributed' },
  pull: { is: 'distributed' },
  rate_bucket: { is: 'distributed' },
  rate_call: { is: 'distributed' },
  refund: { is: 'distributed', triggers: ['refund_kept', 'refund_whole'] },
  refund_attempt: { is: 'distributed', triggers: ['refund_attempt_kept', 'refund_attempt_whole'] },
  refund_decision: { is: 'distributed', triggers: ['refund_decision_kept', 'refund_decision_whole'] },
  desk_action: {
    is: 'distributed',
    triggers: ['desk_action_drops_phone', 'desk_action_ends_grants', 'desk_action_kept', 'desk_action_sandbox', 'desk_action_whole'],
  },
  desk_action_attempt: NEVER_CHANGED('desk_action_attempt'),
  desk_action_read: NEVER_CHANGED('desk_action_read'),
  desk_action_decision: NEVER_CHANGED('desk_action_decision'),
  refund_limit: { is: 'distributed' },
  refund_pause: { is: 'distributed', triggers: ['refund_pause_kept', 'refund_pause_whole'] },
  action_limit: { is: 'distributed' },
  action_pause: { is: 'distributed', triggers: ['action_pause_kept', 'action_pause_whole'] },
  action_switch: { is: 'distributed' },
  action_setting: { is: 'distributed' },
  milestone_name: { is: 'distributed' },
  house_account: { is: 'distributed' },
  device_grant: { is: 'distributed' },
  held_phone: { is: 'distributed' },
  refund_read: { is: 'distributed', triggers: ['refund_read_kept', 'refund_read_whole'] },
  detail_read: { is: 'distributed' },
  report_read: NEVER_CHANGED('report_read'),
  detail_job: { is: 'distributed' },
  detail_month: { is: 'distributed' },
  detail_setting: { is: 'distributed' },
  unattributed_renewal: { is: 'distributed' },
  payout_policy: NEVER_CHANGED('payout_policy'),
  payout_minimum: NEVER_CHANGED('payout_minimum'),
  payout_run: { is: 'distributed', triggers: ['payout_run_kept', 'payout_run_starts', 'payout_run_whole'] },
  payout_hold: NEVER_CHANGED('payout_hold'),
  payee_detail: NEVER_CHANGED('payee_detail'),
  payout_adjustment: { is: 'distributed', triggers: ['payout_adjustment_included', 'payout_adjustment_kept', 'payout_adjustment_whole'] },
  payout_reversal: {
    is: 'distributed',
    triggers: ['payout_reversal_added', 'payout_reversal_kept', 'payout_reversal_removed', 'payout_reversal_whole'],
  },
  payout_line: { is: 'distributed', triggers: ['payout_line_added', 'payout_line_kept', 'payout_line_removed', 'payout_line_whole'] },
  payout_note: NEVER_CHANGED('payout_note'),
  payout_pause: NEVER_CHANGED('payout_pause'),
  payout_editor: { is: 'distributed', triggers: ['payout_editor_checked', 'payout_editor_kept', 'payout_editor_whole'] },
  payout_approval: { is: 'distributed', triggers: ['payout_approval_checked', 'payout_approval_kept', 'payout_approval_whole'] },
  unattributed_finding: NEVER_CHANGED('unattributed_finding'),
  payout_item: {
    is: 'distributed',
    triggers: ['payout_item_changed', 'payout_item_kept', 'payout_item_made', 'payout_item_set_once', 'payout_item_whole'],
  },
  payout_sender: NEVER_CHANGED('payout_sender'),
  payout_batch: { is: 'distributed', triggers: ['payout_batch_checked', 'payout_batch_kept', 'payout_batch_whole'] },
  ach_file_id: {
    is: 'reference',
    why: 'unique over all games; a few rows a day',
    triggers: ['ach_file_id_kept', 'ach_file_id_whole'],
  },
  payment_report: NEVER_CHANGED('payment_report'),
  payment_confirmation: NEVER_CHANGED('payment_confirmation'),
  payment_report_row: NEVER_CHANGED('payment_report_row'),
  recipient_statement: {
    is: 'distributed',
    triggers: ['recipient_statement_added', 'recipient_statement_kept', 'recipient_statement_whole'],
  },
  statement_job: { is: 'distributed' },
  balance_job: { is: 'distributed' },
  balance_entry: { is: 'distributed' },
  balance_held: { is: 'distributed' },
  account_map: NEVER_CHANGED('account_map'),
  journal_entry: NEVER_CHANGED('journal_entry'),
  journal_transfer: NEVER_CHANGED('journal_transfer'),
  notice: NEVER_CHANGED('notice'),
  notice_delivery: { is: 'distributed' },
  delivery: NEVER_CHANGED('delivery'),
  delivery_subject: NEVER_CHANGED('delivery_subject'),
  delivery_repeat: NEVER_CHANGED('delivery_repeat'),
  delivery_read: { is: 'distributed' },
  delivery_refusal: { is: 'distributed' },
  look_up: { is: 'distributed' },
  known_id: { is: 'distributed' },
  known_order: { is: 'distributed' },
  known_player: { is: 'distributed', triggers: ['known_player_erased'] },
  known_subscription: { is: 'distributed' },
  known_transfer: { is: 'distributed' },

  notice_setting: { is: 'reference', why: 'belongs to a person, not to a game; deliveries of every game ask for it' },

  audit: {
    is: 'local',
    why: 'acts on people belong to no game, so game_id may be null; one order of acts over all games, which its chain needs',
  },
  audit_link: { is: 'local', why: 'chains the audit' },
  verification: { is: 'local', why: 'one row for each time all games, or one, and the audit were verified' },
  person_confirmation: { is: 'local', why: SIGN_IN },
  person_password: { is: 'local', why: SIGN_IN },
  person_session: { is: 'local', why: SIGN_IN },
  set_up_link: { is: 'local', why: SIGN_IN },
  sign_in_attempt: { is: 'local', why: SIGN_IN },
  started_sign_in: { is: 'local', why: SIGN_IN },
  second_factor: { is: 'local', why: SIGN_IN },
  backup_code: { is: 'local', why: SIGN_IN },
  second_factor_role: { is: 'local', why: 'a few rows about all people' },
  database_mark: { is: 'local', why: 'one row about the whole database' },
  kysely_migration: { is: 'local', why: MIGRATIONS },
  kysely_migration_lock: { is: 'local', why: MIGRATIONS },
};

/** Schemas whose tables are all local, with the reason. */
export const LOCAL_SCHEMAS: Readonly<Record<string, string>> = { pgboss: JOBS };
