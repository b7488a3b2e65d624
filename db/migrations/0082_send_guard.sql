-- What an attempt and a pause lock: a row that lies with its game. A row of `game` has a copy on every server, and many processes that lock it at once wait for each other in a circle.
create table send_guard (
  game_id int primary key -- game in which attempts start together, and none while it is paused or a group of it turned off
);
select place_table('send_guard', 'distributed');
alter table send_guard add foreign key (game_id) references game;

-- Holds back pauses of a game until the transaction ends; with `alone`, also every attempt that is about to start.
create function hold_sends(of_game int, alone boolean) returns void language plpgsql as $$
begin
  loop
    if alone then
      perform from send_guard g where g.game_id = of_game for update;
    else
      perform from send_guard g where g.game_id = of_game for share;
    end if;
    if found then
      return;
    end if;
    insert into send_guard (game_id) values (of_game) on conflict do nothing;
  end loop;
end $$;
