-- What an admin sets of desk actions beside switches and limits.

create table action_setting (
  game_id int primary key references game, -- game it applies to
  send_flow text not null check (send_flow ~ '^[a-z_]{1,40}$'), -- Invo's word for a send when a phone is asked: the documents name none
  set_by text not null references person, -- admin who set it
  set_at timestamptz not null default clock_timestamp() -- when
);
