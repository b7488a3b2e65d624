-- Sends from house accounts: a start that waits for a phone or a guardian, the grant of the phone, and an approval that begins once.

alter table desk_action add column parent_id bigint; -- start that this is a step of; NULL: it is none
alter table desk_action add column transaction_id text; -- Invo's transaction that an approval moves; NULL: it moves none
alter table desk_action add column waits_for text check (waits_for in ('phone', 'guardian')); -- whose answer a start waits for; NULL: nobody's
alter table desk_action add column waits_until timestamptz; -- end of the window that Invo reported; NULL: not reported, or it doesn't wait
alter table desk_action add constraint desk_action_parent foreign key (game_id, parent_id) references desk_action;
alter table desk_action drop constraint desk_action_state;
alter table desk_action add constraint desk_action_state check (state in ('awaiting_approval', 'approved', 'sending', 'waiting', 'with_player', 'unknown', 'checking',
  'attention', 'done', 'refused', 'not_done', 'lapsed', 'rejected', 'withdrawn'));
alter table desk_action add constraint desk_action_with_player check ((state = 'with_player') = (waits_for is not null) and (waits_until is null or waits_for is not null));
alter table desk_action_attempt drop constraint desk_action_attempt_class_check;
alter table desk_action_attempt add constraint desk_action_attempt_class_check
  check (class in ('done', 'replayed', 'goes_on', 'refused', 'not_now', 'open', 'no_answer', 'contradiction'));
alter table desk_action_read drop constraint desk_action_read_kind_check;
alter table desk_action_read add constraint desk_action_read_kind_check check (kind in ('wallet', 'order', 'cards', 'vault', 'status', 'guardian'));
create index desk_action_steps on desk_action (game_id, parent_id) where parent_id is not null;
-- After an approval that may have moved coins none begins for its transaction again: only the answers that executed nothing end one as refused.
create unique index desk_action_approves on desk_action (game_id, transaction_id) where kind in ('send_approve', 'transfer_approve') and state <> 'refused';

create table device_grant (
  game_id int not null, -- game of the start
  grant_id bigint not null generated always as identity, -- ID of the grant
  action_id bigint not null, -- start or receipt that the phone approves
  transaction_id text not null, -- Invo's transaction
  flow text not null, -- Invo's word for what is approved
  state text not null default 'started' check (state in ('started', 'waiting', 'enrolling', 'approved', 'declined', 'expired', 'lost', 'replaced')), -- what the phone has answered
  sealed_code bytea, -- device code, sealed; NULL: not issued yet, or the grant is over
  requested_by text not null references person, -- who requested the approval
  requested_at timestamptz not null default clock_timestamp(), -- when
  interval_s int, -- seconds between two polls, as Invo reports them; NULL: not started at Invo
  next_poll_at timestamptz, -- when it may be polled again; NULL: it is over
  expires_at timestamptz, -- when Invo ends it; NULL: not started at Invo
  approved_at timestamptz, -- when the phone approved, as Invo reports it; NULL: it didn't, or not reported
  primary key (game_id, grant_id),
  foreign key (game_id, action_id) references desk_action,
  check ((state in ('waiting', 'enrolling')) <= (sealed_code is not null and next_poll_at is not null)),
  check (state in ('started', 'waiting', 'enrolling', 'approved') or sealed_code is null)
);
create unique index device_grant_open on device_grant (game_id, action_id) where state in ('started', 'waiting', 'enrolling', 'approved');

-- What ended needs no phone any more.
create function end_device_grants() returns trigger language plpgsql as $$
begin
  update device_grant set state = case when state = 'approved' then 'replaced' else 'expired' end, sealed_code = null, next_poll_at = null
  where game_id = new.game_id and action_id = new.action_id and state in ('started', 'waiting', 'enrolling', 'approved');
  return null;
end $$;
create trigger desk_action_ends_grants after update of state on desk_action for each row when (new.ended_at is not null and old.ended_at is null)
  execute function end_device_grants();

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
  -- What was recorded as not executed is open again when an answer or a reading contradicts it.
  if old.ended_at is not null and old.state <> new.state and not (old.state in ('not_done', 'refused', 'lapsed') and new.state in ('attention', 'done')) then
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
