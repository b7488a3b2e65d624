-- Payments of approved runs: items, the files that pay them, and what reports of banks and payment providers say of them.

-- Named columns are set once, others never; the second list is derived from facts and may change. Only the owner of the table seals under another key.
create function keep_set_once() returns trigger language plpgsql as $$
declare
  once constant text[] := string_to_array(tg_argv[0], ',');
  derived constant text[] := string_to_array(coalesce(tg_argv[1], ''), ',');
  sealing constant text[] := array['sealed', 'key_name'];
  was jsonb := to_jsonb(old);
  will jsonb;
  name text;
begin
  if tg_op = 'DELETE' then
    raise exception 'a row of % is never removed', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  will := to_jsonb(new);
  if was ->> 'key_name' <> will ->> 'key_name' and (will - sealing)::text = (was - sealing)::text
    and (select pg_has_role(relowner, 'usage') from pg_class where oid = tg_relid) then
    return new;
  end if;
  if (will - once - derived)::text <> (was - once - derived)::text then
    raise exception 'what a row of % says never changes', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  foreach name in array once loop
    if was ->> name is not null and was ->> name is distinct from will ->> name then
      raise exception '% of % is set once', name, tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return new;
end $$;

alter table payout_run add column usd_per_eur usd check (usd_per_eur > 0); -- USD for one EUR, typed by a person, at which SEPA payments are converted; NULL: none
alter table payout_run add column eur_rate_source text check (char_length(eur_rate_source) between 1 and 200); -- where the rate is from; NULL: no rate
alter table payout_run add column exported_at timestamptz; -- when the last of its payments was in a file; NULL: some is in none
alter table payout_run add column paid_at timestamptz; -- when no payment was open any more; NULL: some is
alter table payout_run add column closed_by text references person; -- who closed it; NULL: not closed
alter table payout_run add column closed_at timestamptz; -- when; NULL: not closed
alter table payout_run add check ((usd_per_eur is null) = (eur_rate_source is null));
alter table payout_run add check ((closed_by is null) = (closed_at is null) and (closed_at is null or paid_at is not null));
alter table payout_run add check (approved_at is not null or coalesce(exported_at, paid_at, closed_at) is null);
alter table payout_editor drop constraint payout_editor_because_check;
alter table payout_editor add constraint payout_editor_because_check
  check (because in ('drafted', 'composed', 'excluded', 'released', 'noted', 'found', 'set_minimum', 'set_rate', 'submitted'));

create table payout_sender (
  game_id int not null references game, -- game whose payments it sends
  sender_no int not null check (sender_no >= 1), -- 1, 2, 3 … of the game
  method text not null check (method in ('paypal', 'wise', 'sepa', 'wire_usd', 'ach')), -- the payments it sends; the newest that is confirmed is in force
  sealed bytea not null, -- settings and account of the partner: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag
  key_name text not null check (key_name ~ '^[0-9a-f]{8}$'), -- first characters of the SHA-256 of the key that seals it
  mask text not null check (char_length(mask) between 1 and 200), -- the account as screens show it
  digest digest not null, -- SHA-256 of what is sealed, which has random bytes; the audit of the proposal has it
  proposed_by text not null references person, -- who proposed it
  proposed_at timestamptz not null default clock_timestamp(), -- when
  confirmed_by text references person, -- the second person; NULL: not confirmed
  confirmed_at timestamptz, -- when; NULL: not confirmed
  withdrawn_by text references person, -- who withdrew it; NULL: nobody
  withdrawn_at timestamptz, -- when; NULL: it wasn't
  primary key (game_id, sender_no),
  check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((withdrawn_by is null) = (withdrawn_at is null)),
  check (confirmed_at is null or withdrawn_at is null)
);
create unique index payout_sender_open on payout_sender (game_id, method) where confirmed_at is null and withdrawn_at is null;
create trigger payout_sender_kept before update or delete on payout_sender for each row
  execute function keep_set_once('confirmed_by,confirmed_at,withdrawn_by,withdrawn_at');
