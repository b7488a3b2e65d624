-- The application wakes workers after its commit (db/kit/wake.ts): on a database that is spread over servers, triggers run where the rows lie, without the job engine.

drop trigger refund_wakes on refund;
drop trigger desk_action_wakes on desk_action;
drop trigger pull_wakes on pull;
drop trigger detail_job_wakes on detail_job;
drop trigger statement_job_wakes on statement_job;
drop trigger balance_job_wakes on balance_job;
drop trigger notice_delivery_wakes on notice_delivery;
drop trigger refund_pause_wakes on refund_pause;
drop trigger action_pause_wakes on action_pause;
drop trigger pull_schedule_wakes on pull_schedule;
-- Nothing is rendered when the time zone of a game changes: it can't change once something was pulled.
drop trigger game_time_zone_changed on game;
drop function wake_refund(), wake_desk_action(), wake_pull(), wake_details(), wake_statements(), wake_balances(), wake_mail(), wake_resumed(), time_zone_changed();

alter trigger current_window_wakes on current_window rename to current_window_compared;
create or replace function complete_month_changed() returns trigger language plpgsql as $$
begin
  -- A re-check writes the same snapshot again.
  if tg_op = 'UPDATE' and (old.snapshot_id, old.status, old.complete_count) = (new.snapshot_id, new.status, new.complete_count) then
    return null;
  end if;
  -- What later months state beside this one is no longer true; until it is made again, their pages compare by themselves.
  delete from month_comparison where game_id = new.game_id and window_end > new.window_start;
  return null;
end $$;

-- Starts a job of a queue at a time, once: a job with this key that hasn't started gets the new time.
create or replace function wake(queue_name text, wake_key text, payload jsonb, at timestamptz) returns void language plpgsql security definer
  set search_path to 'public', 'pg_temp' as $$
begin
  insert into pgboss.job_common (name, data, singleton_key, start_after, policy, retry_limit, expire_seconds, deletion_seconds, keep_until)
  select q.name, payload, wake_key, at, q.policy, q.retry_limit, q.expire_seconds, q.deletion_seconds, at + make_interval(secs => q.retention_seconds)
  from pgboss.queue q where q.name = queue_name
  on conflict (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'
  do update set start_after = excluded.start_after, keep_until = excluded.keep_until;
  if at <= clock_timestamp() then
    perform pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), queue_name);
  end if;
end $$;

-- Wakes what is due of a game and what a process that fell silent left. Row by row, so that it runs on the server with the job engine.
create or replace function wake_overdue(of_game int) returns void language plpgsql as $$
declare
  payload constant jsonb := jsonb_build_object('gameId', of_game);
  due record;
begin
  for due in
    select 'refund' as queue, refund_id as id from refund where game_id = of_game and next_look_at <= clock_now()
    union all
    select 'actions', action_id from desk_action where game_id = of_game and next_look_at <= clock_now()
    union all
    select 'pull', pull_id from pull where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
    union all
    select 'details', detail_job_id from detail_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
    union all
    select 'statements', statement_job_id from statement_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
    union all
    select 'balances', balance_job_id from balance_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
  loop
    perform wake(due.queue, of_game || ':' || due.id, payload, clock_timestamp());
  end loop;
end $$;
