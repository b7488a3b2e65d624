-- Writes at Invo that people request for a player: stored before the first byte is sent, one attempt per row, settled by an answer, a reading or people.

create table desk_action (
  game_id int not null references game, -- game the player belongs to
  action_id bigint not null generated always as identity, -- ID of the action
  kind text not null, -- which write it is
  repeats text not null, -- who may send it again: a person, or nobody
  draft_id uuid not null, -- made with its form: one form is one action
  subject text not null, -- what may be open only once
  player_id bigint not null, -- player it is for
  order_id text, -- Invo's ID of the order it is about; NULL: none
  reference text, -- idempotency key; NULL: the route takes none
  amount coins, -- what counts towards a limit; NULL: nothing does
  unit text, -- of amount; NULL: nothing counts towards a limit
  facts jsonb not null, -- what requester and approver saw, versioned; no name, email, phone, code or link
  request_digest digest not null, -- SHA-256 of the body that is sent
  content_digest digest not null, -- SHA-256 over everything an approval covers
  reason_code text not null, -- why it is requested
  reason_text text, -- in their own words; NULL: none
  ticket text, -- reference of the ticket; NULL: none
  state text not null, -- where it is: waiting for people, for Invo or for a reading, or ended
  version int not null default 0, -- raised by each change
  state_since timestamptz not null default clock_timestamp(), -- when it entered the state
  requested_by text not null references person, -- who requested it
  requested_at timestamptz not null default clock_timestamp(), -- when
  needs_second_approver boolean not null, -- it was beyond the limits of who requested it
  approval text, -- policy: within the limits of who requested it; person: a second person; NULL: not approved
  approved_by text references person, -- the second person; NULL: not approved by one
  approved_at timestamptz, -- when; NULL: not approved
  approved_digest digest, -- content digest it was approved with; NULL: not approved
  first_sent_at timestamptz, -- when the first attempt was committed; NULL: none was
  last_sent_at timestamptz, -- when the newest attempt was committed; NULL: none was
  attempt_count int not null default 0, -- attempts that were committed
  unanswered_count int not null default 0, -- attempts after which Invo may have executed it
  lease_owner text, -- process that is sending it; NULL: none is
  next_look_at timestamptz, -- when the worker continues with it; NULL: never
  settle_until timestamptz, -- afterwards people decide, or it expires; NULL: it isn't being settled
  result jsonb, -- listed fields of Invo's answer, by Invo's names; NULL: no answer had any
  last_error_code text, -- of the newest answer or reading; NULL: it had none
  last_error_id text, -- Invo's ID of that error; NULL: it had none
  attention_reason text, -- why people must look; NULL: they needn't
  outcome_source text, -- how it is known to be done; NULL: it isn't done
  paid_order_id text, -- order that a payment link was paid by; NULL: not known
  ended_at timestamptz, -- when it entered its final state; NULL: it is open
  primary key (game_id, action_id),
  unique (game_id, draft_id),
  unique (game_id, reference),
  unique (game_id, action_id, repeats),
  constraint desk_action_kind check ((kind, repeats) in (('payment_confirm', 'person'), ('card_confirm', 'person'), ('payment_link', 'never'))),
  constraint desk_action_state check (state in ('awaiting_approval', 'approved', 'sending', 'unknown', 'checking', 'attention', 'done', 'refused', 'not_done',
    'lapsed', 'rejected', 'withdrawn')),
  constraint desk_action_ended check ((state in ('done', 'refused', 'not_done', 'lapsed', 'rejected', 'withdrawn')) = (ended_at is not null)),
  constraint desk_action_reference check (reference !~* '^sub_' and char_length(reference) <= 200),
  constraint desk_action_amount check (amount > 0 and (amount is null) = (unit is null)),
  constraint desk_action_unit check (unit in ('usd', 'coins')),
  constraint desk_action_reason check (reason_code in ('technical_fault', 'requested_by_player', 'goodwill', 'prize', 'event_outage', 'test', 'other')),
  constraint desk_action_reason_text check (char_length(reason_text) between 1 and 500),
  constraint desk_action_ticket check (char_length(ticket) between 1 and 100),
  constraint desk_action_approval check (approval in ('policy', 'person')),
  constraint desk_action_other_approver check (approved_by <> requested_by),
  constraint desk_action_approver check ((approval is not distinct from 'person') = (approved_by is not null)),
  constraint desk_action_two_people check (not needs_second_approver or approval is distinct from 'policy'),
  constraint desk_action_approved check ((approval is null) = (approved_digest is null) and (approval is null) = (approved_at is null)),
  constraint desk_action_approved_content check (state in ('awaiting_approval', 'rejected', 'withdrawn', 'lapsed')
    or approved_digest is not null and approved_digest::bytea = content_digest::bytea),
  constraint desk_action_lease check ((state = 'sending') = (lease_owner is not null)),
  constraint desk_action_attention check ((state = 'attention') = (attention_reason is not null)),
  constraint desk_action_attention_reason check (attention_reason in ('answer_contradicts', 'content_altered', 'cannot_be_read', 'not_settled',
    'reading_contradicts', 'restored')),
  constraint desk_action_sent check ((attempt_count = 0) = (first_sent_at is null) and (attempt_count = 0) = (last_sent_at is null)),
  constraint desk_action_once check (repeats <> 'never' or attempt_count <= 1),
  constraint desk_action_unsent check (state not in ('rejected', 'withdrawn', 'awaiting_approval', 'refused') or unanswered_count = 0),
  constraint desk_action_outcome check ((state = 'done') = (outcome_source is not null)),
  constraint desk_action_source check (outcome_source in ('answer', 'replay', 'reading', 'people'))
);
create unique index desk_action_open on desk_action (game_id, subject) where ended_at is null;
create unique index desk_action_sender on desk_action (game_id, player_id) where state = 'sending';
create index desk_action_due on desk_action (next_look_at) where next_look_at is not null;
create index desk_action_order on desk_action (game_id, order_id) where order_id is not null;
create index desk_action_player on desk_action (game_id, player_id, action_id);
create index desk_action_requester on desk_action (game_id, requested_by, requested_at);
create index desk_action_needing_action on desk_action (game_id, action_id) where ended_at is null;

