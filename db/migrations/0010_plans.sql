-- Indexes for the statements that read a large table in full.

-- A part of a text is found by its groups of three letters (in PostgreSQL's contrib package; whoever owns the database may create it).
create extension if not exists pg_trgm;

-- The register of refunds: what was typed is the start of an id, or part of a key or of an item's name.
create index refund_text on refund using gin (subscription_id gin_trgm_ops, client_request_id gin_trgm_ops, transaction_id gin_trgm_ops,
  (facts -> 'period' ->> 'item_name') gin_trgm_ops, (period_id::text) gin_trgm_ops);
-- … or part of a colleague's name; the assignee has an index already.
create index refund_requester on refund (game_id, requested_by, refund_id);
-- The register's orders by amount and by period.
create index refund_amount on refund (game_id, amount_usd, refund_id desc);
create index refund_period_order on refund (game_id, period_id, refund_id desc);
