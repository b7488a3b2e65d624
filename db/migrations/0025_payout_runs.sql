-- Payout runs: what the partner decides to pay for one month, on evidence that never changes.
-- Rows of a run's lines and reversals are written while it is a draft; a correction later is an adjustment that names what it corrects.

create domain whole_cents as numeric check (value not in ('NaN', 'Infinity', '-Infinity') and value = trunc(value, 2));

create table payout_policy (
  game_id int not null references game, -- game of the policy
  policy_no int not null check (policy_no >= 1), -- 1, 2, 3 … of the game; a run names the one it was composed under
  minimum_usd whole_cents not null default 10.00 check (minimum_usd >= 0.01), -- USD; less is carried forward. 0.01 pays every whole cent
  second_approval_from_usd whole_cents check (second_approval_from_usd > 0), -- USD payable of a run from which two people approve; NULL: never
  recheck_hours int not null default 24 check (recheck_hours between 1 and 720), -- hours for which an equal re-check counts at submission and approval
  change_percent int not null default 50 check (change_percent between 1 and 10000), -- a recipient whose net changed by more is listed before submission
  first_payment_from_usd whole_cents not null default 100.00 check (first_payment_from_usd >= 0), -- USD; a first payment of at least this needs a note
  holds_base_mismatch boolean not null default true, -- whether periods whose base differs are held until a person decides
  proposed_by text references person, -- who proposed it; NULL: the defaults of a new game
  proposed_at timestamptz not null default clock_timestamp(), -- when
  confirmed_by text references person, -- the second person; NULL: not in force, unless it is the defaults
  confirmed_at timestamptz, -- when; NULL: not confirmed
  withdrawn_at timestamptz, -- when it was withdrawn or rejected; NULL: it wasn't
  primary key (game_id, policy_no),
  check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_at is null or withdrawn_at is null)
);
create unique index payout_policy_open on payout_policy (game_id) where proposed_by is not null and confirmed_by is null and withdrawn_at is null;

create table payout_minimum (
  game_id int not null references game, -- game of the recipient
  recipient_player_id bigint not null, -- Invo's player_id of the recipient
  minimum_no int not null check (minimum_no >= 1), -- 1, 2, 3 … of the recipient; the newest applies
  minimum_usd whole_cents check (minimum_usd >= 0.01), -- USD; NULL: the policy's again
  set_by text not null references person, -- who set it
  set_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, recipient_player_id, minimum_no)
);

