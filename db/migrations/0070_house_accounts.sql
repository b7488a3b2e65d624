-- Player accounts of the studio, from which people send coins. Their phones are sealed: only web processes open them.

create table house_account (
  game_id int not null references game, -- game the account is in
  house_account_id bigint not null generated always as identity, -- ID of the entry: a changed account is another entry
  player_id bigint not null, -- player account of the studio
  label text not null check (char_length(label) between 1 and 100), -- what people call it
  sealed_phone bytea, -- E.164 number of the phone that approves, sealed; NULL: the entry was removed
  phone_end text not null check (phone_end ~ '^\d\d$'), -- its last two digits
  requested_by text not null references person, -- admin who requested it
  requested_at timestamptz not null default clock_timestamp(), -- when
  confirmed_by text references person, -- second person; NULL: not confirmed, or a sandbox game
  confirmed_at timestamptz, -- since when people send from it; NULL: not yet
  removed_by text references person, -- who removed or rejected it; NULL: nobody
  removed_at timestamptz, -- when; NULL: it wasn't
  primary key (game_id, house_account_id),
  constraint house_account_other_person check (confirmed_by <> requested_by),
  constraint house_account_confirmed check (confirmed_by is null or confirmed_at is not null),
  constraint house_account_removed check ((removed_at is null) = (removed_by is null) and (removed_at is null) = (sealed_phone is not null))
);
create unique index house_account_player on house_account (game_id, player_id) where removed_at is null;
