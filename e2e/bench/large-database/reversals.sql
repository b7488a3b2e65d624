-- Every bench.size.reversal_every-th renewal is fully refunded in the slice after its own.
insert into reversal_line (game_id, slice_id, period_id, recipient_player_id, subscription_id, period_seq, status, paid_at, paid_at_reported, amount_usd,
  originally_attributed_usd, reversed_attributed_usd, partner_revenue_reversed_usd, refunded_to_date_usd, latest_refund_at, reversal_basis, settled_in_this_window,
  nets_to_zero_in_window)
select 1, least(slice_id + 1, slices), period_id, recipient_player_id, subscription_id, period_seq, 'refunded', paid_at, paid_at_reported, amount_usd, attributed_amount_usd,
  attributed_amount_usd, partner_revenue_settled_usd, amount_usd, paid_at_reported, 'refund_receipts', false, false
from bench.size, renewal_line where (period_id - 2000000000) % reversal_every = 0;

insert into refund_event (game_id, slice_id, period_id, event_no, recipient_player_id, refunded_at, refunded_at_reported, refunded_amount_usd, cumulative_refunded_before_usd,
  cumulative_refunded_after_usd, reversed_attributed_usd, partner_revenue_reversed_usd, partner_revenue_reversal_basis, is_full_refund)
select 1, slice_id, period_id, 1, recipient_player_id, paid_at + interval '1 day', paid_at_reported, amount_usd, 0.00, amount_usd, reversed_attributed_usd,
  partner_revenue_reversed_usd, 'clawback', true
from reversal_line;
