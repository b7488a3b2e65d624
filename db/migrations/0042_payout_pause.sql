-- After a restore, runs approved since the backup are missing: nothing may be drafted, submitted or approved until two people say so.
create table payout_pause (
  game_id int not null references game, -- game whose payouts are paused
  pause_no int not null generated always as identity, -- 1, 2, 3 …
  restore_no int not null references database_restore, -- the restore that is the reason
  paused_at timestamptz not null default clock_timestamp(), -- when
  missing jsonb, -- approved runs that the data folder knows and this database lacks, by lib/payouts/rules/missing-run.ts; NULL: no data folder knows which runs were approved
  resume_requested_by text references person, -- the first person who asked to resume; NULL: nobody yet
  resumed_by text references person, -- the second person; NULL: still paused
  resumed_at timestamptz, -- when payouts were resumed; NULL: still paused
  primary key (game_id, pause_no),
  check (resumed_by <> resume_requested_by),
  check ((resumed_by is null) = (resumed_at is null)),
  check (resumed_by is null or resume_requested_by is not null)
);
create unique index payout_pause_open on payout_pause (game_id) where resumed_at is null;
create trigger payout_pause_kept before update or delete on payout_pause for each row
  execute function keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no', 'missing');
create trigger payout_pause_whole before truncate on payout_pause for each statement execute function refuse_change();