create trigger payout_sender_whole before truncate on payout_sender for each statement execute function refuse_change();

create table payout_batch (
  game_id int not null, -- game of the run
  batch_no int not null check (batch_no >= 1), -- 1, 2, 3 … of the game; with the installation's code it is the ID that banks know the file by
  run_id bigint not null, -- the run whose payments it has
  method text not null check (method in ('paypal', 'wise', 'sepa', 'wire_usd', 'ach', 'other', 'elsewhere')), -- how its payments are paid; elsewhere: outside Sharebook, without a file
  format text check (format in ('paypal_web', 'paypal_api', 'wise', 'pain_001_09', 'pain_001_03', 'nacha_ppd', 'nacha_ccd', 'generic')), -- layout of the file; NULL: no file
  message_id text not null check (message_id ~ '^[A-Za-z0-9-]{1,35}$'), -- the ID in the file, used once
  part_no int not null check (part_no >= 1), -- 1 of `part_count`
  part_count int not null check (part_count >= part_no), -- files made together of one layout
  reissue_no int check (reissue_no >= 1), -- 1, 2, 3 … of the run when it has re-issued payments; NULL: the first payments
  sender_no int, -- the sender it was written for; NULL: the layout needs none
  created_local text not null check (created_local ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$'), -- wall-clock time in the file, without a zone
  execution_date date, -- day of payment; paid elsewhere: the day it was; NULL: the layout has none
  file_id_modifier text check (file_id_modifier ~ '^[A-Z0-9]$'), -- of NACHA, once per origin and day; NULL: the layout has none
  note text not null check (char_length(note) between 1 and 1000), -- what recipients read beside the reference; paid elsewhere: how
  usd_per_eur usd, -- the run's rate; NULL: the file is in USD
  eur_rate_source text, -- where the rate is from; NULL: no rate
  item_count int not null check (item_count >= 1), -- payments
  total_usd whole_cents not null check (total_usd > 0), -- USD
  currency text not null check (currency in ('USD', 'EUR')), -- of the file
  total_file whole_cents not null check (total_file > 0), -- in the file's currency
  file_name text, -- NULL: no file
  sealed bytea, -- the file's bytes, compressed: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag; NULL: no file
  key_name text check (key_name ~ '^[0-9a-f]{8}$'), -- first characters of the SHA-256 of the key that seals it; NULL: no file
  sha256 digest, -- SHA-256 of the file's bytes; NULL: no file
  made_by text not null references person, -- who made it
  made_at timestamptz not null default clock_timestamp(), -- when
  handed_over_by text references person, -- who gave it to the bank or provider; paid elsewhere: the second person; NULL: nobody
  handed_over_at timestamptz, -- when that was recorded; NULL: it wasn't
  item_nos int[], -- paid elsewhere: the payments it is about, so that no file takes them before it is decided; NULL: a file
  provider_reference text check (char_length(provider_reference) between 1 and 100), -- the bank's or provider's own number; NULL: none
  cancel_requested_by text references person, -- the first person to cancel it; NULL: nobody
  cancel_reason text check (char_length(cancel_reason) between 1 and 500), -- why; NULL: nobody asked
  cancelled_by text references person, -- the second person; paid elsewhere: who withdrew or declined it; NULL: not cancelled
  cancelled_at timestamptz, -- when; NULL: not cancelled
  primary key (game_id, batch_no),
  unique (game_id, message_id),
  foreign key (game_id, run_id) references payout_run,
  foreign key (game_id, sender_no) references payout_sender,
  check ((method = 'elsewhere') = (format is null) and (method = 'elsewhere') = (item_nos is not null)),
  check ((format is null) = (file_name is null) and (format is null) = (sealed is null) and (format is null) = (key_name is null) and (format is null) = (sha256 is null)),
  check ((usd_per_eur is null) = (eur_rate_source is null) and (usd_per_eur is null) = (currency = 'USD')),
  check ((format like 'nacha%') is not true or file_id_modifier is not null),
  check ((handed_over_by is null) = (handed_over_at is null)),
  check (provider_reference is null or handed_over_at is not null),
  check ((cancel_requested_by is null) = (cancel_reason is null)),
  check ((cancelled_by is null) = (cancelled_at is null)),
  check (handed_over_at is null or cancelled_at is null),
  check (method = 'elsewhere' or cancelled_at is null or cancel_requested_by is not null and cancelled_by <> cancel_requested_by),
  check (method <> 'elsewhere' or execution_date is not null and handed_over_by is distinct from made_by)
);
create index payout_batch_run on payout_batch (game_id, run_id);

create table ach_file_id (
  immediate_origin text not null, -- the originator, as its bank knows it
  created_on date not null, -- day of the file
  modifier text not null check (modifier ~ '^[A-Z0-9]$'), -- of one file of that day, whichever game it is of
  game_id int not null references game, -- game of the file
  batch_no int not null, -- the file
  primary key (immediate_origin, created_on, modifier)
);
create trigger ach_file_id_kept before update or delete on ach_file_id for each row execute function refuse_change();
create trigger ach_file_id_whole before truncate on ach_file_id for each statement execute function refuse_change();

create table payout_item (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the run that pays it
  item_no int not null check (item_no between 1 and 1048575), -- 1, 2, 3 … of the run by recipient, then as they come; with game and run it is the payment reference
  recipient_player_id bigint not null, -- who is paid
  amount_usd whole_cents not null check (amount_usd > 0), -- USD
  replaces_item_no int check (replaces_item_no < item_no), -- the payment it is a re-issue of; NULL: the first one of its line
  proposed_by text references person, -- who proposed the re-issue; NULL: the first one
  proposed_at timestamptz, -- when; NULL: the first one
  reason text check (char_length(reason) between 1 and 500), -- why it is re-issued; NULL: the first one
  confirmed_by text references person, -- the second person of a re-issue; NULL: not confirmed, or the first one
  confirmed_at timestamptz, -- when; NULL: not confirmed, or the first one
  withdrawn_by text references person, -- who withdrew or declined the re-issue; NULL: nobody
  withdrawn_at timestamptz, -- when; NULL: it wasn't
  detail_no int, -- payment details it goes to: those the run was approved with, or the newest of a re-issue; NULL: not known before its file, or paid elsewhere
  batch_no int, -- its only file; NULL: in none yet
  amount_file whole_cents check (amount_file > 0), -- in the file's currency; NULL: in no file yet
  trace text check (trace ~ '^[0-9]{15}$'), -- trace number in a NACHA file; NULL: none
  returned_in_run_id bigint, -- the later run whose balance it came back to; NULL: none
  state text not null default 'waiting', -- derived from files, reports and re-issues
  primary key (game_id, run_id, item_no),
  foreign key (game_id, run_id, recipient_player_id) references payout_line,
  foreign key (game_id, run_id, replaces_item_no) references payout_item,
  foreign key (game_id, recipient_player_id, detail_no) references payee_detail,
  foreign key (game_id, batch_no) references payout_batch,
  foreign key (game_id, returned_in_run_id) references payout_run,
  check ((replaces_item_no is null) = (proposed_by is null) and (replaces_item_no is null) = (proposed_at is null) and (replaces_item_no is null) = (reason is null)),
  check ((confirmed_by is null) = (confirmed_at is null) and (confirmed_by is null or proposed_by is not null)),
  check ((withdrawn_by is null) = (withdrawn_at is null) and (withdrawn_by is null or proposed_by is not null)),
  check (confirmed_at is null or withdrawn_at is null),
  check (confirmed_by <> proposed_by),
  check ((batch_no is null) = (amount_file is null) and (trace is null or batch_no is not null)),
  check (batch_no is null or replaces_item_no is null or confirmed_at is not null),
  check (returned_in_run_id > run_id),
  check (state in ('proposed', 'withdrawn', 'waiting', 'in_file', 'sent', 'pending', 'paid', 'failed', 'returned', 'cancelled', 'reissued', 'to_balance'))
);
create unique index payout_item_first on payout_item (game_id, run_id, recipient_player_id) where replaces_item_no is null;
create unique index payout_item_replaces on payout_item (game_id, run_id, replaces_item_no) where withdrawn_at is null;
create index payout_item_batch on payout_item (game_id, batch_no) where batch_no is not null;
create index payout_item_state on payout_item (game_id, run_id, state, item_no);
create index payout_item_recipient on payout_item (game_id, recipient_player_id, run_id);
create index payout_item_trace on payout_item (game_id, trace) where trace is not null;
create index payout_item_back on payout_item (game_id, recipient_player_id) where state in ('failed', 'returned') or returned_in_run_id is not null;

-- Items are made by an approved run, and go into files of that run while it is approved.
create function check_new_items() returns trigger language plpgsql as $$
begin
  perform 1 from payout_run r where (r.game_id, r.run_id) in (select m.game_id, m.run_id from made m) order by r.game_id, r.run_id for share;
  if exists (select from made m join payout_run r on r.game_id = m.game_id and r.run_id = m.run_id where r.state <> 'approved' or r.closed_at is not null) then
    raise exception 'payments are made of approved runs' using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from made m join payout_line l on l.game_id = m.game_id and l.run_id = m.run_id and l.recipient_player_id = m.recipient_player_id
    where m.replaces_item_no is null and (l.payable_usd, l.detail_no) is distinct from (m.amount_usd, m.detail_no)) then
    raise exception 'a payment pays what its line pays' using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from made m join payout_item i on i.game_id = m.game_id and i.run_id = m.run_id and i.item_no = m.replaces_item_no
    where (i.amount_usd, i.recipient_player_id) is distinct from (m.amount_usd, m.recipient_player_id) or i.returned_in_run_id is not null) then
    raise exception 'a re-issue pays what the payment before it did' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create function check_changed_items() returns trigger language plpgsql as $$
