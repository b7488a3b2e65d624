-- People: who may sign in, what they may do, and the one-time links that let them set a password.
-- What they do is written into audit. The words of the sign-in library are kept where it insists on them (id, provider_id, account_id).

create table person (
  id text primary key, -- random, so it says nothing about who it is
  email text not null unique check (email = lower(email)), -- where they are reached, lower case; one person per address
  name text not null, -- as colleagues call them
  role text not null check (role in ('viewer', 'auditor', 'support', 'finance', 'admin')), -- what they may do
  disabled_at timestamptz, -- may not sign in since then; NULL: may
  email_verified boolean not null default false, -- wanted by the sign-in library; nothing here depends on it
  image text, -- wanted by the sign-in library; always NULL
  created_at timestamptz not null default clock_timestamp(), -- when they were added
  updated_at timestamptz not null default clock_timestamp() -- last change of name, role or standing
);

create table credential (
  id text primary key, -- random
  person_id text not null references person, -- whose
  provider_id text not null check (provider_id = 'credential'), -- the way of signing in: e-mail and password is the only one
  account_id text not null, -- the person's id again, as the sign-in library asks
  password text, -- argon2id hash with its parameters and salt; NULL: none set yet
  created_at timestamptz not null default clock_timestamp(), -- first password
  updated_at timestamptz not null default clock_timestamp(), -- newest password
  unique (person_id, provider_id)
);

create table person_session (
  id text primary key, -- random
  person_id text not null references person, -- who is signed in
  token text not null unique, -- SHA-256 of the token in the cookie, hex: the token itself is nowhere
  expires_at timestamptz not null, -- the session ends then, whatever was done in it
  ip_address text, -- wanted by the sign-in library; addresses are not tracked, so it is empty or NULL
  user_agent text, -- browser, as it named itself
  created_at timestamptz not null default clock_timestamp(), -- sign-in
  updated_at timestamptz not null default clock_timestamp() -- last change by the sign-in library
);
create index person_session_person on person_session (person_id);

create table set_up_link (
  token_digest digest primary key, -- SHA-256 of the token in the link: the token itself is nowhere
  purpose text not null check (purpose in ('first_admin', 'invitation', 'new_password')), -- what it lets its holder do
  person_id text references person, -- whose password it sets; NULL: the first admin, who is not there yet
  made_by text not null, -- e-mail of the admin, or "command line" when Sharebook started without one
  made_at timestamptz not null default clock_timestamp(), -- when it was made
  expires_at timestamptz not null, -- it opens nothing from then on
  used_at timestamptz, -- it opens nothing any more; NULL: not used
  withdrawn_at timestamptz, -- a newer link took its place, or the person was disabled; NULL: neither
  check ((purpose = 'first_admin') = (person_id is null))
);
create index set_up_link_person on set_up_link (person_id);

create table sign_in_attempt (
  attempt_id bigint generated always as identity primary key, -- order of attempts
  email_digest digest not null, -- SHA-256 of the address tried, whether or not there is such a person
  source_digest digest not null, -- SHA-256 of where it came from
  attempted_at timestamptz not null default clock_timestamp() -- counted for fifteen minutes; a success clears those of its address
);
create index sign_in_attempt_email on sign_in_attempt (email_digest, attempted_at);
create index sign_in_attempt_source on sign_in_attempt (source_digest, attempted_at);
create index sign_in_attempt_age on sign_in_attempt (attempted_at);

create index audit_signed_in on audit (actor, at) where act = 'signed in';