create table payout_run (
  game_id int not null references game, -- game of the run
  run_id bigint generated always as identity, -- one run
  run_no int not null check (run_no between 1 and 32767), -- 1, 2, 3 … of the game, as people call it; a voided run keeps its number
  window_start timestamptz not null, -- first instant of the month, where the run before ended
  window_end timestamptz not null, -- up to, not including
  snapshot_id bigint not null, -- the complete snapshot it pays from
  previous_run_id bigint, -- the run whose balances it opens with; NULL: the first of the game
  policy_no int not null, -- the policy it is composed under
  state text not null default 'draft' check (state in ('draft', 'submitted', 'rejected', 'approved', 'void')), -- state of the run
  version int not null default 0, -- changes of the row, counted; forms carry it
  revision int not null default 0, -- compositions of the lines, counted
  composed_at timestamptz, -- when holds, adjustments and minimums were read; NULL: not composed yet
  line_count int not null default 0, -- lines, one per recipient
  payable_count int not null default 0, -- lines that pay something
  opening_usd usd not null default 0, -- USD, sums over the lines from here on
  earned_usd usd not null default 0, -- USD
  reversed_usd usd not null default 0, -- USD
  pinned_usd usd not null default 0, -- USD reported as reversed and deducted by an earlier run
  adjusted_usd usd not null default 0, -- USD
  returned_usd usd not null default 0, -- USD
  payable_usd whole_cents not null default 0, -- USD
  closing_usd usd not null default 0, -- USD carried forward
  draft_digest digest, -- SHA-256 over what was composed and from what; NULL: not composed yet
  content jsonb, -- everything an approval covers, as submitted; NULL: not submitted
  content_digest digest, -- SHA-256 over the content; NULL: not submitted
  approvals_wanted int not null default 1 check (approvals_wanted in (1, 2)), -- people who must approve
  drafted_by text not null references person, -- who started it
  drafted_at timestamptz not null default clock_timestamp(), -- when
  submitted_by text references person, -- who submitted it last; NULL: never
  submitted_at timestamptz, -- when; NULL: never
  rejected_by text references person, -- who rejected it; NULL: not rejected
  reject_reason text check (char_length(reject_reason) between 1 and 1000), -- why; NULL: not rejected
  approved_at timestamptz, -- when the last approval came; NULL: not approved
  void_requested_by text references person, -- who asked to void it after approval; NULL: nobody
  void_reason text check (char_length(void_reason) between 1 and 1000), -- why it is, or is to be, voided; NULL: neither
  voided_by text references person, -- who voided it; NULL: not voided
  voided_at timestamptz, -- when; NULL: not voided
  primary key (game_id, run_id),
  unique (game_id, run_no),
  foreign key (game_id, snapshot_id) references snapshot,
  foreign key (game_id, previous_run_id) references payout_run,
  foreign key (game_id, policy_no) references payout_policy,
  check (window_start < window_end),
  check (previous_run_id < run_id),
  check (opening_usd + earned_usd - reversed_usd + pinned_usd + adjusted_usd + returned_usd - payable_usd = closing_usd),
  check ((content is null) = (content_digest is null)),
  check ((state in ('submitted', 'approved')) = (content_digest is not null) or state = 'void'),
  check ((submitted_by is null) = (submitted_at is null)),
  check ((state = 'approved') = (approved_at is not null) or state = 'void'),
  check ((state = 'rejected') = (rejected_by is not null) or state = 'void'),
  check ((rejected_by is null) = (reject_reason is null)),
  check (rejected_by <> submitted_by),
  check ((state = 'void') = (voided_at is not null) and (voided_at is null) = (voided_by is null)),
  check (state <> 'void' or void_reason is not null),
  check (void_requested_by is null or approved_at is not null and void_reason is not null),
  check (voided_by <> void_requested_by),
  check (voided_at is null or approved_at is null or void_requested_by is not null)
);
create unique index payout_run_follows on payout_run (game_id, coalesce(previous_run_id, 0)) where state <> 'void';
create unique index payout_run_window on payout_run (game_id, window_start) where state <> 'void';
create index payout_run_newest on payout_run (game_id, window_start desc);

create table payout_hold (
  game_id int not null references game, -- game of the recipient
  hold_id bigint generated always as identity, -- one hold
  recipient_player_id bigint not null, -- whose money is held
  period_id bigint, -- the settled period it is about; NULL: the recipient
  attributed_usd usd, -- USD attributed for that period: no more than what is left of it is held; NULL: no period
  amount_usd usd check (amount_usd > 0), -- USD held at most; NULL: everything due
  only_run_id bigint, -- the run the recipient is excluded from; NULL: until released or expired
  reason_code text not null check (reason_code in ('dispute', 'fraud_warning', 'base_mismatch', 'identity', 'legal', 'open_refund', 'asked_by_recipient', 'excluded', 'other')), -- reason of the hold
  note text not null check (char_length(note) between 1 and 500), -- why, for people
  assigned_to text not null references person, -- who follows it up
  placed_by text not null references person, -- who placed it
  placed_at timestamptz not null default clock_timestamp(), -- when
  expires_at timestamptz, -- nothing is held from then on; NULL: until released
  released_by text references person, -- who released it; NULL: not released
  released_at timestamptz, -- when; NULL: not released
  release_note text check (char_length(release_note) between 1 and 500), -- why it was released; NULL: not released
  primary key (game_id, hold_id),
  foreign key (game_id, only_run_id) references payout_run,
  check ((released_by is null) = (released_at is null) and (released_by is null) = (release_note is null)),
  check ((period_id is null) = (attributed_usd is null) and (period_id is null or amount_usd is not null)),
  check ((reason_code = 'excluded') = (only_run_id is not null))
);
create index payout_hold_recipient on payout_hold (game_id, recipient_player_id, hold_id);
create index payout_hold_open on payout_hold (game_id, hold_id) where released_at is null;

