-- What can never change again is computed once. None of these tables is evidence: each row follows from evidence, can be made again
-- from it, and `verify` compares it. They are changed and removed freely.

-- The current snapshot of each window, so that no page looks for it.
create table current_window (
  game_id int not null references game, -- our number of the game
  window_start timestamptz not null, -- first instant
  window_end timestamptz not null, -- up to, not including
  snapshot_id bigint not null, -- the newest complete snapshot of the window, otherwise the newest
  status text not null, -- its status
  covered_until timestamptz not null, -- how far its evidence reaches
  check_count int not null, -- its checks
  check_ok_count int not null, -- those that match
  warning_count int not null, -- those that don't match and only warn
  complete_count int not null, -- complete snapshots of the window; figures can have changed where there are two
  newer_snapshot_id bigint, -- an inconsistent snapshot newer than the complete one; NULL: none
  newer_created_at timestamptz, -- when that one was stored
  rechecked_at timestamptz, -- last comparison of the snapshot with Invo; NULL: none
  recheck_is_equal boolean, -- whether Invo's figures were the same
  recheck_call_count int, -- calls it took
  primary key (game_id, window_start, window_end),
  foreign key (game_id, snapshot_id) references snapshot
);

create function refresh_current_window(of_game integer, of_start timestamptz, of_end timestamptz) returns void language plpgsql as $$
begin
  -- One after another: a transaction that waited must see what the other one stored.
  perform 1 from game where game_id = of_game for no key update;
  insert into current_window
  select c.game_id, c.window_start, c.window_end, c.snapshot_id, c.status, c.covered_until, checks.count, checks.ok_count, checks.warning_count,
    (select count(*) from snapshot s where s.game_id = of_game and s.window_start = of_start and s.window_end = of_end and s.status = 'complete'),
    newer.snapshot_id, newer.created_at, recheck.checked_at, recheck.is_equal, recheck.call_count
  from current_snapshot c
  cross join lateral (
    select count(*), count(*) filter (where k.ok) as ok_count, count(*) filter (where not k.ok and k.severity = 'warning') as warning_count
    from snapshot_check k where k.game_id = c.game_id and k.snapshot_id = c.snapshot_id
  ) checks
  left join lateral (
    select n.snapshot_id, n.created_at from snapshot n
    where n.game_id = c.game_id and n.window_start = c.window_start and n.window_end = c.window_end
      and n.snapshot_id > c.snapshot_id and n.status = 'inconsistent'
    order by n.snapshot_id desc limit 1
  ) newer on c.status = 'complete'
  left join lateral (
    select r.checked_at, r.is_equal, r.call_count from recheck r
    where r.game_id = c.game_id and r.snapshot_id = c.snapshot_id order by r.recheck_id desc limit 1
  ) recheck on true
  where c.game_id = of_game and c.window_start = of_start and c.window_end = of_end
  on conflict (game_id, window_start, window_end) do update set
    snapshot_id = excluded.snapshot_id, status = excluded.status, covered_until = excluded.covered_until, check_count = excluded.check_count, check_ok_count = excluded.check_ok_count,
    warning_count = excluded.warning_count, complete_count = excluded.complete_count, newer_snapshot_id = excluded.newer_snapshot_id,
    newer_created_at = excluded.newer_created_at, rechecked_at = excluded.rechecked_at, recheck_is_equal = excluded.recheck_is_equal,
    recheck_call_count = excluded.recheck_call_count;
end $$;

-- Deferred to the commit: the checks of a snapshot are stored after it.
create function snapshot_makes_current() returns trigger language plpgsql as $$
begin
  perform refresh_current_window(new.game_id, new.window_start, new.window_end);
  return null;
end $$;
create constraint trigger snapshot_is_current after insert on snapshot deferrable initially deferred for each row execute function snapshot_makes_current();

create function recheck_makes_current() returns trigger language plpgsql as $$
begin
  perform refresh_current_window(s.game_id, s.window_start, s.window_end) from snapshot s where s.game_id = new.game_id and s.snapshot_id = new.snapshot_id;
  return null;
