-- The roles of Sharebook's database. Run it in that database once, as its administrator, and again whenever you like:
--   psql -d sharebook -f db/roles.sql
-- It creates four roles and gives the database, with all that is in it, to the first. Nobody logs in as sharebook_owner: sharebook_migrate
-- may act as it, for `migrate` alone. The three logins have no password yet. What web and worker may do is in db/kit/rights.ts, applied by `migrate`.
do $$
declare
  login text;
  change text;
begin
  perform pg_advisory_xact_lock(hashtext('sharebook roles'));
  if to_regrole('sharebook_owner') is null then
    create role sharebook_owner nologin;
  end if;
  foreach login in array array['sharebook_migrate', 'sharebook_web', 'sharebook_worker'] loop
    if to_regrole(login) is null then
      execute format('create role %I login', login);
    end if;
  end loop;
  if not pg_has_role('sharebook_migrate', 'sharebook_owner', 'member') then
    grant sharebook_owner to sharebook_migrate;
  end if;
  -- Where the administrator is no superuser: only a member may give something to a role.
  if not pg_has_role('sharebook_owner', 'member') then
    execute format('grant sharebook_owner to %I', current_user);
  end if;

  for change in
    select format('alter database %I owner to sharebook_owner', datname) from pg_database
    where datname = current_database() and datdba <> 'sharebook_owner'::regrole
    union all
    select 'grant all on schema public to sharebook_owner' where not has_schema_privilege('sharebook_owner', 'public', 'create')
    union all
    select 'revoke create on schema public from public' from pg_namespace, aclexplode(nspacl)
    where nspname = 'public' and grantee = 0 and privilege_type = 'CREATE'
  loop
    execute change;
  end loop;

  -- Objects of an extension belong to it.
  for change in
    select format('alter schema %I owner to sharebook_owner', nspname) from pg_namespace
    where nspname = 'pgboss' and nspowner <> 'sharebook_owner'::regrole
    union all
    select format('alter table %s owner to sharebook_owner', c.oid::regclass) from pg_class c
    where relnamespace::regnamespace::text in ('public', 'pgboss') and relkind in ('r', 'p', 'v', 'm') and relowner <> 'sharebook_owner'::regrole
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    union all
    select format('alter function %s owner to sharebook_owner', p.oid::regprocedure) from pg_proc p
    where pronamespace::regnamespace::text in ('public', 'pgboss') and proowner <> 'sharebook_owner'::regrole
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to sharebook_owner', t.oid::regtype) from pg_type t
    where typnamespace::regnamespace::text in ('public', 'pgboss') and typtype in ('d', 'e') and typowner <> 'sharebook_owner'::regrole
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
  loop
    execute change;
  end loop;
end $$;
