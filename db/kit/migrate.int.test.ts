// @module-tag no-retry
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { describeSchema } from '#e2e/support/db/write-schema.ts';
import { signInByPassword } from '#lib/people/sign-in.ts';
import { spendCode } from '#lib/two-factor/check-code.ts';
import { PLACEMENTS } from '../distribution.ts';
import { listPendingMigrations } from './administer.ts';
import { isSupportedServer, MIGRATIONS_FOLDER, migrateDatabase } from './migrate.ts';

test('a server older than 16 lacks functions that statements call', () => {
  expect(['9.6.24', '15.18 (Debian 15.18-0+deb12u1)', '16.0', '18.4'].map(isSupportedServer)).toEqual([false, false, true, true]);
});

describe('migrations', () => {
  test('run by ten processes at once, and once more, produce one schema', { tags: ['proof'] }, async () => {
    const [alone, together] = [await emptyDatabase(), await emptyDatabase()];
    await migrateDatabase(alone);
    await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(together)));
    await migrateDatabase(together);
    const [one, ten] = await Promise.all([schemaOf(alone), schemaOf(together)]);
    expect(ten).toBe(one);
    expect(one).toContain('create table renewal_line');
  });

  test('are all pending before they run, and none after', async () => {
    const url = await emptyDatabase();
    const { db, close } = openWithPool(url, { poolSize: 1 });
    expect(await listPendingMigrations(db, MIGRATIONS_FOLDER)).toContain('0001_evidence');
    await migrateDatabase(url);
    expect(await listPendingMigrations(db, MIGRATIONS_FOLDER)).toEqual([]);
    await close();
  });

  test('name the one that fails and leave no change behind', async () => {
    const url = await emptyDatabase();
    await query(url, 'create table game (in_the_way int)');
    await expect(migrateDatabase(url)).rejects.toThrow(/^migration 0001_evidence failed: .*already exists/);
    expect(await query(url, `select count(*)::int as count from pg_type where typname = 'usd'`)).toEqual([{ count: 0 }]);
  });

  test('place the tables that they add before their foreign keys', () => {
    const migrations = readdirSync(MIGRATIONS_FOLDER)
      .filter((name) => name > '0079')
      .map((name) => ({ name, text: readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8') }));
    const dropped = migrations.flatMap(({ text }) => [...text.matchAll(/^drop table (\w+);$/gm)].map(([, table]) => table));
    const added = migrations
      .flatMap(({ name, text }) => [...text.matchAll(/^create table (\w+)/gm)].map(([, table]) => ({ name, text, table: String(table) })))
      .filter(({ table }) => PLACEMENTS[table]?.is !== 'local' && !dropped.includes(table));
    const unplaced = added.filter(({ text, table }) => !text.includes(`select place_table('${table}', '${PLACEMENTS[table]?.is}')`));
    expect(unplaced.map(({ name, table }) => `${name}: ${table}`)).toEqual([]);
  });

  test('keep existing rows', { tags: 'proof' }, async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url);
    await query(url, `insert into game (slug, environment, name, time_zone) values ('aurora', 'sandbox', 'Aurora', 'UTC')`);
    await migrateDatabase(url);
    expect(await query(url, 'select slug from game')).toEqual([{ slug: 'aurora' }]);
  });

  test('keep reports that support read as readings, without figures nobody took from them', { tags: ['proof'] }, async () => {
    const url = await emptyDatabase();
    const names = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql'));
    const run = async (name: string): Promise<unknown> => query(url, readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8'));
    for (const name of names.filter((each) => each < '0019').toSorted()) await run(name);
    await query(
      url,
      `insert into game (slug, environment, name, time_zone) values ('aurora', 'sandbox', 'Aurora', 'UTC');
       insert into detail_read (game_id, kind, subject, read_at, body, sha256)
       select 1, kind, subject, '2026-10-02T03:04:05Z', 'x', sha256('x')
       from (values ('period', '7'), ('cycles', 'SUB_1 0'), ('balances', '9')) as read (kind, subject)`,
    );
    for (const name of names.filter((each) => each >= '0019').toSorted()) await run(name);
    expect(
      await query(url, `select kind, subject, read_no, read_at::text, body::text, has_figures from report_read order by kind`),
    ).toEqual([
      { kind: 'cycles', subject: 'SUB_1 0', read_no: 1, read_at: expect.any(String) as string, body: '\\x78', has_figures: false },
      { kind: 'period', subject: '7', read_no: 1, read_at: expect.any(String) as string, body: '\\x78', has_figures: false },
    ]);
    expect(await query(url, 'select kind, subject from detail_read')).toEqual([{ kind: 'balances', subject: '9' }]);
  });

  test('count the repeats of a delivery that were stored one by one, those in time and those too late, and keep them', {
    tags: ['proof'],
  }, async () => {
    const url = await emptyDatabase();
    const names = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql'));
    const run = async (name: string): Promise<unknown> => query(url, readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8'));
    for (const name of names.filter((each) => each < '0040').toSorted()) await run(name);
    await query(
      url,
      `insert into game (slug, environment, name, time_zone) values ('aurora', 'sandbox', 'Aurora', 'UTC');
       insert into delivery (game_id, idempotency_key, meaning_digest, signed_at, secret_slot, signature_count, body_sha256, body_bytes, state)
       select 1, key, sha256(key::bytea), '2026-10-01T00:00:00Z', 'current', 1, sha256('x'), 1, 'processed' from (values ('again'), ('once')) as k (key);
       insert into delivery_repeat (game_id, delivery_id, signed_at, received_at, secret_slot, secret_version, body_sha256, is_stale)
       select 1, 1, signed::timestamptz, received::timestamptz, slot, version, sha256('x'), is_stale
       from (values ('2026-10-01T01:00:00Z', '2026-10-01T01:00:02Z', 'current', '3', false),
         ('2026-10-02T01:00:00Z', '2026-10-02T01:00:02Z', 'both', '4', false),
         ('2026-10-01T00:00:00Z', '2026-10-03T00:00:00Z', 'previous', '3', true)) as r (signed, received, slot, version, is_stale)`,
    );
    for (const name of names.filter((each) => each >= '0040').toSorted()) await run(name);
    const instant = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ${column}`;
    expect(
      await query(
        url,
        `select repeat_count::int, ${instant('repeated_at')}, repeated_slot, repeated_version, late_count::int, ${instant('late_at')}, ${instant('read_signed_at')}
         from delivery order by delivery_id`,
      ),
    ).toEqual([
      {
        repeat_count: 2,
        repeated_at: '2026-10-02 01:00:02',
        repeated_slot: 'both',
        repeated_version: '4',
        late_count: 1,
        late_at: '2026-10-03 00:00:00',
        read_signed_at: '2026-10-02 01:00:00',
      },
      {
        repeat_count: 0,
        repeated_at: null,
        repeated_slot: null,
        repeated_version: null,
        late_count: 0,
        late_at: null,
        read_signed_at: null,
      },
    ]);
    expect(await query(url, 'select count(*)::int as count from delivery_repeat')).toEqual([{ count: 3 }]);
    await expect(query(url, 'update delivery set repeat_count = 7')).rejects.toThrow('what was delivered never changes');
  });
});

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await query(inject('serverUrl'), `create database ${name}`);
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function schemaOf(url: string): Promise<string> {
  const { pool } = openWithPool(url, { poolSize: 1 });
  const schema = await describeSchema(pool);
  await pool.end();
  return schema;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test('people of before keep their rights: an admin is finance too, nobody waits, and the last link used is remembered', {
  tags: ['proof'],
}, async () => {
  const url = await emptyDatabase();
  const before = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql') && name < '0017');
  for (const name of before.toSorted()) await query(url, readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8'));
  await query(
    url,
    `insert into person (id, email, name, role) values ('a', 'ada@x.example', 'Ada', 'admin'), ('f', 'fin@x.example', 'Fin', 'finance'), ('s', 'sam@x.example', 'Sam', 'support');
     insert into set_up_link (token_digest, purpose, person_id, made_by, expires_at, used_at) values
       (sha256('1'), 'invitation', 'f', 'command line', now(), now() - interval '2 days'), (sha256('2'), 'new_password', 'f', 'ada@x.example', now(), now()),
       (sha256('3'), 'new_password', 'f', 'eve@x.example', now(), null);
     insert into person_session (id, person_id, token, expires_at, created_at) values ('1', 'f', 't', now(), now() - interval '3 hours');
     insert into game (slug, environment, name, time_zone) values ('demo', 'production', 'Demo', 'UTC');
     insert into refund_limit (game_id, role, limit_usd, set_by) values (1, 'admin', 900, 'a'), (1, 'finance', 9000, 'a'), (1, 'support', 20, 'a');`,
  );
  await query(url, readFileSync(path.join(MIGRATIONS_FOLDER, '0017_rights.sql'), 'utf8'));
  expect(await query(url, `select id, roles, approves_from <= now() as approves, password_link_by from person order by id`)).toEqual([
    { id: 'a', roles: ['finance', 'admin'], approves: true, password_link_by: null },
    { id: 'f', roles: ['finance'], approves: true, password_link_by: 'ada@x.example' },
    { id: 's', roles: ['support'], approves: null, password_link_by: null },
  ]);
  expect(await query(url, `select name, limit_usd::text from refund_limit order by name`)).toEqual([
    { name: 'finance', limit_usd: '5000' },
    { name: 'support', limit_usd: '20' },
  ]);
  expect(await query(url, `select proved_at = created_at as is_old from person_session`)).toEqual([{ is_old: true }]);
});

test('people of before count as confirmed, which the audit says; who never set a password and open links to a new one do not', {
  tags: ['proof'],
}, async () => {
  const url = await emptyDatabase();
  const before = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql') && name < '0044');
  for (const name of before.toSorted()) await query(url, readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8'));
  await query(
    url,
    `insert into person (id, email, name, roles, approves_from) values
       ('a', 'ada@x.example', 'Ada', '{finance,admin}', now() - interval '1 year'), ('s', 'sam@x.example', 'Sam', '{support}', null),
       ('n', 'nora@x.example', 'Nora', '{finance}', now() + interval '23 hours');
     insert into credential (id, person_id, provider_id, account_id, password) values ('1', 'a', 'credential', 'a', 'x'), ('2', 's', 'credential', 's', 'x');
     insert into set_up_link (token_digest, purpose, person_id, made_by, expires_at) values
       (sha256('1'), 'invitation', 'n', 'ada@x.example', now() + interval '1 day'), (sha256('2'), 'new_password', 's', 'ada@x.example', now() + interval '1 day');
     insert into game (slug, environment, name, time_zone) values ('demo', 'production', 'Demo', 'UTC');
     insert into refund_limit (game_id, name, limit_usd, set_by, raise_usd, raise_by, raise_from) values
       (1, 'finance', 50, 'a', 90, 'a', now() - interval '1 hour'), (1, 'support', 20, 'a', 40, 'a', now() + interval '1 hour');`,
  );
  await query(url, readFileSync(path.join(MIGRATIONS_FOLDER, '0044_confirmed_accounts.sql'), 'utf8'));
  expect(
    await query(
      url,
      `select id, account_confirmed_at is not null as confirmed, counts_from <= now() as counts, first_finance_at is not null as finance from person order by id`,
    ),
  ).toEqual([
    { id: 'a', confirmed: true, counts: true, finance: true },
    { id: 'n', confirmed: false, counts: false, finance: true },
    { id: 's', confirmed: true, counts: true, finance: false },
  ]);
  expect(await query(url, `select person_id, given_by, basis from person_confirmation order by person_id`)).toEqual([
    { person_id: 'a', given_by: null, basis: 'upgrade' },
    { person_id: 'n', given_by: 'a', basis: 'invitation' },
    { person_id: 's', given_by: null, basis: 'upgrade' },
  ]);
  expect(await query(url, `select purpose, withdrawn_at is not null as withdrawn from set_up_link order by purpose`)).toEqual([
    { purpose: 'invitation', withdrawn: false },
    { purpose: 'new_password', withdrawn: true },
  ]);
  expect(await query(url, `select actor, act, subject from audit order by subject`)).toEqual([
    { actor: 'upgrade', act: 'confirmed an account', subject: 'ada@x.example' },
    { actor: 'upgrade', act: 'confirmed an account', subject: 'sam@x.example' },
  ]);
  expect(await query(url, `select name, limit_usd::text, raise_usd::text from refund_limit order by name`)).toEqual([
    { name: 'finance', limit_usd: '90', raise_usd: null },
    { name: 'support', limit_usd: '20', raise_usd: '40' },
  ]);
});

test('people of before sign in once more with the passwords, codes and backup codes they have', { tags: ['proof'] }, async () => {
  const url = await emptyDatabase();
  const before = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql') && name < '0046');
  for (const name of before.toSorted()) await query(url, readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8'));
  // As the release before stored them: the hash of "a sentence of her own", and a secret sealed under the authSecret below.
  const hash = 'argon2id$19456$2$AqMvqOMaDSC81EgSJNn50g==$5p51P84ur6uDYKWCqZJfCkXpSNYGak6BunuUMh+7+uE=';
  const sealed = '3c9a773e99f3284c6bafdcc110016607dd747901bc49be46a4c494b44fc2c496d71ab20ff3b0643399c8b23f76af9365';
  await query(
    url,
    `insert into person (id, email, name, roles) values ('a', 'ada@x.example', 'Ada', '{finance,admin}'), ('s', 'sam@x.example', 'Sam', '{support}');
     insert into credential (id, person_id, provider_id, account_id, password, updated_at) values
       ('1', 'a', 'credential', 'a', '${hash}', '2026-10-01T00:00:00Z'), ('2', 's', 'credential', 's', '${hash}', '2026-10-02T00:00:00Z');
     insert into second_factor (person_id, sealed_secret, confirmed_at, last_step) values ('a', '\\x${sealed}', now(), 0);
     insert into backup_code (person_id, code_digest) values ('a', sha256('backup code 0123456789abcdef'));
     insert into person_session (id, person_id, token, expires_at) values ('1', 's', 't', now() + interval '8 hours');`,
  );
  await query(url, readFileSync(path.join(MIGRATIONS_FOLDER, '0046_own_sessions.sql'), 'utf8'));
  const { db, close } = openWithPool(url, { poolSize: 1 });
  const [ada, typed] = [{ id: 'a', email: 'ada@x.example' }, { password: 'a sentence of her own' }];
  const given = { person: ada, now: '2026-11-23T01:00:10Z', authSecret: 'a secret of at least thirty-two characters' };
  expect(await query(url, 'select * from person_session')).toEqual([]);
  expect(await signInByPassword(db, { email: 'sam@x.example', ...typed })).toMatchObject({ kind: 'opened' });
  expect(await signInByPassword(db, { email: ada.email, ...typed })).toEqual({ kind: 'code_needed', personId: 'a' });
  expect(await spendCode(db, { ...given, code: '306333' })).toEqual({ ok: true, by: 'app' });
  expect(await spendCode(db, { ...given, code: '0123-4567-89ab-cdef' })).toEqual({ ok: true, by: 'backup code' });
  expect(
    await query(url, `select person_id, extract(day from set_at at time zone 'UTC')::int as day from person_password order by 1`),
  ).toEqual([
    { person_id: 'a', day: 1 },
    { person_id: 's', day: 2 },
  ]);
  await close();
});
