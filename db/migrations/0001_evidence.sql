-- Evidence: requests to Invo, its responses, and the snapshots built from them.
-- A slice is a window pulled once, whole. A snapshot lists the slices that tile a window and the totals Invo gave for it.
-- Neither is ever updated: a correction is a new row that references the old one. Primary keys start with game_id.

create domain usd as numeric check (value not in ('NaN', 'Infinity', '-Infinity'));
create domain coins as numeric check (value not in ('NaN', 'Infinity', '-Infinity'));
create domain digest as bytea check (octet_length(value) = 32);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create table game (
  game_id int generated always as identity primary key, -- Sharebook's ID of one game in one environment
  slug text not null check (slug ~ '^[a-z0-9-]{1,40}$'), -- the game in addresses and commands, from the configuration
  environment text not null check (environment in ('production', 'sandbox')), -- Invo's environment; the two are separate
  name text not null, -- display name, from the configuration
  time_zone text not null, -- IANA time zone of its months, from the configuration
  invo_game_id text, -- Invo's own game_id as text, pinned by the first report; NULL: no report yet
  previous_secret_used_at timestamptz, -- when Invo last refused the current secret and accepted the previous one; NULL: never
  created_at timestamptz not null default clock_timestamp(), -- when the game was first stored
  unique (slug, environment)
);

create table rate_bucket (
  game_id int not null references game, -- game of the budget
  bucket text not null, -- aggregate, detail, or subscription:<id>
  paused_until timestamptz, -- Invo asked to wait until then (Retry-After); NULL: no wait requested
  primary key (game_id, bucket)
);

create table rate_call (
  game_id int not null, -- game of the budget
  bucket text not null, -- which budget
  called_at timestamptz not null default clock_timestamp(), -- when the call was allowed, database clock
  call_id bigint generated always as identity, -- distinguishes calls of one instant
  primary key (game_id, bucket, called_at, call_id),
  foreign key (game_id, bucket) references rate_bucket
);

create table pull (
  game_id int not null references game, -- game of the window
  pull_id bigint generated always as identity, -- the job
  window_start timestamptz not null, -- first instant asked for
  window_end timestamptz not null, -- up to, not including
  is_fresh boolean not null, -- pull everything again as new versions, reuse nothing
  requested_by text not null, -- email of the person, or "command line", or "schedule"
  requested_at timestamptz not null default clock_timestamp(), -- when it was requested
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')), -- state of the job
  lease_owner text, -- the process that runs it; NULL: none
  lease_until timestamptz, -- another process may take over after this; NULL: no lease
  attempt_count int not null default 0, -- attempts started
  call_count int not null default 0, -- calls answered so far
  planned_call_count int, -- calls expected in total; NULL: not known yet
  line_count int not null default 0, -- renewal and reversal lines stored so far
  waiting_until timestamptz, -- waiting for the rate limit until then; NULL: not waiting
  doing text, -- current step, as text; NULL: not started
  started_at timestamptz, -- first attempt; NULL: not started
  ended_at timestamptz, -- NULL: not ended
  snapshot_id bigint, -- the snapshot it produced; NULL: none
  failure_code text, -- Sharebook's code of the failure; NULL: no failure
  failure_sentence text, -- the same for the person who must act; NULL: no failure
  failure_error_id text, -- Invo's error_id to quote; NULL: none was given
  primary key (game_id, pull_id),
  check (window_start < window_end),
  check ((state in ('done', 'failed')) = (ended_at is not null)),
  check ((state = 'failed') = (failure_code is not null))
);
create unique index pull_active on pull (game_id, window_start, window_end) where state in ('queued', 'running');
create index pull_waiting on pull (requested_at) where state in ('queued', 'running');

