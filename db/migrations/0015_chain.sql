-- The chain of snapshots binds responses and people too, refunds are frozen once they ended, and the audit is chained.

-- Snapshots stored before keep their digest and the rule it follows.
alter table snapshot add column digest_version int not null default 1 check (digest_version in (1, 2)); -- rule of `digest`: 1 links facts alone, 2 also responses, times and identity
alter table snapshot add column facts_digest digest; -- SHA-256 over window, slice digests and control totals: what drift, re-checks and runs compare; NULL: digest_version is 1
alter table snapshot add constraint snapshot_digests check ((digest_version = 1) = (facts_digest is null));
alter table snapshot_recipient add column identity_digest digest; -- SHA-256 over the salt of the recipient, email, name and identity_id as reported; NULL: stored before there was one, or erased by then

-- Apart from the digests, so that an erasure needs no change of the chain: without its salt a digest names nobody.
create table recipient_salt (
  game_id int not null references game, -- game of the recipient
  recipient_player_id bigint not null, -- Invo's player_id of the recipient
  salt digest not null, -- 32 random bytes, deleted when the person is erased
  primary key (game_id, recipient_player_id)
);

create table recipient_erasure (
  game_id int not null references game, -- game of the recipient
  recipient_player_id bigint not null, -- Invo's player_id: their figures stay
  erased_at timestamptz not null default clock_timestamp(), -- when email, name and identity_id were removed
  erased_by text not null, -- email of the person, or "command line"
  reason text not null check (char_length(reason) between 1 and 500), -- the reason they gave
  primary key (game_id, recipient_player_id)
);
create trigger recipient_erasure_kept before update or delete on recipient_erasure for each row execute function refuse_change();
create trigger recipient_erasure_whole before truncate on recipient_erasure for each statement execute function refuse_change();

create function is_erased(of_game int, of_player bigint) returns boolean language sql stable as $$
  select exists (select from recipient_erasure e where e.game_id = of_game and e.recipient_player_id = of_player)
$$;

create function keep_salt() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and is_erased(old.game_id, old.recipient_player_id) then
    return old;
  end if;
  raise exception 'a salt is kept until its person is erased' using errcode = 'integrity_constraint_violation';
end $$;
create trigger recipient_salt_kept before update or delete on recipient_salt for each row execute function keep_salt();
create trigger recipient_salt_whole before truncate on recipient_salt for each statement execute function refuse_change();

-- Of a person who is erased, the three fields that name them are removed; nothing else of the row changes.
create function keep_recipient() returns trigger language plpgsql as $$
declare
  identity constant text[] := array['player_email', 'player_name', 'identity_id'];
begin
  if tg_op = 'UPDATE' and is_erased(old.game_id, old.recipient_player_id) and (to_jsonb(new) - identity)::text = (to_jsonb(old) - identity)::text
    and new.player_email is null and new.player_name is null and new.identity_id is null then
    return new;
  end if;
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
drop trigger slice_recipient_kept on slice_recipient;
create trigger slice_recipient_kept before update or delete on slice_recipient for each row execute function keep_recipient();
drop trigger snapshot_recipient_kept on snapshot_recipient;
create trigger snapshot_recipient_kept before update or delete on snapshot_recipient for each row execute function keep_recipient();

