-- Written by `node e2e/support/db/write-schema.ts URL` from the catalog of a migrated database; a test fails when the two differ.
-- The migrations and db/types.ts describe each column.

create extension pg_trgm;

create domain coins as numeric CHECK ((VALUE <> ALL (ARRAY['NaN'::numeric, 'Infinity'::numeric, '-Infinity'::numeric])));

create domain digest as bytea CHECK ((octet_length(VALUE) = 32));

create domain usd as numeric CHECK ((VALUE <> ALL (ARRAY['NaN'::numeric, 'Infinity'::numeric, '-Infinity'::numeric])));

create domain whole_cents as numeric CHECK (((VALUE <> ALL (ARRAY['NaN'::numeric, 'Infinity'::numeric, '-Infinity'::numeric])) AND (VALUE = trunc(VALUE, 2))));

CREATE OR REPLACE FUNCTION public.account_status(disabled_at timestamp with time zone, account_confirmed_at timestamp with time zone, counts_from timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when $1 is not null then 'disabled' when $2 is null then 'unconfirmed' when $3 > clock_now() then 'too_new' else 'counts' end
$function$;

CREATE OR REPLACE FUNCTION public.ask_delivery_read(of_game integer, read_kind text, read_subject text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  now constant timestamptz := clock_timestamp();
begin
  insert into delivery_read as asked (game_id, kind, subject, due_at, asked_at) values (of_game, read_kind, read_subject, now, now)
  on conflict (game_id, kind, subject) do update set asked_at = excluded.asked_at,
    due_at = case when asked.lease_until > excluded.asked_at then asked.due_at else excluded.due_at end,
    attempt_count = case when asked.lease_until > excluded.asked_at then asked.attempt_count else 0 end,
    first_tried_at = case when asked.lease_until > excluded.asked_at then asked.first_tried_at end;
end $function$;

CREATE OR REPLACE FUNCTION public.check_changed_items()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  run record;
  batch record;
  back record;
begin
  for run in select distinct game_id, run_id from made order by game_id, run_id loop
    perform from payout_run r where r.game_id = run.game_id and r.run_id = run.run_id for share;
  end loop;
  for batch in
    select m.game_id, m.run_id, m.batch_no, bool_and(o.state = 'waiting') as were_waiting
    from made m join was o on o.game_id = m.game_id and o.run_id = m.run_id and o.item_no = m.item_no
    where m.batch_no is not null and o.batch_no is null group by m.game_id, m.run_id, m.batch_no
  loop
    if not batch.were_waiting
      or not exists (select from payout_run r where r.game_id = batch.game_id and r.run_id = batch.run_id and r.state = 'approved' and r.closed_at is null)
      or exists (select from payout_batch b where b.game_id = batch.game_id and b.batch_no = batch.batch_no
        and (b.run_id <> batch.run_id or coalesce(b.handed_over_at, b.cancelled_at) is not null)) then
      raise exception 'only a waiting payment of an approved run goes into a file' using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  -- As adjustments: a draft includes what came back, and a run that is not approved gives it back.
  for back in
    select m.game_id, m.returned_in_run_id as to_run_id, o.returned_in_run_id as from_run_id, bool_and(o.state in ('failed', 'returned')) as came_back
    from made m join was o on o.game_id = m.game_id and o.run_id = m.run_id and o.item_no = m.item_no
    where m.returned_in_run_id is distinct from o.returned_in_run_id group by m.game_id, m.returned_in_run_id, o.returned_in_run_id
  loop
    if not exists (select from payout_run r where r.game_id = back.game_id and r.run_id = coalesce(back.to_run_id, back.from_run_id)
      and (back.to_run_id is not null and back.from_run_id is null and r.state = 'draft' and back.came_back
        or back.to_run_id is null and (r.state = 'submitted' or r.state = 'approved' and r.void_requested_by is not null))) then
      raise exception 'a payment comes back to a draft and is given back by a run that is not approved' using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_new_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  run record;
  pays jsonb;
begin
  for run in select distinct game_id, run_id from made order by game_id, run_id loop
    perform from payout_run r where r.game_id = run.game_id and r.run_id = run.run_id and r.state = 'approved' and r.closed_at is null for share;
    if not found then
      raise exception 'payments are made of approved runs' using errcode = 'integrity_constraint_violation';
    end if;
    select jsonb_agg(to_jsonb(m)) into pays from made m where m.game_id = run.game_id and m.run_id = run.run_id;
    if exists (select from jsonb_to_recordset(pays) as m (recipient_player_id bigint, replaces_item_no int, amount_usd numeric, detail_no int)
      join payout_line l on l.recipient_player_id = m.recipient_player_id
      where l.game_id = run.game_id and l.run_id = run.run_id
        and m.replaces_item_no is null and (l.payable_usd::numeric, l.detail_no) is distinct from (m.amount_usd, m.detail_no)) then
      raise exception 'a payment pays what its line pays' using errcode = 'integrity_constraint_violation';
    end if;
    if exists (select from jsonb_to_recordset(pays) as m (recipient_player_id bigint, replaces_item_no int, amount_usd numeric)
      join payout_item i on i.item_no = m.replaces_item_no
      where i.game_id = run.game_id and i.run_id = run.run_id
        and ((i.amount_usd::numeric, i.recipient_player_id) is distinct from (m.amount_usd, m.recipient_player_id) or i.returned_in_run_id is not null)) then
      raise exception 'a re-issue pays what the payment before it did' using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_payout_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  submitter text;
begin
  select r.submitted_by into submitter from payout_run r
    where r.game_id = new.game_id and r.run_id = new.run_id and r.state = 'submitted' and r.content_digest = new.content_digest for update;
  if not found then
    raise exception 'not what was submitted' using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from payout_editor e where e.game_id = new.game_id and e.run_id = new.run_id and e.person_id = new.approved_by) then
    raise exception 'nobody approves a run they worked on' using errcode = 'integrity_constraint_violation';
  end if;
  if not exists (select from person p where p.id = new.approved_by and 'finance' = any(p.roles)
    and account_status(p.disabled_at, p.account_confirmed_at, p.counts_from) = 'counts') then
    raise exception 'only confirmed people with the right, held for 24 hours, approve a run' using errcode = 'integrity_constraint_violation';
  end if;
  if not exists (select from person p where p.id = submitter and p.id <> new.approved_by
    and account_status(p.disabled_at, p.account_confirmed_at, p.counts_from) = 'counts') then
    raise exception 'only what another confirmed person submitted is approved' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_payout_batch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.handed_over_at is not null and old.handed_over_at is null and not exists (
    select from payout_run r where r.game_id = new.game_id and r.run_id = new.run_id and r.state = 'approved' and r.closed_at is null for share) then
    raise exception 'only a file of an approved run is handed over' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_payout_editor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from payout_approval a join payout_run r on r.game_id = a.game_id and r.run_id = a.run_id and r.content_digest = a.content_digest
    where a.game_id = new.game_id and a.run_id = new.run_id and a.approved_by = new.person_id) then
    raise exception 'nobody works on a run they approved' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_statements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  run record;
begin
  for run in select distinct game_id, run_id from touched loop
    if exists (select from payout_run r where r.game_id = run.game_id and r.run_id = run.run_id and r.state <> 'approved') then
      raise exception 'statements are drawn of approved runs' using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.clock_now()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$ begin return clock_timestamp(); end $function$;

