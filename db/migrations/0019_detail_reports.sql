-- Detail reports as evidence: each reading of a period, of a subscription's cycles and of the totals of a part of a month is kept as it came.
-- What the readings of a month come to is stored beside the month and can be made again from them.

create table report_read (
  game_id int not null references game, -- its game
  kind text not null check (kind in ('period', 'cycles', 'totals')), -- Invo's report: a period, one page of a subscription's cycles, the totals of a window
  subject text not null, -- period id; subscription id and offset of the page; start and end of the window
  read_no int not null check (read_no >= 1), -- 1, 2, 3 … of the subject
  read_at timestamptz not null, -- when the last byte came
  body bytea, -- the body, gzip; NULL: the same bytes as in the reading before
  sha256 digest not null, -- over the inflated body
  has_figures boolean not null default false, -- the figures below were taken from the body; false: another kind, or read before figures were kept
  card_charged_usd usd, -- USD charged to a card for the period; NULL: not recorded, or without figures
  pass_through_fees_usd usd, -- USD, international card fee; NULL: not recorded, or without figures
  chargeback_fees_usd usd, -- USD; NULL: not recorded, or without figures
  disputed_amount_held_usd usd, -- USD held for disputes; NULL: not recorded, or without figures
  card_fee_charged_to_partner_usd usd, -- USD, card fee on refunds to date; NULL: not recorded (refunds before 2026-09-28), or without figures
  partner_revenue_after_fees_usd usd, -- USD of the partner after all fees, may be negative; NULL: not recorded, or without figures
  refund_count bigint, -- refunds listed one by one; NULL: Invo lists none although it reports some, or without figures
  first_refunded_at timestamptz, -- the earliest of them; NULL: none listed
  last_refunded_at timestamptz, -- the latest refund; NULL: none
  primary key (game_id, kind, subject, read_no),
  check (read_no > 1 or body is not null)
);
alter table report_read alter column body set storage external;
create index report_read_totals on report_read (game_id, subject, read_at) where kind = 'totals';

insert into report_read (game_id, kind, subject, read_no, read_at, body, sha256)
select game_id, kind, subject, 1, read_at, body, sha256 from detail_read where kind in ('period', 'cycles');
delete from detail_read where kind in ('period', 'cycles');
alter table detail_read drop constraint detail_read_kind_check;
alter table detail_read add constraint detail_read_kind_check check (kind in ('subscription', 'subscriptions', 'balances', 'cards'));

create trigger report_read_kept before update or delete on report_read for each row execute function refuse_change();
create trigger report_read_whole before truncate on report_read for each statement execute function refuse_change();

create table detail_job (
  game_id int not null references game, -- game of the month
  detail_job_id bigint generated always as identity, -- the job
  window_start timestamptz not null, -- first instant of the month
  window_end timestamptz not null, -- up to, not including
  requested_by text not null, -- email of the person, or "schedule"
  requested_at timestamptz not null default clock_timestamp(), -- when it was requested
  since timestamptz not null default clock_timestamp(), -- a report read from then on isn't read again
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')), -- state of the job
  lease_owner text, -- the process that runs it; NULL: none
  lease_until timestamptz, -- another process may take over after this; NULL: no lease
  attempt_count int not null default 0, -- attempts started
  read_count int not null default 0, -- reports done so far, those read before included
  planned_count int, -- reports in total; NULL: not known yet
  waiting_until timestamptz, -- waiting for the rate limit until then; NULL: not waiting
  activity text, -- what the job is working on, as shown to people; NULL: not started
  ended_at timestamptz, -- NULL: not ended
  failure_code text, -- Sharebook's code of the failure; NULL: no failure
  failure_message text, -- the same for the person who must act; NULL: no failure
  failure_error_id text, -- Invo's error_id to quote; NULL: none was given
  primary key (game_id, detail_job_id),
  check (window_start < window_end),
  check ((state in ('done', 'failed')) = (ended_at is not null)),
  check ((state = 'failed') = (failure_code is not null))
);
create unique index detail_job_active on detail_job (game_id, window_start, window_end) where state in ('queued', 'running');
create index detail_job_window on detail_job (game_id, window_start, window_end, detail_job_id desc);