create table desk_action_attempt (
  game_id int not null, -- game of the action
  action_id bigint not null, -- action that was sent
  repeats text not null, -- as of the action
  attempt_no int not null check (attempt_no >= 1), -- 1, 2, 3 …
  owner text not null, -- process that sent it
  sent_by text references person, -- who pressed; NULL: the worker
  committed_at timestamptz not null default clock_timestamp(), -- before the first byte was sent
  request_digest digest not null, -- SHA-256 of the body
  finished_at timestamptz, -- when its answer, or that there is none, was recorded; NULL: it is being sent
  class text check (class in ('done', 'replayed', 'refused', 'not_now', 'open', 'no_answer', 'contradiction')), -- what the answer means; NULL: it is being sent
  phase text check (phase in ('not_sent', 'sent', 'answered')), -- how far the exchange went
  status int, -- HTTP status; NULL: no answer came
  error_code text, -- of Invo, or ours of the connection error; NULL: none
  error_id text, -- Invo's ID of the error; NULL: none
  answer_facts jsonb, -- listed fields of the answer by Invo's names; NULL: it had none
  body bytea, -- the answer as people may read it; NULL: of this kind nothing is stored, or no answer came
  sha256 digest, -- of the bytes received; NULL: of this kind nothing is stored, or no answer came
  retry_after_ms bigint check (retry_after_ms >= 0), -- how long Invo asked to wait; NULL: it didn't
  primary key (game_id, action_id, attempt_no),
  foreign key (game_id, action_id, repeats) references desk_action (game_id, action_id, repeats),
  constraint desk_action_attempt_once check (repeats <> 'never' or attempt_no = 1),
  check ((finished_at is null) = (class is null))
);

create table desk_action_read (
  game_id int not null, -- game of the action
  action_id bigint not null, -- action it was read for
  read_no int not null, -- 1, 2, 3 …
  kind text not null check (kind in ('wallet', 'order', 'cards')), -- what was read
  facts jsonb not null, -- what Invo reported, without names and emails
  read_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, action_id, read_no),
  foreign key (game_id, action_id) references desk_action
);

