-- Rights: several roles per person, a second person for rights and limits, and what sign-ins and look-ups are counted by.

-- An admin could do what finance can: that stays, as a role of its own that can be taken away.
alter table person drop constraint person_role_check;
alter table person rename column role to roles; -- determine what they may do; several may be combined
alter table person alter column roles type text[] using case roles when 'admin' then array['finance', 'admin'] else array[roles] end;
alter table person add constraint person_roles_check check (cardinality(roles) > 0 and roles <@ array['viewer', 'auditor', 'support', 'finance', 'admin']);

alter table person add column approves_from timestamptz; -- may approve what others prepared from then on, if a role allows it: 24 hours after the right was given, the account enabled or the password set by a link; NULL: never had the right
alter table person add column password_link_by text; -- email of the admin who made the link by which the password was set, or "command line"; NULL: set by no link
alter table person add column requested_roles text[] check (requested_roles <@ array['viewer', 'auditor', 'support', 'finance', 'admin']); -- roles that an admin asked for and a second person must approve; NULL: none
alter table person add column roles_requested_by text references person; -- the admin who asked for them; NULL: none are asked for
alter table person add column roles_requested_at timestamptz; -- when they asked; NULL: none are asked for
alter table person add constraint person_request_check check ((requested_roles is null) = (roles_requested_by is null) and (requested_roles is null) = (roles_requested_at is null));

-- The time that new approvers wait counts as over for everyone who is here already.
update person set approves_from = created_at where roles && array['finance'];
update person set password_link_by = (
  select made_by from set_up_link where set_up_link.person_id = person.id and used_at is not null order by used_at desc limit 1
);

alter table person_session add column proved_at timestamptz not null default clock_timestamp(); -- when the password was last given in this session
alter table person_session add column seen_at timestamptz not null default clock_timestamp(); -- when the session was last used, to the minute
-- Using a session changes nothing that a process remembers of it.
drop trigger person_session_announced on person_session;
create trigger person_session_announced after update of person_id, token, expires_at or delete on person_session for each row execute function announce_person();
update person_session set proved_at = created_at;

-- An admin has no limit any more, only their role finance.
delete from refund_limit where role = 'admin';
alter table refund_limit drop constraint refund_limit_role_check;
alter table refund_limit rename column role to name; -- whose limit: a role's for one refund, or for all refunds of a person within 24 hours
alter table refund_limit add constraint refund_limit_name_check check (name in ('support', 'finance', 'support_day', 'finance_day'));
update refund_limit set limit_usd = least(limit_usd, 5000);
alter table refund_limit add column raise_usd usd; -- a higher limit that was asked for, in USD; NULL: none
alter table refund_limit add column raise_by text references person; -- the admin who asked for it; NULL: none is asked for
alter table refund_limit add column raise_from timestamptz; -- the higher limit applies from then on: 24 hours after it was asked for, or when a second person approved it; NULL: none is asked for
alter table refund_limit add constraint refund_limit_raise_check check ((raise_usd is null) = (raise_by is null) and (raise_usd is null) = (raise_from is null));
alter table refund_limit add constraint refund_limit_ceiling_check check (greatest(limit_usd, raise_usd) <= case when name like '%\_day' then 50000 else 5000 end);

create index refund_requested on refund (game_id, requested_by, requested_at);

-- The USD of a person's refunds of the last 24 hours that needed no second person and were not refused or withdrawn, without one of them.
create function auto_approved_usd(of_game int, of_person text, except_refund bigint) returns numeric language sql stable as $$
  select coalesce(sum(greatest(amount_usd, (estimate ->> 'card_refunded_usd')::numeric)), 0) from refund
  where game_id = of_game and requested_by = of_person and requested_at > clock_timestamp() - interval '24 hours'
    and not needs_second_approver and state not in ('refused', 'not_landed', 'rejected', 'withdrawn') and refund_id is distinct from except_refund
$$;

alter table rate_call add column asked_by text; -- id of the person who looked something up with it; NULL: not a look-up

alter table sign_in_attempt add column browser_digest digest; -- SHA-256 of the mark of a browser in which this email signed in before; NULL: it has none
create index sign_in_attempt_browser on sign_in_attempt (browser_digest, attempted_at) where browser_digest is not null;

create index audit_actor on audit (actor, audit_id);
