-- An index entry of a text that is too long (about 2,700 bytes) is refused, and with it the whole month: only the start of an email is indexed.

drop index known_player_email;
create index known_player_email on known_player (game_id, left(lower(player_email), 254));
drop index snapshot_recipient_email;
create index snapshot_recipient_email on snapshot_recipient (game_id, left(lower(player_email), 254), recipient_player_id, snapshot_id desc)
  where player_email is not null;
