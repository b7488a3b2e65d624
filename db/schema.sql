-- Written by `node db/write-schema.ts URL` from the catalog of a migrated database; a test fails when the two differ.
-- What each column means stands in the migrations and in db/types.ts.

create domain coins as numeric CHECK ((VALUE <> ALL (ARRAY['NaN'::numeric, 'Infinity'::numeric, '-Infinity'::numeric])));

create domain digest as bytea CHECK ((octet_length(VALUE) = 32));

create domain usd as numeric CHECK ((VALUE <> ALL (ARRAY['NaN'::numeric, 'Infinity'::numeric, '-Infinity'::numeric])));

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

create table audit (
  audit_id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  game_id integer,
  act text not null,
  subject text not null,
  detail jsonb not null default '{}'::jsonb,
  constraint audit_pkey PRIMARY KEY (audit_id),
  constraint audit_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);
CREATE INDEX audit_signed_in ON public.audit USING btree (actor, at) WHERE (act = 'signed in'::text);
CREATE TRIGGER audit_kept BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_whole BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table credential (
  id text not null,
  person_id text not null,
  provider_id text not null,
  account_id text not null,
  password text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint credential_pkey PRIMARY KEY (id),
  constraint credential_person_id_provider_id_key UNIQUE (person_id, provider_id),
  constraint credential_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint credential_provider_id_check CHECK ((provider_id = 'credential'::text))
);

create table game (
  game_id integer not null generated always as identity,
  slug text not null,
  environment text not null,
  name text not null,
  time_zone text not null,
  invo_game_id text,
  previous_secret_used_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint game_pkey PRIMARY KEY (game_id),
  constraint game_slug_environment_key UNIQUE (slug, environment),
  constraint game_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
  constraint game_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);

create table person (
  id text not null,
  email text not null,
  name text not null,
  role text not null,
  disabled_at timestamp with time zone,
  email_verified boolean not null default false,
  image text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint person_pkey PRIMARY KEY (id),
  constraint person_email_key UNIQUE (email),
  constraint person_email_check CHECK ((email = lower(email))),
  constraint person_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'auditor'::text, 'support'::text, 'finance'::text, 'admin'::text])))
);