create table slice (
  game_id int not null references game, -- game of the window
  slice_id bigint generated always as identity, -- one pull of one window
  window_start timestamptz not null, -- first instant it covers
  window_end timestamptz not null, -- up to, not including
  version int not null check (version >= 1), -- 1 for the first pull of this very window, then counting
  supersedes_slice_id bigint, -- the previous version; NULL: this is the first
  pull_id bigint not null, -- the pull that stored it
  pulled_at timestamptz not null default clock_timestamp(), -- when it was stored
  generated_at text not null, -- Invo's clock on the earliest page, ISO 8601 in UTC as reported
  call_count int not null, -- calls it took
  renewals_settled bigint not null, -- Invo's totals of this window from here on, in its own names
  settled_gross_usd usd not null, -- USD
  invo_fee_usd usd not null, -- USD, never reversed by a refund
  partner_revenue_settled_usd usd not null, -- USD
  partner_revenue_reversed_usd usd not null, -- USD, revenue only: card fees on refunds are not in it
  partner_revenue_usd usd not null, -- USD, settled less reversed; movement of the window, not a balance
  renewals_with_attribution bigint not null, -- count
  renewals_without_attribution bigint not null, -- count; these have no lines
  unattributed_reasons jsonb not null, -- object of counts by Invo's reason
  gross_attributed_usd usd not null, -- USD
  reversed_attributed_usd usd not null, -- USD
  net_attributed_usd usd not null, -- USD
  renewals_settled_then_fully_reversed bigint not null, -- count; does not add over slices
  refund_events_in_window bigint not null, -- count
  reversals_without_receipts bigint not null, -- count
  recipient_count bigint not null, -- count; does not add over slices
  renewal_line_count bigint not null, -- renewal lines stored
  reversal_line_count bigint not null, -- reversals stored, one per period
  reversal_event_count bigint not null, -- rows this slice gives the reversals sheet
  notice_count int not null, -- answers among call_count that carried Invo's fixed attribution notice
  ties_out boolean not null, -- every line Invo counted is stored and its own hard checks match; false: kept as evidence, never reused
  digest digest not null, -- SHA-256 over the money facts of its lines and totals
  primary key (game_id, slice_id),
  unique (game_id, window_start, window_end, version),
  foreign key (game_id, pull_id) references pull,
  check (window_start < window_end)
);

create table slice_recipient (
  game_id int not null, -- game of the slice
  slice_id bigint not null, -- the slice
  recipient_player_id bigint not null, -- Invo's player_id of the recipient within this game
  resolved boolean, -- false: Invo could not find the player record; NULL: not recorded
  player_email text, -- contact, not a key; NULL: unresolved or not recorded
  player_name text, -- as Invo gave it; NULL: unresolved or not recorded
  identity_id text, -- the same human across games; NULL: unresolved or not recorded
  renewal_count bigint not null, -- Invo's count for this window
  reversal_count bigint not null, -- Invo's count for this window
  subscription_count bigint not null, -- Invo's count; does not add over slices
  gross_attributed_usd usd not null, -- USD
  reversed_attributed_usd usd not null, -- USD
  net_attributed_usd usd not null, -- USD
  first_paid_at text, -- ISO 8601 UTC as reported; NULL: nothing settled in this window
  last_paid_at text, -- ISO 8601 UTC as reported; NULL: nothing settled in this window
  primary key (game_id, slice_id, recipient_player_id),
  foreign key (game_id, slice_id) references slice
);

create table renewal_line (
  game_id int not null, -- game of the slice
  slice_id bigint not null, -- the slice
  period_id bigint not null, -- Invo's id of the settled period
  recipient_player_id bigint not null, -- the recipient it is attributed to
  paid_at timestamptz not null, -- when it settled, to the microsecond, for order
  paid_at_reported text not null, -- the same instant in UTC with the fraction as reported
  subscription_id text not null, -- Invo's
  period_seq bigint, -- 1-based number of the period in its subscription; NULL: not recorded
  item_id text, -- NULL: not recorded
  item_name text, -- NULL: not recorded
  status text, -- Invo's period status when pulled, may change later; NULL: not recorded
  period_start text, -- billing period, ISO 8601 UTC as reported; NULL: not recorded
  period_end text, -- billing period, ISO 8601 UTC as reported; NULL: not recorded
  amount_usd usd not null, -- USD, price snapshot at the charge
  invo_fee_usd usd not null, -- USD, kept by Invo whatever is refunded
  partner_revenue_usd usd not null, -- USD, net of reversal when pulled, may change later
  partner_revenue_settled_usd usd not null, -- USD at settlement
  partner_revenue_reversed_usd usd not null, -- USD reversed when pulled, may change later
  percent_at_renewal text, -- share in force then, percent as reported; NULL: not recorded
  base_usd usd, -- USD the share was taken of, after Invo's fee; NULL: not recorded
  attributed_amount_usd usd not null, -- USD recorded for the recipient at settlement
  base_matches_settled_fee boolean, -- false: recorded and expected base differ; NULL: not checked
  expected_base_usd usd, -- USD, Invo's recomputation; NULL: not recorded
  recorded_base_usd usd, -- USD, Invo's record; NULL: not recorded
  rail text, -- card or pcstore; NULL: not recorded
  amount_coins coins, -- coins; NULL: not recorded
  balance_applied_coins coins, -- coins taken from the wallet, never converted; NULL: not recorded
  card_charged_usd usd, -- USD; NULL: not recorded
  pcstore_charged_usd usd, -- USD; NULL: not recorded
  refunded_amount_usd usd, -- USD refunded when pulled, reference only, may change later; NULL: not recorded
  refunded_at text, -- latest refund when pulled, reference only; NULL: none or not recorded
  transaction_id text, -- NULL: not recorded
  mint_order_id text, -- NULL: the wallet covered the period, or not recorded
  primary key (game_id, slice_id, period_id),
  foreign key (game_id, slice_id) references slice
);
create index renewal_line_order on renewal_line (game_id, slice_id, recipient_player_id, paid_at, period_id);
create index renewal_line_period on renewal_line (game_id, period_id);
create index renewal_line_subscription on renewal_line (game_id, subscription_id, period_seq);
create index renewal_line_recipient on renewal_line (game_id, recipient_player_id, subscription_id);
create index renewal_line_base on renewal_line (game_id, slice_id, period_id) where base_matches_settled_fee = false;

