-- Refunds requested here: most are refunded and reported by Invo; 50 are refunded and not reported yet; one in 30 is refused, not refunded, rejected or withdrawn;
-- one in a thousand is open.
insert into person (id, email, name, roles)
select 'p' || n, 'p' || n || '@studio.example', 'Colleague ' || n, array[case when n % 5 = 0 then 'finance' else 'support' end] from generate_series(1, 40) as n;

insert into refund (game_id, refund_id, draft_id, client_request_id, request_bytes, request_digest, subscription_id, period_id, period_seq, amount_usd, reason_code, facts, estimate,
  baseline_digest, content_digest, state, state_since, requested_by, requested_at, assignee_id, needs_second_approver, approval, approved_at, approved_digest, first_sent_at, last_sent_at, attempt_count,
  next_look_at, lease_owner, attention_reason, outcome_source, transaction_id, receipt, total_refunded_amount_usd, ended_at, reversal_slice_id, reversal_seen_at)
overriding system value
select 1, r, md5('d' || r)::uuid, 'sharebook-' || md5('k' || r), decode(repeat(md5('b' || r), 12), 'hex'), bench.digest(r), bench.subscription(g % subscriptions), bench.period(g),
  g / subscriptions + 1, 20.00, 'goodwill',
  jsonb_build_object('period', '{"period_id": 1, "subscription_id": "SUB_1", "period_seq": 1, "status": "paid", "period_start": "2026-10-01T00:00:00Z", "period_end": "2026-11-01T00:00:00Z",
      "paid_at": "2026-10-01T00:00:05Z", "amount_usd": "20.00", "invo_fee_usd": "2.00", "partner_revenue_settled_usd": "18.00", "partner_revenue_reversed_usd": "0.00",
      "rail": "card", "card_charged_usd": "20.00", "pcstore_charged_usd": "0.00", "balance_applied_coins": "0.00", "refunds_told": true, "refunded_to_date_usd": "0.00",
      "refund_count": 0, "latest_refund_at": null, "refund_basis": "refund_receipts", "events": [], "attribution_unavailable_reason": null}'::jsonb
      || jsonb_build_object('item_name', 'Guild supporter pass ' || r % 40, 'words', (select string_agg(md5(r || ' ' || n), ' ') from generate_series(1, 8) as n),
        'attribution', jsonb_build_object('recipient_player_id', 500000 + r % 2000, 'percent_at_renewal', '10', 'attributed_amount_usd', '1.80', 'reversed_attributed_usd', null)),
    'subscription', jsonb_build_object('player_id', bench.player(g % subscriptions), 'status', 'active', 'paid_through', null), 'otherPaidUntil', null, 'wallets', null, 'read_at', at),
  '{"refunded_amount_usd": "20.00", "total_refunded_amount_usd": "20.00", "remaining_refundable_usd": "0.00", "is_full_refund": true, "card_refunded_usd": "20.00",
    "balance_delta_coins": "0.00", "wallets": null, "wallet_below_zero": false, "partner_revenue_reversed_usd": "18.00", "partner_revenue_reversal_mode": "full",
    "card_fee_charged_to_partner_usd": "2.00", "invo_fee_retained_usd": "2.00", "recipient": null, "reversal_month": "2026-11", "access": null}'::jsonb,
  bench.digest(r), bench.digest(-r), state, at, 'p' || r % 40 + 1, at, 'p' || r % 40 + 1, false,
  case when was_approved then 'policy' end, case when was_approved then at end, case when was_approved then bench.digest(-r) end,
  case when was_sent then at end, case when was_sent then at end, case when was_sent then 1 else 0 end,
  case when state in ('waiting', 'unknown', 'verifying') then timestamptz '2027-01-01' end, null, case when state = 'attention' then 'period_unclear' end,
  case when state = 'landed' then 'receipt' end, case when state = 'landed' then 'RTX_' || upper(substr(md5('x' || r), 1, 20)) end,
  case when state = 'landed' then jsonb_build_object('refunded_at', at, 'words', (select string_agg(md5('c' || n || r), ' ') from generate_series(1, 12) as n)) end,
  case when state = 'landed' then 20.00 end,
  case when is_ended then at + interval '5 seconds' end, case when is_reported then slices end, case when is_reported then at + interval '1 day' end
from bench.size, generate_series(1, refunds) as r,
  lateral (select case
    when r > refunds - greatest(refunds / 1000, 10) then (array['awaiting_approval', 'attention', 'waiting', 'unknown', 'verifying'])[r % 5 + 1]
    when r % 100 = 1 then 'refused' when r % 200 = 2 then 'not_landed' when r % 100 = 3 then 'rejected' when r % 100 = 4 then 'withdrawn' else 'landed' end as state) as a,
  lateral (select state in ('landed', 'refused', 'not_landed', 'rejected', 'withdrawn') as is_ended, state not in ('awaiting_approval', 'rejected', 'withdrawn') as was_approved,
    state not in ('awaiting_approval', 'rejected', 'withdrawn') as was_sent, state = 'landed' and r % greatest(refunds / 50, 1) > 0 as is_reported,
    timestamptz '2026-11-01 12:00Z' - make_interval(mins => (refunds - r)::int) as at) as b,
  lateral (select r * 99 + case when is_reported then 0 else 1 end as g) as c;

insert into audit (actor, game_id, act, subject, detail)
select 'p' || r % 40 + 1 || '@studio.example', 1, act, 'refund ' || r, jsonb_build_object('words', md5(act || r))
from bench.size, generate_series(1, refunds) as r, (values ('asked for a refund'), ('began to send'), ('heard of attempt 1'), ('took a refund over')) as acts (act);
