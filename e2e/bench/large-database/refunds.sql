-- Refunds requested here: most are refunded and reported by Invo; 50 are refunded and not reported yet; one in 30 is refused, not refunded, rejected or withdrawn;
-- one in a thousand is open.
insert into person (id, email, name, role)
select 'p' || n, 'p' || n || '@studio.example', 'Colleague ' || n, case when n % 5 = 0 then 'finance' else 'support' end from generate_series(1, 40) as n;

insert into refund (game_id, refund_id, draft_id, client_request_id, request_bytes, request_digest, subscription_id, period_id, period_seq, amount_usd, reason_code, facts, estimate,
  baseline_digest, content_digest, state, state_since, requested_by, requested_at, owner_id, wants_second_person, approval, approved_at, approved_digest, first_sent_at, last_sent_at, attempt_count,
  next_look_at, lease_owner, attention_reason, outcome_source, transaction_id, receipt, total_refunded_amount_usd, ended_at, reversal_slice_id, reversal_seen_at)
overriding system value
select 1, r, md5('d' || r)::uuid, 'sharebook-' || md5('k' || r), decode(repeat(md5('b' || r), 12), 'hex'), bench.digest(r), bench.subscription(g % subscriptions), bench.period(g),
  g / subscriptions + 1, 20.00, 'goodwill',
  jsonb_build_object('period', jsonb_build_object('item_name', 'Guild supporter pass ' || r % 40, 'attribution', jsonb_build_object('recipient_player_id', 500000 + r % 2000),
    'words', (select string_agg(md5(r || ' ' || n), ' ') from generate_series(1, 24) as n)), 'subscription', jsonb_build_object('player_id', bench.player(g % subscriptions))),
  jsonb_build_object('is_full_refund', true, 'words', (select string_agg(md5(n || ' ' || r), ' ') from generate_series(1, 12) as n)),
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
