-- Support: the newest answers of Invo's detail routes, and refunds.
-- A refund is a request, its attempts and the decisions about it. No figure of a month comes from here: Invo reports reversals.

create table detail_read (
  game_id int not null references game, -- its game
  kind text not null check (kind in ('subscription', 'cycles', 'period', 'subscriptions', 'balances', 'cards')), -- Invo's detail route
  subject text not null, -- subscription id, period id or player id, with the page where the route has pages; never an email
  read_at timestamptz not null, -- when the last byte came
  body bytea not null, -- the body, gzip; the newest valid answer only, shown when Invo can't be reached
  sha256 digest not null, -- over the inflated body
  primary key (game_id, kind, subject)
);
alter table detail_read alter column body set storage external;

create table known_player (
  game_id int not null references game, -- game of the player
  player_id bigint not null, -- Invo's player_id within this game
  player_email text not null, -- as Invo last reported it; Invo finds players by email only
  player_name text, -- NULL: not recorded
  identity_id text, -- the same human across games; NULL: not recorded
  seen_at timestamptz not null, -- when Invo reported it
  primary key (game_id, player_id)
);
create index known_player_email on known_player (game_id, lower(player_email));

create table known_subscription (
  game_id int not null references game, -- game of the subscription
  subscription_id text not null, -- Invo's
  player_id bigint, -- the player who holds it and pays; NULL: not recorded
  item_name text, -- NULL: not recorded
  status text, -- as Invo last reported it; NULL: not recorded
  seen_at timestamptz not null, -- when Invo reported it
  primary key (game_id, subscription_id)
);
create index known_subscription_player on known_subscription (game_id, player_id);

create table known_id (
  game_id int not null references game, -- its game
  kind text not null check (kind in ('transaction', 'order', 'client_request')), -- kind of the ID
  id_text text not null, -- the ID, as Invo reported it
  subscription_id text not null, -- the subscription it belongs to
  period_id bigint not null default 0, -- the period it belongs to; 0: the subscription as a whole
  seen_at timestamptz not null, -- when Invo reported it
  primary key (game_id, kind, id_text, subscription_id, period_id)
);

create index renewal_line_transaction on renewal_line (game_id, transaction_id) where transaction_id is not null;
create index renewal_line_order_id on renewal_line (game_id, mint_order_id) where mint_order_id is not null;
create index audit_subject on audit (game_id, subject);
create index snapshot_recipient_email on snapshot_recipient (game_id, lower(player_email), recipient_player_id, snapshot_id desc) where player_email is not null;

create table refund_limit (
  game_id int not null references game, -- game of the limit
  role text not null check (role in ('support', 'finance', 'admin')), -- role of the requesters
  limit_usd usd not null check (limit_usd >= 0), -- USD a person of that role may refund without a second approver
  set_by text not null, -- email of the admin
  set_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, role)
);

