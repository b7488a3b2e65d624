-- Balances as files: a job that reads what players hold, and what was read until its files are deleted.

create table balance_job (
  game_id int not null references game, -- game whose players are read
  balance_job_id bigint generated always as identity, -- the job
  scope text not null check (scope in ('some', 'all')), -- some: the addresses of an uploaded list; all: every player, in one stream
  requested_by text not null, -- email of the person, or "command line"
  requested_at timestamptz not null default clock_timestamp(), -- when it was requested
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'stopped', 'failed')), -- state of the job
  lease_owner text, -- the process that runs it; NULL: none
  lease_until timestamptz, -- another process may take over after this; NULL: no lease
  attempt_count int not null default 0, -- attempts started; a stream has one
  stop_requested_at timestamptz, -- when a person stopped it; NULL: nobody did
  waiting_until timestamptz, -- it waits for the rate limit until then; NULL: it doesn't wait
  line_count int check ((line_count is null) = (scope = 'all')), -- lines of the list with an address; NULL: no list
  address_count int check ((address_count is null) = (scope = 'all')), -- addresses to ask for, each once; NULL: no list
  found_count int not null default 0, -- players whose balances were read
  unknown_count int not null default 0, -- addresses Invo doesn't know
  unanswered_count int not null default 0, -- addresses, or records of the stream, without an answer that can be read; at the end also those never asked for
  stranger_count int not null default 0, -- players in Invo's answers whom nobody asked for; they are not stored
  repeated_count int not null default 0, -- players or currencies met more than once; the later figure counts
  received_bytes bigint not null default 0, -- bytes of the stream received so far
  read_from timestamptz, -- when the first answer was asked for; NULL: nothing was
  read_until timestamptz, -- when the last answer was stored; NULL: nothing was
  is_complete boolean check ((is_complete is null) = (ended_at is null)), -- every address was found or is unknown, or the stream ended whole; NULL: not ended
  reasons text[] not null default '{}', -- what keeps the files from being complete, and what else their reader must know, in sentences
  ended_at timestamptz check ((ended_at is null) = (state in ('queued', 'running'))), -- NULL: not ended
  failure_message text check ((failure_message is null) = (state <> 'failed')), -- what went wrong, for people; NULL: no failure
  files_deleted_at timestamptz, -- when what was read was deleted; NULL: it is stored
  primary key (game_id, balance_job_id),
  check (files_deleted_at is null or ended_at is not null)
);
create unique index balance_job_active on balance_job (game_id, scope) where state in ('queued', 'running');

create table balance_entry (
  game_id int not null, -- game of the job
  balance_job_id bigint not null, -- the job
  entry_no int not null, -- place in the list, each address once, or in the stream; from 1
  entry_key text not null, -- what makes two entries one: the email in lower case; of a stream "player" and the id where Invo gives one
  email text, -- as asked for, or as Invo gives it; NULL: Invo gives none
  asked_lines int[], -- lines of the list with this address; NULL: no list
  asked_emails text[], -- the address as each of these lines spells it; NULL: no list
  outcome text not null check (outcome in ('asked', 'found', 'unknown', 'unanswered')), -- asked: to be asked for
  reason text, -- why there is no readable answer: a word of ours or Invo's code; NULL: there is one, or none yet
  player_id text, -- Invo's; NULL: not reported
  player_name text, -- as reported; NULL: not reported
  identity_id text, -- the player across games, as reported; NULL: not reported
  last_updated text, -- instant as reported, in UTC; NULL: not reported
  read_at timestamptz, -- when the answer was stored; NULL: none yet
  primary key (game_id, balance_job_id, entry_no),
  foreign key (game_id, balance_job_id) references balance_job,
  check (cardinality(asked_lines) = cardinality(asked_emails))
);
create unique index balance_entry_key on balance_entry (game_id, balance_job_id, entry_key);

-- Written and deleted together with its entries. No foreign key: checking each of 100,000 rows, by a plan made while the tables were empty, took minutes.
create table balance_held (
  game_id int not null, -- game of the job
  balance_job_id bigint not null, -- the job
  entry_no int not null, -- whose balance it is
  position int not null, -- place among the player's currencies as reported, from 1
  currency_id text, -- Invo's; NULL: not reported
  currency_name text, -- as reported; NULL: not reported
  available_balance coins not null, -- coins, below zero too; source: Invo
  reserved_balance coins, -- coins; NULL: not reported
  total_balance coins, -- coins, as reported and not computed; NULL: not reported
  primary key (game_id, balance_job_id, entry_no, position)
);

select pgboss.create_queue('balances', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":82800,"deleteAfterSeconds":3600}');
-- A queued job is due now; one at work is due again when its lease runs out.
create function wake_balances() returns trigger language plpgsql as $$
begin
  perform wake('balances', new.game_id || ':' || new.balance_job_id, jsonb_build_object('gameId', new.game_id),
    case new.state when 'queued' then clock_timestamp() when 'running' then new.lease_until end);
  return null;
end $$;
create trigger balance_job_wakes after insert or update of state, lease_until on balance_job for each row execute function wake_balances();
