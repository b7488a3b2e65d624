-- A second factor: codes of an authenticator app (TOTP, RFC 6238) and backup codes. Roles can require it; no role does by default.

create table second_factor (
  person_id text primary key references person, -- whose codes these are
  sealed_secret bytea not null, -- what the authenticator app holds: nonce, AES-256-GCM under a key of SHAREBOOK_AUTH_SECRET, tag; bound to the person
  made_at timestamptz not null default clock_timestamp(), -- when the secret was made
  confirmed_at timestamptz, -- when its first code was right: from then on signing in needs a code; NULL: not set up, and nothing asks for a code
  last_step bigint, -- time step (30 seconds since 1970) of the newest code that was used: it and older ones no longer count; NULL: none was
  check ((confirmed_at is null) = (last_step is null))
);

create table backup_code (
  person_id text not null references person, -- whose code it is
  code_digest digest not null, -- SHA-256 of the code: the code itself is not stored
  made_at timestamptz not null default clock_timestamp(), -- when it was made; new codes replace all earlier ones
  used_at timestamptz, -- when it was used, which works once; NULL: not used
  primary key (person_id, code_digest)
);

create table second_factor_role (
  role text primary key check (role in ('viewer', 'auditor', 'support', 'finance', 'admin')), -- a role whose people need a second factor
  required_by text not null references person, -- the admin who required it
  required_at timestamptz not null default clock_timestamp() -- since when
);

-- A sign-in whose password was right and whose code is still to come: no session yet.
create table started_sign_in (
  token_digest digest primary key, -- SHA-256 of the token in the browser's cookie: the token itself is not stored
  person_id text not null references person, -- whose password was given
  started_at timestamptz not null default clock_timestamp(), -- when the password was given
  expires_at timestamptz not null -- from then on the password has to be given again
);
create index started_sign_in_person on started_sign_in (person_id);

-- What a process remembers of a signed-in person includes whether they still have to set up a second factor.
create trigger second_factor_announced after insert or update of confirmed_at or delete on second_factor for each row execute function announce_person();
create trigger second_factor_role_announced after insert or delete on second_factor_role for each statement execute function announce_all();