begin
  perform 1 from payout_run r where (r.game_id, r.run_id) in (select m.game_id, m.run_id from made m) order by r.game_id, r.run_id for share;
  if exists (select from made m join was o on o.game_id = m.game_id and o.run_id = m.run_id and o.item_no = m.item_no
    join payout_run r on r.game_id = m.game_id and r.run_id = m.run_id
    left join payout_batch b on b.game_id = m.game_id and b.batch_no = m.batch_no
    where m.batch_no is not null and o.batch_no is null
      and (r.state <> 'approved' or r.closed_at is not null or o.state <> 'waiting' or b.run_id <> m.run_id or coalesce(b.handed_over_at, b.cancelled_at) is not null)) then
    raise exception 'only a waiting payment of an approved run goes into a file' using errcode = 'integrity_constraint_violation';
  end if;
  -- As adjustments: a draft includes what came back, and a run that is not approved gives it back.
  if exists (select from made m join was o on o.game_id = m.game_id and o.run_id = m.run_id and o.item_no = m.item_no
    left join payout_run r on r.game_id = m.game_id and r.run_id = coalesce(m.returned_in_run_id, o.returned_in_run_id)
    where m.returned_in_run_id is distinct from o.returned_in_run_id
      and not (m.returned_in_run_id is not null and o.returned_in_run_id is null and r.state = 'draft' and o.state in ('failed', 'returned')
        or m.returned_in_run_id is null and (r.state = 'submitted' or r.state = 'approved' and r.void_requested_by is not null))) then
    raise exception 'a payment comes back to a draft and is given back by a run that is not approved' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger payout_item_made after insert on payout_item referencing new table as made for each statement execute function check_new_items();
