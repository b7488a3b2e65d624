-- Whether an account counts as one of two people is one function, for statements and for the trigger that keeps approvals of runs.

-- Takes the columns of a row of person: disabled_at, account_confirmed_at, counts_from. The values are those of AccountStatus.
create function account_status(disabled_at timestamptz, account_confirmed_at timestamptz, counts_from timestamptz) returns text
  language sql stable parallel safe as $$
  select case when $1 is not null then 'disabled' when $2 is null then 'unconfirmed' when $3 > clock_now() then 'too_new' else 'counts' end
$$;

-- Approvals of runs: both accounts count, as the statement that stores one demands too.
create or replace function check_payout_approval() returns trigger language plpgsql as $$
declare
  submitter text;
begin
  select r.submitted_by into submitter from payout_run r
    where r.game_id = new.game_id and r.run_id = new.run_id and r.state = 'submitted' and r.content_digest = new.content_digest for update;
  if not found then
    raise exception 'not what was submitted' using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from payout_editor e where e.game_id = new.game_id and e.run_id = new.run_id and e.person_id = new.approved_by) then
    raise exception 'nobody approves a run they worked on' using errcode = 'integrity_constraint_violation';
  end if;
  if not exists (select from person p where p.id = new.approved_by and 'finance' = any(p.roles)
    and account_status(p.disabled_at, p.account_confirmed_at, p.counts_from) = 'counts') then
    raise exception 'only confirmed people with the right, held for 24 hours, approve a run' using errcode = 'integrity_constraint_violation';
  end if;
  if not exists (select from person p where p.id = submitter and p.id <> new.approved_by
    and account_status(p.disabled_at, p.account_confirmed_at, p.counts_from) = 'counts') then
    raise exception 'only what another confirmed person submitted is approved' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- A change of which roles need two-factor authentication is a notice.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found',
  'person_invited', 'person_confirmed', 'roles_requested', 'roles_changed', 'password_link', 'factor_reset', 'factor_requirement', 'person_disabled', 'person_enabled', 'limit_requested', 'limit_changed'));
alter table notice_setting drop constraint notice_setting_kind_check;
alter table notice_setting add constraint notice_setting_kind_check check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found',
  'person_invited', 'person_confirmed', 'roles_requested', 'roles_changed', 'password_link', 'factor_reset', 'factor_requirement', 'person_disabled', 'person_enabled', 'limit_requested', 'limit_changed'));
