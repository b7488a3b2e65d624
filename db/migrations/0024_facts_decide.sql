-- Where both snapshots of a window have a digest of their facts, these decide whether there is drift; the secret that worked last is
-- known; and an erased person stays without a name.

-- As before, with two more facts of the digest of a slice: whether a reversal has receipts, and what was refunded until then.
create or replace function differing_lines(of_game int, earlier_id bigint, later_id bigint)
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
      jsonb_build_array(l.recipient_player_id, l.subscription_id, l.paid_at, l.reversal_basis = 'period_row', l.originally_attributed_usd,
        e.refunded_amount_usd, e.cumulative_refunded_after_usd, e.is_full_refund,
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

-- Whether two snapshots of a window have other facts, and what they come to. Equal digests: no drift. Different ones of the same slices in time and of
-- as many control calls: drift, even where every line and every total of the window is the same. The digest of a snapshot covers those of its slices, so
-- a window that was cut in other places has another one for the same facts; it is compared by lines, totals and nets, as are snapshots of version 1.
create or replace function snapshot_difference(of_game int, earlier_id bigint, later_id bigint)
returns table (differs boolean, lines_added bigint, lines_removed bigint, lines_changed bigint, net_change_usd numeric) language sql stable as $$
  select case
      when b.facts_digest = a.facts_digest then false
      when b.facts_digest is not null and a.facts_digest is not null and b.control_window_count = a.control_window_count and cut.is_same then true
      else lines.added + lines.removed + lines.changed > 0
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
    end,
    lines.added, lines.removed, lines.changed, round(net.change, greatest(2, scale(net.change)))
  from snapshot b
  join snapshot a on a.game_id = of_game and a.snapshot_id = later_id
  cross join (
    select count(*) filter (where l.before_usd is null) as added, count(*) filter (where l.after_usd is null) as removed,
      count(*) filter (where l.before_usd is not null and l.after_usd is not null) as changed
    from differing_lines(of_game, earlier_id, later_id) l
  ) lines
  cross join lateral (
    select not exists (
      select 1 from (
        select s.window_start, s.window_end, o.snapshot_id from snapshot_slice o
          join slice s on s.game_id = o.game_id and s.slice_id = o.slice_id
        where o.game_id = of_game and o.snapshot_id in (earlier_id, later_id)
      ) part group by window_start, window_end having count(*) <> 2
    ) as is_same
  ) cut
  -- Two places at least, and no more than it needs: the totals may have been reported with others.
  cross join lateral (select trim_scale(a.net_attributed_usd - b.net_attributed_usd) as change) net
  where b.game_id = of_game and b.snapshot_id = earlier_id
$$;

delete from snapshot_drift;
select store_drift(game_id, snapshot_id) from (select game_id, snapshot_id from snapshot where status = 'complete' order by game_id, snapshot_id) known;

-- The secret Invo accepted last. Processes come and go: each client would otherwise begin with the one that Invo refuses.
alter table game add column previous_secret_until timestamptz; -- until when calls start with the previous secret, because Invo accepted it and refused the current one; then the current one is tried again; NULL: Invo accepted the current one last

-- What Invo reports of an erased person later is stored without their name, also where it was read before the erasure and is stored after it: the lock
-- is that of `eraseRecipient`, and what follows it sees what was erased meanwhile.
create function skip_erased() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(new.game_id, hashtext('erasure'));
  if is_erased(new.game_id, new.player_id) then
    return null;
  end if;
  return new;
end $$;
create trigger known_player_erased before insert on known_player for each row execute function skip_erased();
delete from known_player k using recipient_erasure e where e.game_id = k.game_id and e.recipient_player_id = k.player_id;
