-- What the command `verify` found, each time it ended, for the page of exceptions.
create table verification (
  verification_id bigint generated always as identity primary key, -- our number
  game_id int references game, -- the game it was limited to; NULL: every game
  ended_at timestamptz not null default clock_timestamp(), -- when it ended
  snapshot_count bigint not null check (snapshot_count >= 0), -- snapshots it proved
  audit_count bigint not null check (audit_count >= 0), -- rows of the audit it proved
  violation_count int not null check (violation_count >= 0), -- rows that no longer follow from their evidence; 0: none
  has_heads boolean not null -- whether it compared the chains with links that were stored elsewhere
);
create trigger verification_kept before update or delete on verification for each row execute function refuse_change();
create trigger verification_whole before truncate on verification for each statement execute function refuse_change();

-- Exceptional acts are few among all: the page of exceptions finds them by their words.
create index audit_act on audit (act text_pattern_ops, audit_id);