create table reversal_line (
  game_id int not null, -- game of the slice
  slice_id bigint not null, -- the slice
  period_id bigint not null, -- Invo's id of the period that was refunded
  recipient_player_id bigint not null, -- the recipient it is deducted from
  subscription_id text not null, -- Invo's
  period_seq bigint, -- NULL: not recorded
  status text, -- Invo's period status when pulled; NULL: not recorded
  paid_at timestamptz not null, -- when the period settled, for order and window arithmetic
  paid_at_reported text not null, -- the same instant in UTC with the fraction as reported
  amount_usd usd, -- USD, the period's price; NULL: not recorded
  originally_attributed_usd usd not null, -- USD recorded for the recipient at settlement
  reversed_attributed_usd usd not null, -- USD reversed for the recipient in this window only
  partner_revenue_reversed_usd usd, -- USD of partner revenue reversed in this window; NULL: not recorded
  refunded_to_date_usd usd, -- USD, cumulative, reference only; NULL: not recorded
  latest_refund_at text, -- cumulative, reference only; NULL: not recorded
  reversal_basis text not null, -- refund_receipts, period_row (coarse), or a later value of Invo
  settled_in_this_window boolean, -- Invo's flag for the slice's own window; NULL: not recorded
  nets_to_zero_in_window boolean, -- Invo's flag for the slice's own window; NULL: not recorded
  note text, -- Invo's explanation; NULL: none
  primary key (game_id, slice_id, period_id),
  foreign key (game_id, slice_id) references slice
);
create index reversal_line_order on reversal_line (game_id, slice_id, recipient_player_id, period_id);
create index reversal_line_period on reversal_line (game_id, period_id);
create index reversal_line_subscription on reversal_line (game_id, subscription_id, period_seq);

create table refund_event (
  game_id int not null, -- game of the slice
  slice_id bigint not null, -- the slice
  period_id bigint not null, -- the refunded period
  event_no int not null, -- 1, 2, 3 … of that period in that slice, by time
  recipient_player_id bigint not null, -- the recipient it is deducted from
  refunded_at timestamptz not null, -- when the refund happened, for order
  refunded_at_reported text not null, -- the same instant in UTC with the fraction as reported
  refunded_amount_usd usd not null, -- USD of this refund
  cumulative_refunded_before_usd usd not null, -- USD refunded on the period before it
  cumulative_refunded_after_usd usd not null, -- USD refunded on the period after it
  reversed_attributed_usd usd not null, -- USD it reverses for the recipient
  partner_revenue_reversed_usd usd, -- USD of partner revenue it reverses; NULL: not recorded
  partner_revenue_reversal_basis text, -- clawback, sale_fee_row_reversed, none; NULL: not recorded
  is_full_refund boolean not null, -- it completed the period
  primary key (game_id, slice_id, period_id, event_no),
  foreign key (game_id, slice_id, period_id) references reversal_line
);
create index refund_event_order on refund_event (game_id, slice_id, recipient_player_id, refunded_at, period_id);

