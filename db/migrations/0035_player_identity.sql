-- A person has one identity and another player ID in each game: the page of a player leads to the others. Only the start is indexed, as of emails.

create index known_player_identity on known_player (game_id, left(identity_id, 254)) where identity_id is not null;
