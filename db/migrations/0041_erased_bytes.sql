-- An erasure removes who a person is from bytes that no chain binds: readings of detail reports, and refused responses. Their figures are columns.
alter table report_read add column is_redacted boolean not null default false; -- who an erased person is was left out of the body, and the digest is of the rest; false: as received
alter table response add column is_redacted boolean not null default false; -- who an erased person is was left out of a refused body, and the digest is of the rest; false: as received

-- Of a game in which a person was erased, bytes are replaced by bytes; nothing else of the row changes.
create function keep_bytes() returns trigger language plpgsql as $$
declare
  bytes constant text[] := array['body', 'sha256', 'inflated_byte_count', 'is_redacted'];
begin
  if tg_op = 'UPDATE' and new.is_redacted and (new.body is null) = (old.body is null)
    and (to_jsonb(new) - bytes)::text = (to_jsonb(old) - bytes)::text
    and not (to_jsonb(old) ? 'slice_id' and (to_jsonb(old) ->> 'slice_id' is not null or to_jsonb(old) ->> 'snapshot_id' is not null))
    and exists (select from recipient_erasure e where e.game_id = old.game_id) then
    return new;
  end if;
  raise exception '% is evidence: rows are added, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
drop trigger report_read_kept on report_read;
create trigger report_read_kept before update or delete on report_read for each row execute function keep_bytes();
drop trigger response_kept on response;
create trigger response_kept before update or delete on response for each row execute function keep_bytes();