create trigger payout_item_changed after update on payout_item referencing old table as was new table as made for each statement
  execute function check_changed_items();
-- As keep_set_once, without a look at rows that change as they may: a run has 100,000 payments.
create trigger payout_item_kept before delete on payout_item for each row execute function refuse_change();
create trigger payout_item_set_once before update on payout_item for each row
  when ((old.game_id, old.run_id, old.item_no, old.recipient_player_id, old.amount_usd, old.replaces_item_no, old.proposed_by, old.proposed_at, old.reason) is distinct from (new.game_id, new.run_id, new.item_no, new.recipient_player_id, new.amount_usd, new.replaces_item_no, new.proposed_by, new.proposed_at, new.reason)
    or old.confirmed_by is not null and old.confirmed_by is distinct from new.confirmed_by
    or old.confirmed_at is not null and old.confirmed_at is distinct from new.confirmed_at
    or old.withdrawn_by is not null and old.withdrawn_by is distinct from new.withdrawn_by
    or old.withdrawn_at is not null and old.withdrawn_at is distinct from new.withdrawn_at
    or old.detail_no is not null and old.detail_no is distinct from new.detail_no
    or old.batch_no is not null and old.batch_no is distinct from new.batch_no
    or old.amount_file is not null and old.amount_file is distinct from new.amount_file
    or old.trace is not null and old.trace is distinct from new.trace)
  execute function refuse_change();
