-- One game of Invo belongs to one game here. Where two share one already, doctor names them and the index waits for an empty database.

do $$
begin
  if not exists (select from game where invo_game_id is not null group by environment, invo_game_id having count(*) > 1) then
    create unique index game_of_invo on game (environment, invo_game_id);
  end if;
end $$;
