import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLES } from '#lib/core/roles.ts';
import { seedPerson } from '#lib/people/testing/seed-people.ts';
import { createTestDb, type TestDb } from '../kit/testing/test-db.ts';
import { listPeople } from './reads.ts';

let book: TestDb;
beforeAll(async () => {
  book = await createTestDb();
});
afterAll(async () => await book.close());

test('the database knows the roles of the domain and no others', async () => {
  const { rows } = await sql<{
    text: string;
  }>`select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'person_role_check'`.execute(book.db);
  expect([...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(([, role]) => String(role)).toSorted()).toEqual([...ROLES].toSorted());
});

test('an address is kept in lower case and used once', async () => {
  await seedPerson(book.db, 'ada@studio.example', 'admin');
  await expect(seedPerson(book.db, 'ada@studio.example', 'viewer')).rejects.toThrow(/unique/);
  await expect(seedPerson(book.db, 'Ada@studio.example', 'viewer')).rejects.toThrow(/check/);
});

test('the list of people says who can sign in, who is in, and until when a link opens', async () => {
  const id = await seedPerson(book.db, 'bo@studio.example', 'viewer');
  await book.db.deleteFrom('credential').where('person_id', '=', id).execute();
  const link = { purpose: 'invitation', person_id: id, made_by: 'ada@studio.example' };
  const inHours = (hours: number) => sql<string>`clock_timestamp() + make_interval(hours => ${hours})`;
  await book.db
    .insertInto('set_up_link')
    .values([
      { ...link, token_digest: Buffer.alloc(32, 1), expires_at: inHours(24) },
      { ...link, token_digest: Buffer.alloc(32, 2), expires_at: inHours(48), withdrawn_at: sql<string>`clock_timestamp()` },
      { ...link, token_digest: Buffer.alloc(32, 3), expires_at: inHours(-1) },
    ])
    .execute();
  const people = await listPeople(book.db);
  expect(
    people.map(({ email, role, hasPassword, isDisabled, sessionCount }) => ({ email, role, hasPassword, isDisabled, sessionCount })),
  ).toEqual([
    { email: 'ada@studio.example', role: 'admin', hasPassword: true, isDisabled: false, sessionCount: 0 },
    { email: 'bo@studio.example', role: 'viewer', hasPassword: false, isDisabled: false, sessionCount: 0 },
  ]);
  const hoursLeft = (Date.parse(people[1]?.linkUntil ?? '') - Date.now()) / 3_600_000;
  expect(Math.round(hoursLeft)).toBe(24);
  expect(people[1]?.lastSignedInAt).toBeNull();
});