-- What is done with a refund once it ended: its reversal is matched, the receipt that two people's word lacks is completed, and an end
-- without a refund is questioned or contradicted by Invo.
create or replace function keep_refund() returns trigger language plpgsql as $$
declare
  -- What follows from a state, and when the worker looks again.
  free text[] := array['version', 'state_since', 'lease_owner', 'attention_reason', 'proposal', 'next_look_at', 'last_error_code', 'last_error_id'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a refund is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if (old.refund_id, old.draft_id, old.client_request_id, old.request_bytes, old.request_digest, old.subscription_id, old.period_id, old.period_seq, old.amount_usd,
      old.reason_code, old.reason_text, old.requested_by, old.requested_at, old.needs_second_approver)
    is distinct from (new.refund_id, new.draft_id, new.client_request_id, new.request_bytes, new.request_digest, new.subscription_id, new.period_id, new.period_seq, new.amount_usd,
      new.reason_code, new.reason_text, new.requested_by, new.requested_at, new.needs_second_approver) then
    raise exception 'what a refund asks for never changes' using errcode = 'integrity_constraint_violation';
  end if;
  -- What was said not to have happened is questioned again when Invo reports it after all, or answers after all.
  if old.ended_at is not null and old.state <> new.state
    and not (old.state in ('not_landed', 'refused') and new.state in ('attention', 'landed')) then
    raise exception 'a refund that ended stays ended' using errcode = 'integrity_constraint_violation';
  end if;
  if new.attempt_count < old.attempt_count or old.first_sent_at is distinct from new.first_sent_at and old.first_sent_at is not null then
    raise exception 'what was sent stays sent' using errcode = 'integrity_constraint_violation';
  end if;
  if old.ended_at is not null then
    if old.reversal_slice_id is null then
      free := free || array['reversal_slice_id', 'reversal_seen_at'];
    end if;
    if old.state <> new.state then
      free := free || array['state', 'ended_at'];
    end if;
    -- Two people said that it landed: the receipt follows, once. A landing that Invo answers or reports after all brings its own.
    if old.state = 'landed' and old.outcome_source = 'people' and old.receipt is null or new.state = 'landed' and old.state <> 'landed' then
      free := free || array['receipt', 'total_refunded_amount_usd'];
      if old.transaction_id is null or old.state <> new.state then
        free := free || array['transaction_id'];
      end if;
    end if;
    if new.state = 'landed' and old.state <> 'landed' then
      free := free || array['outcome_source', 'unanswered_count'];
    end if;
    if (to_jsonb(new) - free)::text <> (to_jsonb(old) - free)::text then
      raise exception 'a refund that ended is frozen' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  -- What follows from a state is written here, whoever moves it.
  new.version := old.version + 1;
  new.state_since := old.state_since;
  new.ended_at := old.ended_at;
  if old.state <> new.state then
    new.state_since := clock_timestamp();
    new.ended_at := case when new.state in ('landed', 'refused', 'not_landed', 'rejected', 'withdrawn') then clock_timestamp() end;
  end if;
  if new.state <> 'sending' then
    new.lease_owner := null;
  end if;
  if new.state <> 'attention' then
    new.attention_reason := null;
    new.proposal := null;
  end if;
  return new;
end $$;

-- A row of a refund changes once, from open to its end: an attempt gets its answer, an outcome is confirmed or discarded, a pause is lifted.
-- Arguments: the column that says it ended, then the columns that are written until then.
create function keep_until_end() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  free constant text[] := tg_argv;
begin
  if tg_op = 'DELETE' or was ->> tg_argv[0] is not null and was ->> 'class' is distinct from 'no_answer' or was ->> 'withdrawn_at' is not null
    or (to_jsonb(new) - free)::text <> (was - free)::text then
    raise exception '% keeps what it says', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
drop trigger refund_attempt_kept on refund_attempt;
create trigger refund_attempt_kept before update or delete on refund_attempt for each row
  execute function keep_until_end('class', 'finished_at', 'phase', 'status', 'error_code', 'error_id', 'answer_facts', 'body', 'sha256');
drop trigger refund_decision_kept on refund_decision;
create trigger refund_decision_kept before update or delete on refund_decision for each row
  execute function keep_until_end('confirmed_at', 'confirmed_by', 'withdrawn_at');
drop trigger refund_pause_kept on refund_pause;
create trigger refund_pause_kept before update or delete on refund_pause for each row
  execute function keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no');
create trigger refund_attempt_whole before truncate on refund_attempt for each statement execute function refuse_change();
create trigger refund_decision_whole before truncate on refund_decision for each statement execute function refuse_change();
create trigger refund_pause_whole before truncate on refund_pause for each statement execute function refuse_change();
create trigger refund_read_whole before truncate on refund_read for each statement execute function refuse_change();
create trigger database_restore_whole before truncate on database_restore for each statement execute function refuse_change();

-- Rows of the audit in the order the worker found them committed. An id is drawn before its commit, so ids may be out of order.
create table audit_link (
  position bigint primary key check (position >= 1), -- 1, 2, 3 … without gap
  audit_id bigint not null unique references audit, -- the row of the audit
  digest digest not null, -- SHA-256 over the digest of position - 1 and the row
  linked_at timestamptz not null default clock_timestamp() -- when the worker found it
);
create trigger audit_link_kept before update or delete on audit_link for each row execute function refuse_change();
create trigger audit_link_whole before truncate on audit_link for each statement execute function refuse_change();