create table refund (
  game_id int not null references game, -- its game
  refund_id bigint generated always as identity, -- our id of the request
  draft_id uuid not null, -- made with the form of its period: one form is one refund, however often it is submitted
  client_request_id text not null unique check (client_request_id !~* '^sub_' and char_length(client_request_id) <= 255), -- idempotency key at Invo: one per refund, the same on every retry, for ever
  request_bytes bytea not null, -- the request body, the same in every call
  request_digest digest not null, -- SHA-256 over request_bytes
  subscription_id text not null, -- Invo's
  period_id bigint not null, -- Invo's id of the period
  period_seq bigint not null check (period_seq >= 1), -- 1-based number of the period, always sent
  amount_usd usd not null check (amount_usd > 0), -- USD to refund, always sent
  reason_code text not null, -- one of our codes
  reason_text text check (char_length(reason_text) between 1 and 500), -- free text sent to Invo; NULL: none, the text of the code is sent
  facts jsonb not null, -- the period, wallet and access as Invo reported them for the request or its last renewal
  estimate jsonb not null, -- the expected effects, as requester and approver saw them
  baseline_digest digest not null, -- SHA-256 over the money facts of the period it was requested on
  content_digest digest not null, -- SHA-256 over everything an approval covers
  state text not null check (state in ('awaiting_approval', 'approved', 'sending', 'waiting', 'unknown', 'verifying', 'attention', 'landed', 'refused', 'not_landed', 'rejected', 'withdrawn')), -- its state
  version int not null default 0, -- counts changes: a step is taken only on the version it was decided on
  state_since timestamptz not null default clock_timestamp(), -- when it entered this state; kept by a trigger, like version and ended_at
  requested_by text not null references person, -- who requested it
  requested_at timestamptz not null default clock_timestamp(), -- when
  owner_id text not null references person, -- the person working on the refund
  wants_second_person boolean not null, -- above the requester's limit when requested: another person approves it, whatever role or limit changes later
  approval text check (approval in ('policy', 'person')), -- within the requester's limit, or by a second person; NULL: not approved
  approved_by text references person, -- the second person; NULL: none
  approved_at timestamptz, -- NULL: not approved
  approved_digest digest, -- the content_digest that was approved; NULL: not approved
  first_sent_at timestamptz, -- commit of the first attempt; NULL: never sent
  last_sent_at timestamptz, -- commit of the newest attempt; NULL: never sent
  attempt_count int not null default 0, -- attempts committed
  unanswered_count int not null default 0, -- attempts that Invo may have executed without a conclusive answer
  extra_call_count int not null default 0 check (extra_call_count in (0, 1)), -- 1: two people ordered one more call that is not sent yet
  next_look_at timestamptz, -- when a worker looks at it again; while sending: when the sender counts as silent; NULL: never
  lease_owner text, -- the process that is sending it; NULL: none
  last_error_code text, -- Invo's code of the newest answer, or ours of the connection error; NULL: none
  last_error_id text, -- Invo's error_id to quote; NULL: none
  attention_reason text check (attention_reason in ('invo_asks_for_a_person', 'receipt_contradicts', 'receipt_of_another', 'content_altered', 'cannot_be_read', 'looks_landed', 'looks_not_landed', 'period_unclear', 'reported_after_all')), -- why it needs attention; NULL: it doesn't
  proposal text check (proposal in ('landed', 'not_landed')), -- the outcome a reading of the period suggests; NULL: none
  outcome_source text check (outcome_source in ('receipt', 'replay', 'reduced', 'people')), -- how it is known to have landed (reduced: an answer without amounts that the period confirms); NULL: not landed
  transaction_id text, -- Invo's transaction of the refund; NULL: not landed, or not reported
  receipt jsonb, -- the receipt in Invo's names, or what the period reports instead; NULL: none
  total_refunded_amount_usd usd, -- USD refunded of the period including this refund; NULL: not landed, or not reported
  ended_at timestamptz, -- NULL: not ended
  reversal_slice_id bigint, -- the slice that reports its reversal; NULL: none yet
  reversal_seen_at timestamptz, -- when the reversal was matched; NULL: not yet
  primary key (game_id, refund_id),
  unique (game_id, draft_id, period_id),
  foreign key (game_id, reversal_slice_id) references slice (game_id, slice_id),
  check (approved_by <> requested_by),
  check ((approval is not distinct from 'person') = (approved_by is not null)),
  check (not wants_second_person or approval is distinct from 'policy'),
  check ((approval is null) = (approved_digest is null)),
  check (state in ('awaiting_approval', 'rejected', 'withdrawn') or (approved_digest is not null and approved_digest = content_digest)),
  check ((state in ('landed', 'refused', 'not_landed', 'rejected', 'withdrawn')) = (ended_at is not null)),
  check ((state = 'sending') = (lease_owner is not null)),
  check ((state = 'attention') = (attention_reason is not null)),
  check ((attempt_count = 0) = (first_sent_at is null)),
  check (state not in ('rejected', 'withdrawn', 'awaiting_approval') or unanswered_count = 0),
  check (state <> 'refused' or unanswered_count = 0),
  check ((state = 'landed') = (outcome_source is not null))
);
create unique index refund_open on refund (game_id, subscription_id, period_seq)
  where state in ('awaiting_approval', 'approved', 'sending', 'waiting', 'unknown', 'verifying', 'attention');
