// Written by `node e2e/support/db/write-types.ts` from db/migrations; a test fails when the two differ.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface GameTable {
  /** Sharebook's ID of one game in one environment */
  game_id: GeneratedAlways<number>;
  /** the game in addresses and commands, from the configuration */
  slug: string;
  /** Invo's environment; the two are separate */
  environment: string;
  /** display name, from the configuration */
  name: string;
  /** IANA time zone of its months, from the configuration */
  time_zone: string;
  /** Invo's own game_id as text, pinned by the first report; NULL: no report yet */
  invo_game_id: string | null;
  /** when Invo last refused the current secret and accepted the previous one; NULL: never */
  previous_secret_used_at: string | null;
  /** when the game was first stored */
  created_at: Generated<string>;
  /** until when calls start with the previous secret, because Invo accepted it and refused the current one; then the current one is tried again; NULL: Invo accepted the current one last */
  previous_secret_until: string | null;
}

export interface RateBucketTable {
  /** game of the budget */
  game_id: number;
  /** aggregate, detail, or subscription:<id> */
  bucket: string;
  /** Invo asked to wait until then (Retry-After); NULL: no wait requested */
  paused_until: string | null;
  /** when a person last asked for a call of this budget, whether or not it had to wait; by the database clock; NULL: never */
  person_asked_at: string | null;
  /** until when; NULL: Invo asked for no long wait */
  asked_until: string | null;
  /** when the next such call may be made; NULL as asked_until */
  probe_at: string | null;
}

export interface RateCallTable {
  /** game of the budget */
  game_id: number;
  /** which budget */
  bucket: string;
  /** when the call was allowed, database clock */
  called_at: Generated<string>;
  /** distinguishes calls of one instant */
  call_id: GeneratedAlways<number>;
  /** id of the person who looked something up with it; NULL: not a look-up */
  asked_by: string | null;
}

export interface PullTable {
  /** game of the window */
  game_id: number;
  /** the job */
  pull_id: GeneratedAlways<number>;
  /** first instant asked for */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** pull everything again as new versions, reuse nothing */
  is_fresh: boolean;
  /** email of the person, or "command line", or "schedule" */
  requested_by: string;
  /** when it was requested */
  requested_at: Generated<string>;
  /** state of the job */
  state: Generated<string>;
  /** the process that runs it; NULL: none */
  lease_owner: string | null;
  /** another process may take over after this; NULL: no lease */
  lease_until: string | null;
  /** attempts started */
  attempt_count: Generated<number>;
  /** calls answered so far */
  call_count: Generated<number>;
  /** calls expected in total; NULL: not known yet */
  planned_call_count: number | null;
  /** renewal and reversal lines stored so far */
  line_count: Generated<number>;
  /** waiting for the rate limit until then; NULL: not waiting */
  waiting_until: string | null;
  /** what the pull is working on, as shown to people; NULL: not started */
  activity: string | null;
  /** first attempt; NULL: not started */
  started_at: string | null;
  /** NULL: not ended */
  ended_at: string | null;
  /** the snapshot it produced; NULL: none */
  snapshot_id: number | null;
  /** Sharebook's code of the failure; NULL: no failure */
  failure_code: string | null;
  /** what went wrong, for the person who must act; NULL: no failure */
  failure_message: string | null;
  /** Invo's error_id to quote; NULL: none was given */
  failure_error_id: string | null;
}

export interface SliceTable {
  /** game of the window */
  game_id: number;
  /** one pull of one window */
  slice_id: GeneratedAlways<number>;
  /** first instant it covers */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** 1 for the first pull of this very window, then counting */
  version: number;
  /** the previous version; NULL: this is the first */
  supersedes_slice_id: number | null;
  /** the pull that stored it */
  pull_id: number;
  /** when it was stored */
  pulled_at: Generated<string>;
  /** Invo's clock on the earliest page, ISO 8601 in UTC as reported */
  generated_at: string;
  /** calls it took */
  call_count: number;
  /** Invo's totals of this window from here on, in its own names */
  renewals_settled: number;
  /** USD */
  settled_gross_usd: string;
  /** USD, never reversed by a refund */
  invo_fee_usd: string;
  /** USD */
  partner_revenue_settled_usd: string;
  /** USD, revenue only: card fees on refunds are not in it */
  partner_revenue_reversed_usd: string;
  /** USD, settled less reversed; movement of the window, not a balance */
  partner_revenue_usd: string;
  /** count */
  renewals_with_attribution: number;
  /** count; these have no lines */
  renewals_without_attribution: number;
  /** object of counts by Invo's reason */
  unattributed_reasons: ColumnType<unknown, string, string>;
  /** USD */
  gross_attributed_usd: string;
  /** USD */
  reversed_attributed_usd: string;
  /** USD */
  net_attributed_usd: string;
  /** count; does not add over slices */
  renewals_settled_then_fully_reversed: number;
  /** count */
  refund_events_in_window: number;
  /** count */
  reversals_without_receipts: number;
  /** count; does not add over slices */
  recipient_count: number;
  /** renewal lines stored */
  renewal_line_count: number;
  /** reversals stored, one per period */
  reversal_line_count: number;
  /** rows this slice gives the reversals sheet */
  reversal_event_count: number;
  /** answers among call_count that carried Invo's fixed attribution notice */
  notice_count: number;
  /** every line Invo counted is here and its own hard checks match; false: kept as evidence, never reused */
  is_consistent: boolean;
  /** SHA-256 over the money facts of its lines and totals */
  digest: Buffer;
}

export interface SliceRecipientTable {
  /** game of the slice */
  game_id: number;
  /** the slice */
  slice_id: number;
  /** Invo's player_id of the recipient within this game */
  recipient_player_id: number;
  /** false: Invo could not find the player record; NULL: not recorded */
  resolved: boolean | null;
  /** contact, not a key; NULL: unresolved or not recorded */
  player_email: string | null;
  /** as Invo gave it; NULL: unresolved or not recorded */
  player_name: string | null;
  /** the same human across games; NULL: unresolved or not recorded */
  identity_id: string | null;
  /** Invo's count for this window */
  renewal_count: number;
  /** Invo's count for this window */
  reversal_count: number;
  /** Invo's count; does not add over slices */
  subscription_count: number;
  /** USD */
  gross_attributed_usd: string;
  /** USD */
  reversed_attributed_usd: string;
  /** USD */
  net_attributed_usd: string;
  /** ISO 8601 UTC as reported; NULL: nothing settled in this window */
  first_paid_at: string | null;
  /** ISO 8601 UTC as reported; NULL: nothing settled in this window */
  last_paid_at: string | null;
}

export interface RenewalLineTable {
  /** game of the slice */
  game_id: number;
  /** the slice */
  slice_id: number;
  /** Invo's id of the settled period */
  period_id: number;
  /** the recipient it is attributed to */
  recipient_player_id: number;
  /** when it settled, to the microsecond, for order */
  paid_at: string;
  /** the same instant in UTC with the fraction as reported */
  paid_at_reported: string;
  /** Invo's */
  subscription_id: string;
  /** 1-based number of the period in its subscription; NULL: not recorded */
  period_seq: number | null;
  /** NULL: not recorded */
  item_id: string | null;
  /** NULL: not recorded */
  item_name: string | null;
  /** Invo's period status when pulled, may change later; NULL: not recorded */
  status: string | null;
  /** billing period, ISO 8601 UTC as reported; NULL: not recorded */
  period_start: string | null;
  /** billing period, ISO 8601 UTC as reported; NULL: not recorded */
  period_end: string | null;
  /** USD, price snapshot at the charge */
  amount_usd: string;
  /** USD, kept by Invo whatever is refunded */
  invo_fee_usd: string;
  /** USD, net of reversal when pulled, may change later */
  partner_revenue_usd: string;
  /** USD at settlement */
  partner_revenue_settled_usd: string;
  /** USD reversed when pulled, may change later */
  partner_revenue_reversed_usd: string;
  /** share in force then, percent as reported; NULL: not recorded */
  percent_at_renewal: string | null;
  /** USD the share was taken of, after Invo's fee; NULL: not recorded */
  base_usd: string | null;
  /** USD recorded for the recipient at settlement */
  attributed_amount_usd: string;
  /** false: recorded and expected base differ; NULL: not checked */
  base_matches_settled_fee: boolean | null;
  /** USD, Invo's recomputation; NULL: not recorded */
  expected_base_usd: string | null;
  /** USD, Invo's record; NULL: not recorded */
  recorded_base_usd: string | null;
  /** card or pcstore; NULL: not recorded */
  rail: string | null;
  /** coins; NULL: not recorded */
  amount_coins: string | null;
  /** coins taken from the wallet, never converted; NULL: not recorded */
  balance_applied_coins: string | null;
  /** USD; NULL: not recorded */
  card_charged_usd: string | null;
  /** USD; NULL: not recorded */
  pcstore_charged_usd: string | null;
  /** USD refunded when pulled, reference only, may change later; NULL: not recorded */
  refunded_amount_usd: string | null;
  /** latest refund when pulled, reference only; NULL: none or not recorded */
  refunded_at: string | null;
  /** NULL: not recorded */
  transaction_id: string | null;
  /** NULL: the wallet covered the period, or not recorded */
  mint_order_id: string | null;
}

export interface ReversalLineTable {
  /** game of the slice */
  game_id: number;
  /** the slice */
  slice_id: number;
  /** Invo's id of the period that was refunded */
  period_id: number;
  /** the recipient it is deducted from */
  recipient_player_id: number;
  /** Invo's */
  subscription_id: string;
  /** NULL: not recorded */
  period_seq: number | null;
  /** Invo's period status when pulled; NULL: not recorded */
  status: string | null;
  /** when the period settled, for order and window arithmetic */
  paid_at: string;
  /** the same instant in UTC with the fraction as reported */
  paid_at_reported: string;
  /** USD, the period's price; NULL: not recorded */
  amount_usd: string | null;
  /** USD recorded for the recipient at settlement */
  originally_attributed_usd: string;
  /** USD reversed for the recipient in this window only */
  reversed_attributed_usd: string;
  /** USD of partner revenue reversed in this window; NULL: not recorded */
  partner_revenue_reversed_usd: string | null;
  /** USD, cumulative, reference only; NULL: not recorded */
  refunded_to_date_usd: string | null;
  /** cumulative, reference only; NULL: not recorded */
  latest_refund_at: string | null;
  /** refund_receipts, period_row (coarse), or a later value of Invo */
  reversal_basis: string;
  /** Invo's flag for the slice's own window; NULL: not recorded */
  settled_in_this_window: boolean | null;
  /** Invo's flag for the slice's own window; NULL: not recorded */
  nets_to_zero_in_window: boolean | null;
  /** Invo's explanation; NULL: none */
  note: string | null;
}

export interface RefundEventTable {
  /** game of the slice */
  game_id: number;
  /** the slice */
  slice_id: number;
  /** the refunded period */
  period_id: number;
  /** 1, 2, 3 … of that period in that slice, by time */
  event_no: number;
  /** the recipient it is deducted from */
  recipient_player_id: number;
  /** when the refund happened, for order */
  refunded_at: string;
  /** the same instant in UTC with the fraction as reported */
  refunded_at_reported: string;
  /** USD of this refund */
  refunded_amount_usd: string;
  /** USD refunded on the period before it */
  cumulative_refunded_before_usd: string;
  /** USD refunded on the period after it */
  cumulative_refunded_after_usd: string;
  /** USD it reverses for the recipient */
  reversed_attributed_usd: string;
  /** USD of partner revenue it reverses; NULL: not recorded */
  partner_revenue_reversed_usd: string | null;
  /** clawback, sale_fee_row_reversed, none; NULL: not recorded */
  partner_revenue_reversal_basis: string | null;
  /** it completed the period */
  is_full_refund: boolean;
}