create table payout_adjustment (
  game_id int not null references game, -- game of the recipient
  adjustment_id bigint generated always as identity, -- one adjustment
  recipient_player_id bigint not null, -- whose balance it changes
  amount_usd usd not null check (amount_usd <> 0), -- USD, above zero is owed to the recipient
  kind text not null check (kind in ('correction', 'drift', 'goodwill', 'write_off', 'transfer', 'paid_elsewhere', 'brought_forward')), -- kind of adjustment; brought_forward: owed from before Sharebook
  reason text not null check (char_length(reason) between 1 and 1000), -- printed on the recipient's statement
  corrects_run_id bigint, -- the run it corrects; NULL: none
  corrects_period_id bigint, -- the period it corrects; NULL: none
  pair_id bigint, -- id shared by the two halves of a transfer; NULL: no transfer
  proposed_by text not null references person, -- who proposed it
  proposed_at timestamptz not null default clock_timestamp(), -- when
  confirmed_by text references person, -- the second person; NULL: not confirmed
  confirmed_at timestamptz, -- when; NULL: not confirmed
  withdrawn_by text references person, -- who withdrew or rejected it; NULL: nobody
  withdrawn_at timestamptz, -- when; NULL: it wasn't
  run_id bigint, -- the submitted or approved run that includes it; NULL: waits for the next
  primary key (game_id, adjustment_id),
  foreign key (game_id, run_id) references payout_run,
  foreign key (game_id, corrects_run_id) references payout_run,
  check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((withdrawn_by is null) = (withdrawn_at is null)),
  check (run_id is null or confirmed_by is not null and withdrawn_at is null),
  check ((kind = 'transfer') = (pair_id is not null))
);
create index payout_adjustment_waiting on payout_adjustment (game_id, recipient_player_id) where run_id is null and withdrawn_at is null;
create index payout_adjustment_run on payout_adjustment (game_id, run_id);

create table payout_reversal (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the run
  period_id bigint not null, -- Invo's id of the refunded period
  recipient_player_id bigint not null, -- whose share was reversed
  is_coarse boolean not null, -- reported without receipts: contains what earlier months reported
  attributed_usd usd not null, -- USD attributed for the period when it settled
  reported_usd usd not null, -- USD Invo reports as reversed in this month
  taken_before_usd usd not null check (taken_before_usd >= 0), -- USD deducted before
  taken_usd usd not null check (taken_usd >= 0), -- USD this run deducts
  pinned_usd usd not null generated always as (reported_usd - taken_usd) stored, -- USD reported and not deducted again
  primary key (game_id, run_id, period_id),
  foreign key (game_id, run_id) references payout_run,
  check (reported_usd < 0 or taken_usd <= reported_usd),
  check (taken_usd = 0 or taken_before_usd + taken_usd <= attributed_usd)
);
create index payout_reversal_period on payout_reversal (game_id, period_id, run_id);
create index payout_reversal_recipient on payout_reversal (game_id, run_id, recipient_player_id);

