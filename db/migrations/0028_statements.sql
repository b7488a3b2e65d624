-- Statements: the recipient's document of an approved run, kept as it was first drawn, and the job that draws all of a run.

create table recipient_statement (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the approved run
  recipient_player_id bigint not null, -- whose statement it is
  template_no int not null check (template_no >= 1), -- version of the layout it was drawn with
  pdf bytea not null, -- the PDF as it was first drawn; every later download is these bytes
  sha256 digest not null check (sha256 = sha256(pdf)), -- over the PDF
  drawn_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, run_id, recipient_player_id),
  foreign key (game_id, run_id, recipient_player_id) references payout_line
);
alter table recipient_statement alter column pdf set storage external;

create function check_statements() returns trigger language plpgsql as $$
begin
  if exists (select from touched t join payout_run r on r.game_id = t.game_id and r.run_id = t.run_id where r.state <> 'approved') then
    raise exception 'statements are drawn of approved runs' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger recipient_statement_added after insert on recipient_statement referencing new table as touched for each statement execute function check_statements();

-- A PDF names its recipient. Of a person who is erased it is removed, and drawn again without the name when it is asked for.
create function keep_statement() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and is_erased(old.game_id, old.recipient_player_id) then
    return old;
  end if;
  raise exception 'a statement is kept as it was first drawn' using errcode = 'integrity_constraint_violation';
end $$;
create trigger recipient_statement_kept before update or delete on recipient_statement for each row execute function keep_statement();
create trigger recipient_statement_whole before truncate on recipient_statement for each statement execute function refuse_change();

create table statement_job (
  game_id int not null, -- game of the run
  statement_job_id bigint generated always as identity, -- the job
  run_id bigint not null, -- the run whose statements it draws
  requested_by text not null, -- email of the person
  requested_at timestamptz not null default clock_timestamp(), -- when it was requested
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')), -- state of the job
  lease_owner text, -- the process that runs it; NULL: none
  lease_until timestamptz, -- another process may take over after this; NULL: no lease
  attempt_count int not null default 0, -- attempts started
  drawn_count int not null default 0, -- statements stored so far, those drawn before included
  line_count int not null, -- statements of the run
  ended_at timestamptz, -- NULL: not ended
  failure_message text, -- what went wrong, for people; NULL: no failure
  primary key (game_id, statement_job_id),
  foreign key (game_id, run_id) references payout_run,
  check ((state in ('done', 'failed')) = (ended_at is not null)),
  check ((state = 'failed') = (failure_message is not null))
);
create unique index statement_job_active on statement_job (game_id, run_id) where state in ('queued', 'running');
create index statement_job_run on statement_job (game_id, run_id, statement_job_id desc);

select pgboss.create_queue('statements', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":82800,"deleteAfterSeconds":3600}');
-- A queued job is due now; one at work is due again when its lease runs out, so that a process that fell silent needs no look-out.
create function wake_statements() returns trigger language plpgsql as $$
begin
  perform wake('statements', new.game_id || ':' || new.statement_job_id, jsonb_build_object('gameId', new.game_id),
    case new.state when 'queued' then clock_timestamp() when 'running' then new.lease_until end);
  return null;
end $$;
create trigger statement_job_wakes after insert or update of state, lease_until on statement_job for each row execute function wake_statements();
