-- Where a recipient is paid: proposed by one person, confirmed by another, sealed under SHAREBOOK_PAYEE_KEY. A line that pays names the details it pays to.

create table payee_detail (
  game_id int not null references game, -- game of the recipient
  recipient_player_id bigint not null, -- Invo's player_id of the recipient
  detail_no int not null check (detail_no >= 1), -- 1, 2, 3 … of the recipient; the newest that is confirmed is in force
  identity_id text, -- Invo's identity_id of the recipient when they were proposed: details pay no other identity; NULL: Invo reported none
  holder_kind text not null check (holder_kind in ('person', 'company')), -- who holds the account
  method text not null check (method in ('paypal', 'wise', 'sepa', 'wire_usd', 'ach', 'other', 'none')), -- how they are paid; none: not paid until others are confirmed
  country text check (country ~ '^[A-Z]{2}$'), -- ISO 3166 code of the holder's country; NULL: not stated
  sealed bytea not null, -- the entries: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag; bound to game, recipient and number
  key_name text not null check (key_name ~ '^[0-9a-f]{8}$'), -- first characters of the SHA-256 of the key that seals it
  mask text not null check (char_length(mask) between 1 and 100), -- the account as screens show it: its last characters at most
  fingerprint digest, -- HMAC of the account in one form under a key of SHAREBOOK_PAYEE_KEY: equal accounts of a game have equal ones; NULL: no account
  change_set uuid, -- the imported file it was proposed by; NULL: typed by itself
  reason text not null check (char_length(reason) between 1 and 500), -- why, for people
  proposed_by text not null references person, -- who proposed it
  proposed_at timestamptz not null default clock_timestamp(), -- when
  confirmed_by text references person, -- the second person; NULL: not confirmed
  confirmed_at timestamptz, -- when; NULL: not confirmed
  withdrawn_by text references person, -- who withdrew it; NULL: nobody
  withdrawn_at timestamptz, -- when; NULL: it wasn't
  primary key (game_id, recipient_player_id, detail_no),
  check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((withdrawn_by is null) = (withdrawn_at is null)),
  check (confirmed_at is null or withdrawn_at is null),
  check ((method = 'none') = (fingerprint is null))
);
create unique index payee_detail_open on payee_detail (game_id, recipient_player_id) where confirmed_at is null and withdrawn_at is null;
create index payee_detail_account on payee_detail (game_id, fingerprint) where confirmed_at is not null;
create index payee_detail_set on payee_detail (game_id, change_set) where change_set is not null;
create trigger payee_detail_kept before update or delete on payee_detail for each row
  execute function keep_until_end('confirmed_at', 'confirmed_by', 'withdrawn_by', 'withdrawn_at');
create trigger payee_detail_whole before truncate on payee_detail for each statement execute function refuse_change();

alter table payout_line add column detail_no int; -- the payment details it pays to; NULL: it pays nothing, or its run is older than payment details
alter table payout_line add constraint payout_line_detail foreign key (game_id, recipient_player_id, detail_no) references payee_detail;
alter table payout_line add check (detail_no is null or payable_usd > 0);
alter table payout_line drop constraint payout_line_outcome_check;
alter table payout_line add constraint payout_line_outcome_check check (outcome in ('payable', 'negative_balance', 'nothing_due', 'unresolved', 'excluded', 'on_hold', 'no_details', 'below_minimum'));
