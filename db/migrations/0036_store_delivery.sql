-- A delivery is stored by a function: its statements are planned once per connection, without a named statement, which a pooler in transaction mode
-- would not allow. Planned each time, they made deliveries wait behind readers.

-- A recipient of revenue share that an event names is not the player it is about.
alter table delivery_subject drop constraint delivery_subject_kind_check;
alter table delivery_subject add constraint delivery_subject_kind_check check (kind in ('order', 'transfer', 'transaction', 'subscription',
  'subscription_period', 'period', 'client_request', 'player', 'recipient', 'identity', 'payment_intent', 'charge', 'dispute'));

-- Deliveries under one key agree; the others refer to the first. One of another game says nothing about a key of this one.
drop index delivery_key;
create unique index delivery_key on delivery (game_id, idempotency_key) where conflict_with is null and state <> 'other_game';
create index delivery_conflict_key on delivery (game_id, idempotency_key) where conflict_with is not null;

-- Every minute it is asked which deliveries name another game than the one of its ID, and which name it and were taken for another's.
create index delivery_tenant on delivery (game_id, tenant_id, state);

-- Whatever was received stays; what a delivery of another game opens is decided again once the game's id at Invo is corrected.
create or replace function keep_delivery() returns trigger language plpgsql as $$
declare
  free text[] := array['state', 'settled_at', 'settled_by', 'settled_reason'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a delivery is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if new.body is null then
    free := free || array['body'];
  end if;
  -- A key that comes with a repeat counts from then on.
  if old.idempotency_key is null then
    free := free || array['idempotency_key', 'key_problem'];
  end if;
  -- A later receipt can show that its key stands for something else too.
  if old.conflict_with is null then
    free := free || array['conflict_with'];
  end if;
  if old.state = 'other_game' then
    free := free || array['read_kind', 'read_subject', 'body_problem'];
  end if;
  if (to_jsonb(new) - free)::text <> (to_jsonb(old) - free)::text then
    raise exception 'what was delivered never changes' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- Makes a reading due. One that is at work goes on, and is made once more: it may have started before what was delivered meanwhile.
create function ask_delivery_read(of_game int, read_kind text, read_subject text) returns void language plpgsql as $$
begin
  insert into delivery_read as asked (game_id, kind, subject, due_at) values (of_game, read_kind, read_subject, clock_timestamp())
  on conflict (game_id, kind, subject) do update set asked_at = clock_timestamp(),
    due_at = case when asked.lease_until > clock_timestamp() then asked.due_at else clock_timestamp() end,
    attempt_count = case when asked.lease_until > clock_timestamp() then asked.attempt_count else 0 end,
    first_tried_at = case when asked.lease_until > clock_timestamp() then asked.first_tried_at end;
end $$;

-- Waits for every other transaction that receives something under the same key. NULL: no key, nothing to wait for.
create function lock_delivery_key(of_game int, delivery_key text) returns void language plpgsql as $$
begin
  if delivery_key is not null then
    perform pg_advisory_xact_lock(hashtextextended(delivery_key, of_game));
  end if;
end $$;

-- Stores a delivery with what it is about and the reading it opens. NULL: its meaning or its key is known, so nothing was stored.
create function store_delivery(
  of_game int, delivery_key text, no_key text, meaning digest, of_type text, tenant text, envelope_id text, header_id text, happened_at timestamptz,
  signed timestamptz, slot text, version text, signatures int, signed_body bytea, body_digest digest, bytes int, problem text, test boolean,
  kept_as text, opens_kind text, opens_subject text, conflicts_with bigint, about_kinds text[], about_ids text[]
) returns bigint language plpgsql as $$
declare
  stored bigint;
begin
  -- Receipts under one key are compared one after another: at once, neither would see what the other says.
  perform lock_delivery_key(of_game, delivery_key);
  -- A key that came with a repeat of another meaning is that meaning's. A conflict is stored under it all the same, with what it conflicts with.
  if conflicts_with is null and kept_as <> 'other_game' and exists (
    select from delivery_repeat r join delivery d on d.game_id = r.game_id and d.delivery_id = r.delivery_id
    where r.game_id = of_game and r.idempotency_key = delivery_key and d.state <> 'other_game'
  ) then
    return null;
  end if;
  insert into delivery (game_id, idempotency_key, key_problem, meaning_digest, event_type, tenant_id, event_id, header_event_id, event_created_at,
    signed_at, secret_slot, secret_version, signature_count, body, body_sha256, body_bytes, body_problem, is_test, state, read_kind, read_subject,
    conflict_with)
  values (of_game, delivery_key, no_key, meaning, of_type, tenant, envelope_id, header_id, happened_at,
    signed, slot, version, signatures, signed_body, body_digest, bytes, problem, test, kept_as, opens_kind, opens_subject, conflicts_with)
  on conflict do nothing returning delivery_id into stored;
  if stored is null then
    return null;
  end if;
  insert into delivery_subject (game_id, kind, id_text, delivery_id)
  select of_game, about.kind, about.id_text, stored from unnest(about_kinds, about_ids) as about (kind, id_text);
  if opens_kind is not null then
    perform ask_delivery_read(of_game, opens_kind, opens_subject);
  end if;
  return stored;
end $$;