export interface SnapshotTable {
  /** game of the window */
  game_id: number;
  /** ID of the snapshot */
  snapshot_id: GeneratedAlways<number>;
  /** 1, 2, 3 … within the game, without gap */
  chain_no: number;
  /** digest of chain_no - 1; NULL: this is the first */
  previous_digest: Buffer | null;
  /** SHA-256 over previous digest, window, slice digests and control totals */
  digest: Buffer;
  /** the job that built it */
  pull_id: number;
  /** when it was stored */
  created_at: Generated<string>;
  /** first instant it covers */
  window_start: string;
  /** up to, not including, as requested */
  window_end: string;
  /** how far the slices reach; window_end once the window is closed */
  covered_until: string;
  /** complete: closed, whole and every hard check matches; open: the window is not over; inconsistent: a hard check doesn't match */
  status: string;
  /** Invo's clock on the control totals, ISO 8601 UTC as reported */
  generated_at: string;
  /** adjoining windows Invo answered for the control totals */
  control_window_count: number;
  /** Invo's totals of the whole window from here on, in its own names */
  renewals_settled: number;
  /** USD */
  settled_gross_usd: string;
  /** USD, never reversed by a refund */
  invo_fee_usd: string;
  /** USD */
  partner_revenue_settled_usd: string;
  /** USD, revenue only */
  partner_revenue_reversed_usd: string;
  /** USD, movement of the window */
  partner_revenue_usd: string;
  /** count */
  renewals_with_attribution: number;
  /** count; these have no lines */
  renewals_without_attribution: number;
  /** object of counts by Invo's reason */
  unattributed_reasons: ColumnType<unknown, string, string>;
  /** USD */
  gross_attributed_usd: string;
  /** USD */
  reversed_attributed_usd: string;
  /** USD */
  net_attributed_usd: string;
  /** count; NULL: not available, Invo answered in several windows */
  renewals_settled_then_fully_reversed: number | null;
  /** count */
  refund_events_in_window: number;
  /** count */
  reversals_without_receipts: number;
  /** count of recipients in snapshot_recipient */
  recipient_count: number;
  /** renewal lines in its slices */
  renewal_line_count: number;
  /** rows of the reversals sheet */
  reversal_event_count: number;
  /** recipients whose net is below zero */
  negative_balance_count: number;
  /** USD, the sum of those nets, zero or negative */
  negative_balance_usd: string;
  /** recipients Invo could not find */
  unresolved_recipient_count: number;
  /** lines whose recorded base differs from the expected one */
  base_mismatch_count: number;
  /** period_row reversals */
  coarse_reversal_count: number;
  /** unattributed renewals other than the benign reason + the three counts above */
  open_item_count: number;
  /** rule of `digest`: 1 links facts alone, 2 also responses, times and identity */
  digest_version: Generated<number>;
  /** SHA-256 over window, slice digests and control totals: what drift, re-checks and runs compare; NULL: digest_version is 1 */
  facts_digest: Buffer | null;
  /** rule by which snapshot_recipient.nets_to_zero_count was counted: 1 takes a whole attributed amount reversed for a full refund, 2 asks for the refund of the whole price */
  figures_version: Generated<number>;
}

export interface SnapshotSliceTable {
  /** game of the snapshot */
  game_id: number;
  /** the snapshot */
  snapshot_id: number;
  /** 1, 2, 3 … in order of time */
  slice_no: number;
  /** the slice */
  slice_id: number;
}

export interface SnapshotCheckTable {
  /** game of the snapshot */
  game_id: number;
  /** the snapshot */
  snapshot_id: number;
  /** order in the reconciliation */
  check_no: number;
  /** stable name of the check */
  name: string;
  /** a hard one that fails makes the snapshot inconsistent */
  severity: string;
  /** it matches */
  ok: boolean;
  /** what Invo reported */
  expected: string;
  /** what the evidence adds up to */
  actual: string;
  /** actual less expected; NULL: not a number, or no difference */
  difference: string | null;
  /** the first rows that don't match: [{subject, expected, actual}] */
  offenders: ColumnType<unknown, string, string>;
}

export interface SnapshotRecipientTable {
  /** game of the snapshot */
  game_id: number;
  /** the snapshot */
  snapshot_id: number;
  /** Invo's player_id of the recipient */
  recipient_player_id: number;
  /** false: Invo could not find the player record; NULL: not recorded */
  resolved: boolean | null;
  /** NULL: unresolved or not recorded */
  player_email: string | null;
  /** NULL: unresolved or not recorded */
  player_name: string | null;
  /** NULL: unresolved or not recorded */
  identity_id: string | null;
  /** lines settled in the window */
  renewal_count: number;
  /** periods reversed in the window */
  reversal_count: number;
  /** distinct subscriptions among the lines of the window */
  subscription_count: number;
  /** USD */
  gross_attributed_usd: string;
  /** USD */
  reversed_attributed_usd: string;
  /** USD, the figure to pay for this window alone */
  net_attributed_usd: string;
  /** ISO 8601 UTC as reported; NULL: nothing settled */
  first_paid_at: string | null;
  /** ISO 8601 UTC as reported; NULL: nothing settled */
  last_paid_at: string | null;
  /** lines whose base differs */
  base_mismatch_count: number;
  /** period_row reversals */
  coarse_reversal_count: number;
  /** USD reversed here of periods settled before the window */
  earlier_reversed_usd: string;
  /** periods settled and fully refunded inside the window */
  nets_to_zero_count: number;
  /** SHA-256 over the salt of the recipient, email, name and identity_id as reported; NULL: stored before there was one, or erased by then */
  identity_digest: Buffer | null;
}

export interface RecheckTable {
  /** game of the snapshot */
  game_id: number;
  /** one re-check */
  recheck_id: GeneratedAlways<number>;
  /** the complete snapshot that was compared */
  snapshot_id: number;
  /** the pull that made the request */
  pull_id: number;
  /** when the totals were requested again */
  checked_at: Generated<string>;
  /** calls it took */
  call_count: number;
  /** false: Invo reported other totals; a newer snapshot has them once their pull is done */
  is_equal: boolean;
}

export interface ResponseTable {
  /** game of the call */
  game_id: number;
  /** one response of Invo */
  response_id: GeneratedAlways<number>;
  /** the pull that made the request */
  pull_id: number;
  /** the slice it is evidence of; NULL: it belongs to a snapshot or was refused */
  slice_id: number | null;
  /** the snapshot whose control totals it carries; NULL: otherwise */
  snapshot_id: number | null;
  /** purpose of the request, or refused */
  purpose: string;
  /** path and query; secrets travel in headers only */
  request: string;
  /** HTTP status */
  status: number;
  /** when the last byte came */
  received_at: string;
  /** the body, gzip */
  body: Buffer;
  /** over the inflated body */
  sha256: Buffer;
  /** bytes of the inflated body */
  inflated_byte_count: number;
  /** why it was refused; NULL: not refused */
  refusal: string | null;
  /** who an erased person is was left out of a refused body, and the digest is of the rest; false: as received */
  is_redacted: Generated<boolean>;
}

export interface AuditTable {
  /** order of events */
  audit_id: GeneratedAlways<number>;
  /** when */
  at: Generated<string>;
  /** email of the person, or "command line", "schedule", "set-up link" */
  actor: string;
  /** NULL: not about a single game */
  game_id: number | null;
  /** the action, a short verb phrase */
  act: string;
  /** the object of the action */
  subject: string;
  /** what changed; never a secret */
  detail: ColumnType<unknown, string | undefined, string>;
}

export interface PersonTable {
  /** random */
  id: string;
  /** email, lower case; unique */
  email: string;
  /** display name */
  name: string;
  /** determine what they may do; several may be combined */
  roles: string[];
  /** disabled since then; NULL: can sign in */
  disabled_at: string | null;
  /** when they were added */
  created_at: Generated<string>;
  /** last change of name, role or status */
  updated_at: Generated<string>;
  /** roles that an admin asked for and a second person must approve; NULL: none */
  requested_roles: string[] | null;
  /** the admin who asked for them; NULL: none are asked for */
  roles_requested_by: string | null;
  /** when they asked; NULL: none are asked for */
  roles_requested_at: string | null;
  /** when two people, or the operator at the start, stood behind the account; NULL: not confirmed, so it doesn't count as one of two people */
  account_confirmed_at: string | null;
  /** when it was confirmed first: after a doubt one more confirmation is enough; NULL: never */
  first_confirmed_at: string | null;
  /** when they were first given the role finance: the first two people of an installation don't wait; NULL: never */
  first_finance_at: string | null;
  /** counts as one of two people from then on, if confirmed: 24 hours after a role, a password link or a reset of the second factor */
  counts_from: Generated<string>;
  /** single keys act on pages; false: only keys with Ctrl or Cmd do */
  has_shortcuts: Generated<boolean>;
}

export interface SetUpLinkTable {
  /** SHA-256 of the token in the link: the token itself is not stored */
  token_digest: Buffer;
  /** what the link allows */
  purpose: string;
  /** the person whose password it sets; NULL: the first admin, not created yet */
  person_id: string | null;
  /** email of the admin, or "command line" when Sharebook started without one */
  made_by: string;
  /** when it was created */
  made_at: Generated<string>;
  /** when it expires */
  expires_at: string;
  /** when it was used; NULL: not used */
  used_at: string | null;
  /** replaced by a newer link, or the person was disabled; NULL: neither */
  withdrawn_at: string | null;
}

export interface SignInAttemptTable {
  /** order of attempts */
  attempt_id: GeneratedAlways<number>;
  /** SHA-256 of the email entered, whether or not the person exists */
  email_digest: Buffer;
  /** SHA-256 of the source address */
  source_digest: Buffer;
  /** counted for fifteen minutes; a successful sign-in deletes those of its email */
  attempted_at: Generated<string>;
  /** SHA-256 of the mark of a browser in which this email signed in before; NULL: it has none */
  browser_digest: Buffer | null;
}

export interface DetailReadTable {
  /** its game */
  game_id: number;
  /** Invo's detail route */
  kind: string;
  /** subscription id, period id or player id, with the page where the route has pages; never an email */
  subject: string;
  /** when the last byte came */
  read_at: string;
  /** the body, gzip; the newest valid answer only, shown when Invo can't be reached */
  body: Buffer;
  /** over the inflated body */
  sha256: Buffer;
}

export interface KnownPlayerTable {
  /** game of the player */
  game_id: number;
  /** Invo's player_id within this game */
  player_id: number;
  /** as Invo last reported it; Invo finds players by email only */
  player_email: string;
  /** NULL: not recorded */
  player_name: string | null;
  /** the same human across games; NULL: not recorded */
  identity_id: string | null;
  /** when Invo reported it */
  seen_at: string;
}

export interface KnownSubscriptionTable {
  /** game of the subscription */
  game_id: number;
  /** Invo's */
  subscription_id: string;
  /** the player who holds it and pays; NULL: not recorded */
  player_id: number | null;
  /** NULL: not recorded */
  item_name: string | null;
  /** as Invo last reported it; NULL: not recorded */
  status: string | null;
  /** when Invo reported it */
  seen_at: string;
}

export interface KnownIdTable {
  /** its game */
  game_id: number;
  /** kind of the ID */
  kind: string;
  /** the ID, as Invo reported it */
  id_text: string;
  /** the subscription it belongs to */
  subscription_id: string;
  /** the period it belongs to; 0: the subscription as a whole */
  period_id: Generated<number>;
  /** when Invo reported it */
  seen_at: string;
}

export interface RefundLimitTable {
  /** game of the limit */
  game_id: number;
  /** whose limit: a role's for one refund, or for all refunds of a person within 24 hours */
  name: string;
  /** USD a person of that role may refund without a second approver */
  limit_usd: string;
  /** email of the admin */
  set_by: string;
  /** when */
  set_at: Generated<string>;
  /** a higher limit that was asked for, in USD; NULL: none */
  raise_usd: string | null;
  /** the admin who asked for it; NULL: none is asked for */
  raise_by: string | null;
  /** when the higher limit was asked for; NULL: none is */
  raise_at: string | null;
}

