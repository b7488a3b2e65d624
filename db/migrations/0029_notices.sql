-- Notices: what happened to months and runs, for the people who have to know; shown in Sharebook, and sent by email where a mail server is configured.

create table notice (
  game_id int not null references game, -- its game
  notice_id bigint generated always as identity, -- one notice
  kind text not null check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found')), -- what happened
  subject text not null, -- what tells this fact from others of its kind: month; run and its version; run and digest of the other facts
  window_start timestamptz not null, -- first instant of the month
  run_no int, -- number of the run in the game; NULL: about a month without one
  amount_usd usd, -- USD payable by the run, or by which the net of the month changed; NULL: a month without a run
  recipient_count int, -- recipients the run pays; NULL: not about what a run pays
  actor_id text references person, -- the person who did it, who gets no notice of it; NULL: Sharebook
  occurred_at timestamptz not null default clock_timestamp(), -- when it was recorded
  primary key (game_id, notice_id),
  unique (game_id, kind, subject)
);
create trigger notice_kept before update or delete on notice for each row execute function refuse_change();
create trigger notice_whole before truncate on notice for each statement execute function refuse_change();

create table notice_delivery (
  game_id int not null, -- game of the notice
  notice_id bigint not null, -- the notice
  person_id text not null references person, -- who gets it
  seen_at timestamptz, -- when they marked it as read; NULL: unread
  mail_state text not null check (mail_state in ('off', 'waiting', 'sending', 'sent', 'refused', 'unknown', 'expired')), -- its email. off: not wanted; unknown: the answer was lost, not sent again; expired: not accepted within a day
  mail_next_at timestamptz, -- when the email is sent, or tried again; NULL: it isn't
  mail_attempt_count int not null default 0, -- attempts started
  mail_tried_at timestamptz, -- when the last attempt started; NULL: none
  mail_error text, -- what the mail server answered last, as its code, or why it couldn't be reached; NULL: no error
  primary key (game_id, notice_id, person_id),
  foreign key (game_id, notice_id) references notice,
  check ((mail_state = 'waiting') = (mail_next_at is not null)),
  check ((mail_attempt_count = 0) = (mail_tried_at is null))
);
create index notice_delivery_unread on notice_delivery (person_id) where seen_at is null;
create index notice_delivery_person on notice_delivery (person_id, game_id, notice_id desc);
create index notice_delivery_mail on notice_delivery (game_id, mail_next_at) where mail_state in ('waiting', 'sending');

create table notice_setting (
  person_id text not null references person, -- the person
  kind text not null check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found')), -- kind of notice
  reach text not null check (reach in ('email', 'product', 'off')), -- email: shown and emailed, as without a row; product: shown only; off: neither
  primary key (person_id, kind)
);

select pgboss.create_queue('notices', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":3600,"deleteAfterSeconds":3600}');
create function wake_mail() returns trigger language plpgsql as $$
begin
  perform wake('notices', concat_ws(':', new.game_id, new.notice_id, new.person_id), jsonb_build_object('gameId', new.game_id), new.mail_next_at);
  return null;
end $$;
create trigger notice_delivery_wakes after insert or update of mail_next_at on notice_delivery
  for each row when (new.mail_next_at is not null) execute function wake_mail();
