-- What the audit binds of payment details, and the two changes that are allowed to what is stored: another key, and an erasure.

alter table payee_detail add column salt bytea check (length(salt) = 32); -- random bytes in the digest, so that nobody guesses a mask by it; NULL: erased, or older than digests
alter table payee_detail add column digest digest; -- of the row's facts and the salt; the audit of the proposal has it, or that of all rows of its file; NULL: older than digests
alter table payee_detail add column erased_at timestamptz; -- when an erasure removed what names the recipient; NULL: it wasn't
alter table payee_detail add check (erased_at is not null or (salt is null) = (digest is null));
alter table payee_detail add check (erased_at is null or (method = 'none' and sealed = '' and mask = 'Erased' and salt is null and identity_id is null and country is null));

-- A proposal is decided once. Only the owner of the table seals under another key. Details of an erased recipient are emptied.
create function keep_payee_detail() returns trigger language plpgsql as $$
declare
  deciding constant text[] := array['confirmed_at', 'confirmed_by', 'withdrawn_at', 'withdrawn_by'];
  sealing constant text[] := array['sealed', 'key_name', 'fingerprint'];
  erasing constant text[] := array['identity_id', 'holder_kind', 'method', 'country', 'sealed', 'mask', 'fingerprint', 'salt', 'erased_at'];
begin
  if tg_op = 'UPDATE' then
    if old.confirmed_at is null and old.withdrawn_at is null and (to_jsonb(new) - deciding)::text = (to_jsonb(old) - deciding)::text then
      return new;
    end if;
    if old.erased_at is null and new.key_name <> old.key_name and (to_jsonb(new) - sealing)::text = (to_jsonb(old) - sealing)::text
      and (select pg_has_role(relowner, 'usage') from pg_class where oid = tg_relid) then
      return new;
    end if;
    if old.erased_at is null and new.erased_at is not null and (to_jsonb(new) - erasing)::text = (to_jsonb(old) - erasing)::text
      and is_erased(old.game_id, old.recipient_player_id) then
      return new;
    end if;
  end if;
  raise exception '% is evidence: rows are decided once, never changed or removed', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
drop trigger payee_detail_kept on payee_detail;
create trigger payee_detail_kept before update or delete on payee_detail for each row execute function keep_payee_detail();
