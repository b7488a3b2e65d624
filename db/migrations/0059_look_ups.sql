-- The players that a person looked up last, for their own first page; it isn't part of the audit, and an erasure removes it.
create table look_up (
  game_id int not null references game, -- our number of the game
  person_id text not null references person, -- who looked
  player_id bigint not null, -- the player they opened
  looked_at timestamptz not null, -- when they did last
  primary key (game_id, person_id, player_id)
);
create index look_up_newest on look_up (game_id, person_id, looked_at desc);
