-- What follows from comparing snapshots: figures that changed after a month was complete, and reversals that several months report.
-- Neither table is evidence: each row follows from it, can be made again, and `verify` compares it.

create index reversal_line_coarse on reversal_line (game_id, slice_id, period_id) where reversal_basis = 'period_row';

-- The rows of the renewals and reversals sheets in which two snapshots of a window differ. Facts that Invo may change in a complete month
-- (status, refund to date, names) are left out, as in the digest of a slice. NULL: the line is not in that snapshot.
create function differing_lines(of_game int, earlier_id bigint, later_id bigint)
returns table (kind text, period_id bigint, recipient_player_id bigint, at text, before_usd numeric, after_usd numeric) language sql stable as $$
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
      jsonb_build_array(l.recipient_player_id, l.subscription_id, l.paid_at, l.originally_attributed_usd, e.refunded_amount_usd, e.is_full_refund,
        coalesce(e.reversed_attributed_usd, l.reversed_attributed_usd), coalesce(e.partner_revenue_reversed_usd, l.partner_revenue_reversed_usd))
    from own join reversal_line l on l.game_id = of_game and l.slice_id = own.slice_id
      left join refund_event e on e.game_id = l.game_id and e.slice_id = l.slice_id and e.period_id = l.period_id
  )
  select coalesce(a.kind, b.kind), coalesce(a.period_id, b.period_id), coalesce(a.recipient_player_id, b.recipient_player_id), coalesce(a.at, b.at),
    b.effect_usd, a.effect_usd
  from (select * from line where not is_later) b full join (select * from line where is_later) a
    -- A full join takes no "is not distinct from"; a reversal without receipts has no time.
    on (a.kind, a.period_id, coalesce(a.refunded_at, '-infinity'), a.no) = (b.kind, b.period_id, coalesce(b.refunded_at, '-infinity'), b.no)
  where a.facts is distinct from b.facts
$$;

-- Whether two snapshots of a window differ in a line, a total or the net of a recipient, and by what.
create function snapshot_difference(of_game int, earlier_id bigint, later_id bigint)
returns table (differs boolean, lines_added bigint, lines_removed bigint, lines_changed bigint, net_change_usd numeric) language sql stable as $$
  select lines.added + lines.removed + lines.changed > 0
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
        where x.net_attributed_usd is distinct from y.net_attributed_usd),
    lines.added, lines.removed, lines.changed, round(net.change, greatest(2, scale(net.change)))
  from snapshot b
  join snapshot a on a.game_id = of_game and a.snapshot_id = later_id
  cross join (
    select count(*) filter (where l.before_usd is null) as added, count(*) filter (where l.after_usd is null) as removed,
      count(*) filter (where l.before_usd is not null and l.after_usd is not null) as changed
    from differing_lines(of_game, earlier_id, later_id) l
  ) lines
  -- Two places at least, and no more than it needs: the totals may have been reported with others.
  cross join lateral (select trim_scale(a.net_attributed_usd - b.net_attributed_usd) as change) net
  where b.game_id = of_game and b.snapshot_id = earlier_id
$$;

-- A complete snapshot whose figures aren't those of an earlier complete one of its window.
create table snapshot_drift (
  game_id int not null, -- our number of the game
  snapshot_id bigint not null, -- a complete snapshot
  from_snapshot_id bigint not null, -- the newest earlier complete snapshot of the window with other figures
  lines_added bigint not null, -- rows of the renewals and reversals sheets that only the later one has
  lines_removed bigint not null, -- those that only the earlier one has
  lines_changed bigint not null, -- those of both whose facts differ
  net_change_usd usd not null, -- USD: net attributed of the later one less that of the earlier one
  primary key (game_id, snapshot_id),
  foreign key (game_id, snapshot_id) references snapshot,
  foreign key (game_id, from_snapshot_id) references snapshot
);

-- A snapshot that repeats the one before it differs from what that one differs from: pulling again doesn't hide what changed.
create function store_drift(of_game int, of_snapshot bigint) returns void language sql as $$
  with last as (
    select o.snapshot_id from snapshot s
    join snapshot o on o.game_id = s.game_id and o.window_start = s.window_start and o.window_end = s.window_end
    where s.game_id = of_game and s.snapshot_id = of_snapshot and o.status = 'complete' and o.snapshot_id < of_snapshot
    order by o.snapshot_id desc limit 1
  ), compared as materialized (
    select last.snapshot_id, d.* from last cross join lateral snapshot_difference(of_game, last.snapshot_id, of_snapshot) d
  )
  insert into snapshot_drift
  select of_game, of_snapshot, snapshot_id, lines_added, lines_removed, lines_changed, net_change_usd from compared where differs
  union all
  select of_game, of_snapshot, k.from_snapshot_id, k.lines_added, k.lines_removed, k.lines_changed, k.net_change_usd
  from compared c join snapshot_drift k on k.game_id = of_game and k.snapshot_id = c.snapshot_id where not c.differs
$$;

create or replace function snapshot_makes_current() returns trigger language plpgsql as $$
begin
  perform refresh_current_window(new.game_id, new.window_start, new.window_end);
  if new.status = 'complete' then
    perform store_drift(new.game_id, new.snapshot_id);
  end if;
  return null;