create table payout_line (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the run
  recipient_player_id bigint not null, -- the recipient
  seen_snapshot_id bigint, -- newest snapshot that names the recipient, where name, email and identity are read; NULL: none does
  resolved boolean, -- as that snapshot reports; NULL: not reported
  opening_usd usd not null, -- USD carried forward by the run before
  earned_usd usd not null, -- USD, gross of the month
  reversed_usd usd not null, -- USD reported as reversed in the month
  pinned_usd usd not null, -- USD of that deducted before
  adjusted_usd usd not null, -- USD of confirmed adjustments
  returned_usd whole_cents not null, -- USD of payments that came back
  due_usd usd not null generated always as (opening_usd + earned_usd - reversed_usd + pinned_usd + adjusted_usd + returned_usd) stored, -- USD
  held_usd usd not null check (held_usd >= 0), -- USD of it on hold
  minimum_usd whole_cents not null, -- USD, the minimum that applied
  together_usd whole_cents not null, -- USD, what all recipients of the same identity would be paid, compared with the minimum
  payable_usd whole_cents not null check (payable_usd >= 0), -- USD this run pays
  closing_usd usd not null generated always as (opening_usd + earned_usd - reversed_usd + pinned_usd + adjusted_usd + returned_usd - payable_usd) stored, -- USD carried forward
  outcome text not null check (outcome in ('payable', 'negative_balance', 'nothing_due', 'unresolved', 'excluded', 'on_hold', 'below_minimum')), -- why it pays or doesn't
  also text[] not null default '{}', -- further reasons that apply, in order
  primary key (game_id, run_id, recipient_player_id),
  foreign key (game_id, run_id) references payout_run,
  foreign key (game_id, seen_snapshot_id) references snapshot,
  check ((outcome = 'payable') = (payable_usd > 0)),
  check (payable_usd <= greatest(0, opening_usd + earned_usd - reversed_usd + pinned_usd + adjusted_usd + returned_usd - held_usd)),
  check (outcome <> 'payable' or resolved is true),
  check ((outcome = 'negative_balance') = (opening_usd + earned_usd - reversed_usd + pinned_usd + adjusted_usd + returned_usd < 0)),
  check ((outcome = 'nothing_due') = (opening_usd + earned_usd - reversed_usd + pinned_usd + adjusted_usd + returned_usd = 0))
);
create index payout_line_payable on payout_line (game_id, run_id, payable_usd desc, recipient_player_id);
create index payout_line_due on payout_line (game_id, run_id, due_usd desc, recipient_player_id);
create index payout_line_outcome on payout_line (game_id, run_id, outcome, recipient_player_id);
create index payout_line_recipient on payout_line (game_id, recipient_player_id, run_id);

create table payout_note (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the run
  check_key text not null, -- the check of the close it answers
  facts digest not null, -- SHA-256 of what the check showed; other facts need a new note
  note text not null check (char_length(note) between 1 and 1000), -- why the run may go on
  noted_by text not null references person, -- who wrote it
  noted_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, run_id, check_key, facts),
  foreign key (game_id, run_id) references payout_run
);

create table unattributed_finding (
  game_id int not null references game, -- game of the month
  window_start timestamptz not null, -- first instant of the month
  window_end timestamptz not null, -- up to, not including
  reason text not null, -- Invo's reason
  finding_no int not null check (finding_no >= 1), -- 1, 2, 3 … of the month and reason
  renewal_count int not null check (renewal_count >= 1), -- renewals it answers
  conclusion text not null check (conclusion in ('nothing_owed', 'owed_and_adjusted', 'raised_with_invo', 'not_findable')), -- what came out
  note text not null check (char_length(note) between 1 and 1000), -- how, for people
  found_by text not null references person, -- who recorded it
  found_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, window_start, window_end, reason, finding_no)
);

create table payout_editor (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the run
  person_id text not null references person, -- a person who worked on it, and so can't approve it
  because text not null check (because in ('drafted', 'composed', 'excluded', 'released', 'noted', 'found', 'set_minimum', 'submitted')), -- what they did
  edited_at timestamptz not null default clock_timestamp(), -- when first
  primary key (game_id, run_id, person_id, because),
  foreign key (game_id, run_id) references payout_run
);

create table payout_approval (
  game_id int not null, -- game of the run
  run_id bigint not null, -- the run
  content_digest digest not null, -- what was approved
  approved_by text not null references person, -- who approved
  approved_at timestamptz not null default clock_timestamp(), -- when
  proved_at timestamptz not null, -- when they gave their password
  primary key (game_id, run_id, content_digest, approved_by),
  foreign key (game_id, run_id) references payout_run,
  check (approved_at - proved_at between interval '0' and interval '5 minutes')
);

