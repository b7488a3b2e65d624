-- A repeat of a delivery is counted. The first ones that come in time are also listed, with the key and ids they came with; a copy that comes too late
-- is counted and nothing else, so a captured delivery that is played back for ever adds no row.
alter table delivery add column repeat_count bigint not null default 0; -- further receipts that came in time
alter table delivery add column repeated_at timestamptz; -- when the last of these arrived, by the database clock; NULL: none
alter table delivery add column repeated_slot text check (repeated_slot in ('current', 'previous', 'both')); -- which configured signing secret verified that one; NULL: none
alter table delivery add column repeated_version text; -- X-Service-Secret-Version of that one; NULL: none, or no such header
alter table delivery add column late_count bigint not null default 0; -- further receipts that were signed more than 5 minutes from their arrival
alter table delivery add column late_at timestamptz; -- when the last of these arrived, by the database clock; NULL: none
alter table delivery add column read_signed_at timestamptz; -- the signed time of the repeat that opened its last reading; NULL: no repeat did

alter table delivery disable trigger delivery_kept;
update delivery set repeat_count = seen.repeat_count, repeated_at = seen.repeated_at, repeated_slot = seen.repeated_slot,
  repeated_version = seen.repeated_version, late_count = seen.late_count, late_at = seen.late_at, read_signed_at = seen.read_signed_at
from (
  select game_id, delivery_id, count(*) filter (where not is_stale) as repeat_count, max(received_at) filter (where not is_stale) as repeated_at,
    (array_agg(secret_slot order by repeat_id desc) filter (where not is_stale))[1] as repeated_slot,
    (array_agg(secret_version order by repeat_id desc) filter (where not is_stale))[1] as repeated_version,
    count(*) filter (where is_stale) as late_count, max(received_at) filter (where is_stale) as late_at,
    -- Any of them may have opened one.
    max(signed_at) filter (where not is_stale) as read_signed_at
  from delivery_repeat group by game_id, delivery_id
) seen
where delivery.game_id = seen.game_id and delivery.delivery_id = seen.delivery_id;
alter table delivery enable trigger delivery_kept;
create index delivery_repeated on delivery (game_id, repeated_at) where repeated_at is not null;

-- Whatever was received stays; receipts are counted one by one; what a delivery of another game opens is decided again once the game's id at Invo is corrected.
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
  if new.repeat_count = old.repeat_count + 1 then
    free := free || array['repeat_count', 'repeated_at', 'repeated_slot', 'repeated_version', 'read_signed_at'];
  end if;
  if new.late_count = old.late_count + 1 then
    free := free || array['late_count', 'late_at'];
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

-- A webhook may bring the next look at a refund forward, and never a call that Invo asked to wait with.
alter table refund_attempt add column retry_after_ms bigint check (retry_after_ms >= 0); -- how long Invo asked to wait before the next call, in milliseconds; NULL: it didn't, or from before this was stored
drop trigger refund_attempt_kept on refund_attempt;
create trigger refund_attempt_kept before update or delete on refund_attempt for each row
  execute function keep_until_end('class', 'finished_at', 'phase', 'status', 'error_code', 'error_id', 'answer_facts', 'retry_after_ms', 'body', 'sha256');