export interface RefundTable {
  /** its game */
  game_id: number;
  /** our id of the request */
  refund_id: GeneratedAlways<number>;
  /** made with the form of its period: one form is one refund, however often it is submitted */
  draft_id: string;
  /** idempotency key at Invo: one per refund, the same on every retry, for ever */
  client_request_id: string;
  /** the request body, the same in every call */
  request_bytes: Buffer;
  /** SHA-256 over request_bytes */
  request_digest: Buffer;
  /** Invo's */
  subscription_id: string;
  /** Invo's id of the period */
  period_id: number;
  /** 1-based number of the period, always sent */
  period_seq: number;
  /** USD to refund, always sent */
  amount_usd: string;
  /** one of our codes */
  reason_code: string;
  /** free text sent to Invo; NULL: none, the text of the code is sent */
  reason_text: string | null;
  /** the period, wallet and access as Invo reported them for the request or its last renewal */
  facts: ColumnType<unknown, string, string>;
  /** the expected effects, as requester and approver saw them */
  estimate: ColumnType<unknown, string, string>;
  /** SHA-256 over the money facts of the period it was requested on */
  baseline_digest: Buffer;
  /** SHA-256 over everything an approval covers */
  content_digest: Buffer;
  /** its state */
  state: string;
  /** counts changes: a step is taken only on the version it was decided on */
  version: Generated<number>;
  /** when it entered this state; kept by a trigger, like version and ended_at */
  state_since: Generated<string>;
  /** who requested it */
  requested_by: string;
  /** when */
  requested_at: Generated<string>;
  /** the person working on the refund */
  assignee_id: string;
  /** it exceeded the requester's limit when requested: another person approves it, whatever role or limit changes later */
  needs_second_approver: boolean;
  /** within the requester's limit, or by a second person; NULL: not approved */
  approval: string | null;
  /** the second person; NULL: none */
  approved_by: string | null;
  /** NULL: not approved */
  approved_at: string | null;
  /** the content_digest that was approved; NULL: not approved */
  approved_digest: Buffer | null;
  /** commit of the first attempt; NULL: never sent */
  first_sent_at: string | null;
  /** commit of the newest attempt; NULL: never sent */
  last_sent_at: string | null;
  /** attempts committed */
  attempt_count: Generated<number>;
  /** attempts that Invo may have executed without a conclusive answer */
  unanswered_count: Generated<number>;
  /** 1: two people ordered one more call that is not sent yet */
  extra_call_count: Generated<number>;
  /** when a worker looks at it again; while sending: when the sender counts as silent; NULL: never */
  next_look_at: string | null;
  /** the process that is sending it; NULL: none */
  lease_owner: string | null;
  /** Invo's code of the newest answer, or ours of the connection error; NULL: none */
  last_error_code: string | null;
  /** Invo's error_id to quote; NULL: none */
  last_error_id: string | null;
  /** why it needs attention; NULL: it doesn't */
  attention_reason: string | null;
  /** the outcome a reading of the period suggests; NULL: none */
  proposal: string | null;
  /** how it is known to have landed (reduced: an answer without amounts that the period confirms); NULL: not landed */
  outcome_source: string | null;
  /** Invo's transaction of the refund; NULL: not landed, or not reported */
  transaction_id: string | null;
  /** the receipt in Invo's names, or what the period reports instead; NULL: none */
  receipt: ColumnType<unknown, string | null, string | null>;
  /** USD refunded of the period including this refund; NULL: not landed, or not reported */
  total_refunded_amount_usd: string | null;
  /** NULL: not ended */
  ended_at: string | null;
  /** the slice that reports its reversal; NULL: none yet */
  reversal_slice_id: number | null;
  /** when the reversal was matched; NULL: not yet */
  reversal_seen_at: string | null;
}

export interface RefundAttemptTable {
  /** its game */
  game_id: number;
  /** our id of the request */
  refund_id: number;
  /** 1, 2, 3 … */
  attempt_no: number;
  /** the process that sent it */
  owner: string;
  /** committed before its first byte was sent */
  committed_at: Generated<string>;
  /** SHA-256 over the bytes it sent */
  request_digest: Buffer;
  /** when its answer was recorded; NULL: no answer yet */
  finished_at: string | null;
  /** what its answer means; NULL: no answer yet */
  class: string | null;
  /** how far the exchange got; NULL: no answer yet */
  phase: string | null;
  /** HTTP status; NULL: none */
  status: number | null;
  /** Invo's code, or ours of the connection error; NULL: none */
  error_code: string | null;
  /** Invo's error_id; NULL: none */
  error_id: string | null;
  /** fields Invo returned beside a code; NULL: none */
  answer_facts: ColumnType<unknown, string | null, string | null>;
  /** the answer, gzip; NULL: none */
  body: Buffer | null;
  /** over the inflated answer; NULL: none */
  sha256: Buffer | null;
  /** how long Invo asked to wait before the next call, in milliseconds; NULL: it didn't, or from before this was stored */
  retry_after_ms: number | null;
}

export interface RefundReadTable {
  /** its game */
  game_id: number;
  /** the refund it was read for */
  refund_id: number;
  /** 1, 2, 3 … */
  read_no: number;
  /** when Invo answered */
  read_at: Generated<string>;
  /** before the first attempt, to find the outcome, or to complete a receipt */
  purpose: string;
  /** the period's refund facts: status, refunded to date, events */
  facts: ColumnType<unknown, string, string>;
}

export interface RefundDecisionTable {
  /** its game */
  game_id: number;
  /** the refund it is about */
  refund_id: number;
  /** 1, 2, 3 … */
  decision_no: number;
  /** the outcome, or one more call */
  decision: string;
  /** the first person */
  proposed_by: string;
  /** when */
  proposed_at: Generated<string>;
  /** what it is based on */
  proposed_text: string;
  /** the reading of the period it is based on; NULL: none */
  read_no: number | null;
  /** the second person; NULL: not yet */
  confirmed_by: string | null;
  /** NULL: not yet */
  confirmed_at: string | null;
  /** when it was discarded; NULL: it was not */
  withdrawn_at: string | null;
}

export interface RefundPauseTable {
  /** the game whose refunds are paused */
  game_id: number;
  /** 1, 2, 3 … */
  pause_no: GeneratedAlways<number>;
  /** who paused refunds; NULL: Sharebook, because the database was restored */
  paused_by: string | null;
  /** when */
  paused_at: Generated<string>;
  /** the reason they gave */
  why: string;
  /** the first person who asked to resume; NULL: nobody yet */
  resume_requested_by: string | null;
  /** the second person; NULL: still paused */
  resumed_by: string | null;
  /** when refunds were resumed; NULL: still paused */
  resumed_at: string | null;
  /** the restore it follows from; NULL: a person paused refunds */
  restore_no: number | null;
}

export interface CurrentWindowTable {
  /** our number of the game */
  game_id: number;
  /** first instant */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** the newest complete snapshot of the window, otherwise the newest */
  snapshot_id: number;
  /** its status */
  status: string;
  /** how far its evidence reaches */
  covered_until: string;
  /** its checks */
  check_count: number;
  /** those that match */
  check_ok_count: number;
  /** those that don't match and only warn */
  warning_count: number;
  /** complete snapshots of the window; figures can have changed where there are two */
  complete_count: number;
  /** an inconsistent snapshot newer than the complete one; NULL: none */
  newer_snapshot_id: number | null;
  /** when that one was stored */
  newer_created_at: string | null;
  /** last comparison of the snapshot with Invo; NULL: none */
  rechecked_at: string | null;
  /** whether Invo's figures were the same */
  recheck_is_equal: boolean | null;
  /** calls it took */
  recheck_call_count: number | null;
}

export interface RenditionTable {
  /** our number of the game */
  game_id: number;
  /** the snapshot rendered */
  snapshot_id: number;
  /** which sheet */
  sheet: string;
  /** of the rules it was made by; another version is made again */
  version: number;
  /** rows of the sheet */
  row_count: number;
  /** sum of each summed column, decimal text by its name, as the manifest states it */
  sums: ColumnType<unknown, string, string>;
  /** of the uncompressed CSV */
  file_sha256: Buffer;
  /** of the uncompressed CSV */
  file_byte_count: number;
  /** gzip members of the file */
  file_part_count: number;
  /** of the uncompressed table answer; NULL: the sheet has more rows than a table in memory may have */
  table_sha256: Buffer | null;
  /** how many rows each filter leaves, and the first rows, in the shape of the table answer; NULL as table_sha256 */
  head: ColumnType<unknown, string | null, string | null>;
  /** when */
  rendered_at: Generated<string>;
  /** of the uncompressed orders; NULL as table_sha256, and in what an earlier version rendered */
  orders_sha256: Buffer | null;
}

export interface RenditionPartTable {
  /** our number of the game */
  game_id: number;
  /** the snapshot rendered */
  snapshot_id: number;
  /** as in `rendition` */
  sheet: string;
  /** the CSV, or the answer a table is made of */
  kind: string;
  /** 1, 2, 3 … */
  part_no: number;
  /** one gzip member; a file's members joined are a valid gzip file */
  body: Buffer;
}

export interface MonthComparisonTable {
  /** our number of the game */
  game_id: number;
  /** first instant */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** the snapshot compared: the current one of the month */
  snapshot_id: number;
  /** of the rules it was made by, as in `rendition` */
  version: number;
  /** months compared with, counts and sums, and the figures of the first rows */
  head: ColumnType<unknown, string, string>;
  /** gzip JSON: the figures of every recipient, in the order of the recipients sheet */
  body: Buffer;
  /** of the uncompressed JSON */
  sha256: Buffer;
}

export interface DatabaseMarkTable {
  /** the table has one row */
  is_only: Generated<boolean>;
  /** identity of this database; a new one after each restore */
  lineage: Generated<string>;
  /** grows with every minute and before every refund call; smaller than a data folder remembers: the database is an older copy */
  step: Generated<number>;
  /** when it last grew */
  advanced_at: Generated<string>;
}

export interface DatabaseRestoreTable {
  /** 1, 2, 3 … */
  restore_no: GeneratedAlways<number>;
  /** when the restore was found; refunds requested before were open at the backup */
  found_at: Generated<string>;
  /** the process that found it, or the command line */
  found_by: string;
  /** identity of the database until then */
  lineage: string;
  /** how far the restored copy had come */
  step: number;
  /** how far the lost database had come, as a data folder remembers it; NULL: a person reported the restore */
  step_seen: number | null;
}

export interface SnapshotDriftTable {
  /** our number of the game */
  game_id: number;
  /** a complete snapshot */
  snapshot_id: number;
  /** the newest earlier complete snapshot of the window with other figures */
  from_snapshot_id: number;
  /** rows of the renewals and reversals sheets that only the later one has */
  lines_added: number;
  /** those that only the earlier one has */
  lines_removed: number;
  /** those of both whose facts differ */
  lines_changed: number;
  /** USD: net attributed of the later one less that of the earlier one */
  net_change_usd: string;
}

export interface RepeatedReversalTable {
  /** our number of the game */
  game_id: number;
  /** first instant of a window that reports it */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** Invo's number of the period */
  period_id: number;
  /** the current snapshot of the window */
  snapshot_id: number;
  /** the player it is taken back from */
  recipient_player_id: number;
  /** USD, as the renewal was attributed */
  originally_attributed_usd: string;
  /** USD, as this window reports it */
  reversed_attributed_usd: string;
}

export interface PullScheduleTable {
  /** our number of the game */
  game_id: number;
  /** how far back months are pulled, YYYY-MM in the game's time zone; NULL: to the first one a person pulled */
  first_month: string | null;
  /** email of the person who confirmed it; NULL as first_month */
  started_by: string | null;
  /** when; NULL as first_month */
  started_at: string | null;
  /** email of the person who paused scheduled pulls; NULL: not paused */
  paused_by: string | null;
  /** since when they wait; NULL: not paused */
  paused_at: string | null;
}

export interface RecipientSaltTable {
  /** game of the recipient */
  game_id: number;
  /** Invo's player_id of the recipient */
  recipient_player_id: number;
  /** 32 random bytes, deleted when the person is erased */
  salt: Buffer;
}

export interface RecipientErasureTable {
  /** game of the recipient */
  game_id: number;
  /** Invo's player_id: their figures stay */
  recipient_player_id: number;
  /** when email, name and identity_id were removed */
  erased_at: Generated<string>;
  /** email of the person, or "command line" */
  erased_by: string;
  /** the reason they gave */
  reason: string;
}

export interface AuditLinkTable {
  /** 1, 2, 3 … without gap */
  position: number;
  /** the row of the audit */
  audit_id: number;
  /** SHA-256 over the digest of position - 1 and the row */
  digest: Buffer;
  /** when the worker found it */
  linked_at: Generated<string>;
}

