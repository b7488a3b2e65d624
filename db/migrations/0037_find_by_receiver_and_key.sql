-- Who receives a transfer, so that a player's page finds theirs among any number, and an erasure finds the answers that name them. Rows from before it are
-- filled when their transfer is read again.
alter table known_transfer add column to_identity_id text; -- the identity that receives it, as Invo reported it; NULL: not reported
-- Only the start is indexed, as of the identities of players.
create index known_transfer_receiver on known_transfer (game_id, left(to_identity_id, 254), read_at desc) where to_identity_id is not null;

-- A delivery is found by the ids that Invo's console shows: its key and its event ids, which may differ on each receipt.
drop index delivery_conflict_key;
-- With `delivery_key` every key is indexed, each once.
create index delivery_other_key on delivery (game_id, idempotency_key) where conflict_with is not null or state = 'other_game';
create index delivery_event on delivery (game_id, event_id);
create index delivery_header_event on delivery (game_id, header_event_id);
create index delivery_repeat_event on delivery_repeat (game_id, event_id);
create index delivery_repeat_header_event on delivery_repeat (game_id, header_event_id);