CREATE OR REPLACE FUNCTION public.complete_month_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A re-check writes the same snapshot again.
  if tg_op = 'UPDATE' and (old.snapshot_id, old.status, old.complete_count) = (new.snapshot_id, new.status, new.complete_count) then
    return null;
  end if;
  -- What later months state beside this one is no longer true; until it is made again, their pages compare by themselves.
  delete from month_comparison where game_id = new.game_id and window_end > new.window_start;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.current_window_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A re-check writes the same snapshot again.
  if tg_op = 'INSERT' or old.snapshot_id <> new.snapshot_id then
    perform refresh_repeated_reversals(new.game_id, new.window_start, new.window_end, new.snapshot_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.differing_lines(of_game integer, earlier_id bigint, later_id bigint)
 RETURNS TABLE(kind text, period_id bigint, recipient_player_id bigint, at text, before_usd numeric, after_usd numeric)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query
  with own as (
    -- A slice of both holds the same lines on both sides.
    select slice_id, bool_or(snapshot_id = later_id) as is_later from snapshot_slice
    where game_id = of_game and snapshot_id in (earlier_id, later_id) group by slice_id having count(*) = 1
  ), line as (
    select own.is_later, 'renewal' as kind, l.period_id, l.recipient_player_id, l.paid_at_reported as at, null::timestamptz as refunded_at, 1::bigint as no,
      l.attributed_amount_usd::numeric as effect_usd,
      jsonb_build_array(l.recipient_player_id, l.subscription_id, l.period_seq, l.paid_at, l.amount_usd, l.invo_fee_usd, l.partner_revenue_settled_usd,
        l.percent_at_renewal, l.base_usd, l.attributed_amount_usd, l.rail, l.amount_coins, l.balance_applied_coins, l.card_charged_usd,
        l.pcstore_charged_usd, l.transaction_id) as facts
    from own join renewal_line l on l.game_id = of_game and l.slice_id = own.slice_id
    union all
    select own.is_later, 'reversal', l.period_id, l.recipient_player_id, e.refunded_at_reported, e.refunded_at,
      row_number() over (partition by own.is_later, l.period_id, e.refunded_at order by e.event_no),
      -coalesce(e.reversed_attributed_usd, l.reversed_attributed_usd)::numeric,
      jsonb_build_array(l.recipient_player_id, l.subscription_id, l.paid_at, l.reversal_basis = 'period_row', l.originally_attributed_usd,
        e.refunded_amount_usd, e.cumulative_refunded_after_usd, e.is_full_refund,
        coalesce(e.reversed_attributed_usd, l.reversed_attributed_usd), coalesce(e.partner_revenue_reversed_usd, l.partner_revenue_reversed_usd))
    from own join reversal_line l on l.game_id = of_game and l.slice_id = own.slice_id
      left join refund_event e on e.game_id = of_game and e.slice_id = l.slice_id and e.period_id = l.period_id
  )
  select coalesce(a.kind, b.kind), coalesce(a.period_id, b.period_id), coalesce(a.recipient_player_id, b.recipient_player_id), coalesce(a.at, b.at),
    b.effect_usd, a.effect_usd
  from (select * from line where not is_later) b full join (select * from line where is_later) a
    -- A full join takes no "is not distinct from"; a reversal without receipts has no time.
    on (a.kind, a.period_id, coalesce(a.refunded_at, '-infinity'), a.no) = (b.kind, b.period_id, coalesce(b.refunded_at, '-infinity'), b.no)
  where a.facts is distinct from b.facts;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_held_phone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from held_phone where game_id = new.game_id and action_id = new.action_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.end_device_grants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update device_grant set state = case when state = 'approved' then 'replaced' else 'expired' end, sealed_code = null, next_poll_at = null
  where game_id = new.game_id and action_id = new.action_id and state in ('started', 'waiting', 'enrolling', 'approved');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.find_repeated_reversals(of_game integer, of_periods bigint[])
 RETURNS TABLE(game_id integer, window_start timestamp with time zone, window_end timestamp with time zone, period_id bigint, snapshot_id bigint, recipient_player_id bigint, originally_attributed_usd usd, reversed_attributed_usd usd)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query
  with coarse as materialized (
    select w.window_start, w.window_end, l.period_id, w.snapshot_id, min(l.recipient_player_id) as recipient_player_id,
      max(l.originally_attributed_usd)::usd as originally_attributed_usd, sum(l.reversed_attributed_usd)::usd as reversed_attributed_usd
    from current_window w
    join snapshot_slice o on o.game_id = of_game and o.snapshot_id = w.snapshot_id
    join reversal_line l on l.game_id = of_game and l.slice_id = o.slice_id
    where w.game_id = of_game and l.reversal_basis = 'period_row' and (of_periods is null or l.period_id = any(of_periods))
    group by w.window_start, w.window_end, l.period_id, w.snapshot_id
    -- A refund that moved leaves a row of nothing behind.
    having sum(l.reversed_attributed_usd) <> 0
  )
  select of_game, c.window_start, c.window_end, c.period_id, c.snapshot_id, c.recipient_player_id, c.originally_attributed_usd, c.reversed_attributed_usd from coarse c
  where exists (
    select 1 from coarse o where o.period_id = c.period_id and (o.window_end <= c.window_start or o.window_start >= c.window_end)
  );
end $function$;

CREATE OR REPLACE FUNCTION public.is_erased(of_game integer, of_player bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return exists (select from recipient_erasure e where e.game_id = of_game and e.recipient_player_id = of_player);
end $function$;

CREATE OR REPLACE FUNCTION public.keep_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  bytes constant text[] := array['body', 'sha256', 'inflated_byte_count', 'is_redacted'];
begin
  if tg_op = 'UPDATE' and new.is_redacted and (new.body is null) = (old.body is null)
    and (to_jsonb(new) - bytes)::text = (to_jsonb(old) - bytes)::text
    and not (to_jsonb(old) ? 'slice_id' and (to_jsonb(old) ->> 'slice_id' is not null or to_jsonb(old) ->> 'snapshot_id' is not null))
    and exists (select from recipient_erasure e where e.game_id = old.game_id) then
    return new;
  end if;
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_composed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  run record;
begin
  for run in select distinct game_id, run_id from touched loop
    if exists (select from payout_run r where r.game_id = run.game_id and r.run_id = run.run_id and r.state <> 'draft') then
      raise exception '% of a run never changes once it is submitted', tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_decided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  decisions constant text[] := tg_argv;
  decision text;
begin
  if tg_op = 'DELETE' then
    raise exception 'a row of % is never removed', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  if (to_jsonb(new) - decisions)::text <> (to_jsonb(old) - decisions)::text then
    raise exception 'what a row of % says never changes', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  foreach decision in array decisions loop
    if decision <> 'run_id' and to_jsonb(old) ->> decision is not null and to_jsonb(old) ->> decision is distinct from to_jsonb(new) ->> decision then
      raise exception 'a row of % is decided once', tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_desk_action()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_included()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.run_id is distinct from new.run_id and not exists (
    select from payout_run r where r.game_id = new.game_id and r.run_id = coalesce(new.run_id, old.run_id)
      and r.state = case when new.run_id is null then 'submitted' else 'draft' end
  ) and not (new.run_id is null and exists (
    select from payout_run r where r.game_id = old.game_id and r.run_id = old.run_id and r.state = 'approved' and r.void_requested_by is not null)) then
    raise exception 'an adjustment is included by a draft and given back by a run that is not approved' using errcode = 'integrity_constraint_violation';
  end if;
  if old.run_id is not null and new.run_id is not null and old.run_id <> new.run_id then
    raise exception 'an adjustment is included in one run' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_payee_detail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  deciding constant text[] := array['confirmed_at', 'confirmed_by', 'withdrawn_at', 'withdrawn_by'];
  sealing constant text[] := array['sealed', 'key_name', 'fingerprint'];
  erasing constant text[] := array['identity_id', 'holder_kind', 'method', 'country', 'sealed', 'mask', 'fingerprint', 'salt', 'erased_at'];
begin
  if tg_op = 'UPDATE' then
    if old.confirmed_at is null and old.withdrawn_at is null and (to_jsonb(new) - deciding)::text = (to_jsonb(old) - deciding)::text then
      return new;
    end if;
    if old.erased_at is null and new.key_name <> old.key_name and (to_jsonb(new) - sealing)::text = (to_jsonb(old) - sealing)::text
      and (select pg_has_role(relowner, 'usage') from pg_class where oid = tg_relid) then
      return new;
    end if;
    if old.erased_at is null and new.erased_at is not null and (to_jsonb(new) - erasing)::text = (to_jsonb(old) - erasing)::text
      and is_erased(old.game_id, old.recipient_player_id) then
      return new;
    end if;
  end if;
  raise exception '% is evidence: rows are decided once, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_payout_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  composed constant text[] := array['snapshot_id', 'policy_no', 'revision', 'composed_at', 'line_count', 'payable_count', 'opening_usd', 'earned_usd', 'reversed_usd',
    'pinned_usd', 'adjusted_usd', 'returned_usd', 'payable_usd', 'closing_usd', 'draft_digest', 'usd_per_eur', 'eur_rate_source'];
  decided constant text[] := array['state', 'version', 'content', 'content_digest', 'approvals_wanted', 'submitted_by', 'submitted_at', 'rejected_by', 'reject_reason',
    'approved_at', 'void_requested_by', 'void_reason', 'voided_by', 'voided_at', 'exported_at', 'paid_at', 'closed_by', 'closed_at'];
  progress constant text[] := array['exported_at', 'paid_at'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a run is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if (to_jsonb(new) - decided - composed)::text <> (to_jsonb(old) - decided - composed)::text
    or old.state <> 'draft' and (to_jsonb(new) - decided)::text <> (to_jsonb(old) - decided)::text
    or old.approved_at is not null and (old.content, old.content_digest, old.approved_at, old.approvals_wanted)
      is distinct from (new.content, new.content_digest, new.approved_at, new.approvals_wanted) then
    raise exception 'what a run pays never changes once it is submitted' using errcode = 'integrity_constraint_violation';
  end if;
  if old.state <> new.state and not (old.state, new.state) in (('draft', 'submitted'), ('draft', 'void'), ('submitted', 'draft'), ('submitted', 'rejected'),
    ('submitted', 'approved'), ('submitted', 'void'), ('rejected', 'draft'), ('rejected', 'void'), ('approved', 'void')) then
    raise exception 'a run does not go from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  if new.state = 'approved' and old.state <> 'approved' and (
    select count(*) from payout_approval a where a.game_id = new.game_id and a.run_id = new.run_id and a.content_digest = new.content_digest) < new.approvals_wanted then
    raise exception 'a run is approved by % other people', new.approvals_wanted using errcode = 'integrity_constraint_violation';
  end if;
  if new.state = 'void' and old.state <> 'void' then
    if exists (select from payout_run r where r.game_id = new.game_id and r.previous_run_id = new.run_id and r.state <> 'void') then
      raise exception 'a run that another one follows is not voided' using errcode = 'integrity_constraint_violation';
    end if;
    if exists (select from payout_batch b where b.game_id = new.game_id and b.run_id = new.run_id and b.handed_over_at is not null) then
      raise exception 'a run is not voided after a hand-over' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  if old.closed_at is not null and (new.closed_at, new.closed_by, new.state) is distinct from (old.closed_at, old.closed_by, old.state) then
    raise exception 'a closed run stays closed' using errcode = 'integrity_constraint_violation';
  end if;
  -- Payments move on without changing what people decide about.
  if (to_jsonb(new) - progress)::text <> (to_jsonb(old) - progress)::text then
    new.version := old.version + 1;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_recipient()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  identity constant text[] := array['player_email', 'player_name', 'identity_id'];
begin
  if tg_op = 'UPDATE' and is_erased(old.game_id, old.recipient_player_id) and (to_jsonb(new) - identity)::text = (to_jsonb(old) - identity)::text
    and new.player_email is null and new.player_name is null and new.identity_id is null then
    return new;
  end if;
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_salt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and is_erased(old.game_id, old.recipient_player_id) then
    return old;
  end if;
  raise exception 'a salt is kept until its person is erased' using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_set_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  once constant text[] := string_to_array(tg_argv[0], ',');
  derived constant text[] := string_to_array(coalesce(tg_argv[1], ''), ',');
  sealing constant text[] := array['sealed', 'key_name'];
  was jsonb := to_jsonb(old);
  will jsonb;
  name text;
begin
  if tg_op = 'DELETE' then
    raise exception 'a row of % is never removed', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  will := to_jsonb(new);
  if was ->> 'key_name' <> will ->> 'key_name' and (will - sealing)::text = (was - sealing)::text
    and (select pg_has_role(relowner, 'usage') from pg_class where oid = tg_relid) then
    return new;
  end if;
  if (will - once - derived)::text <> (was - once - derived)::text then
    raise exception 'what a row of % says never changes', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  foreach name in array once loop
    if was ->> name is not null and was ->> name is distinct from will ->> name then
      raise exception '% of % is set once', name, tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and is_erased(old.game_id, old.recipient_player_id) then
    return old;
  end if;
  raise exception 'a statement is kept as it was first drawn' using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_until_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was jsonb := to_jsonb(old);
  free constant text[] := tg_argv;
begin
  if tg_op = 'DELETE' or was ->> tg_argv[0] is not null and was ->> 'class' is distinct from 'no_answer' or was ->> 'withdrawn_at' is not null
    or (to_jsonb(new) - free)::text <> (was - free)::text then
    raise exception '% keeps what it says', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_delivery_key(of_game integer, delivery_key text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if delivery_key is not null then
    perform pg_advisory_xact_lock(hashtextextended(delivery_key, of_game));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_game(of_game integer, for_purpose text, exclusive boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  loop
    if exclusive then
      perform from game_lock l where l.game_id = of_game and l.purpose = for_purpose for update;
    else
      perform from game_lock l where l.game_id = of_game and l.purpose = for_purpose for share;
    end if;
    if found then
      return;
    end if;
    insert into game_lock (game_id, purpose) values (of_game, for_purpose) on conflict do nothing;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.place_table(added text, place text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  is_distributed boolean := false;
begin
  if place not in ('distributed', 'reference') then
    raise exception 'a table is distributed or reference, not %', place;
  end if;
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = ''slice''::regclass and partmethod = ''h'')' into is_distributed;
  end if;
  if is_distributed and place = 'distributed' then
    execute format('select create_distributed_table(%L, ''game_id'', colocate_with => ''slice'')', added);
  elsif is_distributed then
    execute format('select create_reference_table(%L)', added);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.recheck_makes_current()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  checked record;
begin
  select s.window_start, s.window_end into checked from snapshot s where s.game_id = new.game_id and s.snapshot_id = new.snapshot_id;
  perform refresh_current_window(new.game_id, checked.window_start, checked.window_end);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refresh_current_window(of_game integer, of_start timestamp with time zone, of_end timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  newest current_snapshot;
  made int;
  ok int;
  warned int;
  complete int;
  newer_id bigint;
  newer_at timestamptz;
  last record;
begin
  -- One after another: a transaction that waited must see what the other one stored. All that do this for a game do it on one server.
  perform pg_advisory_xact_lock(of_game, hashtext('current months'));
  select * into newest from current_snapshot c where c.game_id = of_game and c.window_start = of_start and c.window_end = of_end;
  if not found then
    return;
  end if;
  select count(*), count(*) filter (where k.ok), count(*) filter (where not k.ok and k.severity = 'warning') into made, ok, warned
  from snapshot_check k where k.game_id = of_game and k.snapshot_id = newest.snapshot_id;
  select count(*) into complete from snapshot s where s.game_id = of_game and s.window_start = of_start and s.window_end = of_end and s.status = 'complete';
  if newest.status = 'complete' then
    select n.snapshot_id, n.created_at into newer_id, newer_at from snapshot n
    where n.game_id = of_game and n.window_start = of_start and n.window_end = of_end and n.snapshot_id > newest.snapshot_id and n.status = 'inconsistent'
    order by n.snapshot_id desc limit 1;
  end if;
  select r.checked_at, r.is_equal, r.call_count into last from recheck r
  where r.game_id = of_game and r.snapshot_id = newest.snapshot_id order by r.recheck_id desc limit 1;
  insert into current_window (game_id, window_start, window_end, snapshot_id, status, covered_until, check_count, check_ok_count, warning_count, complete_count,
    newer_snapshot_id, newer_created_at, rechecked_at, recheck_is_equal, recheck_call_count)
  values (of_game, of_start, of_end, newest.snapshot_id, newest.status, newest.covered_until, made, ok, warned, complete,
    newer_id, newer_at, last.checked_at, last.is_equal, last.call_count)
  on conflict (game_id, window_start, window_end) do update set
    snapshot_id = excluded.snapshot_id, status = excluded.status, covered_until = excluded.covered_until, check_count = excluded.check_count, check_ok_count = excluded.check_ok_count,
    warning_count = excluded.warning_count, complete_count = excluded.complete_count, newer_snapshot_id = excluded.newer_snapshot_id,
    newer_created_at = excluded.newer_created_at, rechecked_at = excluded.rechecked_at, recheck_is_equal = excluded.recheck_is_equal,
    recheck_call_count = excluded.recheck_call_count;
end $function$;

CREATE OR REPLACE FUNCTION public.refresh_repeated_reversals(of_game integer, of_start timestamp with time zone, of_end timestamp with time zone, of_snapshot bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  touched bigint[];
begin
  select array_agg(period_id) into touched from (
    select period_id from repeated_reversal where game_id = of_game and window_start = of_start and window_end = of_end
    union
    select l.period_id from snapshot_slice o join reversal_line l on l.game_id = of_game and l.slice_id = o.slice_id
    where o.game_id = of_game and o.snapshot_id = of_snapshot and l.reversal_basis = 'period_row'
  ) own;
  if touched is null then
    return;
  end if;
  delete from repeated_reversal where game_id = of_game and period_id = any(touched);
  insert into repeated_reversal (game_id, window_start, window_end, period_id, snapshot_id, recipient_player_id, originally_attributed_usd, reversed_attributed_usd)
  select of_game, r.window_start, r.window_end, r.period_id, r.snapshot_id, r.recipient_player_id, r.originally_attributed_usd, r.reversed_attributed_usd
  from find_repeated_reversals(of_game, touched) r;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_sandbox_tool()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from game where game.game_id = new.game_id and game.environment = 'sandbox') then
    raise exception 'a sandbox tool needs a game of the sandbox' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.skip_erased()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform lock_game(new.game_id, 'names', false);
  if is_erased(new.game_id, new.player_id) then
    return null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.snapshot_difference(of_game integer, earlier_id bigint, later_id bigint)
 RETURNS TABLE(differs boolean, lines_added bigint, lines_removed bigint, lines_changed bigint, net_change_usd numeric)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  b snapshot;
  a snapshot;
  is_same_cut boolean;
  change numeric;
begin
  select * into b from snapshot s where s.game_id = of_game and s.snapshot_id = earlier_id;
  select * into a from snapshot s where s.game_id = of_game and s.snapshot_id = later_id;
  if b.snapshot_id is null or a.snapshot_id is null then
    return;
  end if;
  select count(*) filter (where l.before_usd is null), count(*) filter (where l.after_usd is null), count(*) filter (where l.before_usd is not null and l.after_usd is not null)
    into lines_added, lines_removed, lines_changed from differing_lines(of_game, earlier_id, later_id) l;
  select not exists (
    select 1 from (
      select s.window_start, s.window_end, o.snapshot_id from snapshot_slice o join slice s on s.game_id = of_game and s.slice_id = o.slice_id
      where o.game_id = of_game and o.snapshot_id in (earlier_id, later_id)
    ) part group by window_start, window_end having count(*) <> 2
  ) into is_same_cut;
  differs := case
    when b.facts_digest = a.facts_digest then false
    when b.facts_digest is not null and a.facts_digest is not null and b.control_window_count = a.control_window_count and is_same_cut then true
    else lines_added + lines_removed + lines_changed > 0
      or (b.renewals_settled, b.settled_gross_usd, b.invo_fee_usd, b.partner_revenue_settled_usd, b.partner_revenue_reversed_usd, b.partner_revenue_usd,
          b.renewals_with_attribution, b.renewals_without_attribution, b.unattributed_reasons, b.gross_attributed_usd, b.reversed_attributed_usd,
          b.net_attributed_usd, b.refund_events_in_window, b.reversals_without_receipts)
        is distinct from
         (a.renewals_settled, a.settled_gross_usd, a.invo_fee_usd, a.partner_revenue_settled_usd, a.partner_revenue_reversed_usd, a.partner_revenue_usd,
          a.renewals_with_attribution, a.renewals_without_attribution, a.unattributed_reasons, a.gross_attributed_usd, a.reversed_attributed_usd,
          a.net_attributed_usd, a.refund_events_in_window, a.reversals_without_receipts)
      or exists (
        select 1 from (select recipient_player_id, net_attributed_usd from snapshot_recipient r where r.game_id = of_game and r.snapshot_id = earlier_id) x
          full join (select recipient_player_id, net_attributed_usd from snapshot_recipient r where r.game_id = of_game and r.snapshot_id = later_id) y
            using (recipient_player_id)
        where x.net_attributed_usd is distinct from y.net_attributed_usd)
    end;
  -- Two places at least, and no more than it needs: the totals may have been reported with others.
  change := trim_scale(a.net_attributed_usd - b.net_attributed_usd);
  net_change_usd := round(change, greatest(2, scale(change)));
  return next;
end $function$;

CREATE OR REPLACE FUNCTION public.snapshot_makes_current()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_current_window(new.game_id, new.window_start, new.window_end);
  if new.status = 'complete' then
    perform store_drift(new.game_id, new.snapshot_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.start_payout_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before payout_run;
begin
  if new.state <> 'draft' then
    raise exception 'a run starts as a draft' using errcode = 'integrity_constraint_violation';
  end if;
  if new.previous_run_id is not null then
    select * into before from payout_run r where r.game_id = new.game_id and r.run_id = new.previous_run_id for key share;
    if before.state <> 'approved' or before.window_end <> new.window_start then
      raise exception 'a run starts where an approved one ended' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  if not exists (select from snapshot s where s.game_id = new.game_id and s.snapshot_id = new.snapshot_id and s.status = 'complete'
    and s.window_start = new.window_start and s.window_end = new.window_end) then
    raise exception 'a run pays from a complete snapshot of its own month' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.store_delivery(of_game integer, delivery_key text, no_key text, meaning digest, of_type text, tenant text, envelope_id text, header_id text, happened_at timestamp with time zone, signed timestamp with time zone, slot text, version text, signatures integer, signed_body bytea, body_digest digest, bytes integer, problem text, test boolean, kept_as text, opens_kind text, opens_subject text, conflicts_with bigint, about_kinds text[], about_ids text[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.store_drift(of_game integer, of_snapshot bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  last_id bigint;
  difference record;
begin
  select o.snapshot_id into last_id from snapshot s
  join snapshot o on o.game_id = of_game and o.window_start = s.window_start and o.window_end = s.window_end
  where s.game_id = of_game and s.snapshot_id = of_snapshot and o.status = 'complete' and o.snapshot_id < of_snapshot
  order by o.snapshot_id desc limit 1;
  if last_id is null then
    return;
  end if;
  select * into difference from snapshot_difference(of_game, last_id, of_snapshot);
  if difference.differs then
    insert into snapshot_drift (game_id, snapshot_id, from_snapshot_id, lines_added, lines_removed, lines_changed, net_change_usd)
    values (of_game, of_snapshot, last_id, difference.lines_added, difference.lines_removed, difference.lines_changed, difference.net_change_usd);
    return;
  end if;
  select k.* into difference from snapshot_drift k where k.game_id = of_game and k.snapshot_id = last_id;
  if found then
    insert into snapshot_drift (game_id, snapshot_id, from_snapshot_id, lines_added, lines_removed, lines_changed, net_change_usd)
    values (of_game, of_snapshot, difference.from_snapshot_id, difference.lines_added, difference.lines_removed, difference.lines_changed, difference.net_change_usd);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.wake(queue_name text, wake_key text, payload jsonb, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into pgboss.job_common (name, data, singleton_key, start_after, policy, retry_limit, expire_seconds, deletion_seconds, keep_until)
  select q.name, payload, wake_key, at, q.policy, q.retry_limit, q.expire_seconds, q.deletion_seconds, at + make_interval(secs => q.retention_seconds)
  from pgboss.queue q where q.name = queue_name
  on conflict (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'
  do update set start_after = excluded.start_after, keep_until = excluded.keep_until;
  if at <= clock_timestamp() then
    perform pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), queue_name);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.wake_overdue(of_game integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  payload constant jsonb := jsonb_build_object('gameId', of_game);
  due record;
begin
  for due in
    select 'refund' as queue, refund_id as id from refund where game_id = of_game and next_look_at <= clock_now()
    union all
    select 'actions', action_id from desk_action where game_id = of_game and next_look_at <= clock_now()
    union all
    select 'pull', pull_id from pull where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
    union all
    select 'details', detail_job_id from detail_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
    union all
    select 'statements', statement_job_id from statement_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
    union all
    select 'balances', balance_job_id from balance_job where game_id = of_game and (state = 'queued' or state = 'running' and lease_until < clock_now())
  loop
    perform wake(due.queue, of_game || ':' || due.id, payload, clock_timestamp());
  end loop;
end $function$;

create table account_map (
  game_id integer not null,
  map_no integer not null,
  accounts jsonb not null,
  set_by text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  constraint account_map_pkey PRIMARY KEY (game_id, map_no),
  constraint account_map_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint account_map_set_by_fkey FOREIGN KEY (set_by) REFERENCES person(id),
  constraint account_map_map_no_check CHECK ((map_no >= 1))
);
CREATE TRIGGER account_map_kept BEFORE DELETE OR UPDATE ON public.account_map FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_map_whole BEFORE TRUNCATE ON public.account_map FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ach_file_id (
  immediate_origin text not null,
  created_on date not null,
  modifier text not null,
  game_id integer not null,
  batch_no integer not null,
  constraint ach_file_id_pkey PRIMARY KEY (immediate_origin, created_on, modifier),
  constraint ach_file_id_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint ach_file_id_modifier_check CHECK ((modifier ~ '^[A-Z0-9]$'::text))
);
CREATE TRIGGER ach_file_id_kept BEFORE DELETE OR UPDATE ON public.ach_file_id FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ach_file_id_whole BEFORE TRUNCATE ON public.ach_file_id FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table action_limit (
  game_id integer not null,
  name text not null,
  limit_amount coins not null,
  set_by text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  raise_amount coins,
  raise_by text,
  raise_at timestamp with time zone,
  constraint action_limit_pkey PRIMARY KEY (game_id, name),
  constraint action_limit_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint action_limit_raise_by_fkey FOREIGN KEY (raise_by) REFERENCES person(id),
  constraint action_limit_ceiling_check CHECK (((GREATEST(limit_amount, raise_amount))::numeric <=
CASE
    WHEN (name ~~ 'payments\_%\_day'::text) THEN 9999.90
    WHEN (name ~~ 'payments\_%'::text) THEN 999.99
    WHEN (name ~~ '%\_day'::text) THEN (1000000)::numeric
    ELSE (100000)::numeric
END)),
  constraint action_limit_limit_amount_check CHECK (((limit_amount)::numeric >= (0)::numeric)),
  constraint action_limit_name_check CHECK ((name = ANY (ARRAY['payments_support'::text, 'payments_finance'::text, 'payments_support_day'::text, 'payments_finance_day'::text, 'items_support'::text, 'items_finance'::text, 'items_support_day'::text, 'items_finance_day'::text, 'sends_support'::text, 'sends_finance'::text, 'sends_support_day'::text, 'sends_finance_day'::text, 'transfers_support'::text, 'transfers_finance'::text, 'transfers_support_day'::text, 'transfers_finance_day'::text]))),
  constraint action_limit_raise_check CHECK ((((raise_amount IS NULL) = (raise_by IS NULL)) AND ((raise_amount IS NULL) = (raise_at IS NULL))))
);

create table action_pause (
  game_id integer not null,
  pause_no integer not null generated always as identity,
  paused_by text,
  paused_at timestamp with time zone not null default clock_timestamp(),
  why text not null,
  resume_requested_by text,
  resumed_by text,
  resumed_at timestamp with time zone,
  restore_no integer,
  constraint action_pause_pkey PRIMARY KEY (game_id, pause_no),
  constraint action_pause_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint action_pause_paused_by_fkey FOREIGN KEY (paused_by) REFERENCES person(id),
  constraint action_pause_restore_no_fkey FOREIGN KEY (restore_no) REFERENCES database_restore(restore_no),
  constraint action_pause_resume_requested_by_fkey FOREIGN KEY (resume_requested_by) REFERENCES person(id),
  constraint action_pause_resumed_by_fkey FOREIGN KEY (resumed_by) REFERENCES person(id),
  constraint action_pause_by CHECK (((paused_by IS NOT NULL) OR (restore_no IS NOT NULL))),
  constraint action_pause_check CHECK ((resumed_by <> resume_requested_by)),
  constraint action_pause_check1 CHECK (((resumed_by IS NULL) = (resumed_at IS NULL))),
  constraint action_pause_check2 CHECK (((resumed_by IS NULL) OR (resume_requested_by IS NOT NULL))),
  constraint action_pause_why_check CHECK (((char_length(why) >= 1) AND (char_length(why) <= 500)))
);
CREATE UNIQUE INDEX action_pause_open ON public.action_pause USING btree (game_id) WHERE (resumed_at IS NULL);
CREATE TRIGGER action_pause_kept BEFORE DELETE OR UPDATE ON public.action_pause FOR EACH ROW EXECUTE FUNCTION keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no');
CREATE TRIGGER action_pause_whole BEFORE TRUNCATE ON public.action_pause FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table action_setting (
  game_id integer not null,
  send_flow text not null,
  set_by text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  constraint action_setting_pkey PRIMARY KEY (game_id),
  constraint action_setting_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint action_setting_set_by_fkey FOREIGN KEY (set_by) REFERENCES person(id),
  constraint action_setting_send_flow_check CHECK ((send_flow ~ '^[a-z_]{1,40}$'::text))
);

create table action_switch (
  game_id integer not null,
  action_group text not null,
  is_on boolean not null,
  set_by text,
  set_at timestamp with time zone not null default clock_timestamp(),
  on_requested_by text,
  on_requested_at timestamp with time zone,
  constraint action_switch_pkey PRIMARY KEY (game_id, action_group),
  constraint action_switch_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint action_switch_on_requested_by_fkey FOREIGN KEY (on_requested_by) REFERENCES person(id),
  constraint action_switch_set_by_fkey FOREIGN KEY (set_by) REFERENCES person(id),
  constraint action_switch_action_group_check CHECK ((action_group = ANY (ARRAY['payments'::text, 'milestones'::text, 'items'::text, 'sends'::text, 'rewards'::text, 'transfers'::text]))),
  constraint action_switch_request_check CHECK ((((on_requested_by IS NULL) = (on_requested_at IS NULL)) AND (NOT (is_on AND (on_requested_by IS NOT NULL)))))
);

create table audit (
  audit_id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  game_id integer,
  act text not null,
  subject text not null,
  detail jsonb not null default '{}'::jsonb,
  constraint audit_pkey PRIMARY KEY (audit_id),
  constraint audit_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);
CREATE INDEX audit_act ON public.audit USING btree (act text_pattern_ops, audit_id);
CREATE INDEX audit_actor ON public.audit USING btree (actor, audit_id);
CREATE INDEX audit_failed_sign_in ON public.audit USING btree (actor, at, audit_id) WHERE (act = ANY (ARRAY['failed to sign in'::text, 'gave a wrong password'::text, 'gave a wrong code'::text]));
CREATE INDEX audit_signed_in ON public.audit USING btree (actor, at) WHERE (act = 'signed in'::text);
CREATE INDEX audit_subject ON public.audit USING btree (game_id, subject);
CREATE TRIGGER audit_kept BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_whole BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_link (
  "position" bigint not null,
  audit_id bigint not null,
  digest digest not null,
  linked_at timestamp with time zone not null default clock_timestamp(),
  constraint audit_link_pkey PRIMARY KEY ("position"),
  constraint audit_link_audit_id_key UNIQUE (audit_id),
  constraint audit_link_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES audit(audit_id),
  constraint audit_link_position_check CHECK (("position" >= 1))
);
CREATE TRIGGER audit_link_kept BEFORE DELETE OR UPDATE ON public.audit_link FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_link_whole BEFORE TRUNCATE ON public.audit_link FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table backup_code (
  person_id text not null,
  code_digest digest not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  used_at timestamp with time zone,
  constraint backup_code_pkey PRIMARY KEY (person_id, code_digest),
  constraint backup_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);

create table balance_entry (
  game_id integer not null,
  balance_job_id bigint not null,
  entry_no integer not null,
  entry_key text not null,
  email text,
  asked_lines integer[],
  asked_emails text[],
  outcome text not null,
  reason text,
  player_id text,
  player_name text,
  identity_id text,
  last_updated text,
  read_at timestamp with time zone,
  constraint balance_entry_pkey PRIMARY KEY (game_id, balance_job_id, entry_no),
  constraint balance_entry_game_id_balance_job_id_fkey FOREIGN KEY (game_id, balance_job_id) REFERENCES balance_job(game_id, balance_job_id),
  constraint balance_entry_check CHECK ((cardinality(asked_lines) = cardinality(asked_emails))),
  constraint balance_entry_outcome_check CHECK ((outcome = ANY (ARRAY['asked'::text, 'found'::text, 'unknown'::text, 'unanswered'::text])))
);
CREATE UNIQUE INDEX balance_entry_key ON public.balance_entry USING btree (game_id, balance_job_id, entry_key);

create table balance_held (
  game_id integer not null,
  balance_job_id bigint not null,
  entry_no integer not null,
  "position" integer not null,
  currency_id text,
  currency_name text,
  available_balance coins not null,
  reserved_balance coins,
  total_balance coins,
  constraint balance_held_pkey PRIMARY KEY (game_id, balance_job_id, entry_no, "position")
);

create table balance_job (
  game_id integer not null,
  balance_job_id bigint not null generated always as identity,
  scope text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  state text not null default 'queued'::text,
  lease_owner text,
  lease_until timestamp with time zone,
  attempt_count integer not null default 0,
  stop_requested_at timestamp with time zone,
  waiting_until timestamp with time zone,
  line_count integer,
  address_count integer,
  found_count integer not null default 0,
  unknown_count integer not null default 0,
  unanswered_count integer not null default 0,
  stranger_count integer not null default 0,
  repeated_count integer not null default 0,
  received_bytes bigint not null default 0,
  read_from timestamp with time zone,
  read_until timestamp with time zone,
  is_complete boolean,
  reasons text[] not null default '{}'::text[],
  ended_at timestamp with time zone,
  failure_message text,
  files_deleted_at timestamp with time zone,
  constraint balance_job_pkey PRIMARY KEY (game_id, balance_job_id),
  constraint balance_job_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint balance_job_check CHECK (((line_count IS NULL) = (scope = 'all'::text))),
  constraint balance_job_check1 CHECK (((address_count IS NULL) = (scope = 'all'::text))),
  constraint balance_job_check2 CHECK (((is_complete IS NULL) = (ended_at IS NULL))),
  constraint balance_job_check3 CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['queued'::text, 'running'::text])))),
  constraint balance_job_check4 CHECK (((failure_message IS NULL) = (state <> 'failed'::text))),
  constraint balance_job_check5 CHECK (((files_deleted_at IS NULL) OR (ended_at IS NOT NULL))),
  constraint balance_job_scope_check CHECK ((scope = ANY (ARRAY['some'::text, 'all'::text]))),
  constraint balance_job_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'stopped'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX balance_job_active ON public.balance_job USING btree (game_id, scope) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

create table current_window (
  game_id integer not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  snapshot_id bigint not null,
  status text not null,
  covered_until timestamp with time zone not null,
  check_count integer not null,
  check_ok_count integer not null,
  warning_count integer not null,
  complete_count integer not null,
  newer_snapshot_id bigint,
  newer_created_at timestamp with time zone,
  rechecked_at timestamp with time zone,
  recheck_is_equal boolean,
  recheck_call_count integer,
  constraint current_window_pkey PRIMARY KEY (game_id, window_start, window_end),
  constraint current_window_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint current_window_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE TRIGGER current_window_compared AFTER INSERT OR UPDATE OF snapshot_id ON public.current_window FOR EACH ROW WHEN ((new.status = 'complete'::text)) EXECUTE FUNCTION complete_month_changed();
CREATE TRIGGER current_window_repeats AFTER INSERT OR UPDATE OF snapshot_id ON public.current_window FOR EACH ROW EXECUTE FUNCTION current_window_changed();

create table database_mark (
  is_only boolean not null default true,
  lineage uuid not null default gen_random_uuid(),
  step bigint not null default 0,
  advanced_at timestamp with time zone not null default clock_timestamp(),
  constraint database_mark_pkey PRIMARY KEY (is_only),
  constraint database_mark_is_only_check CHECK (is_only)
);

create table database_restore (
  restore_no integer not null generated always as identity,
  found_at timestamp with time zone not null default clock_timestamp(),
  found_by text not null,
  lineage uuid not null,
  step bigint not null,
  step_seen bigint,
  constraint database_restore_pkey PRIMARY KEY (restore_no),
  constraint database_restore_check CHECK ((step_seen > step))
);
CREATE TRIGGER database_restore_kept BEFORE DELETE OR UPDATE ON public.database_restore FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER database_restore_whole BEFORE TRUNCATE ON public.database_restore FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table delivery (
  game_id integer not null,
  delivery_id bigint not null generated always as identity,
  idempotency_key text,
  key_problem text,
  meaning_digest digest not null,
  event_type text,
  tenant_id text,
  event_id text,
  header_event_id text,
  event_created_at timestamp with time zone,
  signed_at timestamp with time zone not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  secret_slot text not null,
  secret_version text,
  signature_count integer not null,
  body bytea,
  body_sha256 digest not null,
  body_bytes integer not null,
  body_problem text,
  is_test boolean not null default false,
  state text not null,
  conflict_with bigint,
  read_kind text,
  read_subject text,
  settled_at timestamp with time zone,
  settled_by text,
  settled_reason text,
  repeat_count bigint not null default 0,
  repeated_at timestamp with time zone,
  repeated_slot text,
  repeated_version text,
  late_count bigint not null default 0,
  late_at timestamp with time zone,
  read_signed_at timestamp with time zone,
  constraint delivery_pkey PRIMARY KEY (game_id, delivery_id),
  constraint delivery_game_id_meaning_digest_key UNIQUE (game_id, meaning_digest),
  constraint delivery_game_id_conflict_with_fkey FOREIGN KEY (game_id, conflict_with) REFERENCES delivery(game_id, delivery_id),
  constraint delivery_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint delivery_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES person(id),
  constraint delivery_body_bytes_check CHECK (((body_bytes >= 0) AND (body_bytes <= 262144))),
  constraint delivery_body_problem_check CHECK ((body_problem = ANY (ARRAY['not_json'::text, 'duplicate_key'::text, 'not_an_envelope'::text, 'no_id'::text]))),
  constraint delivery_check CHECK (((idempotency_key IS NULL) = (key_problem IS NOT NULL))),
  constraint delivery_check1 CHECK (((state <> 'conflict'::text) OR (conflict_with IS NOT NULL))),
  constraint delivery_check2 CHECK (((read_kind IS NULL) = (read_subject IS NULL))),
  constraint delivery_check3 CHECK ((((settled_at IS NULL) = (settled_by IS NULL)) AND ((settled_at IS NULL) = (settled_reason IS NULL)))),
  constraint delivery_idempotency_key_check CHECK (((char_length(idempotency_key) >= 1) AND (char_length(idempotency_key) <= 255))),
  constraint delivery_key_problem_check CHECK ((key_problem = ANY (ARRAY['missing'::text, 'repeated'::text, 'too_long'::text, 'not_ascii'::text]))),
  constraint delivery_read_kind_check CHECK ((read_kind = ANY (ARRAY['refund'::text, 'period'::text, 'subscription'::text, 'order'::text, 'transfer'::text]))),
  constraint delivery_repeated_slot_check CHECK ((repeated_slot = ANY (ARRAY['current'::text, 'previous'::text, 'both'::text]))),
  constraint delivery_secret_slot_check CHECK ((secret_slot = ANY (ARRAY['current'::text, 'previous'::text, 'both'::text]))),
  constraint delivery_settled_reason_check CHECK (((char_length(settled_reason) >= 1) AND (char_length(settled_reason) <= 500))),
  constraint delivery_signature_count_check CHECK (((signature_count >= 1) AND (signature_count <= 4))),
  constraint delivery_state_check CHECK ((state = ANY (ARRAY['received'::text, 'processed'::text, 'failing'::text, 'conflict'::text, 'other_game'::text, 'stale'::text, 'unknown_type'::text])))
);
CREATE INDEX delivery_body ON public.delivery USING btree (game_id, received_at) WHERE (body IS NOT NULL);
CREATE INDEX delivery_conflict ON public.delivery USING btree (game_id, conflict_with) WHERE (conflict_with IS NOT NULL);
CREATE INDEX delivery_event ON public.delivery USING btree (game_id, event_id);
CREATE INDEX delivery_header_event ON public.delivery USING btree (game_id, header_event_id);
CREATE UNIQUE INDEX delivery_key ON public.delivery USING btree (game_id, idempotency_key) WHERE ((conflict_with IS NULL) AND (state <> 'other_game'::text));
CREATE INDEX delivery_open ON public.delivery USING btree (game_id, delivery_id) WHERE ((settled_at IS NULL) AND (state = ANY (ARRAY['failing'::text, 'conflict'::text, 'other_game'::text])));
CREATE INDEX delivery_opens ON public.delivery USING btree (game_id, read_kind, read_subject, delivery_id);
CREATE INDEX delivery_other_key ON public.delivery USING btree (game_id, idempotency_key) WHERE ((conflict_with IS NOT NULL) OR (state = 'other_game'::text));
CREATE INDEX delivery_received ON public.delivery USING btree (game_id, received_at);
CREATE INDEX delivery_repeated ON public.delivery USING btree (game_id, repeated_at) WHERE (repeated_at IS NOT NULL);
CREATE INDEX delivery_state ON public.delivery USING btree (game_id, state, delivery_id);
CREATE INDEX delivery_tenant ON public.delivery USING btree (game_id, tenant_id, state);
CREATE INDEX delivery_type ON public.delivery USING btree (game_id, event_type, delivery_id);
CREATE TRIGGER delivery_kept BEFORE DELETE OR UPDATE ON public.delivery FOR EACH ROW EXECUTE FUNCTION keep_delivery();
CREATE TRIGGER delivery_whole BEFORE TRUNCATE ON public.delivery FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table delivery_read (
  game_id integer not null,
  kind text not null,
  subject text not null,
  asked_at timestamp with time zone not null default clock_timestamp(),
  due_at timestamp with time zone,
  attempt_count integer not null default 0,
  first_tried_at timestamp with time zone,
  lease_until timestamp with time zone,
  read_at timestamp with time zone,
  outcome text,
  last_error text,
  constraint delivery_read_pkey PRIMARY KEY (game_id, kind, subject),
  constraint delivery_read_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint delivery_read_check CHECK (((read_at IS NULL) = (outcome IS NULL))),
  constraint delivery_read_kind_check1 CHECK ((kind = ANY (ARRAY['refund'::text, 'period'::text, 'subscription'::text, 'order'::text, 'transfer'::text]))),
  constraint delivery_read_outcome_check CHECK ((outcome = ANY (ARRAY['read'::text, 'not_found'::text, 'refund_look'::text, 'refund_ended'::text, 'refund_with_person'::text, 'refund_contradicted'::text, 'refunded_elsewhere'::text, 'elsewhere_unread'::text]))),
  constraint delivery_read_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 300)))
);
CREATE INDEX delivery_read_due ON public.delivery_read USING btree (game_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX delivery_read_outcome ON public.delivery_read USING btree (game_id, outcome);

create table delivery_refusal (
  game_id integer not null,
  hour timestamp with time zone not null,
  reason text not null,
  refusal_count integer not null,
  last_at timestamp with time zone not null default clock_timestamp(),
  sample_sha256 digest,
  constraint delivery_refusal_pkey PRIMARY KEY (game_id, hour, reason),
  constraint delivery_refusal_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint delivery_refusal_reason_check CHECK ((reason = ANY (ARRAY['content_type'::text, 'content_encoding'::text, 'too_large'::text, 'too_slow'::text, 'header'::text, 'signature'::text, 'no_secret'::text, 'not_stored'::text]))),
  constraint delivery_refusal_refusal_count_check CHECK ((refusal_count > 0))
);

create table delivery_repeat (
  game_id integer not null,
  repeat_id bigint not null generated always as identity,
  delivery_id bigint not null,
  idempotency_key text,
  event_id text,
  header_event_id text,
  signed_at timestamp with time zone not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  secret_slot text not null,
  secret_version text,
  body_sha256 digest not null,
  is_stale boolean not null,
  constraint delivery_repeat_pkey PRIMARY KEY (game_id, repeat_id),
  constraint delivery_repeat_game_id_delivery_id_fkey FOREIGN KEY (game_id, delivery_id) REFERENCES delivery(game_id, delivery_id),
  constraint delivery_repeat_idempotency_key_check CHECK (((char_length(idempotency_key) >= 1) AND (char_length(idempotency_key) <= 255))),
  constraint delivery_repeat_secret_slot_check CHECK ((secret_slot = ANY (ARRAY['current'::text, 'previous'::text, 'both'::text])))
);
CREATE INDEX delivery_repeat_delivery ON public.delivery_repeat USING btree (game_id, delivery_id, repeat_id);
CREATE INDEX delivery_repeat_event ON public.delivery_repeat USING btree (game_id, event_id);
CREATE INDEX delivery_repeat_header_event ON public.delivery_repeat USING btree (game_id, header_event_id);
CREATE INDEX delivery_repeat_key ON public.delivery_repeat USING btree (game_id, idempotency_key);
CREATE INDEX delivery_repeat_received ON public.delivery_repeat USING btree (game_id, received_at);
CREATE TRIGGER delivery_repeat_kept BEFORE DELETE OR UPDATE ON public.delivery_repeat FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER delivery_repeat_whole BEFORE TRUNCATE ON public.delivery_repeat FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table delivery_subject (
  game_id integer not null,
  kind text not null,
  id_text text not null,
  delivery_id bigint not null,
  constraint delivery_subject_pkey PRIMARY KEY (game_id, kind, id_text, delivery_id),
  constraint delivery_subject_game_id_delivery_id_fkey FOREIGN KEY (game_id, delivery_id) REFERENCES delivery(game_id, delivery_id),
  constraint delivery_subject_id_text_check CHECK (((char_length(id_text) >= 1) AND (char_length(id_text) <= 300))),
  constraint delivery_subject_kind_check CHECK ((kind = ANY (ARRAY['order'::text, 'transfer'::text, 'transaction'::text, 'subscription'::text, 'subscription_period'::text, 'period'::text, 'client_request'::text, 'player'::text, 'recipient'::text, 'identity'::text, 'payment_intent'::text, 'charge'::text, 'dispute'::text])))
);
CREATE INDEX delivery_subject_delivery ON public.delivery_subject USING btree (game_id, delivery_id);
CREATE TRIGGER delivery_subject_kept BEFORE DELETE OR UPDATE ON public.delivery_subject FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER delivery_subject_whole BEFORE TRUNCATE ON public.delivery_subject FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table desk_action (
  game_id integer not null,
  action_id bigint not null generated always as identity,
  kind text not null,
  repeats text not null,
  draft_id uuid not null,
  subject text not null,
  player_id bigint not null,
  order_id text,
  reference text,
  amount coins,
  unit text,
  facts jsonb not null,
  request_digest digest not null,
  content_digest digest not null,
  reason_code text not null,
  reason_text text,
  ticket text,
  state text not null,
  version integer not null default 0,
  state_since timestamp with time zone not null default clock_timestamp(),
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  needs_second_approver boolean not null,
  approval text,
  approved_by text,
  approved_at timestamp with time zone,
  approved_digest digest,
  first_sent_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  attempt_count integer not null default 0,
  unanswered_count integer not null default 0,
  lease_owner text,
  next_look_at timestamp with time zone,
  settle_until timestamp with time zone,
  result jsonb,
  last_error_code text,
  last_error_id text,
  attention_reason text,
  outcome_source text,
  paid_order_id text,
  ended_at timestamp with time zone,
  request_bytes bytea,
  parent_id bigint,
  transaction_id text,
  waits_for text,
  waits_until timestamp with time zone,
  constraint desk_action_pkey PRIMARY KEY (game_id, action_id),
  constraint desk_action_game_id_action_id_repeats_key UNIQUE (game_id, action_id, repeats),
  constraint desk_action_game_id_draft_id_key UNIQUE (game_id, draft_id),
  constraint desk_action_game_id_reference_key UNIQUE (game_id, reference),
  constraint desk_action_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES person(id),
  constraint desk_action_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint desk_action_parent FOREIGN KEY (game_id, parent_id) REFERENCES desk_action(game_id, action_id),
  constraint desk_action_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES person(id),
  constraint desk_action_amount CHECK ((((amount)::numeric > (0)::numeric) AND ((amount IS NULL) = (unit IS NULL)))),
  constraint desk_action_approval CHECK ((approval = ANY (ARRAY['policy'::text, 'person'::text]))),
  constraint desk_action_approved CHECK ((((approval IS NULL) = (approved_digest IS NULL)) AND ((approval IS NULL) = (approved_at IS NULL)))),
  constraint desk_action_approved_content CHECK (((state = ANY (ARRAY['awaiting_approval'::text, 'rejected'::text, 'withdrawn'::text, 'lapsed'::text])) OR ((approved_digest IS NOT NULL) AND ((approved_digest)::bytea = (content_digest)::bytea)))),
  constraint desk_action_approver CHECK (((NOT (approval IS DISTINCT FROM 'person'::text)) = (approved_by IS NOT NULL))),
  constraint desk_action_attention CHECK (((state = 'attention'::text) = (attention_reason IS NOT NULL))),
  constraint desk_action_attention_reason CHECK ((attention_reason = ANY (ARRAY['answer_contradicts'::text, 'content_altered'::text, 'cannot_be_read'::text, 'not_settled'::text, 'reading_contradicts'::text, 'restored'::text]))),
  constraint desk_action_bytes CHECK (
CASE
    WHEN ((repeats = 'worker'::text) AND (state = ANY (ARRAY['awaiting_approval'::text, 'approved'::text, 'sending'::text, 'waiting'::text, 'unknown'::text]))) THEN (request_bytes IS NOT NULL)
    ELSE ((request_bytes IS NULL) OR ((repeats = 'worker'::text) AND (ended_at IS NULL)))
END),
  constraint desk_action_ended CHECK (((state = ANY (ARRAY['done'::text, 'refused'::text, 'not_done'::text, 'lapsed'::text, 'rejected'::text, 'withdrawn'::text])) = (ended_at IS NOT NULL))),
  constraint desk_action_key CHECK (((repeats <> 'worker'::text) OR (reference IS NOT NULL))),
  constraint desk_action_kind CHECK ((((((((((((((((((((kind = 'payment_confirm'::text) AND (repeats = 'person'::text)) OR ((kind = 'card_confirm'::text) AND (repeats = 'person'::text))) OR ((kind = 'payment_link'::text) AND (repeats = 'never'::text))) OR ((kind = 'milestone'::text) AND (repeats = 'worker'::text))) OR ((kind = 'item_sale'::text) AND (repeats = 'worker'::text))) OR ((kind = 'redeem'::text) AND (repeats = 'never'::text))) OR ((kind = 'send_start'::text) AND (repeats = 'person'::text))) OR ((kind = 'send_approve'::text) AND (repeats = 'never'::text))) OR ((kind = 'owner_text'::text) AND (repeats = 'never'::text))) OR ((kind = 'phone_enrolment'::text) AND (repeats = 'never'::text))) OR ((kind = 'transfer_start'::text) AND (repeats = 'person'::text))) OR ((kind = 'transfer_approve'::text) AND (repeats = 'never'::text))) OR ((kind = 'receipt'::text) AND (repeats = 'never'::text))) OR ((kind = 'claim'::text) AND (repeats = 'never'::text))) OR ((kind = 'purchase'::text) AND (repeats = 'person'::text))) OR ((kind = 'card_setup'::text) AND (repeats = 'person'::text))) OR ((kind = 'client_event'::text) AND (repeats = 'person'::text))) OR ((kind = 'rewards_page'::text) AND (repeats = 'never'::text)))),
  constraint desk_action_lease CHECK (((state = 'sending'::text) = (lease_owner IS NOT NULL))),
  constraint desk_action_once CHECK (((repeats <> 'never'::text) OR (attempt_count <= 1))),
  constraint desk_action_other_approver CHECK ((approved_by <> requested_by)),
  constraint desk_action_outcome CHECK (((state = 'done'::text) = (outcome_source IS NOT NULL))),
  constraint desk_action_reason CHECK ((reason_code = ANY (ARRAY['technical_fault'::text, 'requested_by_player'::text, 'goodwill'::text, 'prize'::text, 'event_outage'::text, 'test'::text, 'other'::text]))),
  constraint desk_action_reason_text CHECK (((char_length(reason_text) >= 1) AND (char_length(reason_text) <= 500))),
  constraint desk_action_reference CHECK (((reference !~* '^sub_'::text) AND (char_length(reference) <= 200))),
  constraint desk_action_sent CHECK ((((attempt_count = 0) = (first_sent_at IS NULL)) AND ((attempt_count = 0) = (last_sent_at IS NULL)))),
  constraint desk_action_source CHECK ((outcome_source = ANY (ARRAY['answer'::text, 'replay'::text, 'reading'::text, 'people'::text]))),
  constraint desk_action_state CHECK ((state = ANY (ARRAY['awaiting_approval'::text, 'approved'::text, 'sending'::text, 'waiting'::text, 'with_player'::text, 'unknown'::text, 'checking'::text, 'attention'::text, 'done'::text, 'refused'::text, 'not_done'::text, 'lapsed'::text, 'rejected'::text, 'withdrawn'::text]))),
  constraint desk_action_ticket CHECK (((char_length(ticket) >= 1) AND (char_length(ticket) <= 100))),
  constraint desk_action_two_people CHECK (((NOT needs_second_approver) OR (approval IS DISTINCT FROM 'policy'::text))),
  constraint desk_action_unit CHECK ((unit = ANY (ARRAY['usd'::text, 'coins'::text]))),
  constraint desk_action_unsent CHECK (((state <> ALL (ARRAY['rejected'::text, 'withdrawn'::text, 'awaiting_approval'::text, 'waiting'::text, 'refused'::text])) OR (unanswered_count = 0))),
  constraint desk_action_waits CHECK (((state <> 'waiting'::text) OR (repeats = 'worker'::text))),
  constraint desk_action_waits_for_check CHECK ((waits_for = ANY (ARRAY['phone'::text, 'guardian'::text]))),
  constraint desk_action_with_player CHECK ((((state = 'with_player'::text) = (waits_for IS NOT NULL)) AND ((waits_until IS NULL) OR (waits_for IS NOT NULL))))
);
CREATE UNIQUE INDEX desk_action_approves ON public.desk_action USING btree (game_id, transaction_id) WHERE ((kind = ANY (ARRAY['send_approve'::text, 'transfer_approve'::text])) AND (state <> 'refused'::text));
CREATE INDEX desk_action_by_need ON public.desk_action USING btree (game_id, (
CASE
    WHEN ((state = ANY (ARRAY['awaiting_approval'::text, 'attention'::text, 'with_player'::text])) OR ((state = 'approved'::text) AND (repeats <> 'worker'::text))) THEN 1
    ELSE 0
END), action_id);
CREATE INDEX desk_action_due ON public.desk_action USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE INDEX desk_action_needing_action ON public.desk_action USING btree (game_id, action_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX desk_action_open ON public.desk_action USING btree (game_id, subject) WHERE (ended_at IS NULL);
CREATE INDEX desk_action_order ON public.desk_action USING btree (game_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX desk_action_player ON public.desk_action USING btree (game_id, player_id, action_id);
CREATE INDEX desk_action_requester ON public.desk_action USING btree (game_id, requested_by, requested_at);
CREATE UNIQUE INDEX desk_action_sender ON public.desk_action USING btree (game_id, player_id) WHERE (state = 'sending'::text);
CREATE INDEX desk_action_steps ON public.desk_action USING btree (game_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE TRIGGER desk_action_drops_phone AFTER UPDATE OF state ON public.desk_action FOR EACH ROW WHEN (((old.state = 'approved'::text) AND (new.state <> 'approved'::text))) EXECUTE FUNCTION drop_held_phone();
CREATE TRIGGER desk_action_ends_grants AFTER UPDATE OF state ON public.desk_action FOR EACH ROW WHEN (((new.ended_at IS NOT NULL) AND (old.ended_at IS NULL))) EXECUTE FUNCTION end_device_grants();
CREATE TRIGGER desk_action_kept BEFORE DELETE OR UPDATE ON public.desk_action FOR EACH ROW EXECUTE FUNCTION keep_desk_action();
CREATE TRIGGER desk_action_sandbox BEFORE INSERT ON public.desk_action FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['purchase'::text, 'card_setup'::text, 'client_event'::text, 'rewards_page'::text]))) EXECUTE FUNCTION refuse_sandbox_tool();
CREATE TRIGGER desk_action_whole BEFORE TRUNCATE ON public.desk_action FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table desk_action_attempt (
  game_id integer not null,
  action_id bigint not null,
  repeats text not null,
  attempt_no integer not null,
  owner text not null,
  sent_by text,
  committed_at timestamp with time zone not null default clock_timestamp(),
  request_digest digest not null,
  finished_at timestamp with time zone,
  class text,
  phase text,
  status integer,
  error_code text,
  error_id text,
  answer_facts jsonb,
  body bytea,
  sha256 digest,
  retry_after_ms bigint,
  constraint desk_action_attempt_pkey PRIMARY KEY (game_id, action_id, attempt_no),
  constraint desk_action_attempt_game_id_action_id_repeats_fkey FOREIGN KEY (game_id, action_id, repeats) REFERENCES desk_action(game_id, action_id, repeats),
  constraint desk_action_attempt_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES person(id),
  constraint desk_action_attempt_attempt_no_check CHECK ((attempt_no >= 1)),
  constraint desk_action_attempt_check CHECK (((finished_at IS NULL) = (class IS NULL))),
  constraint desk_action_attempt_class_check CHECK ((class = ANY (ARRAY['done'::text, 'replayed'::text, 'started'::text, 'goes_on'::text, 'refused'::text, 'not_now'::text, 'open'::text, 'no_answer'::text, 'contradiction'::text]))),
  constraint desk_action_attempt_once CHECK (((repeats <> 'never'::text) OR (attempt_no = 1))),
  constraint desk_action_attempt_phase_check CHECK ((phase = ANY (ARRAY['not_sent'::text, 'sent'::text, 'answered'::text]))),
  constraint desk_action_attempt_retry_after_ms_check CHECK ((retry_after_ms >= 0))
);
CREATE TRIGGER desk_action_attempt_kept BEFORE DELETE OR UPDATE ON public.desk_action_attempt FOR EACH ROW EXECUTE FUNCTION keep_until_end('class', 'finished_at', 'phase', 'status', 'error_code', 'error_id', 'answer_facts', 'retry_after_ms', 'body', 'sha256');
CREATE TRIGGER desk_action_attempt_whole BEFORE TRUNCATE ON public.desk_action_attempt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table desk_action_decision (
  game_id integer not null,
  action_id bigint not null,
  decision_no integer not null,
  decision text not null,
  is_alone boolean not null,
  proposed_by text not null,
  proposed_at timestamp with time zone not null default clock_timestamp(),
  proposed_text text not null,
  read_no integer,
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint desk_action_decision_pkey PRIMARY KEY (game_id, action_id, decision_no),
  constraint desk_action_decision_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint desk_action_decision_game_id_action_id_fkey FOREIGN KEY (game_id, action_id) REFERENCES desk_action(game_id, action_id),
  constraint desk_action_decision_game_id_action_id_read_no_fkey FOREIGN KEY (game_id, action_id, read_no) REFERENCES desk_action_read(game_id, action_id, read_no),
  constraint desk_action_decision_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint desk_action_decision_check CHECK ((confirmed_by <> proposed_by)),
  constraint desk_action_decision_check1 CHECK (
CASE
    WHEN is_alone THEN (confirmed_by IS NULL)
    ELSE ((confirmed_by IS NULL) = (confirmed_at IS NULL))
END),
  constraint desk_action_decision_decision_check CHECK ((decision = ANY (ARRAY['done'::text, 'not_done'::text]))),
  constraint desk_action_decision_decision_no_check CHECK ((decision_no >= 1)),
  constraint desk_action_decision_proposed_text_check CHECK (((char_length(proposed_text) >= 1) AND (char_length(proposed_text) <= 1000)))
);
CREATE UNIQUE INDEX desk_action_decision_open ON public.desk_action_decision USING btree (game_id, action_id) WHERE ((confirmed_at IS NULL) AND (withdrawn_at IS NULL));
CREATE TRIGGER desk_action_decision_kept BEFORE DELETE OR UPDATE ON public.desk_action_decision FOR EACH ROW EXECUTE FUNCTION keep_until_end('confirmed_at', 'confirmed_by', 'withdrawn_at');
CREATE TRIGGER desk_action_decision_whole BEFORE TRUNCATE ON public.desk_action_decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table desk_action_read (
  game_id integer not null,
  action_id bigint not null,
  read_no integer not null,
  kind text not null,
  facts jsonb not null,
  read_at timestamp with time zone not null default clock_timestamp(),
  constraint desk_action_read_pkey PRIMARY KEY (game_id, action_id, read_no),
  constraint desk_action_read_game_id_action_id_fkey FOREIGN KEY (game_id, action_id) REFERENCES desk_action(game_id, action_id),
  constraint desk_action_read_kind_check CHECK ((kind = ANY (ARRAY['wallet'::text, 'order'::text, 'cards'::text, 'vault'::text, 'status'::text, 'guardian'::text])))
);
CREATE TRIGGER desk_action_read_kept BEFORE DELETE OR UPDATE ON public.desk_action_read FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER desk_action_read_whole BEFORE TRUNCATE ON public.desk_action_read FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table detail_job (
  game_id integer not null,
  detail_job_id bigint not null generated always as identity,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  since timestamp with time zone not null default clock_timestamp(),
  state text not null default 'queued'::text,
  lease_owner text,
  lease_until timestamp with time zone,
  attempt_count integer not null default 0,
  read_count integer not null default 0,
  planned_count integer,
  waiting_until timestamp with time zone,
  activity text,
  ended_at timestamp with time zone,
  failure_code text,
  failure_message text,
  failure_error_id text,
  constraint detail_job_pkey PRIMARY KEY (game_id, detail_job_id),
  constraint detail_job_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint detail_job_check CHECK ((window_start < window_end)),
  constraint detail_job_check1 CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
  constraint detail_job_check2 CHECK (((state = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint detail_job_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX detail_job_active ON public.detail_job USING btree (game_id, window_start, window_end) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX detail_job_window ON public.detail_job USING btree (game_id, window_start, window_end, detail_job_id DESC);

create table detail_month (
  game_id integer not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  snapshot_id bigint not null,
  computed_at timestamp with time zone not null default clock_timestamp(),
  figures jsonb not null,
  search_next_at timestamp with time zone,
  search_stopped text,
  constraint detail_month_pkey PRIMARY KEY (game_id, window_start, window_end),
  constraint detail_month_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint detail_month_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);

create table detail_read (
  game_id integer not null,
  kind text not null,
  subject text not null,
  read_at timestamp with time zone not null,
  body bytea storage external not null,
  sha256 digest not null,
  constraint detail_read_pkey PRIMARY KEY (game_id, kind, subject),
  constraint detail_read_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint detail_read_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'subscriptions'::text, 'balances'::text, 'cards'::text, 'order'::text, 'item_order'::text, 'item_history'::text, 'transfer'::text, 'approval'::text])))
);

create table detail_setting (
  game_id integer not null,
  card_periods text not null default 'by_size'::text,
  subscriptions text not null default 'by_size'::text,
  set_by text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  constraint detail_setting_pkey PRIMARY KEY (game_id),
  constraint detail_setting_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint detail_setting_card_periods_check CHECK ((card_periods = ANY (ARRAY['by_size'::text, 'on'::text, 'off'::text]))),
  constraint detail_setting_subscriptions_check CHECK ((subscriptions = ANY (ARRAY['by_size'::text, 'on'::text, 'off'::text])))
);

create table device_grant (
  game_id integer not null,
  grant_id bigint not null generated always as identity,
  action_id bigint not null,
  transaction_id text not null,
  flow text not null,
  state text not null default 'started'::text,
  sealed_code bytea,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  interval_s integer,
  next_poll_at timestamp with time zone,
  expires_at timestamp with time zone,
  approved_at timestamp with time zone,
  constraint device_grant_pkey PRIMARY KEY (game_id, grant_id),
  constraint device_grant_game_id_action_id_fkey FOREIGN KEY (game_id, action_id) REFERENCES desk_action(game_id, action_id),
  constraint device_grant_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES person(id),
  constraint device_grant_check CHECK (((state = ANY (ARRAY['waiting'::text, 'enrolling'::text])) <= ((sealed_code IS NOT NULL) AND (next_poll_at IS NOT NULL)))),
  constraint device_grant_check1 CHECK (((state = ANY (ARRAY['started'::text, 'waiting'::text, 'enrolling'::text, 'approved'::text])) OR (sealed_code IS NULL))),
  constraint device_grant_state_check CHECK ((state = ANY (ARRAY['started'::text, 'waiting'::text, 'enrolling'::text, 'approved'::text, 'declined'::text, 'expired'::text, 'lost'::text, 'replaced'::text])))
);
CREATE INDEX device_grant_newest ON public.device_grant USING btree (game_id, action_id, grant_id);
CREATE UNIQUE INDEX device_grant_open ON public.device_grant USING btree (game_id, action_id) WHERE (state = ANY (ARRAY['started'::text, 'waiting'::text, 'enrolling'::text, 'approved'::text]));

create table game (
  game_id integer not null generated always as identity,
  slug text not null,
  environment text not null,
  name text not null,
  time_zone text not null,
  invo_game_id text,
  previous_secret_used_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  previous_secret_until timestamp with time zone,
  constraint game_pkey PRIMARY KEY (game_id),
  constraint game_slug_environment_key UNIQUE (slug, environment),
  constraint game_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
  constraint game_slug_check CHECK ((slug ~ '^[a-z0-9-]{1,40}$'::text))
);
CREATE UNIQUE INDEX game_of_invo ON public.game USING btree (environment, invo_game_id);

create table game_lock (
  game_id integer not null,
  purpose text not null,
  constraint game_lock_pkey PRIMARY KEY (game_id, purpose),
  constraint game_lock_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint game_lock_purpose_check CHECK ((purpose = ANY (ARRAY['names'::text, 'readings'::text, 'sends'::text])))
);

create table held_phone (
  game_id integer not null,
  action_id bigint not null,
  sealed_phone bytea not null,
  held_at timestamp with time zone not null default clock_timestamp(),
  read_at timestamp with time zone,
  has_agreed boolean,
  constraint held_phone_pkey PRIMARY KEY (game_id, action_id),
  constraint held_phone_game_id_action_id_fkey FOREIGN KEY (game_id, action_id) REFERENCES desk_action(game_id, action_id)
);

create table house_account (
  game_id integer not null,
  house_account_id bigint not null generated always as identity,
  player_id bigint not null,
  label text not null,
  sealed_phone bytea,
  phone_end text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  confirmed_by text,
  confirmed_at timestamp with time zone,
  removed_by text,
  removed_at timestamp with time zone,
  constraint house_account_pkey PRIMARY KEY (game_id, house_account_id),
  constraint house_account_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint house_account_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint house_account_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES person(id),
  constraint house_account_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES person(id),
  constraint house_account_confirmed CHECK (((confirmed_by IS NULL) OR (confirmed_at IS NOT NULL))),
  constraint house_account_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
  constraint house_account_other_person CHECK ((confirmed_by <> requested_by)),
  constraint house_account_phone_end_check CHECK ((phone_end ~ '^\d\d$'::text)),
  constraint house_account_removed CHECK ((((removed_at IS NULL) = (removed_by IS NULL)) AND ((removed_at IS NULL) = (sealed_phone IS NOT NULL))))
);
CREATE UNIQUE INDEX house_account_player ON public.house_account USING btree (game_id, player_id) WHERE (removed_at IS NULL);

create table journal_entry (
  game_id integer not null,
  entry_no integer not null,
  journal_no text not null,
  kind text not null,
  run_id bigint not null,
  posted_on date not null,
  written_by text not null,
  written_at timestamp with time zone not null default clock_timestamp(),
  constraint journal_entry_pkey PRIMARY KEY (game_id, entry_no),
  constraint journal_entry_game_id_journal_no_key UNIQUE (game_id, journal_no),
  constraint journal_entry_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint journal_entry_written_by_fkey FOREIGN KEY (written_by) REFERENCES person(id),
  constraint journal_entry_entry_no_check CHECK ((entry_no >= 1)),
  constraint journal_entry_kind_check CHECK ((kind = ANY (ARRAY['accrual'::text, 'card_fees'::text, 'reversal'::text, 'payments'::text, 'returns'::text])))
);
CREATE UNIQUE INDEX journal_entry_once ON public.journal_entry USING btree (game_id, run_id, kind) WHERE (kind = ANY (ARRAY['accrual'::text, 'reversal'::text]));
CREATE INDEX journal_entry_run ON public.journal_entry USING btree (game_id, run_id);
CREATE TRIGGER journal_entry_kept BEFORE DELETE OR UPDATE ON public.journal_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_entry_whole BEFORE TRUNCATE ON public.journal_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table journal_transfer (
  game_id integer not null,
  entry_no integer not null,
  transfer_no integer not null,
  kind text not null,
  debit text not null,
  credit text not null,
  exact_usd usd not null,
  posted_usd whole_cents not null,
  constraint journal_transfer_pkey PRIMARY KEY (game_id, entry_no, transfer_no),
  constraint journal_transfer_game_id_entry_no_kind_key UNIQUE (game_id, entry_no, kind),
  constraint journal_transfer_game_id_entry_no_fkey FOREIGN KEY (game_id, entry_no) REFERENCES journal_entry(game_id, entry_no),
  constraint journal_transfer_check CHECK ((debit <> credit)),
  constraint journal_transfer_credit_check CHECK ((credit = ANY (ARRAY['invo_receivable'::text, 'service_fee'::text, 'revenue'::text, 'refunds_revenue'::text, 'card_fees'::text, 'revenue_share'::text, 'recipients_payable'::text, 'recipients_receivable'::text, 'adjustments'::text, 'opening_balances'::text, 'payout_clearing'::text, 'bank_fees'::text]))),
  constraint journal_transfer_debit_check CHECK ((debit = ANY (ARRAY['invo_receivable'::text, 'service_fee'::text, 'revenue'::text, 'refunds_revenue'::text, 'card_fees'::text, 'revenue_share'::text, 'recipients_payable'::text, 'recipients_receivable'::text, 'adjustments'::text, 'opening_balances'::text, 'payout_clearing'::text, 'bank_fees'::text]))),
  constraint journal_transfer_kind_check CHECK ((kind = ANY (ARRAY['revenue_settled'::text, 'service_fee'::text, 'revenue_reversed'::text, 'shares_earned'::text, 'shares_reversed'::text, 'adjusted_up'::text, 'adjusted_down'::text, 'paid_elsewhere'::text, 'paid_elsewhere_corrected'::text, 'brought_forward'::text, 'brought_forward_negative'::text, 'negative_balances_grew'::text, 'negative_balances_shrank'::text, 'card_fees'::text, 'items_paid'::text, 'items_returned'::text, 'return_fees'::text]))),
  constraint journal_transfer_transfer_no_check CHECK ((transfer_no >= 1))
);
CREATE TRIGGER journal_transfer_kept BEFORE DELETE OR UPDATE ON public.journal_transfer FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_transfer_whole BEFORE TRUNCATE ON public.journal_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table known_id (
  game_id integer not null,
  kind text not null,
  id_text text not null,
  subscription_id text not null,
  period_id bigint not null default 0,
  seen_at timestamp with time zone not null,
  constraint known_id_pkey PRIMARY KEY (game_id, kind, id_text, subscription_id, period_id),
  constraint known_id_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint known_id_kind_check CHECK ((kind = ANY (ARRAY['transaction'::text, 'order'::text, 'client_request'::text])))
);
CREATE INDEX known_id_subscription ON public.known_id USING btree (game_id, subscription_id, period_id DESC) WHERE (kind = 'order'::text);

create table known_order (
  game_id integer not null,
  book text not null,
  order_id text not null,
  player_id bigint,
  status text,
  transaction_id text,
  payment_intent_id text,
  purchase_reference text,
  amount_field text,
  amount coins,
  read_at timestamp with time zone not null,
  constraint known_order_pkey PRIMARY KEY (game_id, book, order_id),
  constraint known_order_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint known_order_book_check CHECK ((book = ANY (ARRAY['currency'::text, 'items'::text]))),
  constraint known_order_check CHECK (((amount_field IS NULL) = (amount IS NULL))),
  constraint known_order_order_id_check CHECK (((char_length(order_id) >= 1) AND (char_length(order_id) <= 300)))
);
CREATE INDEX known_order_payment_intent ON public.known_order USING btree (game_id, payment_intent_id) WHERE (payment_intent_id IS NOT NULL);
CREATE INDEX known_order_player ON public.known_order USING btree (game_id, player_id, read_at DESC) WHERE (player_id IS NOT NULL);
CREATE INDEX known_order_reference ON public.known_order USING btree (game_id, purchase_reference) WHERE (purchase_reference IS NOT NULL);
CREATE INDEX known_order_transaction ON public.known_order USING btree (game_id, transaction_id) WHERE (transaction_id IS NOT NULL);

create table known_player (
  game_id integer not null,
  player_id bigint not null,
  player_email text not null,
  player_name text,
  identity_id text,
  seen_at timestamp with time zone not null,
  constraint known_player_pkey PRIMARY KEY (game_id, player_id),
  constraint known_player_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);
CREATE INDEX known_player_email ON public.known_player USING btree (game_id, "left"(lower(player_email), 254));
CREATE INDEX known_player_identity ON public.known_player USING btree (game_id, "left"(identity_id, 254)) WHERE (identity_id IS NOT NULL);
CREATE TRIGGER known_player_erased BEFORE INSERT ON public.known_player FOR EACH ROW EXECUTE FUNCTION skip_erased();

create table known_subscription (
  game_id integer not null,
  subscription_id text not null,
  player_id bigint,
  item_name text,
  status text,
  seen_at timestamp with time zone not null,
  constraint known_subscription_pkey PRIMARY KEY (game_id, subscription_id),
  constraint known_subscription_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);
CREATE INDEX known_subscription_player ON public.known_subscription USING btree (game_id, player_id);

create table known_transfer (
  game_id integer not null,
  transaction_id text not null,
  transaction_status text,
  verification_state text,
  amount coins,
  net_amount coins,
  claim_expires_at timestamp with time zone,
  is_destination boolean not null,
  read_at timestamp with time zone not null,
  to_identity_id text,
  constraint known_transfer_pkey PRIMARY KEY (game_id, transaction_id),
  constraint known_transfer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint known_transfer_transaction_id_check CHECK (((char_length(transaction_id) >= 1) AND (char_length(transaction_id) <= 300)))
);
CREATE INDEX known_transfer_expiring ON public.known_transfer USING btree (game_id, claim_expires_at) WHERE ((claim_expires_at IS NOT NULL) AND (COALESCE(verification_state, ''::text) <> ALL (ARRAY['completed'::text, 'expired'::text, 'failed'::text])));
CREATE INDEX known_transfer_read ON public.known_transfer USING btree (game_id, read_at DESC, transaction_id);
CREATE INDEX known_transfer_receiver ON public.known_transfer USING btree (game_id, "left"(to_identity_id, 254), read_at DESC) WHERE (to_identity_id IS NOT NULL);

create table look_up (
  game_id integer not null,
  person_id text not null,
  player_id bigint not null,
  looked_at timestamp with time zone not null,
  constraint look_up_pkey PRIMARY KEY (game_id, person_id, player_id),
  constraint look_up_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint look_up_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX look_up_newest ON public.look_up USING btree (game_id, person_id, looked_at DESC);

create table milestone_name (
  game_id integer not null,
  event_type text not null,
  name text not null,
  label text not null,
  added_by text not null,
  added_at timestamp with time zone not null default clock_timestamp(),
  constraint milestone_name_pkey PRIMARY KEY (game_id, event_type, name),
  constraint milestone_name_added_by_fkey FOREIGN KEY (added_by) REFERENCES person(id),
  constraint milestone_name_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint milestone_name_event_type_check CHECK ((event_type = ANY (ARRAY['game.milestone.reached'::text, 'game.custom.recorded'::text]))),
  constraint milestone_name_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
  constraint milestone_name_name_check CHECK ((name ~ '^[!-~]([ -~]{0,98}[!-~])?$'::text))
);

create table month_comparison (
  game_id integer not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  snapshot_id bigint not null,
  version integer not null,
  head jsonb not null,
  body bytea storage external not null,
  sha256 digest not null,
  constraint month_comparison_pkey PRIMARY KEY (game_id, window_start, window_end),
  constraint month_comparison_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);

create table notice (
  game_id integer not null,
  notice_id bigint not null generated always as identity,
  kind text not null,
  subject text not null,
  window_start timestamp with time zone,
  run_no integer,
  amount_usd usd,
  recipient_count integer,
  actor_id text,
  occurred_at timestamp with time zone not null default clock_timestamp(),
  about text,
  roles text[],
  constraint notice_pkey PRIMARY KEY (game_id, notice_id),
  constraint notice_game_id_kind_subject_key UNIQUE (game_id, kind, subject),
  constraint notice_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES person(id),
  constraint notice_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint notice_about_check CHECK (((about IS NULL) = (window_start IS NOT NULL))),
  constraint notice_kind_check CHECK ((kind = ANY (ARRAY['month_ready'::text, 'run_submitted'::text, 'run_approved'::text, 'run_rejected'::text, 'run_returned'::text, 'run_voided'::text, 'drift_found'::text, 'payment_alarm'::text, 'person_invited'::text, 'person_confirmed'::text, 'roles_requested'::text, 'roles_changed'::text, 'password_link'::text, 'factor_reset'::text, 'factor_requirement'::text, 'person_disabled'::text, 'person_enabled'::text, 'limit_requested'::text, 'limit_changed'::text])))
);
CREATE TRIGGER notice_kept BEFORE DELETE OR UPDATE ON public.notice FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER notice_whole BEFORE TRUNCATE ON public.notice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table notice_delivery (
  game_id integer not null,
  notice_id bigint not null,
  person_id text not null,
  seen_at timestamp with time zone,
  mail_state text not null,
  mail_next_at timestamp with time zone,
  mail_attempt_count integer not null default 0,
  mail_tried_at timestamp with time zone,
  mail_error text,
  constraint notice_delivery_pkey PRIMARY KEY (game_id, notice_id, person_id),
  constraint notice_delivery_game_id_notice_id_fkey FOREIGN KEY (game_id, notice_id) REFERENCES notice(game_id, notice_id),
  constraint notice_delivery_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint notice_delivery_check CHECK (((mail_state = 'waiting'::text) = (mail_next_at IS NOT NULL))),
  constraint notice_delivery_check1 CHECK (((mail_attempt_count = 0) = (mail_tried_at IS NULL))),
  constraint notice_delivery_mail_state_check CHECK ((mail_state = ANY (ARRAY['off'::text, 'waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'unknown'::text, 'expired'::text])))
);
CREATE INDEX notice_delivery_mail ON public.notice_delivery USING btree (game_id, mail_next_at) WHERE (mail_state = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX notice_delivery_person ON public.notice_delivery USING btree (person_id, game_id, notice_id DESC);
CREATE INDEX notice_delivery_unread ON public.notice_delivery USING btree (person_id) WHERE (seen_at IS NULL);

create table notice_setting (
  person_id text not null,
  kind text not null,
  reach text not null,
  constraint notice_setting_pkey PRIMARY KEY (person_id, kind),
  constraint notice_setting_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint notice_setting_kind_check CHECK ((kind = ANY (ARRAY['month_ready'::text, 'run_submitted'::text, 'run_approved'::text, 'run_rejected'::text, 'run_returned'::text, 'run_voided'::text, 'drift_found'::text, 'payment_alarm'::text, 'person_invited'::text, 'person_confirmed'::text, 'roles_requested'::text, 'roles_changed'::text, 'password_link'::text, 'factor_reset'::text, 'factor_requirement'::text, 'person_disabled'::text, 'person_enabled'::text, 'limit_requested'::text, 'limit_changed'::text]))),
  constraint notice_setting_reach_check CHECK ((reach = ANY (ARRAY['email'::text, 'product'::text, 'off'::text])))
);

create table payee_detail (
  game_id integer not null,
  recipient_player_id bigint not null,
  detail_no integer not null,
  identity_id text,
  holder_kind text not null,
  method text not null,
  country text,
  sealed bytea not null,
  key_name text not null,
  mask text not null,
  fingerprint digest,
  change_set uuid,
  reason text not null,
  proposed_by text not null,
  proposed_at timestamp with time zone not null default clock_timestamp(),
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_by text,
  withdrawn_at timestamp with time zone,
  salt bytea,
  digest digest,
  erased_at timestamp with time zone,
  constraint payee_detail_pkey PRIMARY KEY (game_id, recipient_player_id, detail_no),
  constraint payee_detail_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint payee_detail_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payee_detail_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint payee_detail_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES person(id),
  constraint payee_detail_check CHECK ((confirmed_by <> proposed_by)),
  constraint payee_detail_check1 CHECK (((confirmed_by IS NULL) = (confirmed_at IS NULL))),
  constraint payee_detail_check2 CHECK (((withdrawn_by IS NULL) = (withdrawn_at IS NULL))),
  constraint payee_detail_check3 CHECK (((confirmed_at IS NULL) OR (withdrawn_at IS NULL))),
  constraint payee_detail_check4 CHECK (((method = 'none'::text) = (fingerprint IS NULL))),
  constraint payee_detail_check5 CHECK (((erased_at IS NOT NULL) OR ((salt IS NULL) = (digest IS NULL)))),
  constraint payee_detail_check6 CHECK (((erased_at IS NULL) OR ((method = 'none'::text) AND (sealed = '\x'::bytea) AND (mask = 'Erased'::text) AND (salt IS NULL) AND (identity_id IS NULL) AND (country IS NULL)))),
  constraint payee_detail_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint payee_detail_detail_no_check CHECK ((detail_no >= 1)),
  constraint payee_detail_holder_kind_check CHECK ((holder_kind = ANY (ARRAY['person'::text, 'company'::text]))),
  constraint payee_detail_key_name_check CHECK ((key_name ~ '^[0-9a-f]{8}$'::text)),
  constraint payee_detail_mask_check CHECK (((char_length(mask) >= 1) AND (char_length(mask) <= 100))),
  constraint payee_detail_method_check CHECK ((method = ANY (ARRAY['paypal'::text, 'wise'::text, 'sepa'::text, 'wire_usd'::text, 'ach'::text, 'other'::text, 'none'::text]))),
  constraint payee_detail_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint payee_detail_salt_check CHECK ((length(salt) = 32))
);
CREATE INDEX payee_detail_account ON public.payee_detail USING btree (game_id, fingerprint) WHERE (confirmed_at IS NOT NULL);
CREATE UNIQUE INDEX payee_detail_open ON public.payee_detail USING btree (game_id, recipient_player_id) WHERE ((confirmed_at IS NULL) AND (withdrawn_at IS NULL));
CREATE INDEX payee_detail_set ON public.payee_detail USING btree (game_id, change_set) WHERE (change_set IS NOT NULL);
CREATE TRIGGER payee_detail_kept BEFORE DELETE OR UPDATE ON public.payee_detail FOR EACH ROW EXECUTE FUNCTION keep_payee_detail();
CREATE TRIGGER payee_detail_whole BEFORE TRUNCATE ON public.payee_detail FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payment_confirmation (
  game_id integer not null,
  report_no integer not null,
  row_no integer not null,
  run_id bigint not null,
  item_no integer not null,
  state text not null,
  occurred_on date,
  amount usd,
  currency text,
  fee_usd whole_cents,
  provider_id text,
  reason_code text,
  matched_by text not null,
  row_digest digest not null,
  confirmed_at timestamp with time zone not null default clock_timestamp(),
  constraint payment_confirmation_pkey PRIMARY KEY (game_id, run_id, item_no, report_no, row_no),
  constraint payment_confirmation_game_id_report_no_fkey FOREIGN KEY (game_id, report_no) REFERENCES payment_report(game_id, report_no),
  constraint payment_confirmation_game_id_run_id_item_no_fkey FOREIGN KEY (game_id, run_id, item_no) REFERENCES payout_item(game_id, run_id, item_no),
  constraint payment_confirmation_amount_check CHECK (((amount)::numeric >= (0)::numeric)),
  constraint payment_confirmation_check CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint payment_confirmation_check1 CHECK (((fee_usd IS NULL) OR ((state = 'returned'::text) AND (matched_by = 'person'::text)))),
  constraint payment_confirmation_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payment_confirmation_fee_usd_check CHECK (((fee_usd)::numeric > (0)::numeric)),
  constraint payment_confirmation_matched_by_check CHECK ((matched_by = ANY (ARRAY['reference'::text, 'trace'::text, 'provider_id'::text, 'message'::text, 'batch_total'::text, 'person'::text]))),
  constraint payment_confirmation_row_no_check CHECK ((row_no >= 1)),
  constraint payment_confirmation_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'failed'::text, 'paid'::text, 'returned'::text])))
);
CREATE INDEX payment_confirmation_provider ON public.payment_confirmation USING btree (game_id, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX payment_confirmation_report ON public.payment_confirmation USING btree (game_id, report_no, row_no);
CREATE TRIGGER payment_confirmation_kept BEFORE DELETE OR UPDATE ON public.payment_confirmation FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_confirmation_whole BEFORE TRUNCATE ON public.payment_confirmation FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payment_report (
  game_id integer not null,
  report_no integer not null,
  kind text not null,
  file_name text,
  sealed bytea not null,
  key_name text not null,
  sha256 digest not null,
  date_order text,
  row_count integer not null,
  fee_count integer not null,
  result text not null,
  added_by text not null,
  added_at timestamp with time zone not null default clock_timestamp(),
  rules_version integer,
  constraint payment_report_pkey PRIMARY KEY (game_id, report_no),
  constraint payment_report_game_id_sha256_key UNIQUE (game_id, sha256),
  constraint payment_report_added_by_fkey FOREIGN KEY (added_by) REFERENCES person(id),
  constraint payment_report_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payment_report_date_order_check CHECK ((date_order = ANY (ARRAY['day_first'::text, 'month_first'::text]))),
  constraint payment_report_fee_count_check CHECK ((fee_count >= 0)),
  constraint payment_report_file_name_check CHECK ((regexp_replace(file_name, '20[0-9]{2}-[0-9]{2}-[0-9]{2}|\.[A-Za-z]*[0-9]{0,3}[A-Za-z]*$'::text, ''::text, 'g'::text) !~ '[0-9@]'::text)),
  constraint payment_report_key_name_check CHECK ((key_name ~ '^[0-9a-f]{8}$'::text)),
  constraint payment_report_kind_check CHECK ((kind = ANY (ARRAY['paypal_activity'::text, 'paypal_batch'::text, 'wise_statement'::text, 'camt_053'::text, 'camt_054'::text, 'pain_002'::text, 'nacha_returns'::text, 'generic'::text, 'pasted'::text]))),
  constraint payment_report_report_no_check CHECK ((report_no >= 1)),
  constraint payment_report_row_count_check CHECK ((row_count >= 0)),
  constraint payment_report_rules_version_check CHECK ((rules_version >= 1))
);
CREATE TRIGGER payment_report_kept BEFORE DELETE OR UPDATE ON public.payment_report FOR EACH ROW EXECUTE FUNCTION keep_set_once('');
CREATE TRIGGER payment_report_whole BEFORE TRUNCATE ON public.payment_report FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payment_report_row (
  game_id integer not null,
  report_no integer not null,
  row_no integer not null,
  problem text not null,
  run_id bigint,
  item_no integer,
  state text,
  occurred_on date,
  amount usd,
  currency text,
  provider_id text,
  row_digest digest not null,
  decision text,
  decided_by text,
  decided_at timestamp with time zone,
  note text,
  batch_no integer,
  constraint payment_report_row_pkey PRIMARY KEY (game_id, report_no, row_no),
  constraint payment_report_row_batch_no_fkey FOREIGN KEY (game_id, batch_no) REFERENCES payout_batch(game_id, batch_no),
  constraint payment_report_row_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES person(id),
  constraint payment_report_row_game_id_report_no_fkey FOREIGN KEY (game_id, report_no) REFERENCES payment_report(game_id, report_no),
  constraint payment_report_row_game_id_run_id_item_no_fkey FOREIGN KEY (game_id, run_id, item_no) REFERENCES payout_item(game_id, run_id, item_no),
  constraint payment_report_row_batch_no_check CHECK (((batch_no IS NULL) OR (item_no IS NULL))),
  constraint payment_report_row_check CHECK (((run_id IS NULL) = (item_no IS NULL))),
  constraint payment_report_row_check1 CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint payment_report_row_check2 CHECK ((((decision IS NULL) = (decided_by IS NULL)) AND ((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (note IS NULL)))),
  constraint payment_report_row_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payment_report_row_decision_check CHECK ((decision = ANY (ARRAY['accepted'::text, 'set_aside'::text]))),
  constraint payment_report_row_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 500))),
  constraint payment_report_row_problem_check CHECK ((problem = ANY (ARRAY['foreign'::text, 'two_references'::text, 'differs'::text, 'unreadable'::text, 'unknown_word'::text, 'not_handed_over'::text, 'paid_twice'::text, 'returned_in_part'::text, 'returned_more'::text, 'total_differs'::text, 'replaced'::text, 'dates_contradict'::text, 'before_file'::text, 'mistyped'::text]))),
  constraint payment_report_row_row_no_check CHECK ((row_no >= 1)),
  constraint payment_report_row_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'failed'::text, 'paid'::text, 'returned'::text])))
);
CREATE INDEX payment_report_row_digest ON public.payment_report_row USING btree (game_id, row_digest);
CREATE INDEX payment_report_row_item ON public.payment_report_row USING btree (game_id, run_id, item_no) WHERE (run_id IS NOT NULL);
CREATE INDEX payment_report_row_open ON public.payment_report_row USING btree (game_id, report_no, row_no) WHERE (decision IS NULL);
CREATE INDEX payment_report_row_provider ON public.payment_report_row USING btree (game_id, provider_id) WHERE (provider_id IS NOT NULL);
CREATE TRIGGER payment_report_row_kept BEFORE DELETE OR UPDATE ON public.payment_report_row FOR EACH ROW EXECUTE FUNCTION keep_set_once('decision,decided_by,decided_at,note');
CREATE TRIGGER payment_report_row_whole BEFORE TRUNCATE ON public.payment_report_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_adjustment (
  game_id integer not null,
  adjustment_id bigint not null generated always as identity,
  recipient_player_id bigint not null,
  amount_usd usd not null,
  kind text not null,
  reason text not null,
  corrects_run_id bigint,
  corrects_period_id bigint,
  pair_id bigint,
  proposed_by text not null,
  proposed_at timestamp with time zone not null default clock_timestamp(),
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_by text,
  withdrawn_at timestamp with time zone,
  run_id bigint,
  constraint payout_adjustment_pkey PRIMARY KEY (game_id, adjustment_id),
  constraint payout_adjustment_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint payout_adjustment_game_id_corrects_run_id_fkey FOREIGN KEY (game_id, corrects_run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_adjustment_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_adjustment_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_adjustment_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint payout_adjustment_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES person(id),
  constraint payout_adjustment_amount_usd_check CHECK (((amount_usd)::numeric <> (0)::numeric)),
  constraint payout_adjustment_check CHECK ((confirmed_by <> proposed_by)),
  constraint payout_adjustment_check1 CHECK (((confirmed_by IS NULL) = (confirmed_at IS NULL))),
  constraint payout_adjustment_check2 CHECK (((withdrawn_by IS NULL) = (withdrawn_at IS NULL))),
  constraint payout_adjustment_check3 CHECK (((run_id IS NULL) OR ((confirmed_by IS NOT NULL) AND (withdrawn_at IS NULL)))),
  constraint payout_adjustment_check4 CHECK (((kind = 'transfer'::text) = (pair_id IS NOT NULL))),
  constraint payout_adjustment_kind_check CHECK ((kind = ANY (ARRAY['correction'::text, 'drift'::text, 'goodwill'::text, 'write_off'::text, 'transfer'::text, 'paid_elsewhere'::text, 'brought_forward'::text]))),
  constraint payout_adjustment_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 1000)))
);
CREATE INDEX payout_adjustment_run ON public.payout_adjustment USING btree (game_id, run_id);
CREATE INDEX payout_adjustment_waiting ON public.payout_adjustment USING btree (game_id, recipient_player_id) WHERE ((run_id IS NULL) AND (withdrawn_at IS NULL));
CREATE TRIGGER payout_adjustment_included BEFORE UPDATE OF run_id ON public.payout_adjustment FOR EACH ROW EXECUTE FUNCTION keep_included();
CREATE TRIGGER payout_adjustment_kept BEFORE DELETE OR UPDATE ON public.payout_adjustment FOR EACH ROW EXECUTE FUNCTION keep_decided('confirmed_by', 'confirmed_at', 'withdrawn_by', 'withdrawn_at', 'run_id');
CREATE TRIGGER payout_adjustment_whole BEFORE TRUNCATE ON public.payout_adjustment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_approval (
  game_id integer not null,
  run_id bigint not null,
  content_digest digest not null,
  approved_by text not null,
  approved_at timestamp with time zone not null default clock_timestamp(),
  proved_at timestamp with time zone not null,
  constraint payout_approval_pkey PRIMARY KEY (game_id, run_id, content_digest, approved_by),
  constraint payout_approval_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES person(id),
  constraint payout_approval_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_approval_check CHECK ((((approved_at - proved_at) >= '00:00:00'::interval) AND ((approved_at - proved_at) <= '00:05:00'::interval)))
);
CREATE TRIGGER payout_approval_checked BEFORE INSERT ON public.payout_approval FOR EACH ROW EXECUTE FUNCTION check_payout_approval();
CREATE TRIGGER payout_approval_kept BEFORE DELETE OR UPDATE ON public.payout_approval FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_approval_whole BEFORE TRUNCATE ON public.payout_approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_batch (
  game_id integer not null,
  batch_no integer not null,
  run_id bigint not null,
  method text not null,
  format text,
  message_id text not null,
  part_no integer not null,
  part_count integer not null,
  reissue_no integer,
  sender_no integer,
  created_local text not null,
  execution_date date,
  file_id_modifier text,
  note text not null,
  usd_per_eur usd,
  eur_rate_source text,
  item_count integer not null,
  total_usd whole_cents not null,
  currency text not null,
  total_file whole_cents not null,
  file_name text,
  sealed bytea,
  key_name text,
  sha256 digest,
  made_by text not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  handed_over_by text,
  handed_over_at timestamp with time zone,
  item_nos integer[],
  provider_reference text,
  cancel_requested_by text,
  cancel_reason text,
  cancelled_by text,
  cancelled_at timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  constraint payout_batch_pkey PRIMARY KEY (game_id, batch_no),
  constraint payout_batch_game_id_message_id_key UNIQUE (game_id, message_id),
  constraint payout_batch_cancel_requested_by_fkey FOREIGN KEY (cancel_requested_by) REFERENCES person(id),
  constraint payout_batch_cancelled_by_fkey FOREIGN KEY (cancelled_by) REFERENCES person(id),
  constraint payout_batch_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_batch_game_id_sender_no_fkey FOREIGN KEY (game_id, sender_no) REFERENCES payout_sender(game_id, sender_no),
  constraint payout_batch_handed_over_by_fkey FOREIGN KEY (handed_over_by) REFERENCES person(id),
  constraint payout_batch_made_by_fkey FOREIGN KEY (made_by) REFERENCES person(id),
  constraint payout_batch_batch_no_check CHECK ((batch_no >= 1)),
  constraint payout_batch_cancel_reason_check CHECK (((char_length(cancel_reason) >= 1) AND (char_length(cancel_reason) <= 500))),
  constraint payout_batch_cancel_requested CHECK (((cancel_requested_by IS NULL) = (cancel_requested_at IS NULL))),
  constraint payout_batch_check CHECK ((part_count >= part_no)),
  constraint payout_batch_check1 CHECK ((((method = 'elsewhere'::text) = (format IS NULL)) AND ((method = 'elsewhere'::text) = (item_nos IS NOT NULL)))),
  constraint payout_batch_check10 CHECK (((method = 'elsewhere'::text) OR (cancelled_at IS NULL) OR ((cancel_requested_by IS NOT NULL) AND (cancelled_by <> cancel_requested_by)))),
  constraint payout_batch_check11 CHECK (((method <> 'elsewhere'::text) OR ((execution_date IS NOT NULL) AND (handed_over_by IS DISTINCT FROM made_by)))),
  constraint payout_batch_check2 CHECK ((((format IS NULL) = (file_name IS NULL)) AND ((format IS NULL) = (sealed IS NULL)) AND ((format IS NULL) = (key_name IS NULL)) AND ((format IS NULL) = (sha256 IS NULL)))),
  constraint payout_batch_check3 CHECK ((((usd_per_eur IS NULL) = (eur_rate_source IS NULL)) AND ((usd_per_eur IS NULL) = (currency = 'USD'::text)))),
  constraint payout_batch_check4 CHECK ((((format ~~ 'nacha%'::text) IS NOT TRUE) OR (file_id_modifier IS NOT NULL))),
  constraint payout_batch_check5 CHECK (((handed_over_by IS NULL) = (handed_over_at IS NULL))),
  constraint payout_batch_check6 CHECK (((provider_reference IS NULL) OR (handed_over_at IS NOT NULL))),
  constraint payout_batch_check7 CHECK (((cancel_requested_by IS NULL) = (cancel_reason IS NULL))),
  constraint payout_batch_check8 CHECK (((cancelled_by IS NULL) = (cancelled_at IS NULL))),
  constraint payout_batch_check9 CHECK (((handed_over_at IS NULL) OR (cancelled_at IS NULL))),
  constraint payout_batch_created_local_check CHECK ((created_local ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$'::text)),
  constraint payout_batch_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'EUR'::text]))),
  constraint payout_batch_file_id_modifier_check CHECK ((file_id_modifier ~ '^[A-Z0-9]$'::text)),
  constraint payout_batch_format_check CHECK ((format = ANY (ARRAY['paypal_web'::text, 'paypal_api'::text, 'wise'::text, 'pain_001_09'::text, 'pain_001_03'::text, 'nacha_ppd'::text, 'nacha_ccd'::text, 'generic'::text]))),
  constraint payout_batch_item_count_check CHECK ((item_count >= 1)),
  constraint payout_batch_key_name_check CHECK ((key_name ~ '^[0-9a-f]{8}$'::text)),
  constraint payout_batch_message_id_check CHECK ((message_id ~ '^[A-Za-z0-9-]{1,35}$'::text)),
  constraint payout_batch_method_check CHECK ((method = ANY (ARRAY['paypal'::text, 'wise'::text, 'sepa'::text, 'wire_usd'::text, 'ach'::text, 'other'::text, 'elsewhere'::text]))),
  constraint payout_batch_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 1000))),
  constraint payout_batch_part_no_check CHECK ((part_no >= 1)),
  constraint payout_batch_provider_reference_check CHECK (((char_length(provider_reference) >= 1) AND (char_length(provider_reference) <= 100))),
  constraint payout_batch_reissue_no_check CHECK ((reissue_no >= 1)),
  constraint payout_batch_total_file_check CHECK (((total_file)::numeric > (0)::numeric)),
  constraint payout_batch_total_usd_check CHECK (((total_usd)::numeric > (0)::numeric))
);
CREATE INDEX payout_batch_run ON public.payout_batch USING btree (game_id, run_id);
CREATE TRIGGER payout_batch_checked BEFORE UPDATE ON public.payout_batch FOR EACH ROW EXECUTE FUNCTION check_payout_batch();
CREATE TRIGGER payout_batch_kept BEFORE DELETE OR UPDATE ON public.payout_batch FOR EACH ROW EXECUTE FUNCTION keep_set_once('handed_over_by,handed_over_at,provider_reference,cancelled_by,cancelled_at', 'cancel_requested_by,cancel_requested_at,cancel_reason');
CREATE TRIGGER payout_batch_whole BEFORE TRUNCATE ON public.payout_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_editor (
  game_id integer not null,
  run_id bigint not null,
  person_id text not null,
  because text not null,
  edited_at timestamp with time zone not null default clock_timestamp(),
  constraint payout_editor_pkey PRIMARY KEY (game_id, run_id, person_id, because),
  constraint payout_editor_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_editor_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint payout_editor_because_check CHECK ((because = ANY (ARRAY['drafted'::text, 'composed'::text, 'excluded'::text, 'released'::text, 'noted'::text, 'found'::text, 'set_minimum'::text, 'set_rate'::text, 'submitted'::text])))
);
CREATE TRIGGER payout_editor_checked BEFORE INSERT ON public.payout_editor FOR EACH ROW EXECUTE FUNCTION check_payout_editor();
CREATE TRIGGER payout_editor_kept BEFORE DELETE OR UPDATE ON public.payout_editor FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_editor_whole BEFORE TRUNCATE ON public.payout_editor FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_hold (
  game_id integer not null,
  hold_id bigint not null generated always as identity,
  recipient_player_id bigint not null,
  period_id bigint,
  attributed_usd usd,
  amount_usd usd,
  only_run_id bigint,
  reason_code text not null,
  note text not null,
  assigned_to text not null,
  placed_by text not null,
  placed_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone,
  released_by text,
  released_at timestamp with time zone,
  release_note text,
  constraint payout_hold_pkey PRIMARY KEY (game_id, hold_id),
  constraint payout_hold_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES person(id),
  constraint payout_hold_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_hold_game_id_only_run_id_fkey FOREIGN KEY (game_id, only_run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_hold_placed_by_fkey FOREIGN KEY (placed_by) REFERENCES person(id),
  constraint payout_hold_released_by_fkey FOREIGN KEY (released_by) REFERENCES person(id),
  constraint payout_hold_amount_usd_check CHECK (((amount_usd)::numeric > (0)::numeric)),
  constraint payout_hold_check CHECK ((((released_by IS NULL) = (released_at IS NULL)) AND ((released_by IS NULL) = (release_note IS NULL)))),
  constraint payout_hold_check1 CHECK ((((period_id IS NULL) = (attributed_usd IS NULL)) AND ((period_id IS NULL) OR (amount_usd IS NOT NULL)))),
  constraint payout_hold_check2 CHECK (((reason_code = 'excluded'::text) = (only_run_id IS NOT NULL))),
  constraint payout_hold_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 500))),
  constraint payout_hold_reason_code_check CHECK ((reason_code = ANY (ARRAY['dispute'::text, 'fraud_warning'::text, 'base_mismatch'::text, 'identity'::text, 'legal'::text, 'open_refund'::text, 'asked_by_recipient'::text, 'excluded'::text, 'other'::text]))),
  constraint payout_hold_release_note_check CHECK (((char_length(release_note) >= 1) AND (char_length(release_note) <= 500)))
);
CREATE INDEX payout_hold_open ON public.payout_hold USING btree (game_id, hold_id) WHERE (released_at IS NULL);
CREATE INDEX payout_hold_recipient ON public.payout_hold USING btree (game_id, recipient_player_id, hold_id);
CREATE TRIGGER payout_hold_kept BEFORE DELETE OR UPDATE ON public.payout_hold FOR EACH ROW EXECUTE FUNCTION keep_decided('released_by', 'released_at', 'release_note');
CREATE TRIGGER payout_hold_whole BEFORE TRUNCATE ON public.payout_hold FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_item (
  game_id integer not null,
  run_id bigint not null,
  item_no integer not null,
  recipient_player_id bigint not null,
  amount_usd whole_cents not null,
  replaces_item_no integer,
  proposed_by text,
  proposed_at timestamp with time zone,
  reason text,
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_by text,
  withdrawn_at timestamp with time zone,
  detail_no integer,
  batch_no integer,
  amount_file whole_cents,
  trace text,
  returned_in_run_id bigint,
  state text not null default 'waiting'::text,
  constraint payout_item_pkey PRIMARY KEY (game_id, run_id, item_no),
  constraint payout_item_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint payout_item_game_id_batch_no_fkey FOREIGN KEY (game_id, batch_no) REFERENCES payout_batch(game_id, batch_no),
  constraint payout_item_game_id_recipient_player_id_detail_no_fkey FOREIGN KEY (game_id, recipient_player_id, detail_no) REFERENCES payee_detail(game_id, recipient_player_id, detail_no),
  constraint payout_item_game_id_returned_in_run_id_fkey FOREIGN KEY (game_id, returned_in_run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_item_game_id_run_id_recipient_player_id_fkey FOREIGN KEY (game_id, run_id, recipient_player_id) REFERENCES payout_line(game_id, run_id, recipient_player_id),
  constraint payout_item_game_id_run_id_replaces_item_no_fkey FOREIGN KEY (game_id, run_id, replaces_item_no) REFERENCES payout_item(game_id, run_id, item_no),
  constraint payout_item_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint payout_item_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES person(id),
  constraint payout_item_amount_file_check CHECK (((amount_file)::numeric > (0)::numeric)),
  constraint payout_item_amount_usd_check CHECK (((amount_usd)::numeric > (0)::numeric)),
  constraint payout_item_check CHECK ((replaces_item_no < item_no)),
  constraint payout_item_check1 CHECK ((((replaces_item_no IS NULL) = (proposed_by IS NULL)) AND ((replaces_item_no IS NULL) = (proposed_at IS NULL)) AND ((replaces_item_no IS NULL) = (reason IS NULL)))),
  constraint payout_item_check2 CHECK ((((confirmed_by IS NULL) = (confirmed_at IS NULL)) AND ((confirmed_by IS NULL) OR (proposed_by IS NOT NULL)))),
  constraint payout_item_check3 CHECK ((((withdrawn_by IS NULL) = (withdrawn_at IS NULL)) AND ((withdrawn_by IS NULL) OR (proposed_by IS NOT NULL)))),
  constraint payout_item_check4 CHECK (((confirmed_at IS NULL) OR (withdrawn_at IS NULL))),
  constraint payout_item_check5 CHECK ((confirmed_by <> proposed_by)),
  constraint payout_item_check6 CHECK ((((batch_no IS NULL) = (amount_file IS NULL)) AND ((trace IS NULL) OR (batch_no IS NOT NULL)))),
  constraint payout_item_check7 CHECK (((batch_no IS NULL) OR (replaces_item_no IS NULL) OR (confirmed_at IS NOT NULL))),
  constraint payout_item_check8 CHECK ((returned_in_run_id > run_id)),
  constraint payout_item_item_no_check CHECK (((item_no >= 1) AND (item_no <= 1048575))),
  constraint payout_item_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint payout_item_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'withdrawn'::text, 'waiting'::text, 'in_file'::text, 'sent'::text, 'pending'::text, 'paid'::text, 'failed'::text, 'returned'::text, 'cancelled'::text, 'reissued'::text, 'to_balance'::text]))),
  constraint payout_item_trace_check CHECK ((trace ~ '^[0-9]{15}$'::text))
);
CREATE INDEX payout_item_back ON public.payout_item USING btree (game_id, recipient_player_id) WHERE ((state = ANY (ARRAY['failed'::text, 'returned'::text])) OR (returned_in_run_id IS NOT NULL));
CREATE INDEX payout_item_batch ON public.payout_item USING btree (game_id, batch_no) WHERE (batch_no IS NOT NULL);
CREATE UNIQUE INDEX payout_item_first ON public.payout_item USING btree (game_id, run_id, recipient_player_id) WHERE (replaces_item_no IS NULL);
CREATE INDEX payout_item_recipient ON public.payout_item USING btree (game_id, recipient_player_id, run_id);
CREATE INDEX payout_item_reissued ON public.payout_item USING btree (game_id, run_id, replaces_item_no) WHERE ((replaces_item_no IS NOT NULL) AND (confirmed_at IS NOT NULL));
CREATE UNIQUE INDEX payout_item_replaces ON public.payout_item USING btree (game_id, run_id, replaces_item_no) WHERE (withdrawn_at IS NULL);
CREATE INDEX payout_item_state ON public.payout_item USING btree (game_id, run_id, state, item_no);
CREATE INDEX payout_item_trace ON public.payout_item USING btree (game_id, trace) WHERE (trace IS NOT NULL);
CREATE TRIGGER payout_item_changed AFTER UPDATE ON public.payout_item REFERENCING OLD TABLE AS was NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION check_changed_items();
CREATE TRIGGER payout_item_kept BEFORE DELETE ON public.payout_item FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_item_made AFTER INSERT ON public.payout_item REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION check_new_items();
CREATE TRIGGER payout_item_set_once BEFORE UPDATE ON public.payout_item FOR EACH ROW WHEN (((((((((((old.game_id IS DISTINCT FROM new.game_id) OR (old.run_id IS DISTINCT FROM new.run_id)) OR (old.item_no IS DISTINCT FROM new.item_no)) OR (old.recipient_player_id IS DISTINCT FROM new.recipient_player_id)) OR ((old.amount_usd)::numeric IS DISTINCT FROM (new.amount_usd)::numeric)) OR (old.replaces_item_no IS DISTINCT FROM new.replaces_item_no)) OR (old.proposed_by IS DISTINCT FROM new.proposed_by)) OR (old.proposed_at IS DISTINCT FROM new.proposed_at)) OR (old.reason IS DISTINCT FROM new.reason)) OR ((old.confirmed_by IS NOT NULL) AND (old.confirmed_by IS DISTINCT FROM new.confirmed_by)) OR ((old.confirmed_at IS NOT NULL) AND (old.confirmed_at IS DISTINCT FROM new.confirmed_at)) OR ((old.withdrawn_by IS NOT NULL) AND (old.withdrawn_by IS DISTINCT FROM new.withdrawn_by)) OR ((old.withdrawn_at IS NOT NULL) AND (old.withdrawn_at IS DISTINCT FROM new.withdrawn_at)) OR ((old.detail_no IS NOT NULL) AND (old.detail_no IS DISTINCT FROM new.detail_no)) OR ((old.batch_no IS NOT NULL) AND (old.batch_no IS DISTINCT FROM new.batch_no)) OR ((old.amount_file IS NOT NULL) AND ((old.amount_file)::numeric IS DISTINCT FROM (new.amount_file)::numeric)) OR ((old.trace IS NOT NULL) AND (old.trace IS DISTINCT FROM new.trace)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_item_whole BEFORE TRUNCATE ON public.payout_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_line (
  game_id integer not null,
  run_id bigint not null,
  recipient_player_id bigint not null,
  seen_snapshot_id bigint,
  resolved boolean,
  opening_usd usd not null,
  earned_usd usd not null,
  reversed_usd usd not null,
  pinned_usd usd not null,
  adjusted_usd usd not null,
  returned_usd whole_cents not null,
  due_usd usd not null default ((((((opening_usd)::numeric + (earned_usd)::numeric) - (reversed_usd)::numeric) + (pinned_usd)::numeric) + (adjusted_usd)::numeric) + (returned_usd)::numeric),
  held_usd usd not null,
  minimum_usd whole_cents not null,
  together_usd whole_cents not null,
  payable_usd whole_cents not null,
  closing_usd usd not null default (((((((opening_usd)::numeric + (earned_usd)::numeric) - (reversed_usd)::numeric) + (pinned_usd)::numeric) + (adjusted_usd)::numeric) + (returned_usd)::numeric) - (payable_usd)::numeric),
  outcome text not null,
  also text[] not null default '{}'::text[],
  detail_no integer,
  constraint payout_line_pkey PRIMARY KEY (game_id, run_id, recipient_player_id),
  constraint payout_line_detail FOREIGN KEY (game_id, recipient_player_id, detail_no) REFERENCES payee_detail(game_id, recipient_player_id, detail_no),
  constraint payout_line_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_line_game_id_seen_snapshot_id_fkey FOREIGN KEY (game_id, seen_snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint payout_line_check CHECK (((outcome = 'payable'::text) = ((payable_usd)::numeric > (0)::numeric))),
  constraint payout_line_check1 CHECK (((payable_usd)::numeric <= GREATEST((0)::numeric, (((((((opening_usd)::numeric + (earned_usd)::numeric) - (reversed_usd)::numeric) + (pinned_usd)::numeric) + (adjusted_usd)::numeric) + (returned_usd)::numeric) - (held_usd)::numeric)))),
  constraint payout_line_check2 CHECK (((outcome <> 'payable'::text) OR (resolved IS TRUE))),
  constraint payout_line_check3 CHECK (((outcome = 'negative_balance'::text) = (((((((opening_usd)::numeric + (earned_usd)::numeric) - (reversed_usd)::numeric) + (pinned_usd)::numeric) + (adjusted_usd)::numeric) + (returned_usd)::numeric) < (0)::numeric))),
  constraint payout_line_check4 CHECK (((outcome = 'nothing_due'::text) = (((((((opening_usd)::numeric + (earned_usd)::numeric) - (reversed_usd)::numeric) + (pinned_usd)::numeric) + (adjusted_usd)::numeric) + (returned_usd)::numeric) = (0)::numeric))),
  constraint payout_line_check5 CHECK (((detail_no IS NULL) OR ((payable_usd)::numeric > (0)::numeric))),
  constraint payout_line_held_usd_check CHECK (((held_usd)::numeric >= (0)::numeric)),
  constraint payout_line_outcome_check CHECK ((outcome = ANY (ARRAY['payable'::text, 'negative_balance'::text, 'nothing_due'::text, 'unresolved'::text, 'excluded'::text, 'on_hold'::text, 'no_details'::text, 'below_minimum'::text]))),
  constraint payout_line_payable_usd_check CHECK (((payable_usd)::numeric >= (0)::numeric))
);
CREATE INDEX payout_line_due ON public.payout_line USING btree (game_id, run_id, due_usd DESC, recipient_player_id);
CREATE INDEX payout_line_outcome ON public.payout_line USING btree (game_id, run_id, outcome, recipient_player_id);
CREATE INDEX payout_line_payable ON public.payout_line USING btree (game_id, run_id, payable_usd DESC, recipient_player_id);
CREATE INDEX payout_line_recipient ON public.payout_line USING btree (game_id, recipient_player_id, run_id);
CREATE TRIGGER payout_line_added AFTER INSERT ON public.payout_line REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_composed();
CREATE TRIGGER payout_line_kept BEFORE UPDATE ON public.payout_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_line_removed AFTER DELETE ON public.payout_line REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_composed();
CREATE TRIGGER payout_line_whole BEFORE TRUNCATE ON public.payout_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_minimum (
  game_id integer not null,
  recipient_player_id bigint not null,
  minimum_no integer not null,
  minimum_usd whole_cents,
  set_by text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  constraint payout_minimum_pkey PRIMARY KEY (game_id, recipient_player_id, minimum_no),
  constraint payout_minimum_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_minimum_set_by_fkey FOREIGN KEY (set_by) REFERENCES person(id),
  constraint payout_minimum_minimum_no_check CHECK ((minimum_no >= 1)),
  constraint payout_minimum_minimum_usd_check CHECK (((minimum_usd)::numeric >= 0.01))
);
CREATE TRIGGER payout_minimum_kept BEFORE DELETE OR UPDATE ON public.payout_minimum FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_minimum_whole BEFORE TRUNCATE ON public.payout_minimum FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_note (
  game_id integer not null,
  run_id bigint not null,
  check_key text not null,
  facts digest not null,
  note text not null,
  noted_by text not null,
  noted_at timestamp with time zone not null default clock_timestamp(),
  constraint payout_note_pkey PRIMARY KEY (game_id, run_id, check_key, facts),
  constraint payout_note_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_note_noted_by_fkey FOREIGN KEY (noted_by) REFERENCES person(id),
  constraint payout_note_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 1000)))
);
CREATE TRIGGER payout_note_kept BEFORE DELETE OR UPDATE ON public.payout_note FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_note_whole BEFORE TRUNCATE ON public.payout_note FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_pause (
  game_id integer not null,
  pause_no integer not null generated always as identity,
  restore_no integer not null,
  paused_at timestamp with time zone not null default clock_timestamp(),
  missing jsonb,
  resume_requested_by text,
  resumed_by text,
  resumed_at timestamp with time zone,
  missing_files jsonb,
  constraint payout_pause_pkey PRIMARY KEY (game_id, pause_no),
  constraint payout_pause_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_pause_restore_no_fkey FOREIGN KEY (restore_no) REFERENCES database_restore(restore_no),
  constraint payout_pause_resume_requested_by_fkey FOREIGN KEY (resume_requested_by) REFERENCES person(id),
  constraint payout_pause_resumed_by_fkey FOREIGN KEY (resumed_by) REFERENCES person(id),
  constraint payout_pause_check CHECK ((resumed_by <> resume_requested_by)),
  constraint payout_pause_check1 CHECK (((resumed_by IS NULL) = (resumed_at IS NULL))),
  constraint payout_pause_check2 CHECK (((resumed_by IS NULL) OR (resume_requested_by IS NOT NULL)))
);
CREATE UNIQUE INDEX payout_pause_open ON public.payout_pause USING btree (game_id) WHERE (resumed_at IS NULL);
CREATE TRIGGER payout_pause_kept BEFORE DELETE OR UPDATE ON public.payout_pause FOR EACH ROW EXECUTE FUNCTION keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no', 'missing', 'missing_files');
CREATE TRIGGER payout_pause_whole BEFORE TRUNCATE ON public.payout_pause FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_policy (
  game_id integer not null,
  policy_no integer not null,
  minimum_usd whole_cents not null default 10.00,
  second_approval_from_usd whole_cents,
  recheck_hours integer not null default 24,
  change_percent integer not null default 50,
  first_payment_from_usd whole_cents not null default 100.00,
  holds_base_mismatch boolean not null default true,
  proposed_by text,
  proposed_at timestamp with time zone not null default clock_timestamp(),
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint payout_policy_pkey PRIMARY KEY (game_id, policy_no),
  constraint payout_policy_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint payout_policy_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_policy_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint payout_policy_change_percent_check CHECK (((change_percent >= 1) AND (change_percent <= 10000))),
  constraint payout_policy_check CHECK ((confirmed_by <> proposed_by)),
  constraint payout_policy_check1 CHECK (((confirmed_by IS NULL) = (confirmed_at IS NULL))),
  constraint payout_policy_check2 CHECK (((confirmed_at IS NULL) OR (withdrawn_at IS NULL))),
  constraint payout_policy_first_payment_from_usd_check CHECK (((first_payment_from_usd)::numeric >= (0)::numeric)),
  constraint payout_policy_minimum_usd_check CHECK (((minimum_usd)::numeric >= 0.01)),
  constraint payout_policy_policy_no_check CHECK ((policy_no >= 1)),
  constraint payout_policy_recheck_hours_check CHECK (((recheck_hours >= 1) AND (recheck_hours <= 720))),
  constraint payout_policy_second_approval_from_usd_check CHECK (((second_approval_from_usd)::numeric > (0)::numeric))
);
CREATE UNIQUE INDEX payout_policy_open ON public.payout_policy USING btree (game_id) WHERE ((proposed_by IS NOT NULL) AND (confirmed_by IS NULL) AND (withdrawn_at IS NULL));
CREATE TRIGGER payout_policy_kept BEFORE DELETE OR UPDATE ON public.payout_policy FOR EACH ROW EXECUTE FUNCTION keep_decided('confirmed_by', 'confirmed_at', 'withdrawn_at');
CREATE TRIGGER payout_policy_whole BEFORE TRUNCATE ON public.payout_policy FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_reversal (
  game_id integer not null,
  run_id bigint not null,
  period_id bigint not null,
  recipient_player_id bigint not null,
  is_coarse boolean not null,
  attributed_usd usd not null,
  reported_usd usd not null,
  taken_before_usd usd not null,
  taken_usd usd not null,
  pinned_usd usd not null default ((reported_usd)::numeric - (taken_usd)::numeric),
  constraint payout_reversal_pkey PRIMARY KEY (game_id, run_id, period_id),
  constraint payout_reversal_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_reversal_check CHECK ((((reported_usd)::numeric < (0)::numeric) OR ((taken_usd)::numeric <= (reported_usd)::numeric))),
  constraint payout_reversal_check1 CHECK ((((taken_usd)::numeric = (0)::numeric) OR (((taken_before_usd)::numeric + (taken_usd)::numeric) <= (attributed_usd)::numeric))),
  constraint payout_reversal_taken_before_usd_check CHECK (((taken_before_usd)::numeric >= (0)::numeric)),
  constraint payout_reversal_taken_usd_check CHECK (((taken_usd)::numeric >= (0)::numeric))
);
CREATE INDEX payout_reversal_period ON public.payout_reversal USING btree (game_id, period_id, run_id);
CREATE INDEX payout_reversal_recipient ON public.payout_reversal USING btree (game_id, run_id, recipient_player_id);
CREATE TRIGGER payout_reversal_added AFTER INSERT ON public.payout_reversal REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_composed();
CREATE TRIGGER payout_reversal_kept BEFORE UPDATE ON public.payout_reversal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_reversal_removed AFTER DELETE ON public.payout_reversal REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_composed();
CREATE TRIGGER payout_reversal_whole BEFORE TRUNCATE ON public.payout_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_run (
  game_id integer not null,
  run_id bigint not null generated always as identity,
  run_no integer not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  snapshot_id bigint not null,
  previous_run_id bigint,
  policy_no integer not null,
  state text not null default 'draft'::text,
  version integer not null default 0,
  revision integer not null default 0,
  composed_at timestamp with time zone,
  line_count integer not null default 0,
  payable_count integer not null default 0,
  opening_usd usd not null default 0,
  earned_usd usd not null default 0,
  reversed_usd usd not null default 0,
  pinned_usd usd not null default 0,
  adjusted_usd usd not null default 0,
  returned_usd usd not null default 0,
  payable_usd whole_cents not null default 0,
  closing_usd usd not null default 0,
  draft_digest digest,
  content jsonb,
  content_digest digest,
  approvals_wanted integer not null default 1,
  drafted_by text not null,
  drafted_at timestamp with time zone not null default clock_timestamp(),
  submitted_by text,
  submitted_at timestamp with time zone,
  rejected_by text,
  reject_reason text,
  approved_at timestamp with time zone,
  void_requested_by text,
  void_reason text,
  voided_by text,
  voided_at timestamp with time zone,
  usd_per_eur usd,
  eur_rate_source text,
  exported_at timestamp with time zone,
  paid_at timestamp with time zone,
  closed_by text,
  closed_at timestamp with time zone,
  constraint payout_run_pkey PRIMARY KEY (game_id, run_id),
  constraint payout_run_game_id_run_no_key UNIQUE (game_id, run_no),
  constraint payout_run_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES person(id),
  constraint payout_run_drafted_by_fkey FOREIGN KEY (drafted_by) REFERENCES person(id),
  constraint payout_run_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_run_game_id_policy_no_fkey FOREIGN KEY (game_id, policy_no) REFERENCES payout_policy(game_id, policy_no),
  constraint payout_run_game_id_previous_run_id_fkey FOREIGN KEY (game_id, previous_run_id) REFERENCES payout_run(game_id, run_id),
  constraint payout_run_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint payout_run_rejected_by_fkey FOREIGN KEY (rejected_by) REFERENCES person(id),
  constraint payout_run_submitted_by_fkey FOREIGN KEY (submitted_by) REFERENCES person(id),
  constraint payout_run_void_requested_by_fkey FOREIGN KEY (void_requested_by) REFERENCES person(id),
  constraint payout_run_voided_by_fkey FOREIGN KEY (voided_by) REFERENCES person(id),
  constraint payout_run_approvals_wanted_check CHECK ((approvals_wanted = ANY (ARRAY[1, 2]))),
  constraint payout_run_check CHECK ((window_start < window_end)),
  constraint payout_run_check1 CHECK ((previous_run_id < run_id)),
  constraint payout_run_check10 CHECK ((((state = 'void'::text) = (voided_at IS NOT NULL)) AND ((voided_at IS NULL) = (voided_by IS NULL)))),
  constraint payout_run_check11 CHECK (((state <> 'void'::text) OR (void_reason IS NOT NULL))),
  constraint payout_run_check12 CHECK (((void_requested_by IS NULL) OR ((approved_at IS NOT NULL) AND (void_reason IS NOT NULL)))),
  constraint payout_run_check13 CHECK ((voided_by <> void_requested_by)),
  constraint payout_run_check14 CHECK (((voided_at IS NULL) OR (approved_at IS NULL) OR (void_requested_by IS NOT NULL))),
  constraint payout_run_check15 CHECK (((usd_per_eur IS NULL) = (eur_rate_source IS NULL))),
  constraint payout_run_check16 CHECK ((((closed_by IS NULL) = (closed_at IS NULL)) AND ((closed_at IS NULL) OR (paid_at IS NOT NULL)))),
  constraint payout_run_check17 CHECK (((approved_at IS NOT NULL) OR (COALESCE(exported_at, paid_at, closed_at) IS NULL))),
  constraint payout_run_check2 CHECK (((((((((opening_usd)::numeric + (earned_usd)::numeric) - (reversed_usd)::numeric) + (pinned_usd)::numeric) + (adjusted_usd)::numeric) + (returned_usd)::numeric) - (payable_usd)::numeric) = (closing_usd)::numeric)),
  constraint payout_run_check3 CHECK (((content IS NULL) = (content_digest IS NULL))),
  constraint payout_run_check4 CHECK ((((state = ANY (ARRAY['submitted'::text, 'approved'::text])) = (content_digest IS NOT NULL)) OR (state = 'void'::text))),
  constraint payout_run_check5 CHECK (((submitted_by IS NULL) = (submitted_at IS NULL))),
  constraint payout_run_check6 CHECK ((((state = 'approved'::text) = (approved_at IS NOT NULL)) OR (state = 'void'::text))),
  constraint payout_run_check7 CHECK ((((state = 'rejected'::text) = (rejected_by IS NOT NULL)) OR (state = 'void'::text))),
  constraint payout_run_check8 CHECK (((rejected_by IS NULL) = (reject_reason IS NULL))),
  constraint payout_run_check9 CHECK ((rejected_by <> submitted_by)),
  constraint payout_run_eur_rate_source_check CHECK (((char_length(eur_rate_source) >= 1) AND (char_length(eur_rate_source) <= 200))),
  constraint payout_run_reject_reason_check CHECK (((char_length(reject_reason) >= 1) AND (char_length(reject_reason) <= 1000))),
  constraint payout_run_run_no_check CHECK (((run_no >= 1) AND (run_no <= 32767))),
  constraint payout_run_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'submitted'::text, 'rejected'::text, 'approved'::text, 'void'::text]))),
  constraint payout_run_usd_per_eur_check CHECK (((usd_per_eur)::numeric > (0)::numeric)),
  constraint payout_run_void_reason_check CHECK (((char_length(void_reason) >= 1) AND (char_length(void_reason) <= 1000)))
);
CREATE UNIQUE INDEX payout_run_follows ON public.payout_run USING btree (game_id, COALESCE(previous_run_id, (0)::bigint)) WHERE (state <> 'void'::text);
CREATE INDEX payout_run_newest ON public.payout_run USING btree (game_id, window_start DESC);
CREATE UNIQUE INDEX payout_run_window ON public.payout_run USING btree (game_id, window_start) WHERE (state <> 'void'::text);
CREATE TRIGGER payout_run_kept BEFORE DELETE OR UPDATE ON public.payout_run FOR EACH ROW EXECUTE FUNCTION keep_payout_run();
CREATE TRIGGER payout_run_starts BEFORE INSERT ON public.payout_run FOR EACH ROW EXECUTE FUNCTION start_payout_run();
CREATE TRIGGER payout_run_whole BEFORE TRUNCATE ON public.payout_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payout_sender (
  game_id integer not null,
  sender_no integer not null,
  method text not null,
  sealed bytea not null,
  key_name text not null,
  mask text not null,
  digest digest not null,
  proposed_by text not null,
  proposed_at timestamp with time zone not null default clock_timestamp(),
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_by text,
  withdrawn_at timestamp with time zone,
  constraint payout_sender_pkey PRIMARY KEY (game_id, sender_no),
  constraint payout_sender_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint payout_sender_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint payout_sender_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint payout_sender_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES person(id),
  constraint payout_sender_check CHECK ((confirmed_by <> proposed_by)),
  constraint payout_sender_check1 CHECK (((confirmed_by IS NULL) = (confirmed_at IS NULL))),
  constraint payout_sender_check2 CHECK (((withdrawn_by IS NULL) = (withdrawn_at IS NULL))),
  constraint payout_sender_check3 CHECK (((confirmed_at IS NULL) OR (withdrawn_at IS NULL))),
  constraint payout_sender_key_name_check CHECK ((key_name ~ '^[0-9a-f]{8}$'::text)),
  constraint payout_sender_mask_check CHECK (((char_length(mask) >= 1) AND (char_length(mask) <= 200))),
  constraint payout_sender_method_check CHECK ((method = ANY (ARRAY['paypal'::text, 'wise'::text, 'sepa'::text, 'wire_usd'::text, 'ach'::text]))),
  constraint payout_sender_sender_no_check CHECK ((sender_no >= 1))
);
CREATE UNIQUE INDEX payout_sender_open ON public.payout_sender USING btree (game_id, method) WHERE ((confirmed_at IS NULL) AND (withdrawn_at IS NULL));
CREATE TRIGGER payout_sender_kept BEFORE DELETE OR UPDATE ON public.payout_sender FOR EACH ROW EXECUTE FUNCTION keep_set_once('confirmed_by,confirmed_at,withdrawn_by,withdrawn_at');
CREATE TRIGGER payout_sender_whole BEFORE TRUNCATE ON public.payout_sender FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table person (
  id text not null,
  email text not null,
  name text not null,
  roles text[] not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  requested_roles text[],
  roles_requested_by text,
  roles_requested_at timestamp with time zone,
  account_confirmed_at timestamp with time zone,
  first_confirmed_at timestamp with time zone,
  first_finance_at timestamp with time zone,
  counts_from timestamp with time zone not null default clock_timestamp(),
  has_shortcuts boolean not null default true,
  constraint person_pkey PRIMARY KEY (id),
  constraint person_email_key UNIQUE (email),
  constraint person_roles_requested_by_fkey FOREIGN KEY (roles_requested_by) REFERENCES person(id),
  constraint person_email_check CHECK ((email = lower(email))),
  constraint person_request_check CHECK ((((requested_roles IS NULL) = (roles_requested_by IS NULL)) AND ((requested_roles IS NULL) = (roles_requested_at IS NULL)))),
  constraint person_requested_roles_check CHECK ((requested_roles <@ ARRAY['viewer'::text, 'auditor'::text, 'support'::text, 'finance'::text, 'admin'::text])),
  constraint person_roles_check CHECK (((cardinality(roles) > 0) AND (roles <@ ARRAY['viewer'::text, 'auditor'::text, 'support'::text, 'finance'::text, 'admin'::text])))
);