export interface ReportReadTable {
  /** its game */
  game_id: number;
  /** Invo's report: a period, one page of a subscription's cycles, the totals of a window */
  kind: string;
  /** period id; subscription id and offset of the page; start and end of the window */
  subject: string;
  /** 1, 2, 3 … of the subject */
  read_no: number;
  /** when the last byte came */
  read_at: string;
  /** the body, gzip; NULL: the same bytes as in the reading before */
  body: Buffer | null;
  /** over the inflated body */
  sha256: Buffer;
  /** the figures below were taken from the body; false: another kind, or read before figures were kept */
  has_figures: Generated<boolean>;
  /** USD charged to a card for the period; NULL: not recorded, or without figures */
  card_charged_usd: string | null;
  /** USD, international card fee; NULL: not recorded, or without figures */
  pass_through_fees_usd: string | null;
  /** USD; NULL: not recorded, or without figures */
  chargeback_fees_usd: string | null;
  /** USD held for disputes; NULL: not recorded, or without figures */
  disputed_amount_held_usd: string | null;
  /** USD, card fee on refunds to date; NULL: not recorded (refunds before 2026-09-28), or without figures */
  card_fee_charged_to_partner_usd: string | null;
  /** USD of the partner after all fees, may be negative; NULL: not recorded, or without figures */
  partner_revenue_after_fees_usd: string | null;
  /** refunds listed one by one; NULL: Invo lists none although it reports some, or without figures */
  refund_count: number | null;
  /** the earliest of them; NULL: none listed */
  first_refunded_at: string | null;
  /** the latest refund; NULL: none */
  last_refunded_at: string | null;
  /** who an erased person is was left out of the body, and the digest is of the rest; false: as received */
  is_redacted: Generated<boolean>;
}

export interface DetailJobTable {
  /** game of the month */
  game_id: number;
  /** the job */
  detail_job_id: GeneratedAlways<number>;
  /** first instant of the month */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** email of the person, or "schedule" */
  requested_by: string;
  /** when it was requested */
  requested_at: Generated<string>;
  /** a report read from then on isn't read again */
  since: Generated<string>;
  /** state of the job */
  state: Generated<string>;
  /** the process that runs it; NULL: none */
  lease_owner: string | null;
  /** another process may take over after this; NULL: no lease */
  lease_until: string | null;
  /** attempts started */
  attempt_count: Generated<number>;
  /** reports done so far, those read before included */
  read_count: Generated<number>;
  /** reports in total; NULL: not known yet */
  planned_count: number | null;
  /** waiting for the rate limit until then; NULL: not waiting */
  waiting_until: string | null;
  /** what the job is working on, as shown to people; NULL: not started */
  activity: string | null;
  /** NULL: not ended */
  ended_at: string | null;
  /** Sharebook's code of the failure; NULL: no failure */
  failure_code: string | null;
  /** the same for the person who must act; NULL: no failure */
  failure_message: string | null;
  /** Invo's error_id to quote; NULL: none was given */
  failure_error_id: string | null;
}

export interface DetailMonthTable {
  /** game of the month */
  game_id: number;
  /** first instant of the month */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** the snapshot whose lines were read about */
  snapshot_id: number;
  /** when the figures were added up */
  computed_at: Generated<string>;
  /** counts and sums of the readings, by the shape of lib/fees/rules/detail-figures.ts */
  figures: ColumnType<unknown, string, string>;
  /** when the search for renewals without attribution goes on; NULL: it ended, or isn't needed */
  search_next_at: string | null;
  /** why the search ended without placing each renewal, for people; NULL: it didn't */
  search_stopped: string | null;
}

export interface UnattributedRenewalTable {
  /** game of the month */
  game_id: number;
  /** our id of the finding */
  item_id: GeneratedAlways<number>;
  /** first instant of its month */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** Invo's reason; NULL: not reported, or several renewals with different ones */
  reason: string | null;
  /** Invo's id of the period; NULL: placed in time, not named by any report */
  period_id: number | null;
  /** Invo's; NULL: as period_id */
  subscription_id: string | null;
  /** when it settled, or the first instant of the span in which it did */
  settled_from: string;
  /** the same instant, or the end of the span, not included */
  settled_to: string;
  /** renewals in the span; above 1 when they share one instant */
  renewal_count: Generated<number>;
  /** USD settled; NULL: not reported */
  amount_usd: string | null;
  /** USD kept by Invo; NULL: not reported */
  invo_fee_usd: string | null;
  /** USD of the partner at settlement; NULL: not reported */
  partner_revenue_settled_usd: string | null;
  /** when it was named, or placed in time */
  found_at: Generated<string>;
  /** the person who looks into it; NULL: nobody */
  assigned_to: string | null;
  /** what a person found out; NULL: none */
  note: string | null;
  /** who wrote the note; NULL: no note */
  noted_by: string | null;
  /** when; NULL: no note */
  noted_at: string | null;
}

export interface DetailSettingTable {
  /** game of the setting */
  game_id: number;
  /** whether all card periods of a month are read; by_size: of months with fewer than 2,000 */
  card_periods: Generated<string>;
  /** whether all subscriptions of a month are read; by_size: up to 5,000 */
  subscriptions: Generated<string>;
  /** email of the person */
  set_by: string;
  /** when */
  set_at: Generated<string>;
}

export interface PayoutPolicyTable {
  /** game of the policy */
  game_id: number;
  /** 1, 2, 3 … of the game; a run names the one it was composed under */
  policy_no: number;
  /** USD; less is carried forward. 0.01 pays every whole cent */
  minimum_usd: Generated<string>;
  /** USD payable of a run from which two people approve; NULL: never */
  second_approval_from_usd: string | null;
  /** hours for which an equal re-check counts at submission and approval */
  recheck_hours: Generated<number>;
  /** a recipient whose net changed by more is listed before submission */
  change_percent: Generated<number>;
  /** USD; a first payment of at least this needs a note */
  first_payment_from_usd: Generated<string>;
  /** whether periods whose base differs are held until a person decides */
  holds_base_mismatch: Generated<boolean>;
  /** who proposed it; NULL: the defaults of a new game */
  proposed_by: string | null;
  /** when */
  proposed_at: Generated<string>;
  /** the second person; NULL: not in force, unless it is the defaults */
  confirmed_by: string | null;
  /** when; NULL: not confirmed */
  confirmed_at: string | null;
  /** when it was withdrawn or rejected; NULL: it wasn't */
  withdrawn_at: string | null;
}

export interface PayoutMinimumTable {
  /** game of the recipient */
  game_id: number;
  /** Invo's player_id of the recipient */
  recipient_player_id: number;
  /** 1, 2, 3 … of the recipient; the newest applies */
  minimum_no: number;
  /** USD; NULL: the policy's again */
  minimum_usd: string | null;
  /** who set it */
  set_by: string;
  /** when */
  set_at: Generated<string>;
}

export interface PayoutRunTable {
  /** game of the run */
  game_id: number;
  /** one run */
  run_id: GeneratedAlways<number>;
  /** 1, 2, 3 … of the game, as people call it; a voided run keeps its number */
  run_no: number;
  /** first instant of the month, where the run before ended */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** the complete snapshot it pays from */
  snapshot_id: number;
  /** the run whose balances it opens with; NULL: the first of the game */
  previous_run_id: number | null;
  /** the policy it is composed under */
  policy_no: number;
  /** state of the run */
  state: Generated<string>;
  /** changes of the row, counted; forms carry it */
  version: Generated<number>;
  /** compositions of the lines, counted */
  revision: Generated<number>;
  /** when holds, adjustments and minimums were read; NULL: not composed yet */
  composed_at: string | null;
  /** lines, one per recipient */
  line_count: Generated<number>;
  /** lines that pay something */
  payable_count: Generated<number>;
  /** USD, sums over the lines from here on */
  opening_usd: Generated<string>;
  /** USD */
  earned_usd: Generated<string>;
  /** USD */
  reversed_usd: Generated<string>;
  /** USD reported as reversed and deducted by an earlier run */
  pinned_usd: Generated<string>;
  /** USD */
  adjusted_usd: Generated<string>;
  /** USD */
  returned_usd: Generated<string>;
  /** USD */
  payable_usd: Generated<string>;
  /** USD carried forward */
  closing_usd: Generated<string>;
  /** SHA-256 over what was composed and from what; NULL: not composed yet */
  draft_digest: Buffer | null;
  /** everything an approval covers, as submitted; NULL: not submitted */
  content: ColumnType<unknown, string | null, string | null>;
  /** SHA-256 over the content; NULL: not submitted */
  content_digest: Buffer | null;
  /** people who must approve */
  approvals_wanted: Generated<number>;
  /** who started it */
  drafted_by: string;
  /** when */
  drafted_at: Generated<string>;
  /** who submitted it last; NULL: never */
  submitted_by: string | null;
  /** when; NULL: never */
  submitted_at: string | null;
  /** who rejected it; NULL: not rejected */
  rejected_by: string | null;
  /** why; NULL: not rejected */
  reject_reason: string | null;
  /** when the last approval came; NULL: not approved */
  approved_at: string | null;
  /** who asked to void it after approval; NULL: nobody */
  void_requested_by: string | null;
  /** why it is, or is to be, voided; NULL: neither */
  void_reason: string | null;
  /** who voided it; NULL: not voided */
  voided_by: string | null;
  /** when; NULL: not voided */
  voided_at: string | null;
  /** USD for one EUR, typed by a person, at which SEPA payments are converted; NULL: none */
  usd_per_eur: string | null;
  /** where the rate is from; NULL: no rate */
  eur_rate_source: string | null;
  /** when the last of its payments was in a file; NULL: some is in none */
  exported_at: string | null;
  /** when no payment was open any more; NULL: some is */
  paid_at: string | null;
  /** who closed it; NULL: not closed */
  closed_by: string | null;
  /** when; NULL: not closed */
  closed_at: string | null;
}

export interface PayoutHoldTable {
  /** game of the recipient */
  game_id: number;
  /** one hold */
  hold_id: GeneratedAlways<number>;
  /** whose money is held */
  recipient_player_id: number;
  /** the settled period it is about; NULL: the recipient */
  period_id: number | null;
  /** USD attributed for that period: no more than what is left of it is held; NULL: no period */
  attributed_usd: string | null;
  /** USD held at most; NULL: everything due */
  amount_usd: string | null;
  /** the run the recipient is excluded from; NULL: until released or expired */
  only_run_id: number | null;
  /** reason of the hold */
  reason_code: string;
  /** why, for people */
  note: string;
  /** who follows it up */
  assigned_to: string;
  /** who placed it */
  placed_by: string;
  /** when */
  placed_at: Generated<string>;
  /** nothing is held from then on; NULL: until released */
  expires_at: string | null;
  /** who released it; NULL: not released */
  released_by: string | null;
  /** when; NULL: not released */
  released_at: string | null;
  /** why it was released; NULL: not released */
  release_note: string | null;
}

export interface PayoutAdjustmentTable {
  /** game of the recipient */
  game_id: number;
  /** one adjustment */
  adjustment_id: GeneratedAlways<number>;
  /** whose balance it changes */
  recipient_player_id: number;
  /** USD, above zero is owed to the recipient */
  amount_usd: string;
  /** kind of adjustment; brought_forward: owed from before Sharebook */
  kind: string;
  /** printed on the recipient's statement */
  reason: string;
  /** the run it corrects; NULL: none */
  corrects_run_id: number | null;
  /** the period it corrects; NULL: none */
  corrects_period_id: number | null;
  /** id shared by the two halves of a transfer; NULL: no transfer */
  pair_id: number | null;
  /** who proposed it */
  proposed_by: string;
  /** when */
  proposed_at: Generated<string>;
  /** the second person; NULL: not confirmed */
  confirmed_by: string | null;
  /** when; NULL: not confirmed */
  confirmed_at: string | null;
  /** who withdrew or rejected it; NULL: nobody */
  withdrawn_by: string | null;
  /** when; NULL: it wasn't */
  withdrawn_at: string | null;
  /** the submitted or approved run that includes it; NULL: waits for the next */
  run_id: number | null;
}

export interface PayoutReversalTable {
  /** game of the run */
  game_id: number;
  /** the run */
  run_id: number;
  /** Invo's id of the refunded period */
  period_id: number;
  /** whose share was reversed */
  recipient_player_id: number;
  /** reported without receipts: contains what earlier months reported */
  is_coarse: boolean;
  /** USD attributed for the period when it settled */
  attributed_usd: string;
  /** USD Invo reports as reversed in this month */
  reported_usd: string;
  /** USD deducted before */
  taken_before_usd: string;
  /** USD this run deducts */
  taken_usd: string;
  /** USD reported and not deducted again */
  pinned_usd: GeneratedAlways<string>;
}