create unique index refund_sender on refund (game_id, subscription_id) where state = 'sending';
create unique index refund_landed on refund (game_id, period_id, transaction_id, total_refunded_amount_usd) where state = 'landed';
create index refund_due on refund (next_look_at) where next_look_at is not null;
create index refund_for_people on refund (game_id, refund_id) where ended_at is null or state = 'landed' and reversal_slice_id is null;
create index refund_period on refund (game_id, period_id, refund_id);
create index refund_subscription on refund (game_id, subscription_id, refund_id);
create index refund_transaction on refund (game_id, transaction_id) where transaction_id is not null;
create index refund_owner on refund (game_id, owner_id, refund_id);
create index refund_state on refund (game_id, state) include (amount_usd);
create index refund_unreported on refund (game_id, state, refund_id) where reversal_slice_id is null and state in ('landed', 'not_landed', 'refused');
create index refund_reversal_seen on refund (game_id, reversal_seen_at);

create table refund_attempt (
  game_id int not null, -- its game
  refund_id bigint not null, -- our id of the request
  attempt_no int not null check (attempt_no >= 1), -- 1, 2, 3 …
  owner text not null, -- the process that sent it
  committed_at timestamptz not null default clock_timestamp(), -- committed before its first byte was sent
  request_digest digest not null, -- SHA-256 over the bytes it sent
  finished_at timestamptz, -- when its answer was recorded; NULL: no answer yet
  class text check (class in ('landed', 'replayed', 'reduced', 'refused', 'wait', 'no_access', 'not_sent', 'retry', 'paused', 'no_answer', 'attention', 'contradiction')), -- what its answer means; NULL: no answer yet
  phase text check (phase in ('not_sent', 'sent', 'answered')), -- how far the exchange got; NULL: no answer yet
  status int, -- HTTP status; NULL: none
  error_code text, -- Invo's code, or ours of the connection error; NULL: none
  error_id text, -- Invo's error_id; NULL: none
  answer_facts jsonb, -- fields Invo returned beside a code; NULL: none
  body bytea, -- the answer, gzip; NULL: none
  sha256 digest, -- over the inflated answer; NULL: none
  primary key (game_id, refund_id, attempt_no),
  foreign key (game_id, refund_id) references refund,
  check ((finished_at is null) = (class is null))
);

create table refund_read (
  game_id int not null, -- its game
  refund_id bigint not null, -- the refund it was read for
  read_no int not null check (read_no >= 1), -- 1, 2, 3 …
  read_at timestamptz not null default clock_timestamp(), -- when Invo answered
  purpose text not null check (purpose in ('before', 'verify', 'rebuild')), -- before the first attempt, to find the outcome, or to complete a receipt
  facts jsonb not null, -- the period's refund facts: status, refunded to date, events
  primary key (game_id, refund_id, read_no),
  foreign key (game_id, refund_id) references refund
);

create table refund_decision (
  game_id int not null, -- its game
  refund_id bigint not null, -- the refund it is about
  decision_no int not null check (decision_no >= 1), -- 1, 2, 3 …
  decision text not null check (decision in ('landed', 'not_landed', 'send_again')), -- the outcome, or one more call
  proposed_by text not null references person, -- the first person
  proposed_at timestamptz not null default clock_timestamp(), -- when
  proposed_text text not null check (char_length(proposed_text) between 1 and 1000), -- what it is based on
  read_no int, -- the reading of the period it is based on; NULL: none
  confirmed_by text references person, -- the second person; NULL: not yet
  confirmed_at timestamptz, -- NULL: not yet
  withdrawn_at timestamptz, -- when it was discarded; NULL: it was not
  primary key (game_id, refund_id, decision_no),
  foreign key (game_id, refund_id) references refund,
  foreign key (game_id, refund_id, read_no) references refund_read,
  check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null))
);
create unique index refund_decision_open on refund_decision (game_id, refund_id) where confirmed_at is null and withdrawn_at is null;

create table refund_stop (
  game_id int not null references game, -- the game whose refunds are paused
  stop_no int generated always as identity, -- 1, 2, 3 …
  stopped_by text not null references person, -- who paused refunds
  stopped_at timestamptz not null default clock_timestamp(), -- when
  why text not null check (char_length(why) between 1 and 500), -- the reason they gave
  lift_asked_by text references person, -- the first person who asked to resume; NULL: nobody yet
  lifted_by text references person, -- the second person; NULL: still paused
  lifted_at timestamptz, -- NULL: still paused
  primary key (game_id, stop_no),
  check (lifted_by <> lift_asked_by),
  check ((lifted_by is null) = (lifted_at is null)),
  check (lifted_by is null or lift_asked_by is not null)
);
create unique index refund_stop_holds on refund_stop (game_id) where lifted_at is null;

