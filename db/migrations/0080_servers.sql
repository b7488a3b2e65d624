-- Functions and triggers that also run where the rows of a game lie, in a database that is spread over servers by game. There, a statement within one is of one
-- game by its parameters, calls no function for each of its rows, and joins no transition table.

-- Which columns a decision sets, as arguments: a trigger of a table that is spread sees another name of it.
create or replace function keep_decided() returns trigger language plpgsql as $$
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
end $$;
create or replace trigger payout_policy_kept before update or delete on payout_policy for each row
  execute function keep_decided('confirmed_by', 'confirmed_at', 'withdrawn_at');
create or replace trigger payout_hold_kept before update or delete on payout_hold for each row
  execute function keep_decided('released_by', 'released_at', 'release_note');
create or replace trigger payout_adjustment_kept before update or delete on payout_adjustment for each row
  execute function keep_decided('confirmed_by', 'confirmed_at', 'withdrawn_by', 'withdrawn_at', 'run_id');

create or replace function keep_composed() returns trigger language plpgsql as $$
declare
  run record;
begin
  for run in select distinct game_id, run_id from touched loop
    if exists (select from payout_run r where r.game_id = run.game_id and r.run_id = run.run_id and r.state <> 'draft') then
      raise exception '% of a run never changes once it is submitted', tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace function check_statements() returns trigger language plpgsql as $$
declare
  run record;
begin
  for run in select distinct game_id, run_id from touched loop
    if exists (select from payout_run r where r.game_id = run.game_id and r.run_id = run.run_id and r.state <> 'approved') then
      raise exception 'statements are drawn of approved runs' using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace function check_new_items() returns trigger language plpgsql as $$
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
end $$;

create or replace function check_changed_items() returns trigger language plpgsql set enable_nestloop to 'off' as $$
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
end $$;

create or replace function is_erased(of_game int, of_player bigint) returns boolean language plpgsql stable as $$
begin
  return exists (select from recipient_erasure e where e.game_id = of_game and e.recipient_player_id = of_player);
end $$;

create or replace function ask_delivery_read(of_game int, read_kind text, read_subject text) returns void language plpgsql as $$
declare
  now constant timestamptz := clock_timestamp();
begin
  insert into delivery_read as asked (game_id, kind, subject, due_at, asked_at) values (of_game, read_kind, read_subject, now, now)
  on conflict (game_id, kind, subject) do update set asked_at = excluded.asked_at,
    due_at = case when asked.lease_until > excluded.asked_at then asked.due_at else excluded.due_at end,
    attempt_count = case when asked.lease_until > excluded.asked_at then asked.attempt_count else 0 end,
    first_tried_at = case when asked.lease_until > excluded.asked_at then asked.first_tried_at end;
end $$;

-- Step by step: a statement over all of it is planned across servers, which can't be done while a transaction is being committed.
create or replace function refresh_current_window(of_game int, of_start timestamptz, of_end timestamptz) returns void language plpgsql as $$
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
end $$;

create or replace function recheck_makes_current() returns trigger language plpgsql as $$
declare
  checked record;
begin
  select s.window_start, s.window_end into checked from snapshot s where s.game_id = new.game_id and s.snapshot_id = new.snapshot_id;
  perform refresh_current_window(new.game_id, checked.window_start, checked.window_end);
  return null;
end $$;

drop function find_repeated_reversals(int, bigint[]);
create function find_repeated_reversals(of_game int, of_periods bigint[]) returns table (game_id int, window_start timestamptz, window_end timestamptz, period_id bigint,
  snapshot_id bigint, recipient_player_id bigint, originally_attributed_usd usd, reversed_attributed_usd usd) language plpgsql stable as $$
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
end $$;

create or replace function refresh_repeated_reversals(of_game int, of_start timestamptz, of_end timestamptz, of_snapshot bigint) returns void language plpgsql as $$
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
end $$;

create or replace function differing_lines(of_game int, earlier_id bigint, later_id bigint)
  returns table (kind text, period_id bigint, recipient_player_id bigint, at text, before_usd numeric, after_usd numeric) language plpgsql stable as $$
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
end $$;

create or replace function snapshot_difference(of_game int, earlier_id bigint, later_id bigint)
  returns table (differs boolean, lines_added bigint, lines_removed bigint, lines_changed bigint, net_change_usd numeric) language plpgsql stable as $$
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
end $$;

create or replace function store_drift(of_game int, of_snapshot bigint) returns void language plpgsql as $$
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
end $$;

-- What an erasure and what stores a name lock: a row lies on one server, where an advisory lock would be of whichever server took it.
create table erasure_guard (
  game_id int primary key references game -- game whose people are erased one at a time, while nobody stores their names
);
select place_table('erasure_guard', 'distributed');

-- Holds back erasures of a game until the transaction ends; with `alone`, also everything that stores a name.
create function hold_erasures(of_game int, alone boolean) returns void language plpgsql as $$
begin
  loop
    if alone then
      perform from erasure_guard g where g.game_id = of_game for update;
    else
      perform from erasure_guard g where g.game_id = of_game for share;
    end if;
    if found then
      return;
    end if;
    insert into erasure_guard (game_id) values (of_game) on conflict do nothing;
  end loop;
end $$;

create or replace function skip_erased() returns trigger language plpgsql as $$
begin
  perform hold_erasures(new.game_id, false);
  if is_erased(new.game_id, new.player_id) then
    return null;
  end if;
  return new;
end $$;

drop function auto_approved_usd(int, text, bigint);

drop view refund_reported;