-- Lines and reversals belong to a draft; one look at the runs for each statement, whatever its rows.
create function keep_composed() returns trigger language plpgsql as $$
begin
  if exists (select from touched t join payout_run r on r.game_id = t.game_id and r.run_id = t.run_id where r.state <> 'draft') then
    raise exception '% of a run never changes once it is submitted', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger payout_line_added after insert on payout_line referencing new table as touched for each statement execute function keep_composed();
create trigger payout_line_removed after delete on payout_line referencing old table as touched for each statement execute function keep_composed();
create trigger payout_line_kept before update on payout_line for each row execute function refuse_change();
create trigger payout_line_whole before truncate on payout_line for each statement execute function refuse_change();
create trigger payout_reversal_added after insert on payout_reversal referencing new table as touched for each statement execute function keep_composed();
create trigger payout_reversal_removed after delete on payout_reversal referencing old table as touched for each statement execute function keep_composed();
create trigger payout_reversal_kept before update on payout_reversal for each row execute function refuse_change();
create trigger payout_reversal_whole before truncate on payout_reversal for each statement execute function refuse_change();

create trigger payout_minimum_kept before update or delete on payout_minimum for each row execute function refuse_change();
create trigger payout_minimum_whole before truncate on payout_minimum for each statement execute function refuse_change();
create trigger payout_note_kept before update or delete on payout_note for each row execute function refuse_change();
create trigger payout_note_whole before truncate on payout_note for each statement execute function refuse_change();
create trigger unattributed_finding_kept before update or delete on unattributed_finding for each row execute function refuse_change();
create trigger unattributed_finding_whole before truncate on unattributed_finding for each statement execute function refuse_change();
create trigger payout_editor_kept before update or delete on payout_editor for each row execute function refuse_change();
create trigger payout_editor_whole before truncate on payout_editor for each statement execute function refuse_change();
create trigger payout_approval_kept before update or delete on payout_approval for each row execute function refuse_change();
create trigger payout_approval_whole before truncate on payout_approval for each statement execute function refuse_change();

-- A policy, a hold and an adjustment are decided once; what they say never changes.
create function keep_decided() returns trigger language plpgsql as $$
declare
  decisions constant text[] := case tg_table_name
    when 'payout_policy' then array['confirmed_by', 'confirmed_at', 'withdrawn_at']
    when 'payout_hold' then array['released_by', 'released_at', 'release_note']
    else array['confirmed_by', 'confirmed_at', 'withdrawn_by', 'withdrawn_at', 'run_id'] end;
  decision text;
begin
  if tg_op = 'DELETE' then
    raise exception 'a row of % is never removed', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  if (to_jsonb(new) - decisions)::text <> (to_jsonb(old) - decisions)::text then
    raise exception 'what a row of % says never changes', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  foreach decision in array decisions loop
    if decision <> 'run_id' and to_jsonb(old) ->> decision is not null and to_jsonb(old) ->> decision is distinct from to_jsonb(new) ->> decision then
      raise exception 'a row of % is decided once', tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return new;
end $$;
create trigger payout_policy_kept before update or delete on payout_policy for each row execute function keep_decided();
create trigger payout_policy_whole before truncate on payout_policy for each statement execute function refuse_change();
create trigger payout_hold_kept before update or delete on payout_hold for each row execute function keep_decided();
create trigger payout_hold_whole before truncate on payout_hold for each statement execute function refuse_change();
create trigger payout_adjustment_kept before update or delete on payout_adjustment for each row execute function keep_decided();
create trigger payout_adjustment_whole before truncate on payout_adjustment for each statement execute function refuse_change();