create trigger payout_item_whole before truncate on payout_item for each statement execute function refuse_change();

-- A file is handed over while its run is approved. The lock lets no void come between.
create function check_payout_batch() returns trigger language plpgsql as $$
begin
  if new.handed_over_at is not null and old.handed_over_at is null and not exists (
    select from payout_run r where r.game_id = new.game_id and r.run_id = new.run_id and r.state = 'approved' and r.closed_at is null for share) then
    raise exception 'only a file of an approved run is handed over' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger payout_batch_checked before update on payout_batch for each row execute function check_payout_batch();
create trigger payout_batch_kept before update or delete on payout_batch for each row
  execute function keep_set_once('handed_over_by,handed_over_at,provider_reference,cancelled_by,cancelled_at', 'cancel_requested_by,cancel_reason');
create trigger payout_batch_whole before truncate on payout_batch for each statement execute function refuse_change();

create table payment_report (
  game_id int not null references game, -- game it was given for
  report_no int not null check (report_no >= 1), -- 1, 2, 3 … of the game
  kind text not null check (kind in ('paypal_activity', 'paypal_batch', 'wise_statement', 'camt_053', 'camt_054', 'pain_002', 'nacha_returns', 'generic', 'pasted')), -- layout
  file_name text, -- as it was chosen; NULL: pasted
  sealed bytea not null, -- its bytes, compressed: nonce, AES-256-GCM under a key of SHAREBOOK_PAYEE_KEY, tag
  key_name text not null check (key_name ~ '^[0-9a-f]{8}$'), -- first characters of the SHA-256 of the key that seals it
  sha256 digest not null, -- SHA-256 of its bytes: the same report is stored once
  date_order text check (date_order in ('day_first', 'month_first')), -- which number of its dates is the day, as a person chose; NULL: its dates show it
  row_count int not null check (row_count >= 0), -- rows that are about payments
  fee_count int not null check (fee_count >= 0), -- rows about fees, which are left out
  result text not null, -- what it said, in one sentence
  added_by text not null references person, -- who gave it
  added_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, report_no),
  unique (game_id, sha256)
);
create trigger payment_report_kept before update or delete on payment_report for each row execute function keep_set_once('');
create trigger payment_report_whole before truncate on payment_report for each statement execute function refuse_change();

