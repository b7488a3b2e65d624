-- Places a table that a migration adds, before the migration adds foreign keys to it: by game beside the other tables, or copied to every server. Nothing where the
-- tables are on one server. A migration that adds a table and doesn't call it is refused on a cluster (db/kit/migrate.ts).
create function place_table(added text, place text) returns void language plpgsql as $$
declare
  is_distributed boolean := false;
begin
  if place not in ('distributed', 'reference') then
    raise exception 'a table is distributed or reference, not %', place;
  end if;
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = ''slice''::regclass and partmethod = ''h'')' into is_distributed;
  end if;
  if is_distributed and place = 'distributed' then
    execute format('select create_distributed_table(%L, ''game_id'', colocate_with => ''slice'')', added);
  elsif is_distributed then
    execute format('select create_reference_table(%L)', added);
  end if;
end $$;