create table snapshot (
  game_id int not null references game, -- game of the window
  snapshot_id bigint generated always as identity, -- ID of the snapshot
  chain_no bigint not null check (chain_no >= 1), -- 1, 2, 3 … within the game, without gap
  previous_digest digest, -- digest of chain_no - 1; NULL: this is the first
  digest digest not null, -- SHA-256 over previous digest, window, slice digests and control totals
  pull_id bigint not null, -- the job that built it
  created_at timestamptz not null default clock_timestamp(), -- when it was stored
  window_start timestamptz not null, -- first instant it covers
  window_end timestamptz not null, -- up to, not including, as requested
  covered_until timestamptz not null, -- how far the slices reach; window_end once the window is closed
  standing text not null check (standing in ('complete', 'open', 'inconsistent')), -- complete: closed, whole and every hard check matches
  generated_at text not null, -- Invo's clock on the control totals, ISO 8601 UTC as reported
  control_window_count int not null check (control_window_count >= 1), -- adjoining windows Invo answered for the control totals
  renewals_settled bigint not null, -- Invo's totals of the whole window from here on, in its own names
  settled_gross_usd usd not null, -- USD
  invo_fee_usd usd not null, -- USD, never reversed by a refund
  partner_revenue_settled_usd usd not null, -- USD
  partner_revenue_reversed_usd usd not null, -- USD, revenue only
  partner_revenue_usd usd not null, -- USD, movement of the window
  renewals_with_attribution bigint not null, -- count
  renewals_without_attribution bigint not null, -- count; these have no lines
  unattributed_reasons jsonb not null, -- object of counts by Invo's reason
  gross_attributed_usd usd not null, -- USD
  reversed_attributed_usd usd not null, -- USD
  net_attributed_usd usd not null, -- USD
  renewals_settled_then_fully_reversed bigint, -- count; NULL: not available, Invo answered in several windows
  refund_events_in_window bigint not null, -- count
  reversals_without_receipts bigint not null, -- count
  recipient_count bigint not null, -- count of recipients in snapshot_recipient
  renewal_line_count bigint not null, -- renewal lines in its slices
  reversal_event_count bigint not null, -- rows of the reversals sheet
  owed_back_count bigint not null, -- recipients whose net is below zero
  owed_back_usd usd not null, -- USD, the sum of those nets, zero or negative
  unresolved_recipient_count bigint not null, -- recipients Invo could not find
  base_mismatch_count bigint not null, -- lines whose recorded base differs from the expected one
  coarse_reversal_count bigint not null, -- period_row reversals
  open_question_count bigint not null, -- unattributed renewals other than the benign reason + the three counts above
  primary key (game_id, snapshot_id),
  unique (game_id, chain_no),
  foreign key (game_id, pull_id) references pull,
  check (window_start < window_end and covered_until > window_start and covered_until <= window_end),
  check (standing <> 'complete' or covered_until = window_end)
);
create index snapshot_window on snapshot (game_id, window_start, window_end, snapshot_id desc);

create table snapshot_slice (
  game_id int not null, -- game of the snapshot
  snapshot_id bigint not null, -- the snapshot
  slice_no int not null, -- 1, 2, 3 … in order of time
  slice_id bigint not null, -- the slice
  primary key (game_id, snapshot_id, slice_no),
  unique (game_id, snapshot_id, slice_id),
  foreign key (game_id, snapshot_id) references snapshot,
  foreign key (game_id, slice_id) references slice
);

create table snapshot_check (
  game_id int not null, -- game of the snapshot
  snapshot_id bigint not null, -- the snapshot
  check_no int not null, -- order in the reconciliation
  name text not null, -- stable name of the check
  severity text not null check (severity in ('hard', 'warning')), -- a hard one that fails makes the snapshot inconsistent
  ok boolean not null, -- it matches
  expected text not null, -- what Invo reported
  actual text not null, -- what the evidence adds up to
  difference text, -- actual less expected; NULL: not a number, or no difference
  offenders jsonb not null, -- the first rows that don't match: [{subject, expected, actual}]
  primary key (game_id, snapshot_id, check_no),
  foreign key (game_id, snapshot_id) references snapshot
);