create table payment_confirmation (
  game_id int not null, -- game of the payment
  report_no int not null, -- the report
  row_no int not null check (row_no >= 1), -- its row
  run_id bigint not null, -- the payment
  item_no int not null, -- its number in the run
  state text not null check (state in ('pending', 'failed', 'paid', 'returned')), -- what the row says of it
  occurred_on date, -- the provider's date; NULL: none
  amount usd check (amount >= 0), -- without its sign; NULL: the layout has none
  currency text check (currency ~ '^[A-Z]{3}$'), -- of the amount; NULL: none
  fee_usd whole_cents check (fee_usd > 0), -- what banks took of a return, as a person confirmed; NULL: nothing
  provider_id text, -- the provider's ID of the movement; NULL: none
  reason_code text, -- such as R01 or AC04; NULL: none
  matched_by text not null check (matched_by in ('reference', 'trace', 'provider_id', 'message', 'batch_total', 'person')), -- what the row named it by; person: accepted with a note
  row_digest digest not null, -- SHA-256 of the row's cells and its number among equal rows
  confirmed_at timestamptz not null default clock_timestamp(), -- when it was stored
  primary key (game_id, run_id, item_no, report_no, row_no),
  foreign key (game_id, run_id, item_no) references payout_item,
  foreign key (game_id, report_no) references payment_report,
  check ((amount is null) = (currency is null)),
  check (fee_usd is null or state = 'returned' and matched_by = 'person')
);
create index payment_confirmation_report on payment_confirmation (game_id, report_no, row_no);
create index payment_confirmation_provider on payment_confirmation (game_id, provider_id) where provider_id is not null;
create trigger payment_confirmation_kept before update or delete on payment_confirmation for each row execute function refuse_change();
create trigger payment_confirmation_whole before truncate on payment_confirmation for each statement execute function refuse_change();

create table payment_report_row (
  game_id int not null, -- game of the report
  report_no int not null, -- the report
  row_no int not null check (row_no >= 1), -- its row, which confirmed nothing by itself
  problem text not null, -- why
  run_id bigint, -- the payment it seems to be about; NULL: none, or several
  item_no int, -- its number in the run; NULL: none, or several
  state text check (state in ('pending', 'failed', 'paid', 'returned')), -- what the row says; NULL: its word isn't known
  occurred_on date, -- the provider's date; NULL: none
  amount usd, -- without its sign; NULL: the layout has none
  currency text check (currency ~ '^[A-Z]{3}$'), -- of the amount; NULL: none
  provider_id text, -- the provider's ID of the movement; NULL: none
  row_digest digest not null, -- SHA-256 of the row's cells and its number among equal rows
  decision text check (decision in ('accepted', 'set_aside')), -- accepted: it is about that payment; set_aside: it isn't; NULL: open
  decided_by text references person, -- who decided; NULL: open
  decided_at timestamptz, -- when; NULL: open
  note text check (char_length(note) between 1 and 500), -- why; NULL: open
  primary key (game_id, report_no, row_no),
  foreign key (game_id, report_no) references payment_report,
  foreign key (game_id, run_id, item_no) references payout_item,
  check ((run_id is null) = (item_no is null)),
  check ((amount is null) = (currency is null)),
  check (problem in ('foreign', 'two_references', 'differs', 'unreadable', 'unknown_word', 'not_handed_over', 'paid_twice', 'returned_in_part', 'returned_more',
    'total_differs', 'replaced')),
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null) and (decision is null) = (note is null))
);
create index payment_report_row_open on payment_report_row (game_id, report_no, row_no) where decision is null;
create index payment_report_row_item on payment_report_row (game_id, run_id, item_no) where run_id is not null;
create trigger payment_report_row_kept before update or delete on payment_report_row for each row
  execute function keep_set_once('decision,decided_by,decided_at,note');
create trigger payment_report_row_whole before truncate on payment_report_row for each statement execute function refuse_change();

