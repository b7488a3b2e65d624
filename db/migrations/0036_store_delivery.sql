-- A delivery is stored by a function: its statements are planned once per connection, without a named statement, which a pooler in transaction mode
-- would not allow. Planned each time, they made deliveries wait behind readers.

-- Stores a delivery with what it is about and the reading it opens. NULL: its meaning or its key is known, so nothing was stored.
create function store_delivery(
  of_game int, delivery_key text, no_key text, meaning digest, of_type text, tenant text, envelope_id text, header_id text, happened_at timestamptz,
  signed timestamptz, slot text, version text, signatures int, signed_body bytea, body_digest digest, bytes int, problem text, test boolean,
  kept_as text, opens_kind text, opens_subject text, conflicts_with bigint, about_kinds text[], about_ids text[]
) returns bigint language plpgsql as $$
declare
  stored bigint;
begin
  -- A key that came with a repeat of another meaning is that meaning's. A conflict is stored under it all the same, with what it conflicts with.
  if conflicts_with is null and exists (select from delivery_repeat r where r.game_id = of_game and r.idempotency_key = delivery_key) then
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
    -- A reading that is at work goes on, and is made once more: it may have started before what was delivered meanwhile.
    insert into delivery_read as asked (game_id, kind, subject, due_at) values (of_game, opens_kind, opens_subject, clock_timestamp())
    on conflict (game_id, kind, subject) do update set asked_at = clock_timestamp(),
      due_at = case when asked.lease_until > clock_timestamp() then asked.due_at else clock_timestamp() end,
      attempt_count = case when asked.lease_until > clock_timestamp() then asked.attempt_count else 0 end,
      first_tried_at = case when asked.lease_until > clock_timestamp() then asked.first_tried_at end;
  end if;
  return stored;
end $$;
