-- Journals: what approved payout runs come to in the books, as balanced transfers that never change. A voided run's journals are reversed by another one.

create table account_map (
  game_id int not null references game, -- game whose books these are
  map_no int not null check (map_no >= 1), -- 1, 2, 3 … of the game; the newest is used, and a file names the one it was written with
  accounts jsonb not null, -- codes and names by account, versioned
  set_by text not null references person, -- who set them
  set_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, map_no)
);

create table journal_entry (
  game_id int not null, -- game of the run
  entry_no int not null check (entry_no >= 1), -- 1, 2, 3 … of the game, in the order in which roundings carry over
  journal_no text not null, -- number in the books, such as 202610-A
  kind text not null check (kind in ('accrual', 'card_fees', 'reversal')), -- accrual of a run, card fees of its month, or what takes both back
  run_id bigint not null, -- the run it is about
  posted_on date not null, -- last day of the run's month
  written_by text not null references person, -- whose approval, act or void wrote it
  written_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, entry_no),
  unique (game_id, journal_no),
  foreign key (game_id, run_id) references payout_run
);
create index journal_entry_run on journal_entry (game_id, run_id);
create unique index journal_entry_once on journal_entry (game_id, run_id, kind) where kind <> 'card_fees';

create table journal_transfer (
  game_id int not null, -- game of the journal
  entry_no int not null, -- the journal
  transfer_no int not null check (transfer_no >= 1), -- 1, 2, 3 … of the journal
  kind text not null, -- what moves; each kind has a running total
  debit text not null, -- account debited
  credit text not null, -- account credited
  exact_usd usd not null, -- USD to the last digit; below zero in a reversal
  posted_usd whole_cents not null, -- USD posted: the rounded running total of the kind, less what was posted of it before
  primary key (game_id, entry_no, transfer_no),
  unique (game_id, entry_no, kind),
  foreign key (game_id, entry_no) references journal_entry,
  check (kind in ('revenue_settled', 'service_fee', 'revenue_reversed', 'shares_earned', 'shares_reversed', 'adjusted_up', 'adjusted_down', 'paid_elsewhere',
    'paid_elsewhere_corrected', 'brought_forward', 'brought_forward_negative', 'negative_balances_grew', 'negative_balances_shrank', 'card_fees')),
  check (debit in ('invo_receivable', 'service_fee', 'revenue', 'refunds_revenue', 'card_fees', 'revenue_share', 'recipients_payable', 'recipients_receivable', 'adjustments',
    'opening_balances', 'payout_clearing')),
  check (credit in ('invo_receivable', 'service_fee', 'revenue', 'refunds_revenue', 'card_fees', 'revenue_share', 'recipients_payable', 'recipients_receivable', 'adjustments',
    'opening_balances', 'payout_clearing')),
  check (debit <> credit)
);

create trigger account_map_kept before update or delete on account_map for each row execute function refuse_change();
create trigger account_map_whole before truncate on account_map for each statement execute function refuse_change();
create trigger journal_entry_kept before update or delete on journal_entry for each row execute function refuse_change();
create trigger journal_entry_whole before truncate on journal_entry for each statement execute function refuse_change();
create trigger journal_transfer_kept before update or delete on journal_transfer for each row execute function refuse_change();
create trigger journal_transfer_whole before truncate on journal_transfer for each statement execute function refuse_change();