-- A run whose file was handed over isn't voided; what follows approval is set when payments are.
create or replace function keep_payout_run() returns trigger language plpgsql as $$
declare
  composed constant text[] := array['snapshot_id', 'policy_no', 'revision', 'composed_at', 'line_count', 'payable_count', 'opening_usd', 'earned_usd', 'reversed_usd',
    'pinned_usd', 'adjusted_usd', 'returned_usd', 'payable_usd', 'closing_usd', 'draft_digest', 'usd_per_eur', 'eur_rate_source'];
  decided constant text[] := array['state', 'version', 'content', 'content_digest', 'approvals_wanted', 'submitted_by', 'submitted_at', 'rejected_by', 'reject_reason',
    'approved_at', 'void_requested_by', 'void_reason', 'voided_by', 'voided_at', 'exported_at', 'paid_at', 'closed_by', 'closed_at'];
  progress constant text[] := array['exported_at', 'paid_at'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a run is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if (to_jsonb(new) - decided - composed)::text <> (to_jsonb(old) - decided - composed)::text
    or old.state <> 'draft' and (to_jsonb(new) - decided)::text <> (to_jsonb(old) - decided)::text
    or old.approved_at is not null and (old.content, old.content_digest, old.approved_at, old.approvals_wanted)
      is distinct from (new.content, new.content_digest, new.approved_at, new.approvals_wanted) then
    raise exception 'what a run pays never changes once it is submitted' using errcode = 'integrity_constraint_violation';
  end if;
  if old.state <> new.state and not (old.state, new.state) in (('draft', 'submitted'), ('draft', 'void'), ('submitted', 'draft'), ('submitted', 'rejected'),
    ('submitted', 'approved'), ('submitted', 'void'), ('rejected', 'draft'), ('rejected', 'void'), ('approved', 'void')) then
    raise exception 'a run does not go from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  if new.state = 'approved' and old.state <> 'approved' and (
    select count(*) from payout_approval a where a.game_id = new.game_id and a.run_id = new.run_id and a.content_digest = new.content_digest) < new.approvals_wanted then
    raise exception 'a run is approved by % other people', new.approvals_wanted using errcode = 'integrity_constraint_violation';
  end if;
  if new.state = 'void' and old.state <> 'void' then
    if exists (select from payout_run r where r.game_id = new.game_id and r.previous_run_id = new.run_id and r.state <> 'void') then
      raise exception 'a run that another one follows is not voided' using errcode = 'integrity_constraint_violation';
    end if;
    if exists (select from payout_batch b where b.game_id = new.game_id and b.run_id = new.run_id and b.handed_over_at is not null) then
      raise exception 'a run is not voided after a hand-over' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  if old.closed_at is not null and (new.closed_at, new.closed_by, new.state) is distinct from (old.closed_at, old.closed_by, old.state) then
    raise exception 'a closed run stays closed' using errcode = 'integrity_constraint_violation';
  end if;
  -- Payments move on without changing what people decide about.
  if (to_jsonb(new) - progress)::text <> (to_jsonb(old) - progress)::text then
    new.version := old.version + 1;
  end if;
  return new;
end $$;

-- After a restore: payments made after the backup, which nobody makes again without saying that they weren't paid.
alter table payout_pause add column missing_files jsonb; -- payment files, and payments recorded elsewhere, that the data folder knows and this database lacks, by lib/payouts/rules/missing-run.ts; NULL: no data folder knows
drop trigger payout_pause_kept on payout_pause;
create trigger payout_pause_kept before update or delete on payout_pause for each row
  execute function keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no', 'missing', 'missing_files');

-- Runs approved before this migration.
insert into payout_item (game_id, run_id, item_no, recipient_player_id, amount_usd, detail_no)
select line.game_id, line.run_id, row_number() over (partition by line.game_id, line.run_id order by line.recipient_player_id), line.recipient_player_id,
  line.payable_usd, line.detail_no
from payout_line line join payout_run run on run.game_id = line.game_id and run.run_id = line.run_id
where run.state = 'approved' and line.payable_usd > 0;
update payout_run run set exported_at = clock_timestamp(), paid_at = clock_timestamp()
where state = 'approved' and not exists (select from payout_item i where i.game_id = run.game_id and i.run_id = run.run_id);
