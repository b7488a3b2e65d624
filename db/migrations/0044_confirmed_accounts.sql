-- Confirmed accounts: an account counts as one of two people once two of the operator and confirmed people stand behind it.

-- Who stands behind an account, and what made it doubtful. Rows that haven't ended decide whether it is confirmed.
create table person_confirmation (
  person_id text not null references person, -- the account
  confirmation_no int not null, -- counts up for each account
  given_by text references person check (given_by <> person_id), -- the person who did it; NULL: the operator, or nobody for an upgrade and simulated data
  basis text not null check (basis in ('set_up_link', 'simulated', 'upgrade', 'invitation', 'password_link', 'factor_reset', 'enabled', 'confirmation')), -- what they did. set_up_link, simulated and upgrade confirm an account alone; invitation and confirmation are one of two; password_link, factor_reset and enabled make it doubtful until someone else confirms it
  given_at timestamptz not null default clock_timestamp(), -- when
  ended_at timestamptz, -- when a doubt was cleared by a confirmation; NULL: it counts, a confirmation while who gave it is confirmed
  primary key (person_id, confirmation_no)
);

alter table person add column account_confirmed_at timestamptz; -- when two people, or the operator at the start, stood behind the account; NULL: not confirmed, so it doesn't count as one of two people
alter table person add column first_confirmed_at timestamptz; -- when it was confirmed first: after a doubt one more confirmation is enough; NULL: never
alter table person add column first_finance_at timestamptz; -- when they were first given the role finance: the first two people of an installation don't wait; NULL: never
alter table person add column counts_from timestamptz not null default clock_timestamp(); -- counts as one of two people from then on, if confirmed: 24 hours after a role, a password link or a reset of the second factor

-- People who were here before count as confirmed, and the audit says so. Who never set a password has only who invited them behind them, and an open
-- link to a new password ends: whoever has it could take over an account that counts.
update person set first_finance_at = approves_from, counts_from = coalesce(approves_from, created_at);
update set_up_link set withdrawn_at = clock_timestamp() where purpose = 'new_password' and used_at is null and withdrawn_at is null;
insert into person_confirmation (person_id, confirmation_no, basis)
  select id, 1, 'upgrade' from person where exists (select from credential where person_id = person.id and password is not null);
insert into person_confirmation (person_id, confirmation_no, given_by, basis)
  select distinct on (person.id) person.id, 1, inviter.id, 'invitation'
  from person join set_up_link on set_up_link.person_id = person.id join person inviter on inviter.email = set_up_link.made_by and inviter.id <> person.id
  where not exists (select from credential where person_id = person.id and password is not null)
  order by person.id, set_up_link.made_at desc;
update person set account_confirmed_at = clock_timestamp(), first_confirmed_at = clock_timestamp() where exists (select from person_confirmation c where c.person_id = person.id and c.basis = 'upgrade');
insert into audit (actor, act, subject, detail)
  select 'upgrade', 'confirmed an account', email, '{"confirmed_by": "the upgrade, not two people"}' from person where account_confirmed_at is not null order by email;

alter table person drop column approves_from;
alter table person drop column password_link_by;

-- A raise of a limit applies when a second person approves it, however long that takes.
update refund_limit set limit_usd = raise_usd where raise_from <= clock_timestamp();
update refund_limit set raise_usd = null, raise_by = null, raise_from = null where raise_from <= clock_timestamp();
alter table refund_limit drop constraint refund_limit_raise_check;
alter table refund_limit add column raise_at timestamptz; -- when the higher limit was asked for; NULL: none is
update refund_limit set raise_at = set_at where raise_usd is not null;
alter table refund_limit drop column raise_from;
alter table refund_limit add constraint refund_limit_raise_check check ((raise_usd is null) = (raise_by is null) and (raise_usd is null) = (raise_at is null));

-- Approvals of runs: the account counts, as the statement that stores one demands too.
create or replace function check_payout_approval() returns trigger language plpgsql as $$
begin
  perform 1 from payout_run r where r.game_id = new.game_id and r.run_id = new.run_id and r.state = 'submitted' and r.content_digest = new.content_digest for update;
  if not found then
    raise exception 'not what was submitted' using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from payout_editor e where e.game_id = new.game_id and e.run_id = new.run_id and e.person_id = new.approved_by) then
    raise exception 'nobody approves a run they worked on' using errcode = 'integrity_constraint_violation';
  end if;
  if not exists (select from person p where p.id = new.approved_by and p.disabled_at is null and 'finance' = any(p.roles)
    and p.account_confirmed_at is not null and p.counts_from <= clock_timestamp()) then
    raise exception 'only confirmed people with the right, held for 24 hours, approve a run' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- Notices about people and limits, for people with the role finance or admin.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found',
  'person_invited', 'person_confirmed', 'roles_requested', 'roles_changed', 'password_link', 'factor_reset', 'person_disabled', 'person_enabled', 'limit_requested', 'limit_changed'));
alter table notice_setting drop constraint notice_setting_kind_check;
alter table notice_setting add constraint notice_setting_kind_check check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found',
  'person_invited', 'person_confirmed', 'roles_requested', 'roles_changed', 'password_link', 'factor_reset', 'person_disabled', 'person_enabled', 'limit_requested', 'limit_changed'));
alter table notice alter column window_start drop not null; -- first instant of the month; NULL: about a person or a limit
alter table notice add column about text; -- name of the person, or the limit, it is about; NULL: about a month or a run
alter table notice add column roles text[]; -- roles the person was given, or that were asked for; NULL: not about roles
alter table notice add constraint notice_about_check check ((about is null) = (window_start is not null));
