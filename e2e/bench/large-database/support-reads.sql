-- Rows stored by searches and support's pages: a tenth of the subscriptions was read before, and their newer periods.
insert into known_subscription (game_id, subscription_id, player_id, item_name, status, seen_at)
select 1, bench.subscription(s), bench.player(s), 'Guild supporter pass ' || s % 40, 'active', '2026-11-01' from bench.size, generate_series(0, subscriptions - 1, 10) as s;

insert into known_player (game_id, player_id, player_email, player_name, identity_id, seen_at)
select 1, p, bench.email(p), 'Player ' || p, 'idn_' || p, '2026-11-01' from (select distinct player_id as p from known_subscription) as known;

insert into known_id (game_id, kind, id_text, subscription_id, period_id, seen_at)
select 1, 'client_request', bench.request(s), bench.subscription(s), 0, timestamptz '2026-11-01' from bench.size, generate_series(0, subscriptions - 1, 10) as s
union all
select 1, kind, id_text, subscription_id, period_id, '2026-11-01'
from bench.size, renewal_line, lateral (values ('transaction', transaction_id), ('order', mint_order_id)) as ids (kind, id_text)
where (period_id - 2000000000) % subscriptions % 10 = 0 and period_seq > 8 and id_text is not null;

insert into report_read (game_id, kind, subject, read_no, read_at, body, sha256)
select 1, 'period', period_id::text, 1, '2026-11-01', decode(repeat(md5(transaction_id), 40), 'hex'), bench.digest(period_id)
from bench.size, renewal_line where (period_id - 2000000000) % subscriptions % 100 = 0 and period_seq > 8;

insert into detail_read (game_id, kind, subject, read_at, body, sha256)
select 1, 'subscription', subscription_id, '2026-11-01', decode(repeat(md5(subscription_id), 60), 'hex'), bench.digest(player_id) from known_subscription;

insert into report_read (game_id, kind, subject, read_no, read_at, body, sha256)
select 1, 'cycles', subscription_id || ' 0', 1, '2026-11-01', decode(repeat(md5(subscription_id), 60), 'hex'), bench.digest(player_id) from known_subscription;