create table snapshot_recipient (
  game_id int not null, -- game of the snapshot
  snapshot_id bigint not null, -- the snapshot
  recipient_player_id bigint not null, -- Invo's player_id of the recipient
  resolved boolean, -- false: Invo could not find the player record; NULL: not recorded
  player_email text, -- NULL: unresolved or not recorded
  player_name text, -- NULL: unresolved or not recorded
  identity_id text, -- NULL: unresolved or not recorded
  renewal_count bigint not null, -- lines settled in the window
  reversal_count bigint not null, -- periods reversed in the window
  subscription_count bigint not null, -- distinct subscriptions among the lines of the window
  gross_attributed_usd usd not null, -- USD
  reversed_attributed_usd usd not null, -- USD
  net_attributed_usd usd not null, -- USD, the figure to pay for this window alone
  first_paid_at text, -- ISO 8601 UTC as reported; NULL: nothing settled
  last_paid_at text, -- ISO 8601 UTC as reported; NULL: nothing settled
  base_mismatch_count bigint not null, -- lines whose base differs
  coarse_reversal_count bigint not null, -- period_row reversals
  earlier_reversed_usd usd not null, -- USD reversed here of periods settled before the window
  nets_to_zero_count bigint not null, -- periods settled and fully refunded inside the window
  primary key (game_id, snapshot_id, recipient_player_id),
  foreign key (game_id, snapshot_id) references snapshot
);
create index snapshot_recipient_order on snapshot_recipient (game_id, snapshot_id, net_attributed_usd desc, recipient_player_id);
create index snapshot_recipient_history on snapshot_recipient (game_id, recipient_player_id, snapshot_id);

create table recheck (
  game_id int not null, -- game of the snapshot
  recheck_id bigint generated always as identity, -- one re-check
  snapshot_id bigint not null, -- the complete snapshot that was compared
  pull_id bigint not null, -- the pull that made the request
  checked_at timestamptz not null default clock_timestamp(), -- when the totals were requested again
  call_count int not null, -- calls it took
  is_equal boolean not null, -- false: Invo reported other totals; a newer snapshot has them once their pull is done
  primary key (game_id, recheck_id),
  foreign key (game_id, snapshot_id) references snapshot,
  foreign key (game_id, pull_id) references pull
);
create index recheck_snapshot on recheck (game_id, snapshot_id, recheck_id desc);

create table response (
  game_id int not null, -- game of the call
  response_id bigint generated always as identity, -- one response of Invo
  pull_id bigint not null, -- the pull that made the request
  slice_id bigint, -- the slice it is evidence of; NULL: it belongs to a snapshot or was refused
  snapshot_id bigint, -- the snapshot whose control totals it carries; NULL: otherwise
  purpose text not null check (purpose in ('page', 'fill', 'control', 'refused')), -- purpose of the request, or refused
  request text not null, -- path and query; secrets travel in headers only
  status int not null, -- HTTP status
  received_at timestamptz not null, -- when the last byte came
  body bytea not null, -- the body, gzip
  sha256 digest not null, -- over the inflated body
  inflated_byte_count bigint not null, -- bytes of the inflated body
  refusal text, -- why it was refused; NULL: not refused
  primary key (game_id, response_id),
  foreign key (game_id, pull_id) references pull,
  check ((purpose = 'refused') = (refusal is not null))
);
alter table response alter column body set storage external;
create index response_slice on response (game_id, slice_id, response_id);
create index response_snapshot on response (game_id, snapshot_id, response_id);
create index response_pull on response (game_id, pull_id, response_id);

create table audit (
  audit_id bigint generated always as identity primary key, -- order of events
  at timestamptz not null default clock_timestamp(), -- when
  actor text not null, -- email of the person, or "command line", "schedule", "set-up link"
  game_id int references game, -- NULL: not about a single game
  act text not null, -- the action, a short verb phrase
  subject text not null, -- the object of the action
  detail jsonb not null default '{}' -- what changed; never a secret
);

create view current_snapshot as
  -- The newest complete snapshot of each window, else the newest of all: what a screen speaks of.
  select distinct on (game_id, window_start, window_end) *
  from snapshot
  order by game_id, window_start, window_end, (standing = 'complete') desc, snapshot_id desc;

do $$
declare t text;
begin
  foreach t in array array['slice', 'slice_recipient', 'renewal_line', 'reversal_line', 'refund_event', 'snapshot', 'snapshot_slice',
    'snapshot_check', 'snapshot_recipient', 'recheck', 'response', 'audit'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_change()', t || '_kept', t);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()', t || '_whole', t);
  end loop;
end $$;
