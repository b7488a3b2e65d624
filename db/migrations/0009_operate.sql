-- Operating several processes over one database: changes of people and games are announced to every process, and a database that was
-- restored from a backup is recognised, so that its refunds stay paused until two people resume them.

-- Triggers, because a path that forgets to announce a change would leave a person signed in elsewhere.
create function announce_person() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('sharebook_changed', 'person ' || coalesce(changed ->> 'person_id', changed ->> 'id'));
  return null;
end $$;
create trigger person_announced after update or delete on person for each row execute function announce_person();
create trigger person_session_announced after update or delete on person_session for each row execute function announce_person();
create trigger credential_announced after insert or update or delete on credential for each row execute function announce_person();

create function announce_all() returns trigger language plpgsql as $$
begin
  perform pg_notify('sharebook_changed', case when tg_table_name = 'game' then 'games' else 'everyone' end);
  return null;
end $$;
create trigger person_session_emptied after truncate on person_session for each statement execute function announce_all();
create trigger game_added after insert or delete on game for each statement execute function announce_all();
create trigger game_announced after update of slug, environment, name, time_zone, invo_game_id on game for each row execute function announce_all();

create table database_mark (
  is_only boolean primary key default true check (is_only), -- the table has one row
  lineage uuid not null default gen_random_uuid(), -- identity of this database; a new one after each restore
  step bigint not null default 0, -- grows with every minute and before every refund call; smaller than a data folder remembers: the database is an older copy
  advanced_at timestamptz not null default clock_timestamp() -- when it last grew
);
insert into database_mark default values;

create table database_restore (
  restore_no int generated always as identity primary key, -- 1, 2, 3 …
  found_at timestamptz not null default clock_timestamp(), -- when the restore was found; refunds requested before were open at the backup
  found_by text not null, -- the process that found it, or the command line
  lineage uuid not null, -- identity of the database until then
  step bigint not null, -- how far the restored copy had come
  step_seen bigint check (step_seen > step) -- how far the lost database had come, as a data folder remembers it; NULL: a person reported the restore
);
create trigger database_restore_kept before delete or update on database_restore for each row execute function refuse_change();

alter table refund_pause alter column paused_by drop not null; -- who paused refunds; NULL: Sharebook, because the database was restored
alter table refund_pause add column restore_no int references database_restore; -- the restore it follows from; NULL: a person paused refunds
alter table refund_pause add constraint refund_pause_by check (paused_by is not null or restore_no is not null);

-- The key is unique in its game, so that refunds can be distributed by game.
alter table refund drop constraint refund_client_request_id_key;
alter table refund add constraint refund_client_request_id_key unique (game_id, client_request_id);