export interface PayoutLineTable {
  /** game of the run */
  game_id: number;
  /** the run */
  run_id: number;
  /** the recipient */
  recipient_player_id: number;
  /** newest snapshot that names the recipient, where name, email and identity are read; NULL: none does */
  seen_snapshot_id: number | null;
  /** as that snapshot reports; NULL: not reported */
  resolved: boolean | null;
  /** USD carried forward by the run before */
  opening_usd: string;
  /** USD, gross of the month */
  earned_usd: string;
  /** USD reported as reversed in the month */
  reversed_usd: string;
  /** USD of that deducted before */
  pinned_usd: string;
  /** USD of confirmed adjustments */
  adjusted_usd: string;
  /** USD of payments that came back */
  returned_usd: string;
  /** USD */
  due_usd: GeneratedAlways<string>;
  /** USD of it on hold */
  held_usd: string;
  /** USD, the minimum that applied */
  minimum_usd: string;
  /** USD, what all recipients of the same identity would be paid, compared with the minimum */
  together_usd: string;
  /** USD this run pays */
  payable_usd: string;
  /** USD carried forward */
  closing_usd: GeneratedAlways<string>;
  /** why it pays or doesn't */
  outcome: string;
  /** further reasons that apply, in order */
  also: Generated<string[]>;
  /** the payment details it pays to; NULL: it pays nothing, or its run is older than payment details */
  detail_no: number | null;
}

export interface PayoutNoteTable {
  /** game of the run */
  game_id: number;
  /** the run */
  run_id: number;
  /** the check of the close it answers */
  check_key: string;
  /** SHA-256 of what the check showed; other facts need a new note */
  facts: Buffer;
  /** why the run may go on */
  note: string;
  /** who wrote it */
  noted_by: string;
  /** when */
  noted_at: Generated<string>;
}

export interface UnattributedFindingTable {
  /** game of the month */
  game_id: number;
  /** first instant of the month */
  window_start: string;
  /** up to, not including */
  window_end: string;
  /** Invo's reason */
  reason: string;
  /** 1, 2, 3 … of the month and reason */
  finding_no: number;
  /** renewals it answers */
  renewal_count: number;
  /** what came out */
  conclusion: string;
  /** how, for people */
  note: string;
  /** who recorded it */
  found_by: string;
  /** when */
  found_at: Generated<string>;
  /** SHA-256 over the slices that had the renewals when it was recorded; NULL: recorded before this was stored, it answers snapshots made until then */
  facts: Buffer | null;
  /** Invo's ids of the renewals that reports named by then; fewer than there were: the others were not named */
  period_ids: Generated<string[]>;
}

export interface PayoutEditorTable {
  /** game of the run */
  game_id: number;
  /** the run */
  run_id: number;
  /** a person who worked on it, and so can't approve it */
  person_id: string;
  /** what they did */
  because: string;
  /** when first */
  edited_at: Generated<string>;
}

export interface PayoutApprovalTable {
  /** game of the run */
  game_id: number;
  /** the run */
  run_id: number;
  /** what was approved */
  content_digest: Buffer;
  /** who approved */
  approved_by: string;
  /** when */
  approved_at: Generated<string>;
  /** when they gave their password */
  proved_at: string;
}

export interface AccountMapTable {
  /** game whose books these are */
  game_id: number;
  /** 1, 2, 3 … of the game; the newest is used, and a file names the one it was written with */
  map_no: number;
  /** codes and names by account, versioned */
  accounts: ColumnType<unknown, string, string>;
  /** who set them */
  set_by: string;
  /** when */
  set_at: Generated<string>;
}

export interface JournalEntryTable {
  /** game of the run */
  game_id: number;
  /** 1, 2, 3 … of the game, in the order in which roundings carry over */
  entry_no: number;
  /** number in the books, such as 202610-A */
  journal_no: string;
  /** accrual of a run, card fees of its month, or what takes both back */
  kind: string;
  /** the run it is about */
  run_id: number;
  /** last day of the run's month */
  posted_on: string;
  /** whose approval, act or void wrote it */
  written_by: string;
  /** when */
  written_at: Generated<string>;
}

export interface JournalTransferTable {
  /** game of the journal */
  game_id: number;
  /** the journal */
  entry_no: number;
  /** 1, 2, 3 … of the journal */
  transfer_no: number;
  /** what moves; each kind has a running total */
  kind: string;
  /** account debited */
  debit: string;
  /** account credited */
  credit: string;
  /** USD to the last digit; below zero in a reversal */
  exact_usd: string;
  /** USD posted: the rounded running total of the kind, less what was posted of it before */
  posted_usd: string;
}

export interface RecipientStatementTable {
  /** game of the run */
  game_id: number;
  /** the approved run */
  run_id: number;
  /** whose statement it is */
  recipient_player_id: number;
  /** version of the layout it was drawn with */
  template_no: number;
  /** the PDF as it was first drawn; every later download is these bytes */
  pdf: Buffer;
  /** over the PDF */
  sha256: Buffer;
  /** when */
  drawn_at: Generated<string>;
}

export interface StatementJobTable {
  /** game of the run */
  game_id: number;
  /** the job */
  statement_job_id: GeneratedAlways<number>;
  /** the run whose statements it draws */
  run_id: number;
  /** email of the person */
  requested_by: string;
  /** when it was requested */
  requested_at: Generated<string>;
  /** state of the job */
  state: Generated<string>;
  /** the process that runs it; NULL: none */
  lease_owner: string | null;
  /** another process may take over after this; NULL: no lease */
  lease_until: string | null;
  /** attempts started */
  attempt_count: Generated<number>;
  /** statements stored so far, those drawn before included */
  drawn_count: Generated<number>;
  /** statements of the run */
  line_count: number;
  /** NULL: not ended */
  ended_at: string | null;
  /** what went wrong, for people; NULL: no failure */
  failure_message: string | null;
}

export interface NoticeTable {
  /** its game */
  game_id: number;
  /** one notice */
  notice_id: GeneratedAlways<number>;
  /** what happened */
  kind: string;
  /** what tells this fact from others of its kind: month; run and its version; run and digest of the other facts */
  subject: string;
  /** first instant of the month; NULL: about a person or a limit */
  window_start: string | null;
  /** number of the run in the game; NULL: about a month without one */
  run_no: number | null;
  /** USD payable by the run, or by which the net of the month changed; NULL: a month without a run */
  amount_usd: string | null;
  /** recipients the run pays; NULL: not about what a run pays */
  recipient_count: number | null;
  /** the person who did it, who gets no notice of it; NULL: Sharebook */
  actor_id: string | null;
  /** when it was recorded */
  occurred_at: Generated<string>;
  /** name of the person, or the limit, it is about; NULL: about a month or a run */
  about: string | null;
  /** roles the person was given, or that were asked for; NULL: not about roles */
  roles: string[] | null;
}

export interface NoticeDeliveryTable {
  /** game of the notice */
  game_id: number;
  /** the notice */
  notice_id: number;
  /** who gets it */
  person_id: string;
  /** when they marked it as read; NULL: unread */
  seen_at: string | null;
  /** its email. off: not wanted; unknown: the answer was lost, not sent again; expired: not accepted within a day */
  mail_state: string;
  /** when the email is sent, or tried again; NULL: it isn't */
  mail_next_at: string | null;
  /** attempts started */
  mail_attempt_count: Generated<number>;
  /** when the last attempt started; NULL: none */
  mail_tried_at: string | null;
  /** what the mail server answered last, as its code, or why it couldn't be reached; NULL: no error */
  mail_error: string | null;
}

export interface NoticeSettingTable {
  /** the person */
  person_id: string;
  /** kind of notice */
  kind: string;
  /** email: shown and emailed, as without a row; product: shown only; off: neither */
  reach: string;
}

export interface SecondFactorTable {
  /** whose codes these are */
  person_id: string;
  /** what the authenticator app holds: nonce, AES-256-GCM under a key of SHAREBOOK_AUTH_SECRET, tag; bound to the person */
  sealed_secret: Buffer;
  /** when the secret was made */
  made_at: Generated<string>;
  /** when its first code was right: from then on signing in needs a code; NULL: not set up, and nothing asks for a code */
  confirmed_at: string | null;
  /** time step (30 seconds since 1970) of the newest code that was used: it and older ones no longer count; NULL: none was */
  last_step: number | null;
}

export interface BackupCodeTable {
  /** whose code it is */
  person_id: string;
  /** SHA-256 of the code: the code itself is not stored */
  code_digest: Buffer;
  /** when it was made; new codes replace all earlier ones */
  made_at: Generated<string>;
  /** when it was used, which works once; NULL: not used */
  used_at: string | null;
}

export interface SecondFactorRoleTable {
  /** a role whose people need a second factor */
  role: string;
  /** the admin who required it */
  required_by: string;
  /** since when */
  required_at: Generated<string>;
}

export interface StartedSignInTable {
  /** SHA-256 of the token in the browser's cookie: the token itself is not stored */
  token_digest: Buffer;
  /** whose password was given */
  person_id: string;
  /** when the password was given */
  started_at: Generated<string>;
  /** from then on the password has to be given again */
  expires_at: string;
}

export interface DeliveryTable {
  /** the game whose address was called */
  game_id: number;
  /** one signed meaning; repeats of it are in delivery_repeat */
  delivery_id: GeneratedAlways<number>;
  /** X-Service-Idempotency-Key as received; NULL: no usable key came, see key_problem */
  idempotency_key: string | null;
  /** why the key was not usable; NULL: it was. The key is not signed */
  key_problem: string | null;
  /** SHA-256 over the signed event type, game id and data; of a body that can't be read, over its bytes */
  meaning_digest: Buffer;
  /** type of the event as Invo names it; NULL: the body can't be read */
  event_type: string | null;
  /** id of the game at Invo as the event names it; NULL: the body names none */
  tenant_id: string | null;
  /** id in the envelope, another one at each attempt; NULL: the body names none */
  event_id: string | null;
  /** X-Service-Event-Id, another one at each attempt; NULL: no such header */
  header_event_id: string | null;
  /** when the event happened, as Invo reports it; NULL: not reported, or no instant */
  event_created_at: string | null;
  /** the signed time of the signature header, whole seconds */
  signed_at: string;
  /** when it arrived, by the database clock */
  received_at: Generated<string>;
  /** which configured signing secret verified it; both: Invo signs with either during a rotation */
  secret_slot: string;
  /** X-Service-Secret-Version as received; NULL: no such header */
  secret_version: string | null;
  /** v1 values in the signature header */
  signature_count: number;
  /** the signed bytes, gzip; NULL: removed after 90 days, or never kept because they carry a code or token; the digest remains */
  body: Buffer | null;
  /** SHA-256 over the signed bytes */
  body_sha256: Buffer;
  /** length of the signed bytes */
  body_bytes: number;
  /** why it can't be followed; no_id: names nothing to read. NULL: it can */
  body_problem: string | null;
  /** posted by Sharebook to itself to check the set-up */
  is_test: Generated<boolean>;
  /** received: its reading is still to come; failing: it couldn't be made for a day or contradicts what is stored, or the body can't be followed; stale: signed more than 5 minutes from its arrival */
  state: string;
  /** the first delivery under the same key, which says something else; NULL: none */
  conflict_with: number | null;
  /** what it opens a reading of; NULL: nothing */
  read_kind: string | null;
  /** what is read, see delivery_read; NULL: nothing */
  read_subject: string | null;
  /** when a person settled a conflict or marked it as known; NULL: nobody did */
  settled_at: string | null;
  /** who did; NULL: nobody */
  settled_by: string | null;
  /** why, in their words; NULL: nobody did */
  settled_reason: string | null;
  /** further receipts that came in time */
  repeat_count: Generated<number>;
  /** when the last of these arrived, by the database clock; NULL: none */
  repeated_at: string | null;
  /** which configured signing secret verified that one; NULL: none */
  repeated_slot: string | null;
  /** X-Service-Secret-Version of that one; NULL: none, or no such header */
  repeated_version: string | null;
  /** further receipts that were signed more than 5 minutes from their arrival */
  late_count: Generated<number>;
  /** when the last of these arrived, by the database clock; NULL: none */
  late_at: string | null;
  /** the signed time of the repeat that opened its last reading; NULL: no repeat did */
  read_signed_at: string | null;
}

export interface DeliverySubjectTable {
  /** its game */
  game_id: number;
  /** what the id names; subscription_period: a subscription and the number of its period, with a space between */
  kind: string;
  /** the id as the event names it */
  id_text: string;
  /** the delivery that names it */
  delivery_id: number;
}