create table person_confirmation (
  person_id text not null,
  confirmation_no integer not null,
  given_by text,
  basis text not null,
  given_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  constraint person_confirmation_pkey PRIMARY KEY (person_id, confirmation_no),
  constraint person_confirmation_given_by_fkey FOREIGN KEY (given_by) REFERENCES person(id),
  constraint person_confirmation_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint person_confirmation_basis_check CHECK ((basis = ANY (ARRAY['set_up_link'::text, 'simulated'::text, 'upgrade'::text, 'invitation'::text, 'password_link'::text, 'factor_reset'::text, 'enabled'::text, 'confirmation'::text]))),
  constraint person_confirmation_check CHECK ((given_by <> person_id))
);

create table person_password (
  person_id text not null,
  hash text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  constraint person_password_pkey PRIMARY KEY (person_id),
  constraint person_password_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);

create table person_session (
  token_digest text not null,
  person_id text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  seen_at timestamp with time zone not null default clock_timestamp(),
  proved_at timestamp with time zone default clock_timestamp(),
  constraint person_session_pkey PRIMARY KEY (token_digest),
  constraint person_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX person_session_person ON public.person_session USING btree (person_id);

create table pull (
  game_id integer not null,
  pull_id bigint not null generated always as identity,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  is_fresh boolean not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  state text not null default 'queued'::text,
  lease_owner text,
  lease_until timestamp with time zone,
  attempt_count integer not null default 0,
  call_count integer not null default 0,
  planned_call_count integer,
  line_count integer not null default 0,
  waiting_until timestamp with time zone,
  activity text,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  snapshot_id bigint,
  failure_code text,
  failure_message text,
  failure_error_id text,
  constraint pull_pkey PRIMARY KEY (game_id, pull_id),
  constraint pull_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint pull_check CHECK ((window_start < window_end)),
  constraint pull_check1 CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
  constraint pull_check2 CHECK (((state = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint pull_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX pull_active ON public.pull USING btree (game_id, window_start, window_end) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX pull_waiting ON public.pull USING btree (requested_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX pull_window ON public.pull USING btree (game_id, window_start, window_end, pull_id DESC);

create table pull_schedule (
  game_id integer not null,
  first_month text,
  started_by text,
  started_at timestamp with time zone,
  paused_by text,
  paused_at timestamp with time zone,
  constraint pull_schedule_pkey PRIMARY KEY (game_id),
  constraint pull_schedule_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint pull_schedule_check CHECK (((started_by IS NULL) = (first_month IS NULL))),
  constraint pull_schedule_check1 CHECK (((started_at IS NULL) = (first_month IS NULL))),
  constraint pull_schedule_check2 CHECK (((paused_at IS NULL) = (paused_by IS NULL))),
  constraint pull_schedule_first_month_check CHECK ((first_month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text))
);

create table rate_bucket (
  game_id integer not null,
  bucket text not null,
  paused_until timestamp with time zone,
  person_asked_at timestamp with time zone,
  asked_until timestamp with time zone,
  probe_at timestamp with time zone,
  constraint rate_bucket_pkey PRIMARY KEY (game_id, bucket),
  constraint rate_bucket_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);

create table rate_call (
  game_id integer not null,
  bucket text not null,
  called_at timestamp with time zone not null default clock_timestamp(),
  call_id bigint not null generated always as identity,
  asked_by text,
  constraint rate_call_pkey PRIMARY KEY (game_id, bucket, called_at, call_id),
  constraint rate_call_game_id_bucket_fkey FOREIGN KEY (game_id, bucket) REFERENCES rate_bucket(game_id, bucket)
);

create table recheck (
  game_id integer not null,
  recheck_id bigint not null generated always as identity,
  snapshot_id bigint not null,
  pull_id bigint not null,
  checked_at timestamp with time zone not null default clock_timestamp(),
  call_count integer not null,
  is_equal boolean not null,
  constraint recheck_pkey PRIMARY KEY (game_id, recheck_id),
  constraint recheck_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint recheck_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint recheck_is_current TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX recheck_snapshot ON public.recheck USING btree (game_id, snapshot_id, recheck_id DESC);
CREATE CONSTRAINT TRIGGER recheck_is_current AFTER INSERT ON public.recheck DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION recheck_makes_current();
CREATE TRIGGER recheck_kept BEFORE DELETE OR UPDATE ON public.recheck FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recheck_whole BEFORE TRUNCATE ON public.recheck FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table recipient_erasure (
  game_id integer not null,
  recipient_player_id bigint not null,
  erased_at timestamp with time zone not null default clock_timestamp(),
  erased_by text not null,
  reason text not null,
  constraint recipient_erasure_pkey PRIMARY KEY (game_id, recipient_player_id),
  constraint recipient_erasure_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint recipient_erasure_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);
CREATE TRIGGER recipient_erasure_kept BEFORE DELETE OR UPDATE ON public.recipient_erasure FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recipient_erasure_whole BEFORE TRUNCATE ON public.recipient_erasure FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table recipient_salt (
  game_id integer not null,
  recipient_player_id bigint not null,
  salt digest not null,
  constraint recipient_salt_pkey PRIMARY KEY (game_id, recipient_player_id),
  constraint recipient_salt_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id)
);
CREATE TRIGGER recipient_salt_kept BEFORE DELETE OR UPDATE ON public.recipient_salt FOR EACH ROW EXECUTE FUNCTION keep_salt();
CREATE TRIGGER recipient_salt_whole BEFORE TRUNCATE ON public.recipient_salt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table recipient_statement (
  game_id integer not null,
  run_id bigint not null,
  recipient_player_id bigint not null,
  template_no integer not null,
  pdf bytea storage external not null,
  sha256 digest not null,
  drawn_at timestamp with time zone not null default clock_timestamp(),
  constraint recipient_statement_pkey PRIMARY KEY (game_id, run_id, recipient_player_id),
  constraint recipient_statement_game_id_run_id_recipient_player_id_fkey FOREIGN KEY (game_id, run_id, recipient_player_id) REFERENCES payout_line(game_id, run_id, recipient_player_id),
  constraint recipient_statement_check CHECK (((sha256)::bytea = sha256(pdf))),
  constraint recipient_statement_template_no_check CHECK ((template_no >= 1))
);
CREATE TRIGGER recipient_statement_added AFTER INSERT ON public.recipient_statement REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION check_statements();
CREATE TRIGGER recipient_statement_kept BEFORE DELETE OR UPDATE ON public.recipient_statement FOR EACH ROW EXECUTE FUNCTION keep_statement();
CREATE TRIGGER recipient_statement_whole BEFORE TRUNCATE ON public.recipient_statement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund (
  game_id integer not null,
  refund_id bigint not null generated always as identity,
  draft_id uuid not null,
  client_request_id text not null,
  request_bytes bytea not null,
  request_digest digest not null,
  subscription_id text not null,
  period_id bigint not null,
  period_seq bigint not null,
  amount_usd usd not null,
  reason_code text not null,
  reason_text text,
  facts jsonb not null,
  estimate jsonb not null,
  baseline_digest digest not null,
  content_digest digest not null,
  state text not null,
  version integer not null default 0,
  state_since timestamp with time zone not null default clock_timestamp(),
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  assignee_id text not null,
  needs_second_approver boolean not null,
  approval text,
  approved_by text,
  approved_at timestamp with time zone,
  approved_digest digest,
  first_sent_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  attempt_count integer not null default 0,
  unanswered_count integer not null default 0,
  extra_call_count integer not null default 0,
  next_look_at timestamp with time zone,
  lease_owner text,
  last_error_code text,
  last_error_id text,
  attention_reason text,
  proposal text,
  outcome_source text,
  transaction_id text,
  receipt jsonb,
  total_refunded_amount_usd usd,
  ended_at timestamp with time zone,
  reversal_slice_id bigint,
  reversal_seen_at timestamp with time zone,
  constraint refund_pkey PRIMARY KEY (game_id, refund_id),
  constraint refund_client_request_id_key UNIQUE (game_id, client_request_id),
  constraint refund_game_id_draft_id_period_id_key UNIQUE (game_id, draft_id, period_id),
  constraint refund_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES person(id),
  constraint refund_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES person(id),
  constraint refund_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint refund_game_id_reversal_slice_id_fkey FOREIGN KEY (game_id, reversal_slice_id) REFERENCES slice(game_id, slice_id),
  constraint refund_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES person(id),
  constraint refund_amount_usd_check CHECK (((amount_usd)::numeric > (0)::numeric)),
  constraint refund_approval_check CHECK ((approval = ANY (ARRAY['policy'::text, 'person'::text]))),
  constraint refund_attention_reason_check CHECK ((attention_reason = ANY (ARRAY['invo_asks_for_a_person'::text, 'receipt_contradicts'::text, 'receipt_of_another'::text, 'content_altered'::text, 'cannot_be_read'::text, 'looks_landed'::text, 'looks_not_landed'::text, 'period_unclear'::text, 'not_shown'::text, 'other_subscription'::text, 'reported_after_all'::text]))),
  constraint refund_check CHECK ((approved_by <> requested_by)),
  constraint refund_check1 CHECK (((NOT (approval IS DISTINCT FROM 'person'::text)) = (approved_by IS NOT NULL))),
  constraint refund_check10 CHECK (((state <> 'refused'::text) OR (unanswered_count = 0))),
  constraint refund_check11 CHECK (((state = 'landed'::text) = (outcome_source IS NOT NULL))),
  constraint refund_check2 CHECK (((NOT needs_second_approver) OR (approval IS DISTINCT FROM 'policy'::text))),
  constraint refund_check3 CHECK (((approval IS NULL) = (approved_digest IS NULL))),
  constraint refund_check4 CHECK (((state = ANY (ARRAY['awaiting_approval'::text, 'rejected'::text, 'withdrawn'::text])) OR ((approved_digest IS NOT NULL) AND ((approved_digest)::bytea = (content_digest)::bytea)))),
  constraint refund_check5 CHECK (((state = ANY (ARRAY['landed'::text, 'refused'::text, 'not_landed'::text, 'rejected'::text, 'withdrawn'::text])) = (ended_at IS NOT NULL))),
  constraint refund_check6 CHECK (((state = 'sending'::text) = (lease_owner IS NOT NULL))),
  constraint refund_check7 CHECK (((state = 'attention'::text) = (attention_reason IS NOT NULL))),
  constraint refund_check8 CHECK (((attempt_count = 0) = (first_sent_at IS NULL))),
  constraint refund_check9 CHECK (((state <> ALL (ARRAY['rejected'::text, 'withdrawn'::text, 'awaiting_approval'::text])) OR (unanswered_count = 0))),
  constraint refund_client_request_id_check CHECK (((client_request_id !~* '^sub_'::text) AND (char_length(client_request_id) <= 255))),
  constraint refund_extra_call_count_check CHECK ((extra_call_count = ANY (ARRAY[0, 1]))),
  constraint refund_outcome_source_check CHECK ((outcome_source = ANY (ARRAY['receipt'::text, 'replay'::text, 'reduced'::text, 'people'::text]))),
  constraint refund_period_seq_check CHECK ((period_seq >= 1)),
  constraint refund_proposal_check CHECK ((proposal = ANY (ARRAY['landed'::text, 'not_landed'::text]))),
  constraint refund_reason_text_check CHECK (((char_length(reason_text) >= 1) AND (char_length(reason_text) <= 500))),
  constraint refund_state_check CHECK ((state = ANY (ARRAY['awaiting_approval'::text, 'approved'::text, 'sending'::text, 'waiting'::text, 'unknown'::text, 'verifying'::text, 'attention'::text, 'landed'::text, 'refused'::text, 'not_landed'::text, 'rejected'::text, 'withdrawn'::text])))
);
CREATE INDEX refund_amount ON public.refund USING btree (game_id, amount_usd, refund_id DESC);
CREATE INDEX refund_assignee ON public.refund USING btree (game_id, assignee_id, refund_id);
CREATE INDEX refund_due ON public.refund USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE UNIQUE INDEX refund_landed ON public.refund USING btree (game_id, period_id, transaction_id, total_refunded_amount_usd) WHERE (state = 'landed'::text);
CREATE INDEX refund_needing_action ON public.refund USING btree (game_id, refund_id) WHERE ((ended_at IS NULL) OR ((state = 'landed'::text) AND (reversal_slice_id IS NULL)));
CREATE UNIQUE INDEX refund_open ON public.refund USING btree (game_id, subscription_id, period_seq) WHERE (state = ANY (ARRAY['awaiting_approval'::text, 'approved'::text, 'sending'::text, 'waiting'::text, 'unknown'::text, 'verifying'::text, 'attention'::text]));
CREATE INDEX refund_period ON public.refund USING btree (game_id, period_id, refund_id);
CREATE INDEX refund_period_order ON public.refund USING btree (game_id, period_id, refund_id DESC);
CREATE INDEX refund_requested ON public.refund USING btree (game_id, requested_by, requested_at);
CREATE INDEX refund_requester ON public.refund USING btree (game_id, requested_by, refund_id);
CREATE INDEX refund_reversal_seen ON public.refund USING btree (game_id, reversal_seen_at);
CREATE UNIQUE INDEX refund_sender ON public.refund USING btree (game_id, subscription_id) WHERE (state = 'sending'::text);
CREATE INDEX refund_state ON public.refund USING btree (game_id, state) INCLUDE (amount_usd);
CREATE INDEX refund_subscription ON public.refund USING btree (game_id, subscription_id, refund_id);
CREATE INDEX refund_text ON public.refund USING gin (subscription_id gin_trgm_ops, client_request_id gin_trgm_ops, transaction_id gin_trgm_ops, (((facts -> 'period'::text) ->> 'item_name'::text)) gin_trgm_ops, ((period_id)::text) gin_trgm_ops);
CREATE INDEX refund_transaction ON public.refund USING btree (game_id, transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX refund_unreported ON public.refund USING btree (game_id, state, refund_id) WHERE ((reversal_slice_id IS NULL) AND (state = ANY (ARRAY['landed'::text, 'not_landed'::text, 'refused'::text])));
CREATE TRIGGER refund_kept BEFORE DELETE OR UPDATE ON public.refund FOR EACH ROW EXECUTE FUNCTION keep_refund();
CREATE TRIGGER refund_whole BEFORE TRUNCATE ON public.refund FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund_attempt (
  game_id integer not null,
  refund_id bigint not null,
  attempt_no integer not null,
  owner text not null,
  committed_at timestamp with time zone not null default clock_timestamp(),
  request_digest digest not null,
  finished_at timestamp with time zone,
  class text,
  phase text,
  status integer,
  error_code text,
  error_id text,
  answer_facts jsonb,
  body bytea,
  sha256 digest,
  retry_after_ms bigint,
  constraint refund_attempt_pkey PRIMARY KEY (game_id, refund_id, attempt_no),
  constraint refund_attempt_game_id_refund_id_fkey FOREIGN KEY (game_id, refund_id) REFERENCES refund(game_id, refund_id),
  constraint refund_attempt_attempt_no_check CHECK ((attempt_no >= 1)),
  constraint refund_attempt_check CHECK (((finished_at IS NULL) = (class IS NULL))),
  constraint refund_attempt_class_check CHECK ((class = ANY (ARRAY['landed'::text, 'replayed'::text, 'reduced'::text, 'refused'::text, 'wait'::text, 'no_access'::text, 'not_sent'::text, 'retry'::text, 'paused'::text, 'no_answer'::text, 'attention'::text, 'contradiction'::text]))),
  constraint refund_attempt_phase_check CHECK ((phase = ANY (ARRAY['not_sent'::text, 'sent'::text, 'answered'::text]))),
  constraint refund_attempt_retry_after_ms_check CHECK ((retry_after_ms >= 0))
);
CREATE TRIGGER refund_attempt_kept BEFORE DELETE OR UPDATE ON public.refund_attempt FOR EACH ROW EXECUTE FUNCTION keep_until_end('class', 'finished_at', 'phase', 'status', 'error_code', 'error_id', 'answer_facts', 'retry_after_ms', 'body', 'sha256');
CREATE TRIGGER refund_attempt_whole BEFORE TRUNCATE ON public.refund_attempt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund_decision (
  game_id integer not null,
  refund_id bigint not null,
  decision_no integer not null,
  decision text not null,
  proposed_by text not null,
  proposed_at timestamp with time zone not null default clock_timestamp(),
  proposed_text text not null,
  read_no integer,
  confirmed_by text,
  confirmed_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint refund_decision_pkey PRIMARY KEY (game_id, refund_id, decision_no),
  constraint refund_decision_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES person(id),
  constraint refund_decision_game_id_refund_id_fkey FOREIGN KEY (game_id, refund_id) REFERENCES refund(game_id, refund_id),
  constraint refund_decision_game_id_refund_id_read_no_fkey FOREIGN KEY (game_id, refund_id, read_no) REFERENCES refund_read(game_id, refund_id, read_no),
  constraint refund_decision_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES person(id),
  constraint refund_decision_check CHECK ((confirmed_by <> proposed_by)),
  constraint refund_decision_check1 CHECK (((confirmed_by IS NULL) = (confirmed_at IS NULL))),
  constraint refund_decision_decision_check CHECK ((decision = ANY (ARRAY['landed'::text, 'not_landed'::text, 'send_again'::text]))),
  constraint refund_decision_decision_no_check CHECK ((decision_no >= 1)),
  constraint refund_decision_proposed_text_check CHECK (((char_length(proposed_text) >= 1) AND (char_length(proposed_text) <= 1000)))
);
CREATE UNIQUE INDEX refund_decision_open ON public.refund_decision USING btree (game_id, refund_id) WHERE ((confirmed_at IS NULL) AND (withdrawn_at IS NULL));
CREATE TRIGGER refund_decision_kept BEFORE DELETE OR UPDATE ON public.refund_decision FOR EACH ROW EXECUTE FUNCTION keep_until_end('confirmed_at', 'confirmed_by', 'withdrawn_at');
CREATE TRIGGER refund_decision_whole BEFORE TRUNCATE ON public.refund_decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund_event (
  game_id integer not null,
  slice_id bigint not null,
  period_id bigint not null,
  event_no integer not null,
  recipient_player_id bigint not null,
  refunded_at timestamp with time zone not null,
  refunded_at_reported text not null,
  refunded_amount_usd usd not null,
  cumulative_refunded_before_usd usd not null,
  cumulative_refunded_after_usd usd not null,
  reversed_attributed_usd usd not null,
  partner_revenue_reversed_usd usd,
  partner_revenue_reversal_basis text,
  is_full_refund boolean not null,
  constraint refund_event_pkey PRIMARY KEY (game_id, slice_id, period_id, event_no),
  constraint refund_event_game_id_slice_id_period_id_fkey FOREIGN KEY (game_id, slice_id, period_id) REFERENCES reversal_line(game_id, slice_id, period_id)
);
CREATE INDEX refund_event_order ON public.refund_event USING btree (game_id, slice_id, recipient_player_id, refunded_at, period_id);
CREATE TRIGGER refund_event_kept BEFORE DELETE OR UPDATE ON public.refund_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_event_whole BEFORE TRUNCATE ON public.refund_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund_limit (
  game_id integer not null,
  name text not null,
  limit_usd usd not null,
  set_by text not null,
  set_at timestamp with time zone not null default clock_timestamp(),
  raise_usd usd,
  raise_by text,
  raise_at timestamp with time zone,
  constraint refund_limit_pkey PRIMARY KEY (game_id, name),
  constraint refund_limit_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint refund_limit_raise_by_fkey FOREIGN KEY (raise_by) REFERENCES person(id),
  constraint refund_limit_ceiling_check CHECK (((GREATEST(limit_usd, raise_usd))::numeric <= (
CASE
    WHEN (name ~~ '%\_day'::text) THEN 50000
    ELSE 5000
END)::numeric)),
  constraint refund_limit_limit_usd_check CHECK (((limit_usd)::numeric >= (0)::numeric)),
  constraint refund_limit_name_check CHECK ((name = ANY (ARRAY['support'::text, 'finance'::text, 'support_day'::text, 'finance_day'::text]))),
  constraint refund_limit_raise_check CHECK ((((raise_usd IS NULL) = (raise_by IS NULL)) AND ((raise_usd IS NULL) = (raise_at IS NULL))))
);

create table refund_pause (
  game_id integer not null,
  pause_no integer not null generated always as identity,
  paused_by text,
  paused_at timestamp with time zone not null default clock_timestamp(),
  why text not null,
  resume_requested_by text,
  resumed_by text,
  resumed_at timestamp with time zone,
  restore_no integer,
  constraint refund_pause_pkey PRIMARY KEY (game_id, pause_no),
  constraint refund_pause_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint refund_pause_paused_by_fkey FOREIGN KEY (paused_by) REFERENCES person(id),
  constraint refund_pause_restore_no_fkey FOREIGN KEY (restore_no) REFERENCES database_restore(restore_no),
  constraint refund_pause_resume_requested_by_fkey FOREIGN KEY (resume_requested_by) REFERENCES person(id),
  constraint refund_pause_resumed_by_fkey FOREIGN KEY (resumed_by) REFERENCES person(id),
  constraint refund_pause_by CHECK (((paused_by IS NOT NULL) OR (restore_no IS NOT NULL))),
  constraint refund_pause_check CHECK ((resumed_by <> resume_requested_by)),
  constraint refund_pause_check1 CHECK (((resumed_by IS NULL) = (resumed_at IS NULL))),
  constraint refund_pause_check2 CHECK (((resumed_by IS NULL) OR (resume_requested_by IS NOT NULL))),
  constraint refund_pause_why_check CHECK (((char_length(why) >= 1) AND (char_length(why) <= 500)))
);
CREATE UNIQUE INDEX refund_pause_open ON public.refund_pause USING btree (game_id) WHERE (resumed_at IS NULL);
CREATE TRIGGER refund_pause_kept BEFORE DELETE OR UPDATE ON public.refund_pause FOR EACH ROW EXECUTE FUNCTION keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no');
CREATE TRIGGER refund_pause_whole BEFORE TRUNCATE ON public.refund_pause FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table refund_read (
  game_id integer not null,
  refund_id bigint not null,
  read_no integer not null,
  read_at timestamp with time zone not null default clock_timestamp(),
  purpose text not null,
  facts jsonb not null,
  constraint refund_read_pkey PRIMARY KEY (game_id, refund_id, read_no),
  constraint refund_read_game_id_refund_id_fkey FOREIGN KEY (game_id, refund_id) REFERENCES refund(game_id, refund_id),
  constraint refund_read_purpose_check CHECK ((purpose = ANY (ARRAY['before'::text, 'verify'::text, 'rebuild'::text]))),
  constraint refund_read_read_no_check CHECK ((read_no >= 1))
);
CREATE TRIGGER refund_read_kept BEFORE DELETE OR UPDATE ON public.refund_read FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_read_whole BEFORE TRUNCATE ON public.refund_read FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table rendition (
  game_id integer not null,
  snapshot_id bigint not null,
  sheet text not null,
  version integer not null,
  row_count bigint not null,
  sums jsonb not null,
  file_sha256 digest not null,
  file_byte_count bigint not null,
  file_part_count integer not null,
  table_sha256 digest,
  head jsonb,
  rendered_at timestamp with time zone not null default clock_timestamp(),
  orders_sha256 digest,
  constraint rendition_pkey PRIMARY KEY (game_id, snapshot_id, sheet),
  constraint rendition_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint rendition_sheet_check CHECK ((sheet = ANY (ARRAY['recipients'::text, 'renewals'::text, 'reversals'::text])))
);

create table rendition_part (
  game_id integer not null,
  snapshot_id bigint not null,
  sheet text not null,
  kind text not null,
  part_no integer not null,
  body bytea storage external not null,
  constraint rendition_part_pkey PRIMARY KEY (game_id, snapshot_id, sheet, kind, part_no),
  constraint rendition_part_game_id_snapshot_id_sheet_fkey FOREIGN KEY (game_id, snapshot_id, sheet) REFERENCES rendition(game_id, snapshot_id, sheet) ON DELETE CASCADE,
  constraint rendition_part_kind_check CHECK ((kind = ANY (ARRAY['file'::text, 'table'::text, 'orders'::text])))
);

create table renewal_line (
  game_id integer not null,
  slice_id bigint not null,
  period_id bigint not null,
  recipient_player_id bigint not null,
  paid_at timestamp with time zone not null,
  paid_at_reported text not null,
  subscription_id text not null,
  period_seq bigint,
  item_id text,
  item_name text,
  status text,
  period_start text,
  period_end text,
  amount_usd usd not null,
  invo_fee_usd usd not null,
  partner_revenue_usd usd not null,
  partner_revenue_settled_usd usd not null,
  partner_revenue_reversed_usd usd not null,
  percent_at_renewal text,
  base_usd usd,
  attributed_amount_usd usd not null,
  base_matches_settled_fee boolean,
  expected_base_usd usd,
  recorded_base_usd usd,
  rail text,
  amount_coins coins,
  balance_applied_coins coins,
  card_charged_usd usd,
  pcstore_charged_usd usd,
  refunded_amount_usd usd,
  refunded_at text,
  transaction_id text,
  mint_order_id text,
  constraint renewal_line_pkey PRIMARY KEY (game_id, slice_id, period_id),
  constraint renewal_line_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id)
);
CREATE INDEX renewal_line_base ON public.renewal_line USING btree (game_id, slice_id, period_id) WHERE (base_matches_settled_fee = false);
CREATE INDEX renewal_line_order ON public.renewal_line USING btree (game_id, slice_id, recipient_player_id, paid_at, period_id);
CREATE INDEX renewal_line_order_id ON public.renewal_line USING btree (game_id, mint_order_id) WHERE (mint_order_id IS NOT NULL);
CREATE INDEX renewal_line_period ON public.renewal_line USING btree (game_id, period_id);
CREATE INDEX renewal_line_recipient ON public.renewal_line USING btree (game_id, recipient_player_id, subscription_id);
CREATE INDEX renewal_line_subscription ON public.renewal_line USING btree (game_id, subscription_id, period_seq);
CREATE INDEX renewal_line_transaction ON public.renewal_line USING btree (game_id, transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER renewal_line_kept BEFORE DELETE OR UPDATE ON public.renewal_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER renewal_line_whole BEFORE TRUNCATE ON public.renewal_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table repeated_reversal (
  game_id integer not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  period_id bigint not null,
  snapshot_id bigint not null,
  recipient_player_id bigint not null,
  originally_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  constraint repeated_reversal_pkey PRIMARY KEY (game_id, window_start, window_end, period_id),
  constraint repeated_reversal_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE INDEX repeated_reversal_period ON public.repeated_reversal USING btree (game_id, period_id);
CREATE INDEX repeated_reversal_recipient ON public.repeated_reversal USING btree (game_id, recipient_player_id);

create table report_read (
  game_id integer not null,
  kind text not null,
  subject text not null,
  read_no integer not null,
  read_at timestamp with time zone not null,
  body bytea storage external,
  sha256 digest not null,
  has_figures boolean not null default false,
  card_charged_usd usd,
  pass_through_fees_usd usd,
  chargeback_fees_usd usd,
  disputed_amount_held_usd usd,
  card_fee_charged_to_partner_usd usd,
  partner_revenue_after_fees_usd usd,
  refund_count bigint,
  first_refunded_at timestamp with time zone,
  last_refunded_at timestamp with time zone,
  is_redacted boolean not null default false,
  constraint report_read_pkey PRIMARY KEY (game_id, kind, subject, read_no),
  constraint report_read_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint report_read_check CHECK (((read_no > 1) OR (body IS NOT NULL))),
  constraint report_read_kind_check CHECK ((kind = ANY (ARRAY['period'::text, 'cycles'::text, 'totals'::text]))),
  constraint report_read_read_no_check CHECK ((read_no >= 1))
);
CREATE INDEX report_read_totals ON public.report_read USING btree (game_id, subject, read_at) WHERE (kind = 'totals'::text);
CREATE TRIGGER report_read_kept BEFORE DELETE OR UPDATE ON public.report_read FOR EACH ROW EXECUTE FUNCTION keep_bytes();
CREATE TRIGGER report_read_whole BEFORE TRUNCATE ON public.report_read FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table response (
  game_id integer not null,
  response_id bigint not null generated always as identity,
  pull_id bigint not null,
  slice_id bigint,
  snapshot_id bigint,
  purpose text not null,
  request text not null,
  status integer not null,
  received_at timestamp with time zone not null,
  body bytea storage external not null,
  sha256 digest not null,
  inflated_byte_count bigint not null,
  refusal text,
  is_redacted boolean not null default false,
  constraint response_pkey PRIMARY KEY (game_id, response_id),
  constraint response_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint response_check CHECK (((purpose = 'refused'::text) = (refusal IS NOT NULL))),
  constraint response_purpose_check CHECK ((purpose = ANY (ARRAY['page'::text, 'fill'::text, 'control'::text, 'refused'::text])))
);
CREATE INDEX response_pull ON public.response USING btree (game_id, pull_id, response_id);
CREATE INDEX response_slice ON public.response USING btree (game_id, slice_id, response_id);
CREATE INDEX response_snapshot ON public.response USING btree (game_id, snapshot_id, response_id);
CREATE TRIGGER response_kept BEFORE DELETE OR UPDATE ON public.response FOR EACH ROW EXECUTE FUNCTION keep_bytes();
CREATE TRIGGER response_whole BEFORE TRUNCATE ON public.response FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table reversal_line (
  game_id integer not null,
  slice_id bigint not null,
  period_id bigint not null,
  recipient_player_id bigint not null,
  subscription_id text not null,
  period_seq bigint,
  status text,
  paid_at timestamp with time zone not null,
  paid_at_reported text not null,
  amount_usd usd,
  originally_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  partner_revenue_reversed_usd usd,
  refunded_to_date_usd usd,
  latest_refund_at text,
  reversal_basis text not null,
  settled_in_this_window boolean,
  nets_to_zero_in_window boolean,
  note text,
  constraint reversal_line_pkey PRIMARY KEY (game_id, slice_id, period_id),
  constraint reversal_line_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id)
);
CREATE INDEX reversal_line_coarse ON public.reversal_line USING btree (game_id, slice_id, period_id) WHERE (reversal_basis = 'period_row'::text);
CREATE INDEX reversal_line_order ON public.reversal_line USING btree (game_id, slice_id, recipient_player_id, period_id);
CREATE INDEX reversal_line_period ON public.reversal_line USING btree (game_id, period_id);
CREATE INDEX reversal_line_subscription ON public.reversal_line USING btree (game_id, subscription_id, period_seq);
CREATE TRIGGER reversal_line_kept BEFORE DELETE OR UPDATE ON public.reversal_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reversal_line_whole BEFORE TRUNCATE ON public.reversal_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table second_factor (
  person_id text not null,
  sealed_secret bytea not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  confirmed_at timestamp with time zone,
  last_step bigint,
  constraint second_factor_pkey PRIMARY KEY (person_id),
  constraint second_factor_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint second_factor_check CHECK (((confirmed_at IS NULL) = (last_step IS NULL)))
);

create table second_factor_role (
  role text not null,
  required_by text not null,
  required_at timestamp with time zone not null default clock_timestamp(),
  constraint second_factor_role_pkey PRIMARY KEY (role),
  constraint second_factor_role_required_by_fkey FOREIGN KEY (required_by) REFERENCES person(id),
  constraint second_factor_role_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'auditor'::text, 'support'::text, 'finance'::text, 'admin'::text])))
);

create table set_up_link (
  token_digest digest not null,
  purpose text not null,
  person_id text,
  made_by text not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint set_up_link_pkey PRIMARY KEY (token_digest),
  constraint set_up_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint set_up_link_check CHECK (((purpose = 'first_admin'::text) = (person_id IS NULL))),
  constraint set_up_link_purpose_check CHECK ((purpose = ANY (ARRAY['first_admin'::text, 'invitation'::text, 'new_password'::text])))
);
CREATE INDEX set_up_link_person ON public.set_up_link USING btree (person_id);

create table sign_in_attempt (
  attempt_id bigint not null generated always as identity,
  email_digest digest not null,
  source_digest digest not null,
  attempted_at timestamp with time zone not null default clock_timestamp(),
  browser_digest digest,
  constraint sign_in_attempt_pkey PRIMARY KEY (attempt_id)
);
CREATE INDEX sign_in_attempt_age ON public.sign_in_attempt USING btree (attempted_at);
CREATE INDEX sign_in_attempt_browser ON public.sign_in_attempt USING btree (browser_digest, attempted_at) WHERE (browser_digest IS NOT NULL);
CREATE INDEX sign_in_attempt_email ON public.sign_in_attempt USING btree (email_digest, attempted_at);
CREATE INDEX sign_in_attempt_source ON public.sign_in_attempt USING btree (source_digest, attempted_at);

create table slice (
  game_id integer not null,
  slice_id bigint not null generated always as identity,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  version integer not null,
  supersedes_slice_id bigint,
  pull_id bigint not null,
  pulled_at timestamp with time zone not null default clock_timestamp(),
  generated_at text not null,
  call_count integer not null,
  renewals_settled bigint not null,
  settled_gross_usd usd not null,
  invo_fee_usd usd not null,
  partner_revenue_settled_usd usd not null,
  partner_revenue_reversed_usd usd not null,
  partner_revenue_usd usd not null,
  renewals_with_attribution bigint not null,
  renewals_without_attribution bigint not null,
  unattributed_reasons jsonb not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  renewals_settled_then_fully_reversed bigint not null,
  refund_events_in_window bigint not null,
  reversals_without_receipts bigint not null,
  recipient_count bigint not null,
  renewal_line_count bigint not null,
  reversal_line_count bigint not null,
  reversal_event_count bigint not null,
  notice_count integer not null,
  is_consistent boolean not null,
  digest digest not null,
  constraint slice_pkey PRIMARY KEY (game_id, slice_id),
  constraint slice_game_id_window_start_window_end_version_key UNIQUE (game_id, window_start, window_end, version),
  constraint slice_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint slice_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint slice_check CHECK ((window_start < window_end)),
  constraint slice_version_check CHECK ((version >= 1))
);
CREATE TRIGGER slice_kept BEFORE DELETE OR UPDATE ON public.slice FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER slice_whole BEFORE TRUNCATE ON public.slice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table slice_recipient (
  game_id integer not null,
  slice_id bigint not null,
  recipient_player_id bigint not null,
  resolved boolean,
  player_email text,
  player_name text,
  identity_id text,
  renewal_count bigint not null,
  reversal_count bigint not null,
  subscription_count bigint not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  first_paid_at text,
  last_paid_at text,
  constraint slice_recipient_pkey PRIMARY KEY (game_id, slice_id, recipient_player_id),
  constraint slice_recipient_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id)
);
CREATE TRIGGER slice_recipient_kept BEFORE DELETE OR UPDATE ON public.slice_recipient FOR EACH ROW EXECUTE FUNCTION keep_recipient();
CREATE TRIGGER slice_recipient_whole BEFORE TRUNCATE ON public.slice_recipient FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot (
  game_id integer not null,
  snapshot_id bigint not null generated always as identity,
  chain_no bigint not null,
  previous_digest digest,
  digest digest not null,
  pull_id bigint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  covered_until timestamp with time zone not null,
  status text not null,
  generated_at text not null,
  control_window_count integer not null,
  renewals_settled bigint not null,
  settled_gross_usd usd not null,
  invo_fee_usd usd not null,
  partner_revenue_settled_usd usd not null,
  partner_revenue_reversed_usd usd not null,
  partner_revenue_usd usd not null,
  renewals_with_attribution bigint not null,
  renewals_without_attribution bigint not null,
  unattributed_reasons jsonb not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  renewals_settled_then_fully_reversed bigint,
  refund_events_in_window bigint not null,
  reversals_without_receipts bigint not null,
  recipient_count bigint not null,
  renewal_line_count bigint not null,
  reversal_event_count bigint not null,
  negative_balance_count bigint not null,
  negative_balance_usd usd not null,
  unresolved_recipient_count bigint not null,
  base_mismatch_count bigint not null,
  coarse_reversal_count bigint not null,
  open_item_count bigint not null,
  digest_version integer not null default 1,
  facts_digest digest,
  figures_version integer not null default 1,
  constraint snapshot_pkey PRIMARY KEY (game_id, snapshot_id),
  constraint snapshot_game_id_chain_no_key UNIQUE (game_id, chain_no),
  constraint snapshot_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint snapshot_game_id_pull_id_fkey FOREIGN KEY (game_id, pull_id) REFERENCES pull(game_id, pull_id),
  constraint snapshot_chain_no_check CHECK ((chain_no >= 1)),
  constraint snapshot_check CHECK (((window_start < window_end) AND (covered_until > window_start) AND (covered_until <= window_end))),
  constraint snapshot_check1 CHECK (((status <> 'complete'::text) OR (covered_until = window_end))),
  constraint snapshot_control_window_count_check CHECK ((control_window_count >= 1)),
  constraint snapshot_digest_version_check CHECK ((digest_version = ANY (ARRAY[1, 2]))),
  constraint snapshot_digests CHECK (((digest_version = 1) = (facts_digest IS NULL))),
  constraint snapshot_status_check CHECK ((status = ANY (ARRAY['complete'::text, 'open'::text, 'inconsistent'::text]))),
  constraint snapshot_is_current TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX snapshot_window ON public.snapshot USING btree (game_id, window_start, window_end, snapshot_id DESC);
CREATE CONSTRAINT TRIGGER snapshot_is_current AFTER INSERT ON public.snapshot DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION snapshot_makes_current();
CREATE TRIGGER snapshot_kept BEFORE DELETE OR UPDATE ON public.snapshot FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_whole BEFORE TRUNCATE ON public.snapshot FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot_check (
  game_id integer not null,
  snapshot_id bigint not null,
  check_no integer not null,
  name text not null,
  severity text not null,
  ok boolean not null,
  expected text not null,
  actual text not null,
  difference text,
  offenders jsonb not null,
  constraint snapshot_check_pkey PRIMARY KEY (game_id, snapshot_id, check_no),
  constraint snapshot_check_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint snapshot_check_severity_check CHECK ((severity = ANY (ARRAY['hard'::text, 'warning'::text])))
);
CREATE TRIGGER snapshot_check_kept BEFORE DELETE OR UPDATE ON public.snapshot_check FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_check_whole BEFORE TRUNCATE ON public.snapshot_check FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot_day (
  game_id integer not null,
  snapshot_id bigint not null,
  day date not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd,
  constraint snapshot_day_pkey PRIMARY KEY (game_id, snapshot_id, day),
  constraint snapshot_day_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint snapshot_day_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);

create table snapshot_drift (
  game_id integer not null,
  snapshot_id bigint not null,
  from_snapshot_id bigint not null,
  lines_added bigint not null,
  lines_removed bigint not null,
  lines_changed bigint not null,
  net_change_usd usd not null,
  constraint snapshot_drift_pkey PRIMARY KEY (game_id, snapshot_id),
  constraint snapshot_drift_game_id_from_snapshot_id_fkey FOREIGN KEY (game_id, from_snapshot_id) REFERENCES snapshot(game_id, snapshot_id),
  constraint snapshot_drift_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);

create table snapshot_recipient (
  game_id integer not null,
  snapshot_id bigint not null,
  recipient_player_id bigint not null,
  resolved boolean,
  player_email text,
  player_name text,
  identity_id text,
  renewal_count bigint not null,
  reversal_count bigint not null,
  subscription_count bigint not null,
  gross_attributed_usd usd not null,
  reversed_attributed_usd usd not null,
  net_attributed_usd usd not null,
  first_paid_at text,
  last_paid_at text,
  base_mismatch_count bigint not null,
  coarse_reversal_count bigint not null,
  earlier_reversed_usd usd not null,
  nets_to_zero_count bigint not null,
  identity_digest digest,
  constraint snapshot_recipient_pkey PRIMARY KEY (game_id, snapshot_id, recipient_player_id),
  constraint snapshot_recipient_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE INDEX snapshot_recipient_email ON public.snapshot_recipient USING btree (game_id, "left"(lower(player_email), 254), recipient_player_id, snapshot_id DESC) WHERE (player_email IS NOT NULL);
CREATE INDEX snapshot_recipient_history ON public.snapshot_recipient USING btree (game_id, recipient_player_id, snapshot_id);
CREATE INDEX snapshot_recipient_order ON public.snapshot_recipient USING btree (game_id, snapshot_id, net_attributed_usd DESC, recipient_player_id);
CREATE TRIGGER snapshot_recipient_kept BEFORE DELETE OR UPDATE ON public.snapshot_recipient FOR EACH ROW EXECUTE FUNCTION keep_recipient();
CREATE TRIGGER snapshot_recipient_whole BEFORE TRUNCATE ON public.snapshot_recipient FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table snapshot_slice (
  game_id integer not null,
  snapshot_id bigint not null,
  slice_no integer not null,
  slice_id bigint not null,
  constraint snapshot_slice_pkey PRIMARY KEY (game_id, snapshot_id, slice_no),
  constraint snapshot_slice_game_id_snapshot_id_slice_id_key UNIQUE (game_id, snapshot_id, slice_id),
  constraint snapshot_slice_game_id_slice_id_fkey FOREIGN KEY (game_id, slice_id) REFERENCES slice(game_id, slice_id),
  constraint snapshot_slice_game_id_snapshot_id_fkey FOREIGN KEY (game_id, snapshot_id) REFERENCES snapshot(game_id, snapshot_id)
);
CREATE TRIGGER snapshot_slice_kept BEFORE DELETE OR UPDATE ON public.snapshot_slice FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER snapshot_slice_whole BEFORE TRUNCATE ON public.snapshot_slice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table started_sign_in (
  token_digest digest not null,
  person_id text not null,
  started_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  constraint started_sign_in_pkey PRIMARY KEY (token_digest),
  constraint started_sign_in_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX started_sign_in_person ON public.started_sign_in USING btree (person_id);

create table statement_job (
  game_id integer not null,
  statement_job_id bigint not null generated always as identity,
  run_id bigint not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  state text not null default 'queued'::text,
  lease_owner text,
  lease_until timestamp with time zone,
  attempt_count integer not null default 0,
  drawn_count integer not null default 0,
  line_count integer not null,
  ended_at timestamp with time zone,
  failure_message text,
  constraint statement_job_pkey PRIMARY KEY (game_id, statement_job_id),
  constraint statement_job_game_id_run_id_fkey FOREIGN KEY (game_id, run_id) REFERENCES payout_run(game_id, run_id),
  constraint statement_job_check CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
  constraint statement_job_check1 CHECK (((state = 'failed'::text) = (failure_message IS NOT NULL))),
  constraint statement_job_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX statement_job_active ON public.statement_job USING btree (game_id, run_id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX statement_job_run ON public.statement_job USING btree (game_id, run_id, statement_job_id DESC);

create table unattributed_finding (
  game_id integer not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  reason text not null,
  finding_no integer not null,
  renewal_count integer not null,
  conclusion text not null,
  note text not null,
  found_by text not null,
  found_at timestamp with time zone not null default clock_timestamp(),
  facts digest,
  period_ids text[] not null default '{}'::text[],
  constraint unattributed_finding_pkey PRIMARY KEY (game_id, window_start, window_end, reason, finding_no),
  constraint unattributed_finding_found_by_fkey FOREIGN KEY (found_by) REFERENCES person(id),
  constraint unattributed_finding_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint unattributed_finding_conclusion_check CHECK ((conclusion = ANY (ARRAY['nothing_owed'::text, 'owed_and_adjusted'::text, 'raised_with_invo'::text, 'not_findable'::text]))),
  constraint unattributed_finding_finding_no_check CHECK ((finding_no >= 1)),
  constraint unattributed_finding_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 1000))),
  constraint unattributed_finding_renewal_count_check CHECK ((renewal_count >= 1))
);
CREATE TRIGGER unattributed_finding_kept BEFORE DELETE OR UPDATE ON public.unattributed_finding FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER unattributed_finding_whole BEFORE TRUNCATE ON public.unattributed_finding FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table unattributed_renewal (
  game_id integer not null,
  item_id bigint not null generated always as identity,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  reason text,
  period_id bigint,
  subscription_id text,
  settled_from timestamp with time zone not null,
  settled_to timestamp with time zone not null,
  renewal_count integer not null default 1,
  amount_usd usd,
  invo_fee_usd usd,
  partner_revenue_settled_usd usd,
  found_at timestamp with time zone not null default clock_timestamp(),
  assigned_to text,
  note text,
  noted_by text,
  noted_at timestamp with time zone,
  constraint unattributed_renewal_pkey PRIMARY KEY (game_id, item_id),
  constraint unattributed_renewal_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES person(id),
  constraint unattributed_renewal_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint unattributed_renewal_noted_by_fkey FOREIGN KEY (noted_by) REFERENCES person(id),
  constraint unattributed_renewal_check CHECK (((period_id IS NULL) = (subscription_id IS NULL))),
  constraint unattributed_renewal_check1 CHECK ((((note IS NULL) = (noted_by IS NULL)) AND ((note IS NULL) = (noted_at IS NULL)))),
  constraint unattributed_renewal_check2 CHECK ((settled_from <= settled_to)),
  constraint unattributed_renewal_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 1000))),
  constraint unattributed_renewal_renewal_count_check CHECK ((renewal_count >= 1))
);
CREATE UNIQUE INDEX unattributed_renewal_period ON public.unattributed_renewal USING btree (game_id, window_start, window_end, period_id) WHERE (period_id IS NOT NULL);
CREATE UNIQUE INDEX unattributed_renewal_span ON public.unattributed_renewal USING btree (game_id, window_start, window_end, settled_from, settled_to) WHERE (period_id IS NULL);

create table verification (
  verification_id bigint not null generated always as identity,
  game_id integer,
  ended_at timestamp with time zone not null default clock_timestamp(),
  snapshot_count bigint not null,
  audit_count bigint not null,
  violation_count integer not null,
  has_heads boolean not null,
  constraint verification_pkey PRIMARY KEY (verification_id),
  constraint verification_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(game_id),
  constraint verification_audit_count_check CHECK ((audit_count >= 0)),
  constraint verification_snapshot_count_check CHECK ((snapshot_count >= 0)),
  constraint verification_violation_count_check CHECK ((violation_count >= 0))
);
CREATE TRIGGER verification_kept BEFORE DELETE OR UPDATE ON public.verification FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER verification_whole BEFORE TRUNCATE ON public.verification FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create view current_snapshot as
 SELECT DISTINCT ON (game_id, window_start, window_end) game_id,
    snapshot_id,
    chain_no,
    previous_digest,
    digest,
    pull_id,
    created_at,
    window_start,
    window_end,
    covered_until,
    status,
    generated_at,
    control_window_count,
    renewals_settled,
    settled_gross_usd,
    invo_fee_usd,
    partner_revenue_settled_usd,
    partner_revenue_reversed_usd,
    partner_revenue_usd,
    renewals_with_attribution,
    renewals_without_attribution,
    unattributed_reasons,
    gross_attributed_usd,
    reversed_attributed_usd,
    net_attributed_usd,
    renewals_settled_then_fully_reversed,
    refund_events_in_window,
    reversals_without_receipts,
    recipient_count,
    renewal_line_count,
    reversal_event_count,
    negative_balance_count,
    negative_balance_usd,
    unresolved_recipient_count,
    base_mismatch_count,
    coarse_reversal_count,
    open_item_count
   FROM snapshot
  ORDER BY game_id, window_start, window_end, (status = 'complete'::text) DESC, snapshot_id DESC;