create table desk_action_decision (
  game_id int not null, -- game of the action
  action_id bigint not null, -- action whose outcome is recorded
  decision_no int not null check (decision_no >= 1), -- 1, 2, 3 …
  decision text not null check (decision in ('done', 'not_done')), -- the outcome
  is_alone boolean not null, -- of this kind one person is enough
  proposed_by text not null references person, -- who recorded it
  proposed_at timestamptz not null default clock_timestamp(), -- when
  proposed_text text not null check (char_length(proposed_text) between 1 and 1000), -- what it rests on, in their words
  read_no int, -- newest reading at that time; NULL: nothing was read
  confirmed_by text references person, -- the second person; NULL: not confirmed, or one was enough
  confirmed_at timestamptz, -- when it took effect; NULL: not yet
  withdrawn_at timestamptz, -- when it was discarded; NULL: it wasn't
  primary key (game_id, action_id, decision_no),
  foreign key (game_id, action_id) references desk_action,
  foreign key (game_id, action_id, read_no) references desk_action_read,
  check (confirmed_by <> proposed_by),
  check (case when is_alone then confirmed_by is null else (confirmed_by is null) = (confirmed_at is null) end)
);
create unique index desk_action_decision_open on desk_action_decision (game_id, action_id) where confirmed_at is null and withdrawn_at is null;

create function keep_desk_action() returns trigger language plpgsql as $$
declare
  -- What follows from a state, and what a later reading or webhook adds.
  free text[] := array['version', 'state_since', 'lease_owner', 'attention_reason', 'next_look_at', 'settle_until', 'last_error_code', 'last_error_id'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a desk action is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if (old.game_id, old.action_id, old.kind, old.repeats, old.draft_id, old.subject, old.player_id, old.order_id, old.reference, old.amount, old.unit, old.facts,
      old.request_digest, old.content_digest, old.reason_code, old.requested_by, old.requested_at, old.needs_second_approver)
    is distinct from (new.game_id, new.action_id, new.kind, new.repeats, new.draft_id, new.subject, new.player_id, new.order_id, new.reference, new.amount, new.unit, new.facts,
      new.request_digest, new.content_digest, new.reason_code, new.requested_by, new.requested_at, new.needs_second_approver) then
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
  if new.state <> 'sending' then
    new.lease_owner := null;
  end if;
  if new.state <> 'attention' then
    new.attention_reason := null;
  end if;
  return new;
end $$;

create trigger desk_action_kept before update or delete on desk_action for each row execute function keep_desk_action();
create trigger desk_action_whole before truncate on desk_action for each statement execute function refuse_change();
create trigger desk_action_attempt_kept before update or delete on desk_action_attempt for each row
  execute function keep_until_end('class', 'finished_at', 'phase', 'status', 'error_code', 'error_id', 'answer_facts', 'retry_after_ms', 'body', 'sha256');
create trigger desk_action_attempt_whole before truncate on desk_action_attempt for each statement execute function refuse_change();
create trigger desk_action_read_kept before update or delete on desk_action_read for each row execute function refuse_change();
create trigger desk_action_read_whole before truncate on desk_action_read for each statement execute function refuse_change();
create trigger desk_action_decision_kept before update or delete on desk_action_decision for each row
  execute function keep_until_end('confirmed_at', 'confirmed_by', 'withdrawn_at');
create trigger desk_action_decision_whole before truncate on desk_action_decision for each statement execute function refuse_change();

select pgboss.create_queue('actions', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":600,"deleteAfterSeconds":3600}');

create function wake_desk_action() returns trigger language plpgsql as $$
begin
  perform wake('actions', new.game_id || ':' || new.action_id, jsonb_build_object('gameId', new.game_id), new.next_look_at);
  return null;
end $$;
create trigger desk_action_wakes after insert or update of next_look_at on desk_action for each row execute function wake_desk_action();

create or replace function wake_overdue(of_game int) returns void language plpgsql as $$
begin
  perform wake('refund', game_id || ':' || refund_id, jsonb_build_object('gameId', game_id), next_look_at)
  from refund where game_id = of_game and next_look_at <= clock_timestamp();
  perform wake('actions', game_id || ':' || action_id, jsonb_build_object('gameId', game_id), next_look_at)
  from desk_action where game_id = of_game and next_look_at <= clock_timestamp();
  perform wake('pull', game_id || ':' || pull_id, jsonb_build_object('gameId', game_id), clock_timestamp())
  from pull where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_timestamp());
  perform wake('details', game_id || ':' || detail_job_id, jsonb_build_object('gameId', game_id), clock_timestamp())
  from detail_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_timestamp());
end $$;