end $$;
create constraint trigger recheck_is_current after insert on recheck deferrable initially deferred for each row execute function recheck_makes_current();

-- A sheet of a complete snapshot as a file and as a table, ready to be sent.
create table rendition (
  game_id int not null, -- our number of the game
  snapshot_id bigint not null, -- the snapshot rendered
  sheet text not null check (sheet in ('recipients', 'renewals', 'reversals')), -- which sheet
  version int not null, -- of the rules it was made by; another version is made again
  row_count bigint not null, -- rows of the sheet
  sums jsonb not null, -- sum of each summed column, decimal text by its name, as the manifest states it
  file_sha256 digest not null, -- of the uncompressed CSV
  file_byte_count bigint not null, -- of the uncompressed CSV
  file_part_count int not null, -- gzip members of the file
  table_sha256 digest, -- of the uncompressed table answer; NULL: the sheet has more rows than a table in memory may have
  head jsonb, -- how many rows each filter leaves, and the first rows, in the shape of the table answer; NULL as table_sha256
  rendered_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, snapshot_id, sheet),
  foreign key (game_id, snapshot_id) references snapshot
);

-- The bytes of a rendition; those of a file are its parts one after another.
create table rendition_part (
  game_id int not null, -- our number of the game
  snapshot_id bigint not null, -- the snapshot rendered
  sheet text not null, -- as in `rendition`
  kind text not null check (kind in ('file', 'table')), -- the CSV, or the answer a table is made of
  part_no int not null, -- 1, 2, 3 …
  body bytea not null, -- one gzip member; a file's members joined are a valid gzip file
  primary key (game_id, snapshot_id, sheet, kind, part_no),
  foreign key (game_id, snapshot_id, sheet) references rendition on delete cascade
);
alter table rendition_part alter column body set storage external;

-- How the recipients of a complete month stand beside other months. It changes when a snapshot of an earlier month becomes current.
create table month_comparison (
  game_id int not null, -- our number of the game
  window_start timestamptz not null, -- first instant
  window_end timestamptz not null, -- up to, not including
  snapshot_id bigint not null, -- the snapshot compared: the current one of the month
  version int not null, -- of the rules it was made by, as in `rendition`
  head jsonb not null, -- months compared with, counts and sums, and the figures of the first rows
  body bytea not null, -- gzip JSON: the figures of every recipient, in the order of the recipients sheet
  sha256 digest not null, -- of the uncompressed JSON
  primary key (game_id, window_start, window_end),
  foreign key (game_id, snapshot_id) references snapshot
);
alter table month_comparison alter column body set storage external;

create index pull_window on pull (game_id, window_start, window_end, pull_id desc);

-- What is rendered is due when a complete snapshot became current.
select pgboss.create_queue('rendition', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":3600,"deleteAfterSeconds":3600}');
create function complete_month_changed() returns trigger language plpgsql as $$
begin
  -- A re-check writes the same snapshot again.
  if tg_op = 'UPDATE' and (old.snapshot_id, old.status, old.complete_count) = (new.snapshot_id, new.status, new.complete_count) then
    return null;
  end if;
  -- What later months state beside this one is no longer true; until it is made again, their pages compare by themselves.
  delete from month_comparison where game_id = new.game_id and window_end > new.window_start;
  perform wake('rendition', new.game_id::text, jsonb_build_object('gameId', new.game_id), clock_timestamp());
  return null;
end $$;
create trigger current_window_wakes after insert or update of snapshot_id on current_window for each row when (new.status = 'complete') execute function complete_month_changed();

-- Months are cut in the game's time zone, and reversals name the month they settled in.
create function time_zone_changed() returns trigger language plpgsql as $$
begin
  delete from month_comparison where game_id = new.game_id;
  delete from rendition where game_id = new.game_id;
  perform wake('rendition', new.game_id::text, jsonb_build_object('gameId', new.game_id), clock_timestamp());
  return null;
end $$;
create trigger game_time_zone_changed after update of time_zone on game for each row when (old.time_zone <> new.time_zone) execute function time_zone_changed();

select refresh_current_window(game_id, window_start, window_end) from (select distinct game_id, window_start, window_end from snapshot) known;