export interface DeliveryRepeatTable {
  /** its game */
  game_id: number;
  /** one further receipt */
  repeat_id: GeneratedAlways<number>;
  /** the delivery it repeats: the same signed meaning */
  delivery_id: number;
  /** key it came under; NULL: no usable one */
  idempotency_key: string | null;
  /** id in the envelope; NULL: the body names none */
  event_id: string | null;
  /** X-Service-Event-Id; NULL: no such header */
  header_event_id: string | null;
  /** the signed time of the signature header */
  signed_at: string;
  /** when it arrived, by the database clock */
  received_at: Generated<string>;
  /** which configured signing secret verified it; both: Invo signs with either during a rotation */
  secret_slot: string;
  /** X-Service-Secret-Version; NULL: no such header */
  secret_version: string | null;
  /** SHA-256 over its signed bytes, which are not kept */
  body_sha256: Buffer;
  /** it was signed more than 5 minutes from its arrival, and answered as too old */
  is_stale: boolean;
}

export interface DeliveryReadTable {
  /** its game */
  game_id: number;
  /** what is read; refund: the next look at our refund is brought forward, or the period of a refund that isn't ours is read */
  kind: string;
  /** the id of what is read; of a refund its idempotency key */
  subject: string;
  /** when a delivery or a person asked last */
  asked_at: Generated<string>;
  /** when it is read next; NULL: read since it was asked for, or given up */
  due_at: string | null;
  /** attempts since it was asked for */
  attempt_count: Generated<number>;
  /** when the first of these began; NULL: none */
  first_tried_at: string | null;
  /** a process reads it until then; NULL: none does */
  lease_until: string | null;
  /** when it last succeeded; NULL: never */
  read_at: string | null;
  /** what the last successful one came to; NULL: never */
  outcome: string | null;
  /** code of the last attempt's error; NULL: it succeeded, or none was made */
  last_error: string | null;
}

export interface DeliveryRefusalTable {
  /** the game whose address was called */
  game_id: number;
  /** start of the hour, UTC */
  hour: string;
  /** why nothing was stored */
  reason: string;
  /** requests refused in that hour for that reason */
  refusal_count: number;
  /** the last of them was counted */
  last_at: Generated<string>;
  /** SHA-256 over the body of one of them; NULL: no body was read */
  sample_sha256: Buffer | null;
}

export interface KnownOrderTable {
  /** its game */
  game_id: number;
  /** which of Invo's two order books answered */
  book: string;
  /** Invo's id of the order */
  order_id: string;
  /** the player who bought, where the answer names one that is known; NULL: not known */
  player_id: number | null;
  /** Invo's word when it was last read; NULL: not reported */
  status: string | null;
  /** Invo's id of the payment; NULL: not reported */
  transaction_id: string | null;
  /** the card processor's id of the payment; NULL: not reported */
  payment_intent_id: string | null;
  /** the game's idempotency key of the purchase; NULL: not reported */
  purchase_reference: string | null;
  /** Invo's name of the amount, such as usd_amount; NULL: no amount was reported */
  amount_field: string | null;
  /** the first amount reported, in the unit its name says; NULL: none was */
  amount: string | null;
  /** when it was last read from Invo */
  read_at: string;
}

export interface KnownTransferTable {
  /** its game; the two games of one transfer have a row each */
  game_id: number;
  /** Invo's id of the transfer */
  transaction_id: string;
  /** Invo's word when it was last read; NULL: not reported */
  transaction_status: string | null;
  /** Invo's word when it was last read; NULL: not reported */
  verification_state: string | null;
  /** currency units the sender gave, as reported; NULL: not reported */
  amount: string | null;
  /** currency units after fees, as reported; NULL: not reported */
  net_amount: string | null;
  /** until when it can be collected; NULL: not reported */
  claim_expires_at: string | null;
  /** Invo answered as to the game that receives */
  is_destination: boolean;
  /** when it was last read from Invo */
  read_at: string;
  /** the identity that receives it, as Invo reported it; NULL: not reported */
  to_identity_id: string | null;
}

export interface BalanceJobTable {
  /** game whose players are read */
  game_id: number;
  /** the job */
  balance_job_id: GeneratedAlways<number>;
  /** some: the addresses of an uploaded list; all: every player, in one stream */
  scope: string;
  /** email of the person, or "command line" */
  requested_by: string;
  /** when it was requested */
  requested_at: Generated<string>;
  /** state of the job */
  state: Generated<string>;
  /** the process that runs it; NULL: none */
  lease_owner: string | null;
  /** another process may take over after this; NULL: no lease */
  lease_until: string | null;
  /** attempts started; a stream has one */
  attempt_count: Generated<number>;
  /** when a person stopped it; NULL: nobody did */
  stop_requested_at: string | null;
  /** it waits for the rate limit until then; NULL: it doesn't wait */
  waiting_until: string | null;
  /** lines of the list with an address; NULL: no list */
  line_count: number | null;
  /** addresses to ask for, each once; NULL: no list */
  address_count: number | null;
  /** players whose balances were read */
  found_count: Generated<number>;
  /** addresses Invo doesn't know */
  unknown_count: Generated<number>;
  /** addresses, or records of the stream, without an answer that can be read; at the end also those never asked for */
  unanswered_count: Generated<number>;
  /** players in Invo's answers whom nobody asked for; they are not stored */
  stranger_count: Generated<number>;
  /** players or currencies met more than once; the later figure counts */
  repeated_count: Generated<number>;
  /** bytes of the stream received so far */
  received_bytes: Generated<number>;
  /** when the first answer was asked for; NULL: nothing was */
  read_from: string | null;
  /** when the last answer was stored; NULL: nothing was */
  read_until: string | null;
  /** every address was found or is unknown, or the stream ended whole; NULL: not ended */
  is_complete: boolean | null;
  /** what keeps the files from being complete, and what else their reader must know, in sentences */
  reasons: Generated<string[]>;
  /** NULL: not ended */
  ended_at: string | null;
  /** what went wrong, for people; NULL: no failure */
  failure_message: string | null;
  /** when what was read was deleted; NULL: it is stored */
  files_deleted_at: string | null;
}

export interface BalanceEntryTable {
  /** game of the job */
  game_id: number;
  /** the job */
  balance_job_id: number;
  /** place in the list, each address once, or in the stream; from 1 */
  entry_no: number;
  /** what makes two entries one: the email in lower case; of a stream "player" and the id where Invo gives one */
  entry_key: string;
  /** as asked for, or as Invo gives it; NULL: Invo gives none */
  email: string | null;
  /** lines of the list with this address; NULL: no list */
  asked_lines: number[] | null;
  /** the address as each of these lines spells it; NULL: no list */
  asked_emails: string[] | null;
  /** asked: to be asked for */
  outcome: string;
  /** why there is no readable answer: a word of ours or Invo's code; NULL: there is one, or none yet */
  reason: string | null;
  /** Invo's; NULL: not reported */
  player_id: string | null;
  /** as reported; NULL: not reported */
  player_name: string | null;
  /** the player across games, as reported; NULL: not reported */
  identity_id: string | null;
  /** instant as reported, in UTC; NULL: not reported */
  last_updated: string | null;
  /** when the answer was stored; NULL: none yet */
  read_at: string | null;
}

export interface BalanceHeldTable {
  /** game of the job */
  game_id: number;
  /** the job */
  balance_job_id: number;
  /** whose balance it is */
  entry_no: number;
  /** place among the player's currencies as reported, from 1 */
  position: number;
  /** Invo's; NULL: not reported */
  currency_id: string | null;
  /** as reported; NULL: not reported */
  currency_name: string | null;
  /** coins, below zero too; source: Invo */
  available_balance: string;
  /** coins; NULL: not reported */
  reserved_balance: string | null;
  /** coins, as reported and not computed; NULL: not reported */
  total_balance: string | null;
}

export interface PayoutPauseTable {
  /** game whose payouts are paused */
  game_id: number;
  /** 1, 2, 3 … */
  pause_no: GeneratedAlways<number>;
  /** the restore that is the reason */
  restore_no: number;
  /** when */
  paused_at: Generated<string>;
  /** approved runs that the data folder knows and this database lacks, by lib/payouts/rules/missing-run.ts; NULL: no data folder knows which runs were approved */
  missing: ColumnType<unknown, string | null, string | null>;
  /** the first person who asked to resume; NULL: nobody yet */
  resume_requested_by: string | null;
  /** the second person; NULL: still paused */
  resumed_by: string | null;
  /** when payouts were resumed; NULL: still paused */
  resumed_at: string | null;
  /** payment files, and payments recorded elsewhere, that the data folder knows and this database lacks, by lib/payouts/rules/missing-run.ts; NULL: no data folder knows */
  missing_files: ColumnType<unknown, string | null, string | null>;
}

export interface PersonConfirmationTable {
  /** the account */
  person_id: string;
  /** counts up for each account */
  confirmation_no: number;
  /** the person who did it; NULL: the operator, or nobody for an upgrade and simulated data */
  given_by: string | null;
  /** what they did. set_up_link, simulated and upgrade confirm an account alone; invitation and confirmation are one of two; password_link, factor_reset and enabled make it doubtful until someone else confirms it */
  basis: string;
  /** when */
  given_at: Generated<string>;
  /** when a doubt was cleared by a confirmation; NULL: it counts, a confirmation while who gave it is confirmed */
  ended_at: string | null;
}

export interface PersonSessionTable {
  /** SHA-256 of the token in the cookie, hex: the token itself is not stored */
  token_digest: string;
  /** the person who is signed in */
  person_id: string;
  /** sign-in; a session whose token was replaced keeps it */
  created_at: Generated<string>;
  /** the session ends then, active or not */
  expires_at: string;
  /** when the session was last used, to the minute */
  seen_at: Generated<string>;
  /** when the password, and the code where the person has a second factor, was last given in it; NULL: another token replaced this one, which proves nothing */
  proved_at: Generated<string | null>;
}

export interface PersonPasswordTable {
  /** whose password it is */
  person_id: string;
  /** argon2id hash with its parameters and salt */
  hash: string;
  /** when it was set */
  set_at: Generated<string>;
}

export interface PayeeDetailTable {
  /** game of the recipient */
  game_id: number;
  /** Invo's player_id of the recipient */
  recipient_player_id: number;
  /** 1, 2, 3 … of the recipient; the newest that is confirmed is in force */
  detail_no: number;
  /** Invo's identity_id of the recipient when they were proposed: details pay no other identity; NULL: Invo reported none */
  identity_id: string | null;
  /** who holds the account */
  holder_kind: string;
  /** how they are paid; none: not paid until others are confirmed */
  method: string;
  /** ISO 3166 code of the holder's country; NULL: not stated */
  country: string | null;
  /** the entries: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag; bound to game, recipient and number */
  sealed: Buffer;
  /** first characters of the SHA-256 of the key that seals it */
  key_name: string;
  /** the account as screens show it: its last characters at most */
  mask: string;
  /** HMAC of the account in one form under a key of SHAREBOOK_PAYEE_KEY: equal accounts of a game have equal ones; NULL: no account */
  fingerprint: Buffer | null;
  /** the imported file it was proposed by; NULL: typed by itself */
  change_set: string | null;
  /** why, for people */
  reason: string;
  /** who proposed it */
  proposed_by: string;
  /** when */
  proposed_at: Generated<string>;
  /** the second person; NULL: not confirmed */
  confirmed_by: string | null;
  /** when; NULL: not confirmed */
  confirmed_at: string | null;
  /** who withdrew it; NULL: nobody */
  withdrawn_by: string | null;
  /** when; NULL: it wasn't */
  withdrawn_at: string | null;
  /** random bytes in the digest, so that nobody guesses a mask by it; NULL: erased, or older than digests */
  salt: Buffer | null;
  /** of the row's facts and the salt; the audit of the proposal has it, or that of all rows of its file; NULL: older than digests */
  digest: Buffer | null;
  /** when an erasure removed what names the recipient; NULL: it wasn't */
  erased_at: string | null;
}

export interface PayoutSenderTable {
  /** game whose payments it sends */
  game_id: number;
  /** 1, 2, 3 … of the game */
  sender_no: number;
  /** the payments it sends; the newest that is confirmed is in force */
  method: string;
  /** settings and account of the partner: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag */
  sealed: Buffer;
  /** first characters of the SHA-256 of the key that seals it */
  key_name: string;
  /** the account as screens show it */
  mask: string;
  /** SHA-256 of what is sealed, which has random bytes; the audit of the proposal has it */
  digest: Buffer;
  /** who proposed it */
  proposed_by: string;
  /** when */
  proposed_at: Generated<string>;
  /** the second person; NULL: not confirmed */
  confirmed_by: string | null;
  /** when; NULL: not confirmed */
  confirmed_at: string | null;
  /** who withdrew it; NULL: nobody */
  withdrawn_by: string | null;
  /** when; NULL: it wasn't */
  withdrawn_at: string | null;
}

