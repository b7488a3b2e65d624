-- Sessions of our own: no table or column is shaped by a sign-in library, and no process remembers who is signed in, so nothing announces changes.

-- Everyone signs in once more: cookies have another form.
drop table person_session;
create table person_session (
  token_digest text primary key, -- SHA-256 of the token in the cookie, hex: the token itself is not stored
  person_id text not null references person, -- the person who is signed in
  created_at timestamptz not null default clock_timestamp(), -- sign-in; a session whose token was replaced keeps it
  expires_at timestamptz not null, -- the session ends then, active or not
  seen_at timestamptz not null default clock_timestamp(), -- when the session was last used, to the minute
  proved_at timestamptz default clock_timestamp() -- when the password, and the code where the person has a second factor, was last given in it; NULL: another token replaced this one, which proves nothing
);
create index person_session_person on person_session (person_id);

-- The hashes stay as they are: people sign in with the passwords they have.
create table person_password (
  person_id text primary key references person, -- whose password it is
  hash text not null, -- argon2id hash with its parameters and salt
  set_at timestamptz not null default clock_timestamp() -- when it was set
);
insert into person_password (person_id, hash, set_at) select person_id, password, updated_at from credential where password is not null;
drop table credential;

alter table person drop column email_verified;
alter table person drop column image;

drop trigger person_announced on person;
drop trigger second_factor_announced on second_factor;
drop trigger second_factor_role_announced on second_factor_role;
drop trigger game_added on game;
drop trigger game_announced on game;
drop function announce_person();
drop function announce_all();
