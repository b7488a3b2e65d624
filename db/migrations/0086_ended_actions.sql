-- An outcome that people recorded as executed is decided again when a later reading contradicts it. An action of an erased player that ends loses what people
-- wrote with it: until then its ticket says what it is about.
create or replace function keep_desk_action() returns trigger language plpgsql as $$
declare
  -- What follows from a state, and what a later reading or webhook adds.
  free text[] := array['version', 'state_since', 'lease_owner', 'attention_reason', 'next_look_at', 'settle_until', 'last_error_code', 'last_error_id', 'waits_for', 'waits_until'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a desk action is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if (old.game_id, old.action_id, old.kind, old.repeats, old.draft_id, old.subject, old.player_id, old.order_id, old.reference, old.amount, old.unit, old.facts,
      old.request_digest, old.content_digest, old.reason_code, old.requested_by, old.requested_at, old.needs_second_approver, old.parent_id, old.transaction_id)
    is distinct from (new.game_id, new.action_id, new.kind, new.repeats, new.draft_id, new.subject, new.player_id, new.order_id, new.reference, new.amount, new.unit, new.facts,
      new.request_digest, new.content_digest, new.reason_code, new.requested_by, new.requested_at, new.needs_second_approver, new.parent_id, new.transaction_id) then
    raise exception 'what a desk action requests never changes' using errcode = 'integrity_constraint_violation';
  end if;
  -- An erasure removes the words; nothing else changes them.
  if old.reason_text is distinct from new.reason_text and (new.reason_text is not null or old.ended_at is null)
    or old.ticket is distinct from new.ticket and (new.ticket is not null or old.ended_at is null) then
    raise exception 'what a desk action requests never changes' using errcode = 'integrity_constraint_violation';
  end if;
  -- What was recorded as not executed is open again when an answer or a reading contradicts it, and what people recorded as executed when a reading does.
  if old.ended_at is not null and old.state <> new.state and not (old.state in ('not_done', 'refused', 'lapsed') and new.state in ('attention', 'done'))
    and not (old.state = 'done' and old.outcome_source = 'people' and new.state = 'attention') then
    raise exception 'a desk action that ended stays ended' using errcode = 'integrity_constraint_violation';
  end if;
  if new.attempt_count < old.attempt_count or old.first_sent_at is distinct from new.first_sent_at and old.first_sent_at is not null
    or old.approved_digest is not null and old.approved_digest is distinct from new.approved_digest then
    raise exception 'what was sent or approved stays so' using errcode = 'integrity_constraint_violation';
  end if;
  if old.request_bytes is distinct from new.request_bytes then
    raise exception 'the bytes of a desk action never change' using errcode = 'integrity_constraint_violation';
  end if;
  if old.paid_order_id is not null and old.paid_order_id is distinct from new.paid_order_id then
    raise exception 'the order of a paid link is set once' using errcode = 'integrity_constraint_violation';
  end if;
  if old.ended_at is not null then
    free := free || array['reason_text', 'ticket', 'paid_order_id'];
    if old.state <> new.state then
      free := free || array['state', 'ended_at', 'outcome_source', 'unanswered_count', 'result'];
    end if;
    if (to_jsonb(new) - free)::text <> (to_jsonb(old) - free)::text then
      raise exception 'a desk action that ended is frozen' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  -- What follows from a state is written here, whoever moves it.
  new.version := old.version + 1;
  new.state_since := old.state_since;
  new.ended_at := old.ended_at;
  if old.state <> new.state then
    new.state_since := clock_timestamp();
    new.ended_at := case when new.state in ('done', 'refused', 'not_done', 'lapsed', 'rejected', 'withdrawn') then clock_timestamp() end;
  end if;
  if new.ended_at is not null and old.ended_at is null
    and exists (select from recipient_erasure e where e.game_id = new.game_id and e.recipient_player_id = new.player_id) then
    new.reason_text := null;
    new.ticket := null;
  end if;
  -- They name the player by email: nobody sends them again.
  if new.ended_at is not null then
    new.request_bytes := null;
  end if;
  if new.state <> 'sending' then
    new.lease_owner := null;
  end if;
  if new.state <> 'attention' then
    new.attention_reason := null;
  end if;
  if new.state <> 'with_player' then
    new.waits_for := null;
    new.waits_until := null;
  end if;
  return new;
end $$;