create table person_session (
  id text not null,
  person_id text not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint person_session_pkey PRIMARY KEY (id),
  constraint person_session_token_key UNIQUE (token),
  constraint person_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX person_session_person ON public.person_session USING btree (person_id);

create table pull (
  game_id integer not null,
  pull_id bigint not null generated always as identity,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  is_fresh boolean not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  state text not null default 'queued'::text,
  lease_owner text,
  lease_until timestamp with time zone,
  attempt_count integer not null default 0,
  call_count integer not null default 0,
  planned_call_count integer,
  line_count integer not null default 0,
  waiting_until timestamp with time zone,
  doing text,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  snapshot_id bigint,
  failure_code text,
  failure_sentence text,
  failure_error_id text,
  constraint pull_pkey PRIMARY KEY (game_id, pull_id),
  constraint pull_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint pull_check CHECK ((window_start < window_end)),
  constraint pull_check1 CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
  constraint pull_check2 CHECK (((state = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint pull_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX pull_active ON public.pull USING btree (game_id, window_start, window_end) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX pull_waiting ON public.pull USING btree (requested_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

create table rate_bucket (
  game_id integer not null,
  bucket text not null,
  paused_until timestamp with time zone,
  constraint rate_bucket_pkey PRIMARY KEY (game_id, bucket),
  constraint rate_bucket_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);

create table rate_call (
  game_id integer not null,
  bucket text not null,
  called_at timestamp with time zone not null default clock_timestamp(),
  call_id bigint not null generated always as identity,
  constraint rate_call_pkey PRIMARY KEY (game_id, bucket, called_at, call_id),
  constraint rate_call_game_id_bucket_fkey FOREIGN KEY (game_id, bucket) REFERENCES rate_bucket(game_id, bucket)
);

create table recheck (
  game_id integer not null,
  recheck_id bigint not null generated always as identity,
  snapshot_id bigint not null,
  pull_id bigint not null,
  checked_at timestamp with time zone not null default clock_timestamp(),
  call_count integer not null,
  is_equal boolean not null,
  constraint recheck_pkey PRIMARY KEY (game_id, recheck_id),
  constraint recheck_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint recheck_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE INDEX recheck_snapshot ON public.recheck USING btree (game_id, snapshot_id, recheck_id DESC);
CREATE TRIGGER recheck_kept BEFORE DELETE OR UPDATE ON public.recheck FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recheck_whole BEFORE TRUNCATE ON public.recheck FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund_event (
  game_id integer not null,
  slice_id bigint not null,
  period_id bigint not null,
  event_no integer not null,
  recipient_player_id bigint not null,
  refunded_at timestamp with time zone not null,
  refunded_at_reported text not null,
  refunded_amount_usd usd not null,
  cumulative_refunded_before_usd usd not null,
  cumulative_refunded_after_usd usd not null,
  reversed_attributed_usd usd not null,
  partner_revenue_reversed_usd usd,
  partner_revenue_reversal_basis text,
  is_full_refund boolean not null,
  constraint refund_event_pkey PRIMARY KEY (game_id, slice_id, period_id, event_no),
  constraint refund_event_game_id_slice_id_period_id_fkey FOREIGN KEY (game_id, slice_id, period_id) REFERENCES reversal_line(game_id, slice_id, period_id)
);
CREATE INDEX refund_event_order ON public.refund_event USING btree (game_id, slice_id, recipient_player_id, refunded_at, period_id);
CREATE TRIGGER refund_event_kept BEFORE DELETE OR UPDATE ON public.refund_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_event_whole BEFORE TRUNCATE ON public.refund_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table renewal_line (
  game_id integer not null,
  slice_id bigint not null,
  period_id bigint not null,
  recipient_player_id bigint not null,
  paid_at timestamp with time zone not null,
  paid_at_reported text not null,
  subscription_id text not null,
  period_seq bigint,
  item_id text,
  item_name text,
  status text,
  period_start text,
  period_end text,
  amount_usd usd not null,
  invo_fee_usd usd not null,
  partner_revenue_usd usd not null,
  partner_revenue_settled_usd usd not null,
  partner_revenue_reversed_usd usd not null,
  percent_at_renewal text,
  base_usd usd,
  attributed_amount_usd usd not null,
  base_matches_settled_fee boolean,
  expected_base_usd usd,
  recorded_base_usd usd,
  rail text,
  amount_coins coins,
  balance_applied_coins coins,
  card_charged_usd usd,
  pcstore_charged_usd usd,
  refunded_amount_usd usd,
  refunded_at text,
  transaction_id text,
  mint_order_id text,
  constraint renewal_line_pkey PRIMARY KEY (game_id, slice_id, period_id),
  constraint renewal_line_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id)
);
CREATE INDEX renewal_line_base ON public.renewal_line USING btree (game_id, slice_id, period_id) WHERE (base_matches_settled_fee = false);
CREATE INDEX renewal_line_order ON public.renewal_line USING btree (game_id, slice_id, recipient_player_id, paid_at, period_id);
CREATE INDEX renewal_line_period ON public.renewal_line USING btree (game_id, period_id);
CREATE INDEX renewal_line_recipient ON public.renewal_line USING btree (game_id, recipient_player_id, subscription_id);
CREATE INDEX renewal_line_subscription ON public.renewal_line USING btree (game_id, subscription_id, period_seq);
CREATE TRIGGER renewal_line_kept BEFORE DELETE OR UPDATE ON public.renewal_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER renewal_line_whole BEFORE TRUNCATE ON public.renewal_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table response (
  game_id integer not null,
  response_id bigint not null generated always as identity,
  pull_id bigint not null,
  slice_id bigint,
  snapshot_id bigint,
  purpose text not null,
  request text not null,
  status integer not null,
  received_at timestamp with time zone not null,
  body bytea storage external not null,
  sha256 digest not null,
  inflated_byte_count bigint not null,
  refusal text,
  constraint response_pkey PRIMARY KEY (game_id, response_id),
  constraint response_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint response_check CHECK (((purpose = 'refused'::text) = (refusal IS NOT NULL))),
  constraint response_purpose_check CHECK ((purpose = ANY (ARRAY['page'::text, 'fill'::text, 'control'::text, 'refused'::text])))
);
CREATE INDEX response_pull ON public.response USING btree (game_id, pull_id, response_id);
CREATE INDEX response_slice ON public.response USING btree (game_id, slice_id, response_id);
CREATE INDEX response_snapshot ON public.response USING btree (game_id, snapshot_id, response_id);
CREATE TRIGGER response_kept BEFORE DELETE OR UPDATE ON public.response FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER response_whole BEFORE TRUNCATE ON public.response FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table reversal_line (
  game_id integer not null,
  slice_id bigint not null,
  period_id bigint not null,
  recipient_player_id bigint not null,
  subscription_id text not null,
  period_seq bigint,
  status text,
  paid_at timestamp with time zone not null,
  paid_at_reported text not null,
  amount_usd usd,
  originally_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  partner_revenue_reversed_usd usd,
  refunded_to_date_usd usd,
  latest_refund_at text,
  reversal_basis text not null,
  settled_in_this_window boolean,
  nets_to_zero_in_window boolean,
  note text,
  constraint reversal_line_pkey PRIMARY KEY (game_id, slice_id, period_id),
  constraint reversal_line_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id)
);
CREATE INDEX reversal_line_order ON public.reversal_line USING btree (game_id, slice_id, recipient_player_id, period_id);
CREATE INDEX reversal_line_period ON public.reversal_line USING btree (game_id, period_id);
CREATE INDEX reversal_line_subscription ON public.reversal_line USING btree (game_id, subscription_id, period_seq);
CREATE TRIGGER reversal_line_kept BEFORE DELETE OR UPDATE ON public.reversal_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reversal_line_whole BEFORE TRUNCATE ON public.reversal_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table set_up_link (
  token_digest digest not null,
  purpose text not null,
  person_id text,
  made_by text not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint set_up_link_pkey PRIMARY KEY (token_digest),
  constraint set_up_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint set_up_link_check CHECK (((purpose = 'first_admin'::text) = (person_id IS NULL))),
  constraint set_up_link_purpose_check CHECK ((purpose = ANY (ARRAY['first_admin'::text, 'invitation'::text, 'new_password'::text])))
);
CREATE INDEX set_up_link_person ON public.set_up_link USING btree (person_id);

create table sign_in_attempt (
  attempt_id bigint not null generated always as identity,
  email_digest digest not null,
  source_digest digest not null,
  attempted_at timestamp with time zone not null default clock_timestamp(),
  constraint sign_in_attempt_pkey PRIMARY KEY (attempt_id)
);
CREATE INDEX sign_in_attempt_age ON public.sign_in_attempt USING btree (attempted_at);
CREATE INDEX sign_in_attempt_email ON public.sign_in_attempt USING btree (email_digest, attempted_at);
CREATE INDEX sign_in_attempt_source ON public.sign_in_attempt USING btree (source_digest, attempted_at);

create table slice (
  game_id integer not null,
  slice_id bigint not null generated always as identity,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  version integer not null,
  supersedes_slice_id bigint,
  pull_id bigint not null,
  pulled_at timestamp with time zone not null default clock_timestamp(),
  generated_at text not null,
  call_count integer not null,
  renewals_settled bigint not null,
  settled_gross_usd usd not null,
  invo_fee_usd usd not null,
  partner_revenue_settled_usd usd not null,
  partner_revenue_reversed_usd usd not null,
  partner_revenue_usd usd not null,
  renewals_with_attribution bigint not null,
  renewals_without_attribution bigint not null,
  unattributed_reasons jsonb not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  renewals_settled_then_fully_reversed bigint not null,
  refund_events_in_window bigint not null,
  reversals_without_receipts bigint not null,
  recipient_count bigint not null,
  renewal_line_count bigint not null,
  reversal_line_count bigint not null,
  reversal_event_count bigint not null,
  notice_count integer not null,
  ties_out boolean not null,
  digest digest not null,
  constraint slice_pkey PRIMARY KEY (game_id, slice_id),
  constraint slice_game_id_window_start_window_end_version_key UNIQUE (game_id, window_start, window_end, version),
  constraint slice_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint slice_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint slice_check CHECK ((window_start < window_end)),
  constraint slice_version_check CHECK ((version >= 1))
);
CREATE TRIGGER slice_kept BEFORE DELETE OR UPDATE ON public.slice FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER slice_whole BEFORE TRUNCATE ON public.slice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table slice_recipient (
  game_id integer not null,
  slice_id bigint not null,
  recipient_player_id bigint not null,
  resolved boolean,
  player_email text,
  player_name text,
  identity_id text,
  renewal_count bigint not null,
  reversal_count bigint not null,
  subscription_count bigint not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  first_paid_at text,
  last_paid_at text,
  constraint slice_recipient_pkey PRIMARY KEY (game_id, slice_id, recipient_player_id),
  constraint slice_recipient_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id)
);
CREATE TRIGGER slice_recipient_kept BEFORE DELETE OR UPDATE ON public.slice_recipient FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER slice_recipient_whole BEFORE TRUNCATE ON public.slice_recipient FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot (
  game_id integer not null,
  snapshot_id bigint not null generated always as identity,
  chain_no bigint not null,
  previous_digest digest,
  digest digest not null,
  pull_id bigint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  covered_until timestamp with time zone not null,
  standing text not null,
  generated_at text not null,
  control_window_count integer not null,
  renewals_settled bigint not null,
  settled_gross_usd usd not null,
  invo_fee_usd usd not null,
  partner_revenue_settled_usd usd not null,
  partner_revenue_reversed_usd usd not null,
  partner_revenue_usd usd not null,
  renewals_with_attribution bigint not null,
  renewals_without_attribution bigint not null,
  unattributed_reasons jsonb not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  renewals_settled_then_fully_reversed bigint,
  refund_events_in_window bigint not null,
  reversals_without_receipts bigint not null,
  recipient_count bigint not null,
  renewal_line_count bigint not null,
  reversal_event_count bigint not null,
  owed_back_count bigint not null,
  owed_back_usd usd not null,
  unresolved_recipient_count bigint not null,
  base_mismatch_count bigint not null,
  coarse_reversal_count bigint not null,
  open_question_count bigint not null,
  constraint snapshot_pkey PRIMARY KEY (game_id, snapshot_id),
  constraint snapshot_game_id_chain_no_key UNIQUE (game_id, chain_no),
  constraint snapshot_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint snapshot_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint snapshot_chain_no_check CHECK ((chain_no >= 1)),
  constraint snapshot_check CHECK (((window_start < window_end) AND (covered_until > window_start) AND (covered_until <= window_end))),
  constraint snapshot_check1 CHECK (((standing <> 'complete'::text) OR (covered_until = window_end))),
  constraint snapshot_control_window_count_check CHECK ((control_window_count >= 1)),
  constraint snapshot_standing_check CHECK ((standing = ANY (ARRAY['complete'::text, 'open'::text, 'inconsistent'::text])))
);
CREATE INDEX snapshot_window ON public.snapshot USING btree (game_id, window_start, window_end, snapshot_id DESC);
CREATE TRIGGER snapshot_kept BEFORE DELETE OR UPDATE ON public.snapshot FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_whole BEFORE TRUNCATE ON public.snapshot FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot_check (
  game_id integer not null,
  snapshot_id bigint not null,
  check_no integer not null,
  name text not null,
  severity text not null,
  ok boolean not null,
  expected text not null,
  actual text not null,
  difference text,
  offenders jsonb not null,
  constraint snapshot_check_pkey PRIMARY KEY (game_id, snapshot_id, check_no),
  constraint snapshot_check_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint snapshot_check_severity_check CHECK ((severity = ANY (ARRAY['hard'::text, 'warning'::text])))
);
CREATE TRIGGER snapshot_check_kept BEFORE DELETE OR UPDATE ON public.snapshot_check FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_check_whole BEFORE TRUNCATE ON public.snapshot_check FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot_recipient (
  game_id integer not null,
  snapshot_id bigint not null,
  recipient_player_id bigint not null,
  resolved boolean,
  player_email text,
  player_name text,
  identity_id text,
  renewal_count bigint not null,
  reversal_count bigint not null,
  subscription_count bigint not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  first_paid_at text,
  last_paid_at text,
  base_mismatch_count bigint not null,
  coarse_reversal_count bigint not null,
  earlier_reversed_usd usd not null,
  nets_to_zero_count bigint not null,
  constraint snapshot_recipient_pkey PRIMARY KEY (game_id, snapshot_id, recipient_player_id),
  constraint snapshot_recipient_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE INDEX snapshot_recipient_history ON public.snapshot_recipient USING btree (game_id, recipient_player_id, snapshot_id);
CREATE INDEX snapshot_recipient_order ON public.snapshot_recipient USING btree (game_id, snapshot_id, net_attributed_usd DESC, recipient_player_id);
CREATE TRIGGER snapshot_recipient_kept BEFORE DELETE OR UPDATE ON public.snapshot_recipient FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_recipient_whole BEFORE TRUNCATE ON public.snapshot_recipient FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot_slice (
  game_id integer not null,
  snapshot_id bigint not null,
  slice_no integer not null,
  slice_id bigint not null,
  constraint snapshot_slice_pkey PRIMARY KEY (game_id, snapshot_id, slice_no),
  constraint snapshot_slice_game_id_snapshot_id_slice_id_key UNIQUE (game_id, snapshot_id, slice_id),
  constraint snapshot_slice_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id),
  constraint snapshot_slice_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE TRIGGER snapshot_slice_kept BEFORE DELETE OR UPDATE ON public.snapshot_slice FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_slice_whole BEFORE TRUNCATE ON public.snapshot_slice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create view current_snapshot as
 SELECT DISTINCT ON (game_id, window_start, window_end) game_id,
    snapshot_id,
    chain_no,
    previous_digest,
    digest,
    pull_id,
    created_at,
    window_start,
    window_end,
    covered_until,
    standing,
    generated_at,
    control_window_count,
    renewals_settled,
    settled_gross_usd,
    invo_fee_usd,
    partner_revenue_settled_usd,
    partner_revenue_reversed_usd,
    partner_revenue_usd,
    renewals_with_attribution,
    renewals_without_attribution,
    unattributed_reasons,
    gross_attributed_usd,
    reversed_attributed_usd,
    net_attributed_usd,
    renewals_settled_then_fully_reversed,
    refund_events_in_window,
    reversals_without_receipts,
    recipient_count,
    renewal_line_count,
    reversal_event_count,
    owed_back_count,
    owed_back_usd,
    unresolved_recipient_count,
    base_mismatch_count,
    coarse_reversal_count,
    open_question_count
   FROM snapshot
  ORDER BY game_id, window_start, window_end, (standing = 'complete'::text) DESC, snapshot_id DESC;