create function keep_refund() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a refund is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if (old.draft_id, old.client_request_id, old.request_bytes, old.request_digest, old.subscription_id, old.period_id, old.period_seq, old.amount_usd,
      old.reason_code, old.reason_text, old.requested_by)
    is distinct from (new.draft_id, new.client_request_id, new.request_bytes, new.request_digest, new.subscription_id, new.period_id, new.period_seq, new.amount_usd,
      new.reason_code, new.reason_text, new.requested_by) then
    raise exception 'what a refund asks for never changes' using errcode = 'integrity_constraint_violation';
  end if;
  -- What was said not to have happened is questioned again when Invo reports it after all, or answers after all.
  if old.ended_at is not null and old.state <> new.state
    and not (old.state in ('not_landed', 'refused') and new.state in ('attention', 'landed')) then
    raise exception 'a refund that ended stays ended' using errcode = 'integrity_constraint_violation';
  end if;
  if new.attempt_count < old.attempt_count or old.first_sent_at is distinct from new.first_sent_at and old.first_sent_at is not null then
    raise exception 'what was sent stays sent' using errcode = 'integrity_constraint_violation';
  end if;
  -- What follows from a state is written here, whoever moves it.
  new.version := old.version + 1;
  new.state_since := old.state_since;
  new.ended_at := old.ended_at;
  if old.state <> new.state then
    new.state_since := clock_timestamp();
    new.ended_at := case when new.state in ('landed', 'refused', 'not_landed', 'rejected', 'withdrawn') then clock_timestamp() end;
  end if;
  if new.state <> 'sending' then
    new.lease_owner := null;
  end if;
  if new.state <> 'attention' then
    new.attention_reason := null;
    new.proposal := null;
  end if;
  return new;
end $$;
create trigger refund_kept before update or delete on refund for each row execute function keep_refund();
create trigger refund_whole before truncate on refund for each statement execute function refuse_change();
create trigger refund_attempt_kept before delete on refund_attempt for each row execute function refuse_change();
create trigger refund_decision_kept before delete on refund_decision for each row execute function refuse_change();
create trigger refund_stop_kept before delete on refund_stop for each row execute function refuse_change();
create trigger refund_read_kept before update or delete on refund_read for each row execute function refuse_change();

-- Refunds that ended, and the first slice that reports a refund like theirs, as long as that is not noted with them: of the same period and
-- amount, and up to the cumulative amount of the receipt, or at the time where that is not known. A line without receipts tells no single
-- refund, only how much it comes to by now. Of what was said not to have happened, a report that another refund of ours accounts for is none.
-- Fifteen minutes: clocks differ (as in judge-reading).
create view refund_reported as
select refund.game_id, refund.state, refund.refund_id, first.slice_id
from refund cross join lateral (
  select reported.slice_id
  from (
    select event.slice_id, event.refunded_amount_usd as amount_usd, event.cumulative_refunded_after_usd as total_usd, event.refunded_at, false as is_coarse
    from reversal_line line join refund_event event using (game_id, slice_id, period_id)
    where line.game_id = refund.game_id and line.period_id = refund.period_id
    union all
    select line.slice_id, refund.amount_usd, line.refunded_to_date_usd, line.latest_refund_at::timestamptz, true
    from reversal_line line
    where line.game_id = refund.game_id and line.period_id = refund.period_id and line.reversal_basis = 'period_row'
  ) reported
  where reported.amount_usd = refund.amount_usd
    and case
      when refund.total_refunded_amount_usd is not null
        then reported.total_usd = refund.total_refunded_amount_usd or reported.is_coarse and reported.total_usd > refund.total_refunded_amount_usd
      when refund.state = 'landed'
        then reported.refunded_at between refund.first_sent_at - interval '15 minutes' and refund.ended_at + interval '15 minutes'
      else reported.refunded_at between refund.first_sent_at - interval '15 minutes' and refund.ended_at + interval '1 day'
        and not exists (
          select from refund other
          where other.game_id = refund.game_id and other.period_id = refund.period_id and other.state = 'landed' and other.amount_usd = refund.amount_usd
            and (reported.is_coarse or coalesce(other.total_refunded_amount_usd, reported.total_usd) = reported.total_usd)
        )
    end
  order by reported.slice_id limit 1
) first
where refund.state in ('landed', 'not_landed', 'refused') and refund.reversal_slice_id is null;