end $$;

-- A reversal without receipts that the current snapshots of several windows report. Invo reports it once, in the window of the latest refund
-- of its period: the earlier ones were pulled before it moved.
create table repeated_reversal (
  game_id int not null, -- our number of the game
  window_start timestamptz not null, -- first instant of a window that reports it
  window_end timestamptz not null, -- up to, not including
  period_id bigint not null, -- Invo's number of the period
  snapshot_id bigint not null, -- the current snapshot of the window
  recipient_player_id bigint not null, -- the player it is taken back from
  originally_attributed_usd usd not null, -- USD, as the renewal was attributed
  reversed_attributed_usd usd not null, -- USD, as this window reports it
  primary key (game_id, window_start, window_end, period_id),
  foreign key (game_id, snapshot_id) references snapshot
);
create index repeated_reversal_period on repeated_reversal (game_id, period_id);
create index repeated_reversal_recipient on repeated_reversal (game_id, recipient_player_id);

-- The rows of `repeated_reversal` as the evidence has them, of some periods or (NULL) of all. Windows that overlap share what they report: only
-- windows apart from each other repeat it.
create function find_repeated_reversals(of_game int, of_periods bigint[]) returns setof repeated_reversal language sql stable as $$
  with coarse as materialized (
    select w.window_start, w.window_end, l.period_id, w.snapshot_id, min(l.recipient_player_id) as recipient_player_id,
      max(l.originally_attributed_usd)::usd as originally_attributed_usd, sum(l.reversed_attributed_usd)::usd as reversed_attributed_usd
    from current_window w
    join snapshot_slice o on o.game_id = w.game_id and o.snapshot_id = w.snapshot_id
    join reversal_line l on l.game_id = o.game_id and l.slice_id = o.slice_id
    where w.game_id = of_game and l.reversal_basis = 'period_row' and (of_periods is null or l.period_id = any(of_periods))
    group by w.window_start, w.window_end, l.period_id, w.snapshot_id
    -- A refund that moved leaves a row of nothing behind.
    having sum(l.reversed_attributed_usd) <> 0
  )
  select of_game, c.* from coarse c
  where exists (
    select 1 from coarse o where o.period_id = c.period_id and (o.window_end <= c.window_start or o.window_start >= c.window_end)
  )
$$;

create function refresh_repeated_reversals(of_game int, of_start timestamptz, of_end timestamptz, of_snapshot bigint) returns void language plpgsql as $$
declare
  touched bigint[];
begin
  select array_agg(period_id) into touched from (
    select period_id from repeated_reversal where game_id = of_game and window_start = of_start and window_end = of_end
    union
    select l.period_id from snapshot_slice o join reversal_line l on l.game_id = o.game_id and l.slice_id = o.slice_id
    where o.game_id = of_game and o.snapshot_id = of_snapshot and l.reversal_basis = 'period_row'
  ) own;
  if touched is null then
    return;
  end if;
  delete from repeated_reversal where game_id = of_game and period_id = any(touched);
  insert into repeated_reversal select * from find_repeated_reversals(of_game, touched);
end $$;

create function current_window_changed() returns trigger language plpgsql as $$
begin
  -- A re-check writes the same snapshot again.
  if tg_op = 'INSERT' or old.snapshot_id <> new.snapshot_id then
    perform refresh_repeated_reversals(new.game_id, new.window_start, new.window_end, new.snapshot_id);
  end if;
  return null;
end $$;
create trigger current_window_repeats after insert or update of snapshot_id on current_window for each row execute function current_window_changed();

-- What a person decided about the pulls of the schedule.
create table pull_schedule (
  game_id int primary key references game, -- our number of the game
  first_month text check (first_month ~ '^\d{4}-(0[1-9]|1[0-2])$'), -- how far back months are pulled, YYYY-MM in the game's time zone; NULL: to the first one a person pulled
  started_by text check ((started_by is null) = (first_month is null)), -- email of the person who confirmed it; NULL as first_month
  started_at timestamptz check ((started_at is null) = (first_month is null)), -- when; NULL as first_month
  paused_by text, -- email of the person who paused scheduled pulls; NULL: not paused
  paused_at timestamptz check ((paused_at is null) = (paused_by is null)) -- since when they wait; NULL: not paused
);

-- What waited during the pause is due again when it ends.
create trigger pull_schedule_wakes after update of paused_at on pull_schedule for each row when (new.paused_at is null) execute function wake_resumed();

-- A wait of more than 15 minutes that Invo asked for: no call before that time, but one each 15 minutes that finds out whether Invo answers again.
alter table rate_bucket add column asked_until timestamptz; -- until when; NULL: Invo asked for no long wait
alter table rate_bucket add column probe_at timestamptz; -- when the next such call may be made; NULL as asked_until

select store_drift(game_id, snapshot_id) from (select game_id, snapshot_id from snapshot where status = 'complete' order by game_id, snapshot_id) known;
insert into repeated_reversal select r.* from game cross join lateral find_repeated_reversals(game_id, null) r;