export interface PayoutBatchTable {
  /** game of the run */
  game_id: number;
  /** 1, 2, 3 … of the game; with the installation's code it is the ID that banks know the file by */
  batch_no: number;
  /** the run whose payments it has */
  run_id: number;
  /** how its payments are paid; elsewhere: outside Sharebook, without a file */
  method: string;
  /** layout of the file; NULL: no file */
  format: string | null;
  /** the ID in the file, used once */
  message_id: string;
  /** 1 of `part_count` */
  part_no: number;
  /** files made together of one layout */
  part_count: number;
  /** 1, 2, 3 … of the run when it has re-issued payments; NULL: the first payments */
  reissue_no: number | null;
  /** the sender it was written for; NULL: the layout needs none */
  sender_no: number | null;
  /** wall-clock time in the file, without a zone */
  created_local: string;
  /** day of payment; paid elsewhere: the day it was; NULL: the layout has none */
  execution_date: string | null;
  /** of NACHA, once per origin and day; NULL: the layout has none */
  file_id_modifier: string | null;
  /** what recipients read beside the reference; paid elsewhere: how */
  note: string;
  /** the run's rate; NULL: the file is in USD */
  usd_per_eur: string | null;
  /** where the rate is from; NULL: no rate */
  eur_rate_source: string | null;
  /** payments */
  item_count: number;
  /** USD */
  total_usd: string;
  /** of the file */
  currency: string;
  /** in the file's currency */
  total_file: string;
  /** NULL: no file */
  file_name: string | null;
  /** the file's bytes, compressed: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag; NULL: no file */
  sealed: Buffer | null;
  /** first characters of the SHA-256 of the key that seals it; NULL: no file */
  key_name: string | null;
  /** SHA-256 of the file's bytes; NULL: no file */
  sha256: Buffer | null;
  /** who made it */
  made_by: string;
  /** when */
  made_at: Generated<string>;
  /** who gave it to the bank or provider; paid elsewhere: the second person; NULL: nobody */
  handed_over_by: string | null;
  /** when that was recorded; NULL: it wasn't */
  handed_over_at: string | null;
  /** paid elsewhere: the payments it is about, so that no file takes them before it is decided; NULL: a file */
  item_nos: number[] | null;
  /** the bank's or provider's own number; NULL: none */
  provider_reference: string | null;
  /** the first person to cancel it; NULL: nobody */
  cancel_requested_by: string | null;
  /** why; NULL: nobody asked */
  cancel_reason: string | null;
  /** the second person; paid elsewhere: who withdrew or declined it; NULL: not cancelled */
  cancelled_by: string | null;
  /** when; NULL: not cancelled */
  cancelled_at: string | null;
  /** when it was requested to cancel it; NULL: nobody did */
  cancel_requested_at: string | null;
}

export interface AchFileIdTable {
  /** the originator, as its bank knows it */
  immediate_origin: string;
  /** day of the file */
  created_on: string;
  /** of one file of that day, whichever game it is of */
  modifier: string;
  /** game of the file */
  game_id: number;
  /** the file */
  batch_no: number;
}

export interface PayoutItemTable {
  /** game of the run */
  game_id: number;
  /** the run that pays it */
  run_id: number;
  /** 1, 2, 3 … of the run by recipient, then as they come; with game and run it is the payment reference */
  item_no: number;
  /** who is paid */
  recipient_player_id: number;
  /** USD */
  amount_usd: string;
  /** the payment it is a re-issue of; NULL: the first one of its line */
  replaces_item_no: number | null;
  /** who proposed the re-issue; NULL: the first one */
  proposed_by: string | null;
  /** when; NULL: the first one */
  proposed_at: string | null;
  /** why it is re-issued; NULL: the first one */
  reason: string | null;
  /** the second person of a re-issue; NULL: not confirmed, or the first one */
  confirmed_by: string | null;
  /** when; NULL: not confirmed, or the first one */
  confirmed_at: string | null;
  /** who withdrew or declined the re-issue; NULL: nobody */
  withdrawn_by: string | null;
  /** when; NULL: it wasn't */
  withdrawn_at: string | null;
  /** payment details it goes to: those the run was approved with, or the newest of a re-issue; NULL: not known before its file, or paid elsewhere */
  detail_no: number | null;
  /** its only file; NULL: in none yet */
  batch_no: number | null;
  /** in the file's currency; NULL: in no file yet */
  amount_file: string | null;
  /** trace number in a NACHA file; NULL: none */
  trace: string | null;
  /** the later run whose balance it came back to; NULL: none */
  returned_in_run_id: number | null;
  /** derived from files, reports and re-issues */
  state: Generated<string>;
}

export interface PaymentReportTable {
  /** game it was given for */
  game_id: number;
  /** 1, 2, 3 … of the game */
  report_no: number;
  /** layout */
  kind: string;
  /** as it was chosen; NULL: pasted */
  file_name: string | null;
  /** its bytes, compressed: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag */
  sealed: Buffer;
  /** first characters of the SHA-256 of the key that seals it */
  key_name: string;
  /** SHA-256 of its bytes: the same report is stored once */
  sha256: Buffer;
  /** which number of its dates is the day, as a person chose; NULL: its dates show it */
  date_order: string | null;
  /** rows that are about payments */
  row_count: number;
  /** rows about fees, which are left out */
  fee_count: number;
  /** what it said, in one sentence */
  result: string;
  /** who gave it */
  added_by: string;
  /** when */
  added_at: Generated<string>;
  /** version of the rules that it was read and matched by; NULL: earlier than version 1 */
  rules_version: number | null;
}

export interface PaymentConfirmationTable {
  /** game of the payment */
  game_id: number;
  /** the report */
  report_no: number;
  /** its row */
  row_no: number;
  /** the payment */
  run_id: number;
  /** its number in the run */
  item_no: number;
  /** what the row says of it */
  state: string;
  /** the provider's date; NULL: none */
  occurred_on: string | null;
  /** without its sign; NULL: the layout has none */
  amount: string | null;
  /** of the amount; NULL: none */
  currency: string | null;
  /** what banks took of a return, as a person confirmed; NULL: nothing */
  fee_usd: string | null;
  /** the provider's ID of the movement; NULL: none */
  provider_id: string | null;
  /** such as R01 or AC04; NULL: none */
  reason_code: string | null;
  /** what the row named it by; person: accepted with a note */
  matched_by: string;
  /** SHA-256 of the row's cells and its number among equal rows */
  row_digest: Buffer;
  /** when it was stored */
  confirmed_at: Generated<string>;
}

export interface PaymentReportRowTable {
  /** game of the report */
  game_id: number;
  /** the report */
  report_no: number;
  /** its row, which confirmed nothing by itself */
  row_no: number;
  /** why */
  problem: string;
  /** the payment it seems to be about; NULL: none, or several */
  run_id: number | null;
  /** its number in the run; NULL: none, or several */
  item_no: number | null;
  /** what the row says; NULL: its word isn't known */
  state: string | null;
  /** the provider's date; NULL: none */
  occurred_on: string | null;
  /** without its sign; NULL: the layout has none */
  amount: string | null;
  /** of the amount; NULL: none */
  currency: string | null;
  /** the provider's ID of the movement; NULL: none */
  provider_id: string | null;
  /** SHA-256 of the row's cells and its number among equal rows */
  row_digest: Buffer;
  /** accepted: it is about that payment; set_aside: it isn't; NULL: open */
  decision: string | null;
  /** who decided; NULL: open */
  decided_by: string | null;
  /** when; NULL: open */
  decided_at: string | null;
  /** why; NULL: open */
  note: string | null;
  /** the payment file that it is about as a whole; NULL: none, or a row from before files were stored here */
  batch_no: number | null;
}

export interface SnapshotDayTable {
  /** our number of the game */
  game_id: number;
  /** the snapshot whose lines are added up */
  snapshot_id: number;
  /** in the reporting time zone of the game; each day of the window that the snapshot reaches has a row, the last one perhaps in part */
  day: string;
  /** attributed amounts of renewals settled that day, in USD; 0: none */
  gross_attributed_usd: string;
  /** reversed amounts of refunds made that day, in USD; NULL: the report dates a reversal not, or outside of its window, so no day of the snapshot is known */
  reversed_attributed_usd: string | null;
}

export interface VerificationTable {
  /** our number */
  verification_id: GeneratedAlways<number>;
  /** the game it was limited to; NULL: every game */
  game_id: number | null;
  /** when it ended */
  ended_at: Generated<string>;
  /** snapshots it proved */
  snapshot_count: number;
  /** rows of the audit it proved */
  audit_count: number;
  /** rows that no longer follow from their evidence; 0: none */
  violation_count: number;
  /** whether it compared the chains with links that were stored elsewhere */
  has_heads: boolean;
}

export interface LookUpTable {
  /** our number of the game */
  game_id: number;
  /** who looked */
  person_id: string;
  /** the player they opened */
  player_id: number;
  /** when they did last */
  looked_at: string;
}

export interface ActionLimitTable {
  /** game whose actions the limit is for */
  game_id: number;
  /** group and role; with _day the limit for everything a person had approved automatically in the group within 24 hours */
  name: string;
  /** what is approved automatically, in USD for payments and in the game's coins for the other groups */
  limit_amount: string;
  /** email of the admin who set it */
  set_by: string;
  /** when it began to apply */
  set_at: Generated<string>;
  /** a higher limit that waits for a second person, in the same unit; NULL: none is requested */
  raise_amount: string | null;
  /** the admin who requested it; NULL: none is requested */
  raise_by: string | null;
  /** when it was requested; NULL: none is requested */
  raise_at: string | null;
}

export interface ActionPauseTable {
  /** game whose desk actions are paused */
  game_id: number;
  /** 1, 2, 3 … */
  pause_no: GeneratedAlways<number>;
  /** who paused them; NULL: Sharebook, because the database was restored */
  paused_by: string | null;
  /** when */
  paused_at: Generated<string>;
  /** the reason they gave */
  why: string;
  /** the first person who asked to resume; NULL: nobody yet */
  resume_requested_by: string | null;
  /** the second person; NULL: still paused */
  resumed_by: string | null;
  /** when actions were resumed; NULL: still paused */
  resumed_at: string | null;
  /** the restore that is the reason; NULL: a person paused them */
  restore_no: number | null;
}

export interface ActionSwitchTable {
  /** game whose group is turned on or off */
  game_id: number;
  /** the kinds of actions that are turned on together; a group without a row has the default of its environment */
  action_group: string;
  /** whether people may request these actions */
  is_on: boolean;
  /** who turned it on or off, of two people the second; NULL: the default of its environment */
  set_by: string | null;
  /** when */
  set_at: Generated<string>;
  /** the admin who asked to turn it on; NULL: nobody did */
  on_requested_by: string | null;
  /** when they asked; NULL: nobody did */
  on_requested_at: string | null;
}

export interface MilestoneNameTable {
  /** game whose events have the name */
  game_id: number;
  /** Invo's type of the event */
  event_type: string;
  /** milestone_key or event_name, exactly as registered with Invo */
  name: string;
  /** what people of the studio call it */
  label: string;
  /** the admin who added it */
  added_by: string;
  /** when */
  added_at: Generated<string>;
}

