-- One table of locks by game and purpose, for what two tables and two functions did alike. A row lies with its game: an advisory lock would be of whichever server
-- took it, and a row of `game` has a copy on every server, where many processes that lock it at once wait for each other in a circle.
create table game_lock (
  game_id int not null, -- game that is locked
  purpose text not null check (purpose in ('names', 'readings', 'sends')), -- names: shared by what stores one, exclusive for an erasure. readings: shared by what stores one, exclusive for an instant that none precedes. sends: shared by attempts that start, exclusive for what stops or limits them
  primary key (game_id, purpose)
);
select place_table('game_lock', 'distributed');
alter table game_lock add foreign key (game_id) references game;

-- Locks a game for a purpose until the transaction ends: `exclusive`, or shared with all that lock it so.
create function lock_game(of_game int, for_purpose text, exclusive boolean) returns void language plpgsql as $$
begin
  loop
    if exclusive then
      perform from game_lock l where l.game_id = of_game and l.purpose = for_purpose for update;
    else
      perform from game_lock l where l.game_id = of_game and l.purpose = for_purpose for share;
    end if;
    if found then
      return;
    end if;
    insert into game_lock (game_id, purpose) values (of_game, for_purpose) on conflict do nothing;
  end loop;
end $$;

create or replace function skip_erased() returns trigger language plpgsql as $$
begin
  perform lock_game(new.game_id, 'names', false);
  if is_erased(new.game_id, new.player_id) then
    return null;
  end if;
  return new;
end $$;

drop function hold_erasures, hold_sends;
drop table erasure_guard;
drop table send_guard;
