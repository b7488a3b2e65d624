-- Exceptions look for the failed sign-ins of an account in the minutes before each of them. By number alone, an account that is guessed slowly for
-- years was read from its first guess for each one: 40,000 guesses took minutes.
create index audit_failed_sign_in on audit (actor, at, audit_id) where act in ('failed to sign in', 'gave a wrong password', 'gave a wrong code');
