-- Starts that wait for the owner of a shared phone: the phone that they are sent again with, sealed until then.

create table held_phone (
  game_id int not null, -- game of the start
  action_id bigint not null, -- start that waits for the owner of its phone
  sealed_phone bytea not null, -- phone of the start, sealed: only web processes open it
  held_at timestamptz not null default clock_timestamp(), -- when Invo answered that the owner must agree
  read_at timestamptz, -- when Invo was last requested whether they agreed; NULL: never
  has_agreed boolean, -- what Invo reported then, false for a refusal too; NULL: not read
  primary key (game_id, action_id),
  foreign key (game_id, action_id) references desk_action
);

-- What is sent or has ended needs no phone of its own any more.
create function drop_held_phone() returns trigger language plpgsql as $$
begin
  delete from held_phone where game_id = new.game_id and action_id = new.action_id;
  return null;
end $$;
create trigger desk_action_drops_phone after update of state on desk_action for each row when (old.state = 'approved' and new.state <> 'approved')
  execute function drop_held_phone();