export interface DeskActionTable {
  /** game the player belongs to */
  game_id: number;
  /** ID of the action */
  action_id: GeneratedAlways<number>;
  /** which write it is */
  kind: string;
  /** who may send it again: a person, or nobody */
  repeats: string;
  /** made with its form: one form is one action */
  draft_id: string;
  /** what may be open only once */
  subject: string;
  /** player it is for */
  player_id: number;
  /** Invo's ID of the order it is about; NULL: none */
  order_id: string | null;
  /** idempotency key; NULL: the route takes none */
  reference: string | null;
  /** what counts towards a limit; NULL: nothing does */
  amount: string | null;
  /** of amount; NULL: nothing counts towards a limit */
  unit: string | null;
  /** what requester and approver saw, versioned; no name, email, phone, code or link */
  facts: ColumnType<unknown, string, string>;
  /** SHA-256 of the body that is sent */
  request_digest: Buffer;
  /** SHA-256 over everything an approval covers */
  content_digest: Buffer;
  /** why it is requested */
  reason_code: string;
  /** in their own words; NULL: none */
  reason_text: string | null;
  /** reference of the ticket; NULL: none */
  ticket: string | null;
  /** where it is: waiting for people, for Invo or for a reading, or ended */
  state: string;
  /** raised by each change */
  version: Generated<number>;
  /** when it entered the state */
  state_since: Generated<string>;
  /** who requested it */
  requested_by: string;
  /** when */
  requested_at: Generated<string>;
  /** it was beyond the limits of who requested it */
  needs_second_approver: boolean;
  /** policy: within the limits of who requested it; person: a second person; NULL: not approved */
  approval: string | null;
  /** the second person; NULL: not approved by one */
  approved_by: string | null;
  /** when; NULL: not approved */
  approved_at: string | null;
  /** content digest it was approved with; NULL: not approved */
  approved_digest: Buffer | null;
  /** when the first attempt was committed; NULL: none was */
  first_sent_at: string | null;
  /** when the newest attempt was committed; NULL: none was */
  last_sent_at: string | null;
  /** attempts that were committed */
  attempt_count: Generated<number>;
  /** attempts after which Invo may have executed it */
  unanswered_count: Generated<number>;
  /** process that is sending it; NULL: none is */
  lease_owner: string | null;
  /** when the worker continues with it; NULL: never */
  next_look_at: string | null;
  /** afterwards people decide, or it expires; NULL: it isn't being settled */
  settle_until: string | null;
  /** listed fields of Invo's answer, by Invo's names; NULL: no answer had any */
  result: ColumnType<unknown, string | null, string | null>;
  /** of the newest answer or reading; NULL: it had none */
  last_error_code: string | null;
  /** Invo's ID of that error; NULL: it had none */
  last_error_id: string | null;
  /** why people must look; NULL: they needn't */
  attention_reason: string | null;
  /** how it is known to be done; NULL: it isn't done */
  outcome_source: string | null;
  /** order that a payment link was paid by; NULL: not known */
  paid_order_id: string | null;
  /** when it entered its final state; NULL: it is open */
  ended_at: string | null;
  /** exact bytes that the worker sends; NULL: another kind, or it ended */
  request_bytes: Buffer | null;
  /** start that this is a step of; NULL: it is none */
  parent_id: number | null;
  /** Invo's transaction that an approval moves; NULL: it moves none */
  transaction_id: string | null;
  /** whose answer a start waits for; NULL: nobody's */
  waits_for: string | null;
  /** end of the window that Invo reported; NULL: not reported, or it doesn't wait */
  waits_until: string | null;
}

export interface DeskActionAttemptTable {
  /** game of the action */
  game_id: number;
  /** action that was sent */
  action_id: number;
  /** as of the action */
  repeats: string;
  /** 1, 2, 3 … */
  attempt_no: number;
  /** process that sent it */
  owner: string;
  /** who pressed; NULL: the worker */
  sent_by: string | null;
  /** before the first byte was sent */
  committed_at: Generated<string>;
  /** SHA-256 of the body */
  request_digest: Buffer;
  /** when its answer, or that there is none, was recorded; NULL: it is being sent */
  finished_at: string | null;
  /** what the answer means; NULL: it is being sent */
  class: string | null;
  /** how far the exchange went */
  phase: string | null;
  /** HTTP status; NULL: no answer came */
  status: number | null;
  /** of Invo, or ours of the connection error; NULL: none */
  error_code: string | null;
  /** Invo's ID of the error; NULL: none */
  error_id: string | null;
  /** listed fields of the answer by Invo's names; NULL: it had none */
  answer_facts: ColumnType<unknown, string | null, string | null>;
  /** the answer as people may read it; NULL: of this kind nothing is stored, or no answer came */
  body: Buffer | null;
  /** of the bytes received; NULL: of this kind nothing is stored, or no answer came */
  sha256: Buffer | null;
  /** how long Invo asked to wait; NULL: it didn't */
  retry_after_ms: number | null;
}

export interface DeskActionReadTable {
  /** game of the action */
  game_id: number;
  /** action it was read for */
  action_id: number;
  /** 1, 2, 3 … */
  read_no: number;
  /** what was read */
  kind: string;
  /** what Invo reported, without names and emails */
  facts: ColumnType<unknown, string, string>;
  /** when */
  read_at: Generated<string>;
}

export interface DeskActionDecisionTable {
  /** game of the action */
  game_id: number;
  /** action whose outcome is recorded */
  action_id: number;
  /** 1, 2, 3 … */
  decision_no: number;
  /** the outcome */
  decision: string;
  /** of this kind one person is enough */
  is_alone: boolean;
  /** who recorded it */
  proposed_by: string;
  /** when */
  proposed_at: Generated<string>;
  /** what it rests on, in their words */
  proposed_text: string;
  /** newest reading at that time; NULL: nothing was read */
  read_no: number | null;
  /** the second person; NULL: not confirmed, or one was enough */
  confirmed_by: string | null;
  /** when it took effect; NULL: not yet */
  confirmed_at: string | null;
  /** when it was discarded; NULL: it wasn't */
  withdrawn_at: string | null;
}

export interface HouseAccountTable {
  /** game the account is in */
  game_id: number;
  /** ID of the entry: a changed account is another entry */
  house_account_id: GeneratedAlways<number>;
  /** player account of the studio */
  player_id: number;
  /** what people call it */
  label: string;
  /** E.164 number of the phone that approves, sealed; NULL: the entry was removed */
  sealed_phone: Buffer | null;
  /** its last two digits */
  phone_end: string;
  /** admin who requested it */
  requested_by: string;
  /** when */
  requested_at: Generated<string>;
  /** second person; NULL: not confirmed, or a sandbox game */
  confirmed_by: string | null;
  /** since when people send from it; NULL: not yet */
  confirmed_at: string | null;
  /** who removed or rejected it; NULL: nobody */
  removed_by: string | null;
  /** when; NULL: it wasn't */
  removed_at: string | null;
}

export interface DeviceGrantTable {
  /** game of the start */
  game_id: number;
  /** ID of the grant */
  grant_id: GeneratedAlways<number>;
  /** start or receipt that the phone approves */
  action_id: number;
  /** Invo's transaction */
  transaction_id: string;
  /** Invo's word for what is approved */
  flow: string;
  /** what the phone has answered */
  state: Generated<string>;
  /** device code, sealed; NULL: not issued yet, or the grant is over */
  sealed_code: Buffer | null;
  /** who requested the approval */
  requested_by: string;
  /** when */
  requested_at: Generated<string>;
  /** seconds between two polls, as Invo reports them; NULL: not started at Invo */
  interval_s: number | null;
  /** when it may be polled again; NULL: it is over */
  next_poll_at: string | null;
  /** when Invo ends it; NULL: not started at Invo */
  expires_at: string | null;
  /** when the phone approved, as Invo reports it; NULL: it didn't, or not reported */
  approved_at: string | null;
}

export interface HeldPhoneTable {
  /** game of the start */
  game_id: number;
  /** start that waits for the owner of its phone */
  action_id: number;
  /** phone of the start, sealed: only web processes open it */
  sealed_phone: Buffer;
  /** when Invo answered that the owner must agree */
  held_at: Generated<string>;
  /** when Invo was last requested whether they agreed; NULL: never */
  read_at: string | null;
  /** what Invo reported then, false for a refusal too; NULL: not read */
  has_agreed: boolean | null;
}

export interface ActionSettingTable {
  /** game it applies to */
  game_id: number;
  /** Invo's word for a send when a phone is asked: the documents name none */
  send_flow: string;
  /** admin who set it */
  set_by: string;
  /** when */
  set_at: Generated<string>;
}

export interface GameLockTable {
  /** game that is locked */
  game_id: number;
  /** names: shared by what stores one, exclusive for an erasure. readings: shared by what stores one, exclusive for an instant that none precedes. sends: shared by attempts that start, exclusive for what stops or limits them */
  purpose: string;
}

export interface Database {
  game: GameTable;
  rate_bucket: RateBucketTable;
  rate_call: RateCallTable;
  pull: PullTable;
  slice: SliceTable;
  slice_recipient: SliceRecipientTable;
  renewal_line: RenewalLineTable;
  reversal_line: ReversalLineTable;
  refund_event: RefundEventTable;
  snapshot: SnapshotTable;
  snapshot_slice: SnapshotSliceTable;
  snapshot_check: SnapshotCheckTable;
  snapshot_recipient: SnapshotRecipientTable;
  recheck: RecheckTable;
  response: ResponseTable;
  audit: AuditTable;
  person: PersonTable;
  set_up_link: SetUpLinkTable;
  sign_in_attempt: SignInAttemptTable;
  detail_read: DetailReadTable;
  known_player: KnownPlayerTable;
  known_subscription: KnownSubscriptionTable;
  known_id: KnownIdTable;
  refund_limit: RefundLimitTable;
  refund: RefundTable;
  refund_attempt: RefundAttemptTable;
  refund_read: RefundReadTable;
  refund_decision: RefundDecisionTable;
  refund_pause: RefundPauseTable;
  current_window: CurrentWindowTable;
  rendition: RenditionTable;
  rendition_part: RenditionPartTable;
  month_comparison: MonthComparisonTable;
  database_mark: DatabaseMarkTable;
  database_restore: DatabaseRestoreTable;
  snapshot_drift: SnapshotDriftTable;
  repeated_reversal: RepeatedReversalTable;
  pull_schedule: PullScheduleTable;
  recipient_salt: RecipientSaltTable;
  recipient_erasure: RecipientErasureTable;
  audit_link: AuditLinkTable;
  report_read: ReportReadTable;
  detail_job: DetailJobTable;
  detail_month: DetailMonthTable;
  unattributed_renewal: UnattributedRenewalTable;
  detail_setting: DetailSettingTable;
  payout_policy: PayoutPolicyTable;
  payout_minimum: PayoutMinimumTable;
  payout_run: PayoutRunTable;
  payout_hold: PayoutHoldTable;
  payout_adjustment: PayoutAdjustmentTable;
  payout_reversal: PayoutReversalTable;
  payout_line: PayoutLineTable;
  payout_note: PayoutNoteTable;
  unattributed_finding: UnattributedFindingTable;
  payout_editor: PayoutEditorTable;
  payout_approval: PayoutApprovalTable;
  account_map: AccountMapTable;
  journal_entry: JournalEntryTable;
  journal_transfer: JournalTransferTable;
  recipient_statement: RecipientStatementTable;
  statement_job: StatementJobTable;
  notice: NoticeTable;
  notice_delivery: NoticeDeliveryTable;
  notice_setting: NoticeSettingTable;
  second_factor: SecondFactorTable;
  backup_code: BackupCodeTable;
  second_factor_role: SecondFactorRoleTable;
  started_sign_in: StartedSignInTable;
  delivery: DeliveryTable;
  delivery_subject: DeliverySubjectTable;
  delivery_repeat: DeliveryRepeatTable;
  delivery_read: DeliveryReadTable;
  delivery_refusal: DeliveryRefusalTable;
  known_order: KnownOrderTable;
  known_transfer: KnownTransferTable;
  balance_job: BalanceJobTable;
  balance_entry: BalanceEntryTable;
  balance_held: BalanceHeldTable;
  payout_pause: PayoutPauseTable;
  person_confirmation: PersonConfirmationTable;
  person_session: PersonSessionTable;
  person_password: PersonPasswordTable;
  payee_detail: PayeeDetailTable;
  payout_sender: PayoutSenderTable;
  payout_batch: PayoutBatchTable;
  ach_file_id: AchFileIdTable;
  payout_item: PayoutItemTable;
  payment_report: PaymentReportTable;
  payment_confirmation: PaymentConfirmationTable;
  payment_report_row: PaymentReportRowTable;
  snapshot_day: SnapshotDayTable;
  verification: VerificationTable;
  look_up: LookUpTable;
  action_limit: ActionLimitTable;
  action_pause: ActionPauseTable;
  action_switch: ActionSwitchTable;
  milestone_name: MilestoneNameTable;
  desk_action: DeskActionTable;
  desk_action_attempt: DeskActionAttemptTable;
  desk_action_read: DeskActionReadTable;
  desk_action_decision: DeskActionDecisionTable;
  house_account: HouseAccountTable;
  device_grant: DeviceGrantTable;
  held_phone: HeldPhoneTable;
  action_setting: ActionSettingTable;
  game_lock: GameLockTable;
  current_snapshot: SnapshotTable;
}