create table detail_month (
  game_id int not null references game, -- game of the month
  window_start timestamptz not null, -- first instant of the month
  window_end timestamptz not null, -- up to, not including
  snapshot_id bigint not null, -- the snapshot whose lines were read about
  computed_at timestamptz not null default clock_timestamp(), -- when the figures were added up
  figures jsonb not null, -- counts and sums of the readings, by the shape of lib/fees/rules/detail-figures.ts
  search_next_at timestamptz, -- when the search for renewals without attribution goes on; NULL: it ended, or isn't needed
  search_stopped text, -- why the search ended without placing each renewal, for people; NULL: it didn't
  primary key (game_id, window_start, window_end),
  foreign key (game_id, snapshot_id) references snapshot
);

create table unattributed_renewal (
  game_id int not null references game, -- game of the month
  item_id bigint generated always as identity, -- our id of the finding
  window_start timestamptz not null, -- first instant of its month
  window_end timestamptz not null, -- up to, not including
  reason text, -- Invo's reason; NULL: not reported, or several renewals with different ones
  period_id bigint, -- Invo's id of the period; NULL: placed in time, not named by any report
  subscription_id text, -- Invo's; NULL: as period_id
  settled_from timestamptz not null, -- when it settled, or the first instant of the span in which it did
  settled_to timestamptz not null, -- the same instant, or the end of the span, not included
  renewal_count int not null default 1 check (renewal_count >= 1), -- renewals in the span; above 1 when they share one instant
  amount_usd usd, -- USD settled; NULL: not reported
  invo_fee_usd usd, -- USD kept by Invo; NULL: not reported
  partner_revenue_settled_usd usd, -- USD of the partner at settlement; NULL: not reported
  found_at timestamptz not null default clock_timestamp(), -- when it was named, or placed in time
  assigned_to text references person, -- the person who looks into it; NULL: nobody
  note text check (char_length(note) between 1 and 1000), -- what a person found out; NULL: none
  noted_by text references person, -- who wrote the note; NULL: no note
  noted_at timestamptz, -- when; NULL: no note
  primary key (game_id, item_id),
  check ((period_id is null) = (subscription_id is null)),
  check ((note is null) = (noted_by is null) and (note is null) = (noted_at is null)),
  check (settled_from <= settled_to)
);
create unique index unattributed_renewal_period on unattributed_renewal (game_id, window_start, window_end, period_id) where period_id is not null;
create unique index unattributed_renewal_span on unattributed_renewal (game_id, window_start, window_end, settled_from, settled_to) where period_id is null;

create table detail_setting (
  game_id int primary key references game, -- game of the setting
  card_periods text not null default 'by_size' check (card_periods in ('by_size', 'on', 'off')), -- whether all card periods of a month are read; by_size: of months with fewer than 2,000
  subscriptions text not null default 'by_size' check (subscriptions in ('by_size', 'on', 'off')), -- whether all subscriptions of a month are read; by_size: up to 5,000
  set_by text not null, -- email of the person
  set_at timestamptz not null default clock_timestamp() -- when
);

select pgboss.create_queue('details', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":82800,"deleteAfterSeconds":3600}');
create function wake_details() returns trigger language plpgsql as $$
begin
  perform wake('details', new.game_id || ':' || new.detail_job_id, jsonb_build_object('gameId', new.game_id),
    case when new.state = 'queued' then clock_timestamp() end);
  return null;
end $$;
create trigger detail_job_wakes after insert or update of state on detail_job for each row execute function wake_details();

create or replace function wake_overdue(of_game int) returns void language plpgsql as $$
begin
  perform wake('refund', game_id || ':' || refund_id, jsonb_build_object('gameId', game_id), next_look_at)
  from refund where game_id = of_game and next_look_at <= clock_timestamp();
  perform wake('pull', game_id || ':' || pull_id, jsonb_build_object('gameId', game_id), clock_timestamp())
  from pull where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_timestamp());
  perform wake('details', game_id || ':' || detail_job_id, jsonb_build_object('gameId', game_id), clock_timestamp())
  from detail_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_timestamp());
end $$;
