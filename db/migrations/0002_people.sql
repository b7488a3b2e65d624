-- People: accounts, roles, sessions, and one-time links that set a password.
-- Their actions are recorded in audit. Some names are required by the sign-in library (id, provider_id, account_id).

create table person (
  id text primary key, -- random
  email text not null unique check (email = lower(email)), -- email, lower case; unique
  name text not null, -- display name
  role text not null check (role in ('viewer', 'auditor', 'support', 'finance', 'admin')), -- determines what they may do
  disabled_at timestamptz, -- disabled since then; NULL: can sign in
  email_verified boolean not null default false, -- required by the sign-in library; not used
  image text, -- required by the sign-in library; always NULL
  created_at timestamptz not null default clock_timestamp(), -- when they were added
  updated_at timestamptz not null default clock_timestamp() -- last change of name, role or status
);

create table credential (
  id text primary key, -- random
  person_id text not null references person, -- the person
  provider_id text not null check (provider_id = 'credential'), -- sign-in method: email and password is the only one
  account_id text not null, -- the person's ID again, required by the sign-in library
  password text, -- argon2id hash with its parameters and salt; NULL: none set yet
  created_at timestamptz not null default clock_timestamp(), -- first password
  updated_at timestamptz not null default clock_timestamp(), -- newest password
  unique (person_id, provider_id)
);

create table person_session (
  id text primary key, -- random
  person_id text not null references person, -- the person who is signed in
  token text not null unique, -- SHA-256 of the token in the cookie, hex: the token itself is not stored
  expires_at timestamptz not null, -- the session ends then, active or not
  ip_address text, -- required by the sign-in library; addresses are not tracked, so it is empty or NULL
  user_agent text, -- browser, as reported by the client
  created_at timestamptz not null default clock_timestamp(), -- sign-in
  updated_at timestamptz not null default clock_timestamp() -- last change by the sign-in library
);
create index person_session_person on person_session (person_id);

create table set_up_link (
  token_digest digest primary key, -- SHA-256 of the token in the link: the token itself is not stored
  purpose text not null check (purpose in ('first_admin', 'invitation', 'new_password')), -- what the link allows
  person_id text references person, -- the person whose password it sets; NULL: the first admin, not created yet
  made_by text not null, -- email of the admin, or "command line" when Sharebook started without one
  made_at timestamptz not null default clock_timestamp(), -- when it was created
  expires_at timestamptz not null, -- when it expires
  used_at timestamptz, -- when it was used; NULL: not used
  withdrawn_at timestamptz, -- replaced by a newer link, or the person was disabled; NULL: neither
  check ((purpose = 'first_admin') = (person_id is null))
);
create index set_up_link_person on set_up_link (person_id);

create table sign_in_attempt (
  attempt_id bigint generated always as identity primary key, -- order of attempts
  email_digest digest not null, -- SHA-256 of the email entered, whether or not the person exists
  source_digest digest not null, -- SHA-256 of the source address
  attempted_at timestamptz not null default clock_timestamp() -- counted for fifteen minutes; a successful sign-in deletes those of its email
);
create index sign_in_attempt_email on sign_in_attempt (email_digest, attempted_at);
create index sign_in_attempt_source on sign_in_attempt (source_digest, attempted_at);
create index sign_in_attempt_age on sign_in_attempt (attempted_at);

create index audit_signed_in on audit (actor, at) where act = 'signed in';
