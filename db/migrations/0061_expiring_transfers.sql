-- A task lists the transfers that can't be collected a day from now; those that have ended are out of the index.
create index known_transfer_expiring on known_transfer (game_id, claim_expires_at)
  where claim_expires_at is not null and coalesce(verification_state, '') not in ('completed', 'expired', 'failed');
