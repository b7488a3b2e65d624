-- Months from November 2023 on, each of equal slices, with the snapshots of their pulls.
-- bench.size: months, slices, slices_a_month, per_slice, subscriptions, snapshots_a_month, recipients, refunds.
insert into game (slug, environment, name, time_zone, invo_game_id) values ('bench', 'production', 'Bench', 'UTC', '41207');
insert into pull (game_id, window_start, window_end, is_fresh, requested_by, state, ended_at, snapshot_id)
values (1, '2023-11-01', '2026-11-01', false, 'bench', 'done', '2026-11-02', 1);

insert into slice (game_id, slice_id, window_start, window_end, version, pull_id, pulled_at, generated_at, call_count, renewals_settled, settled_gross_usd, invo_fee_usd,
  partner_revenue_settled_usd, partner_revenue_reversed_usd, partner_revenue_usd, renewals_with_attribution, renewals_without_attribution, unattributed_reasons,
  gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, renewals_settled_then_fully_reversed, refund_events_in_window, reversals_without_receipts,
  recipient_count, renewal_line_count, reversal_line_count, reversal_event_count, notice_count, is_consistent, digest)
overriding system value
select 1, i, starts, starts + length, 1, 1, starts + length + interval '1 hour', to_char(starts + length, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 30, per_slice, per_slice * 20.00,
  per_slice * 2.00, per_slice * 18.00, 0, per_slice * 18.00, per_slice, 0, '{}', per_slice * 1.80, 0, per_slice * 1.80, 0, 0, 0, 2000, per_slice, 0, 0, 30, true, bench.digest(i)
from bench.size, generate_series(1, slices) as i,
  lateral (select timestamptz '2023-11-01 00:00Z' + make_interval(months => (i - 1) / slices_a_month) as month) as a,
  lateral (select (month + interval '1 month' - month) / slices_a_month as length) as b,
  lateral (select month + length * ((i - 1) % slices_a_month) as starts) as c;

insert into slice_recipient (game_id, slice_id, recipient_player_id, resolved, player_email, player_name, identity_id, renewal_count, reversal_count, subscription_count,
  gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, first_paid_at, last_paid_at)
select 1, i, r, true, 'Creator.' || r || '@creators.example', 'Creator ' || r, 'idn_' || r, 10, 0, 10, 18.00, 0, 18.00, '2026-10-01T00:00:00Z', '2026-10-31T00:00:00Z'
from bench.size, generate_series(1, slices) as i, generate_series(500000, 499999 + recipients) as r;

insert into snapshot (game_id, snapshot_id, chain_no, digest, pull_id, created_at, window_start, window_end, covered_until, status, generated_at, control_window_count,
  renewals_settled, settled_gross_usd, invo_fee_usd, partner_revenue_settled_usd, partner_revenue_reversed_usd, partner_revenue_usd, renewals_with_attribution,
  renewals_without_attribution, unattributed_reasons, gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, renewals_settled_then_fully_reversed,
  refund_events_in_window, reversals_without_receipts, recipient_count, renewal_line_count, reversal_event_count, negative_balance_count, negative_balance_usd,
  unresolved_recipient_count, base_mismatch_count, coarse_reversal_count, open_item_count)
overriding system value
select 1, n, n, bench.digest(n), 1, month + interval '32 days', month, month + interval '1 month',
  month + (month + interval '1 month' - month) * no / snapshots_a_month, case when no = snapshots_a_month then 'complete' else 'open' end, '2026-11-01T00:00:00Z', 1,
  1, 20.00, 2.00, 18.00, 0, 18.00, 1, 0, '{}', 1.80, 0, 1.80, 0, 0, 0, 2000, 1, 0, 0, 0, 0, 0, 0, 0
from bench.size, generate_series(1, months * snapshots_a_month) as n,
  lateral (select timestamptz '2023-11-01 00:00Z' + make_interval(months => (n - 1) / snapshots_a_month) as month, (n - 1) % snapshots_a_month + 1 as no) as a;

insert into snapshot_slice (game_id, snapshot_id, slice_no, slice_id)
select 1, snapshot_id, row_number() over (partition by snapshot_id order by slice.window_start), slice_id
from snapshot join slice on slice.window_start >= snapshot.window_start and slice.window_end <= snapshot.covered_until;

insert into snapshot_recipient (game_id, snapshot_id, recipient_player_id, resolved, player_email, player_name, identity_id, renewal_count, reversal_count, subscription_count,
  gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, first_paid_at, last_paid_at, base_mismatch_count, coarse_reversal_count, earlier_reversed_usd, nets_to_zero_count)
select 1, snapshot_id, r, true, 'Creator.' || r || '@creators.example', 'Creator ' || r, 'idn_' || r, 140, 0, 140, 252.00, 0, 252.00, '2026-10-01T00:00:00Z', '2026-10-31T00:00:00Z', 0, 0, 0, 0
from bench.size, snapshot, generate_series(500000, 499999 + recipients) as r;
