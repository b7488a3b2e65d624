import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { ROLES } from '#lib/core/roles.ts';
import { listPeople } from '../reads.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(async () => await testDb.close());

test('the database allows exactly the roles of the domain', async () => {
  const { rows } = await sql<{
    text: string;
  }>`select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'person_roles_check'`.execute(testDb.db);
  expect([...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(([, role]) => String(role)).toSorted()).toEqual([...ROLES].toSorted());
});

test('an email is stored in lower case and is unique', async () => {
  await seedPerson(testDb.db, 'ada@studio.example', 'admin');
  await expect(seedPerson(testDb.db, 'ada@studio.example', 'viewer')).rejects.toThrow(/unique/);
  await expect(seedPerson(testDb.db, 'Ada@studio.example', 'viewer')).rejects.toThrow(/check/);
});

test('the list of people shows who can sign in, who is signed in, and until when a link is valid', async () => {
  const id = await seedPerson(testDb.db, 'bo@studio.example', 'viewer');
  await testDb.db.deleteFrom('person_password').where('person_id', '=', id).execute();
  const link = { purpose: 'invitation', person_id: id, made_by: 'ada@studio.example' };
  const inHours = (hours: number) => sql<string>`clock_now() + make_interval(hours => ${hours})`;
  await testDb.db
    .insertInto('set_up_link')
    .values([
      { ...link, token_digest: Buffer.alloc(32, 1), expires_at: inHours(24) },
      { ...link, token_digest: Buffer.alloc(32, 2), expires_at: inHours(48), withdrawn_at: sql<string>`clock_now()` },
      { ...link, token_digest: Buffer.alloc(32, 3), expires_at: inHours(-1) },
    ])
    .execute();
  const { people, requiredRoles } = await listPeople(testDb.db);
  expect(
    people.map(({ email, roles, hasPassword, isDisabled, sessionCount }) => ({ email, roles, hasPassword, isDisabled, sessionCount })),
  ).toEqual([
    { email: 'ada@studio.example', roles: ['admin'], hasPassword: true, isDisabled: false, sessionCount: 0 },
    { email: 'bo@studio.example', roles: ['viewer'], hasPassword: false, isDisabled: false, sessionCount: 0 },
  ]);
  expect(requiredRoles).toEqual([]);
  const hoursLeft = (Date.parse(people[1]?.linkUntil ?? '') - Date.now()) / 3_600_000;
  expect(Math.round(hoursLeft)).toBe(24);
  expect(people[1]?.lastSignedInAt).toBeNull();
});
