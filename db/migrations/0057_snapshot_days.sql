-- What each day of a snapshot comes to, so that an open month can be compared with the same days of the month before. None of it is evidence: each
-- row follows from the lines, and `verify` adds them up again.
create table snapshot_day (
  game_id int not null references game, -- our number of the game
  snapshot_id bigint not null, -- the snapshot whose lines are added up
  day date not null, -- in the reporting time zone of the game; each day of the window that the snapshot reaches has a row, the last one perhaps in part
  gross_attributed_usd usd not null, -- attributed amounts of renewals settled that day, in USD; 0: none
  reversed_attributed_usd usd, -- reversed amounts of refunds made that day, in USD; NULL: the report dates a reversal not, or outside of its window, so no day of the snapshot is known
  primary key (game_id, snapshot_id, day),
  foreign key (game_id, snapshot_id) references snapshot
);

-- Days are cut in the game's time zone too.
create or replace function time_zone_changed() returns trigger language plpgsql as $$
begin
  delete from month_comparison where game_id = new.game_id;
  delete from rendition where game_id = new.game_id;
  delete from snapshot_day where game_id = new.game_id;
  perform wake('rendition', new.game_id::text, jsonb_build_object('gameId', new.game_id), clock_timestamp());
  return null;
end $$;
