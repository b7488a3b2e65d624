-- The clock of the database as a function that statements may use anywhere: a volatile one is refused in updates of tables that are spread over servers.

-- The instant it is, also within a transaction. Stable is said of it so that a statement reads it as one value; nothing relies on it moving within one.
create function clock_now() returns timestamptz language plpgsql stable parallel safe as $$ begin return clock_timestamp(); end $$;
