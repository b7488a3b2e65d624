-- Pulls use the last calls of a budget only while no person asks.

alter table rate_bucket add column person_asked_at timestamptz; -- when a person last asked for a call of this budget, whether or not it had to wait; by the database clock; NULL: never
