-- The lines of slices $1 to $2, in the order of the report: by recipient, newest first.
insert into renewal_line (game_id, slice_id, period_id, recipient_player_id, paid_at, paid_at_reported, subscription_id, period_seq, item_id, item_name, status, period_start,
  period_end, amount_usd, invo_fee_usd, partner_revenue_usd, partner_revenue_settled_usd, partner_revenue_reversed_usd, percent_at_renewal, base_usd, attributed_amount_usd,
  base_matches_settled_fee, expected_base_usd, recorded_base_usd, rail, amount_coins, balance_applied_coins, card_charged_usd, pcstore_charged_usd, refunded_amount_usd,
  refunded_at, transaction_id, mint_order_id)
select 1, slice_id, bench.period(g), bench.recipient(s), paid_at, iso, bench.subscription(s), g / subscriptions + 1, '7' || s % 40, 'Guild supporter pass ' || s % 40, 'paid', iso,
  to_char(paid_at + interval '1 month', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 20.00, 2.00, 18.00, 18.00, 0.00, '10.00', 18.00, 1.80, true, 18.00, 18.00,
  case when g % 5 > 0 then 'card' end, 2000.00, case when g % 5 > 0 then 0.00 else 2000.00 end, case when g % 5 > 0 then 20.00 else 0.00 end, 0.00, 0.00, null,
  bench.transaction(g), bench.mint_order(g)
from bench.size, slice, generate_series((slice_id - 1) * per_slice + 1, slice_id * per_slice) as g,
  lateral (select g % subscriptions as s, window_start + (window_end - window_start) * ((g - 1) % per_slice) / per_slice as paid_at) as a,
  lateral (select to_char(paid_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as iso) as b
where slice_id between $1 and $2
order by slice_id, bench.recipient(s), paid_at desc;