-- An adjustment is included in one run: taken from the waiting ones as that run is submitted, given back as it stops being submitted.
create function keep_included() returns trigger language plpgsql as $$
begin
  if old.run_id is distinct from new.run_id and not exists (
    select from payout_run r where r.game_id = new.game_id and r.run_id = coalesce(new.run_id, old.run_id)
      and r.state = case when new.run_id is null then 'submitted' else 'draft' end
  ) and not (new.run_id is null and exists (
    select from payout_run r where r.game_id = old.game_id and r.run_id = old.run_id and r.state = 'approved' and r.void_requested_by is not null)) then
    raise exception 'an adjustment is included by a draft and given back by a run that is not approved' using errcode = 'integrity_constraint_violation';
  end if;
  if old.run_id is not null and new.run_id is not null and old.run_id <> new.run_id then
    raise exception 'an adjustment is included in one run' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger payout_adjustment_included before update of run_id on payout_adjustment for each row execute function keep_included();

create function start_payout_run() returns trigger language plpgsql as $$
declare
  before payout_run;
begin
  if new.state <> 'draft' then
    raise exception 'a run starts as a draft' using errcode = 'integrity_constraint_violation';
  end if;
  if new.previous_run_id is not null then
    select * into before from payout_run r where r.game_id = new.game_id and r.run_id = new.previous_run_id for key share;
    if before.state <> 'approved' or before.window_end <> new.window_start then
      raise exception 'a run starts where an approved one ended' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  if not exists (select from snapshot s where s.game_id = new.game_id and s.snapshot_id = new.snapshot_id and s.status = 'complete'
    and s.window_start = new.window_start and s.window_end = new.window_end) then
    raise exception 'a run pays from a complete snapshot of its own month' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger payout_run_starts before insert on payout_run for each row execute function start_payout_run();

create function keep_payout_run() returns trigger language plpgsql as $$
declare
  composed constant text[] := array['snapshot_id', 'policy_no', 'revision', 'composed_at', 'line_count', 'payable_count', 'opening_usd', 'earned_usd', 'reversed_usd',
    'pinned_usd', 'adjusted_usd', 'returned_usd', 'payable_usd', 'closing_usd', 'draft_digest'];
  decided constant text[] := array['state', 'version', 'content', 'content_digest', 'approvals_wanted', 'submitted_by', 'submitted_at', 'rejected_by', 'reject_reason',
    'approved_at', 'void_requested_by', 'void_reason', 'voided_by', 'voided_at'];
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
  if new.state = 'void' and old.state <> 'void'
    and exists (select from payout_run r where r.game_id = new.game_id and r.previous_run_id = new.run_id and r.state <> 'void') then
    raise exception 'a run that another one follows is not voided' using errcode = 'integrity_constraint_violation';
  end if;
  new.version := old.version + 1;
  return new;
end $$;
create trigger payout_run_kept before update or delete on payout_run for each row execute function keep_payout_run();
create trigger payout_run_whole before truncate on payout_run for each statement execute function refuse_change();

-- The statement that stores an approval carries these conditions too; here no other path gets round them.
create function check_payout_approval() returns trigger language plpgsql as $$
begin
  perform 1 from payout_run r where r.game_id = new.game_id and r.run_id = new.run_id and r.state = 'submitted' and r.content_digest = new.content_digest for update;
  if not found then
    raise exception 'not what was submitted' using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from payout_editor e where e.game_id = new.game_id and e.run_id = new.run_id and e.person_id = new.approved_by) then
    raise exception 'nobody approves a run they worked on' using errcode = 'integrity_constraint_violation';
  end if;
  if not exists (select from person p where p.id = new.approved_by and p.disabled_at is null and 'finance' = any(p.roles) and p.approves_from <= clock_timestamp()) then
    raise exception 'only people with the right, held for 24 hours, approve a run' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger payout_approval_checked before insert on payout_approval for each row execute function check_payout_approval();

create function check_payout_editor() returns trigger language plpgsql as $$
begin
  if exists (select from payout_approval a join payout_run r on r.game_id = a.game_id and r.run_id = a.run_id and r.content_digest = a.content_digest
    where a.game_id = new.game_id and a.run_id = new.run_id and a.approved_by = new.person_id) then
    raise exception 'nobody works on a run they approved' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger payout_editor_checked before insert on payout_editor for each row execute function check_payout_editor();
