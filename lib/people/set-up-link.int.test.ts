// @module-tag no-retry
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit, seedPerson, seedSession } from '#e2e/support/people/seed-people.ts';
import { digestLinkToken, findSetUpLink } from './find-set-up-link.ts';
import { addPerson, resetPasswordLink } from './manage-people.ts';
import { verifyPassword } from './password.ts';
import { createSetUpLink, useSetUpLink } from './set-up-link.ts';

const WAIT = { accountWait_hours: 24 };
const SHOWN = { isMailed: false };
const ADA = { name: 'Ada Moreau', email: 'Ada@Studio.example', password: 'a sentence of my own' };
// The tests of this file continue from one another, in this order.
let testDb: TestDb;
let adaId: string;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(async () => await testDb.close());

/** How a text would look in a column of bytes; a column of 32 holds its beginning. */
function inHex(text: string): string {
  return Buffer.from(text).toString('hex').slice(0, 64);
}

async function makeFirstLink(): Promise<string> {
  const token = await createSetUpLink(testDb.db);
  if (token === null) throw new Error('there is an admin already');
  return token;
}

test('the first admin uses one link once, and the database stores neither its token nor the password', async () => {
  const [token, other] = [await makeFirstLink(), await makeFirstLink()];
  expect(await findSetUpLink(testDb.db, token)).toMatchObject({ ok: true, purpose: 'first_admin', person: null });

  for (const [change, reason] of [
    [{ password: 'too short' }, 'short_password'],
    [{ email: 'nowhere' }, 'bad_email'],
    [{ name: ' ' }, 'bad_name'],
  ] as const) {
    expect(await useSetUpLink(testDb.db, { token, ...ADA, ...change }, WAIT)).toEqual({ ok: false, reason });
  }
  expect(await useSetUpLink(testDb.db, { token, ...ADA }, WAIT)).toEqual({ ok: true, email: 'ada@studio.example' });

  const person = await testDb.db
    .selectFrom('person')
    .innerJoin('person_password', 'person_id', 'person.id')
    .select(['person.id', 'roles', 'email', 'hash'])
    .executeTakeFirstOrThrow();
  adaId = person.id;
  expect(person).toMatchObject({ roles: ['admin'], email: 'ada@studio.example' });
  expect(await verifyPassword(person.hash, ADA.password)).toBe(true);
  const { rows } = await sql<{
    text: string;
  }>`select (select json_agg(l) from set_up_link l)::text || (select json_agg(a) from audit a)::text || (select json_agg(c) from person_password c)::text as text`.execute(
    testDb.db,
  );
  for (const secret of [token, other, ADA.password].flatMap((text) => [text, inHex(text)])) expect(rows[0]?.text).not.toContain(secret);

  expect(await useSetUpLink(testDb.db, { token, ...ADA }, WAIT)).toEqual({ ok: false, reason: 'used_link' });
  expect(await useSetUpLink(testDb.db, { token: other, ...ADA, email: 'eve@studio.example' }, WAIT)).toEqual({
    ok: false,
    reason: 'withdrawn_link',
  });
  expect(await createSetUpLink(testDb.db)).toBeNull();
  expect((await readAudit(testDb.db)).map(({ actor, act, subject }) => [actor, act, subject])).toEqual([
    ['command line', 'made a set-up link', 'first admin'],
    ['command line', 'made a set-up link', 'first admin'],
    ['Sharebook', 'counts an account as confirmed', 'ada@studio.example'],
    ['set-up link', 'set a password', 'ada@studio.example'],
  ]);
});

test('an invited person retains the email they were added with, whatever the form sends', async () => {
  const added = await addPerson(testDb.db, { actorId: adaId, email: 'fiona@studio.example', name: 'Fiona', roles: ['finance'] });
  const token = added.ok ? added.token : '';
  const done = await useSetUpLink(
    testDb.db,
    { token, name: 'Fiona Hale', email: 'ada@studio.example', password: 'another sentence' },
    WAIT,
  );
  expect(done).toEqual({ ok: true, email: 'fiona@studio.example' });
  expect(
    await testDb.db.selectFrom('person').select(['name', 'roles']).where('email', '=', 'fiona@studio.example').executeTakeFirst(),
  ).toEqual({ name: 'Fiona Hale', roles: ['viewer'] });
});

test('using a new password link ends every session and closes the earlier link', async () => {
  const personId = await seedPerson(testDb.db, 'sami@studio.example', 'support');
  await seedSession(testDb.db, personId);
  const [one, two] = [
    await resetPasswordLink(testDb.db, { actorId: adaId, personId }, SHOWN),
    await resetPasswordLink(testDb.db, { actorId: adaId, personId }, SHOWN),
  ];
  if (!one.ok || !two.ok) throw new Error('no links');
  expect(await findSetUpLink(testDb.db, one.token)).toEqual({ ok: false, reason: 'withdrawn_link' });
  expect(await useSetUpLink(testDb.db, { token: two.token, ...ADA, name: 'Sami' }, WAIT)).toMatchObject({ ok: true });
  expect(await testDb.db.selectFrom('person_session').selectAll().where('person_id', '=', personId).execute()).toEqual([]);
});

test('when two requests use one link at once, one is refused', async () => {
  const added = await addPerson(testDb.db, { actorId: adaId, email: 'race@studio.example', name: 'Race', roles: ['viewer'] });
  const token = added.ok ? added.token : '';
  const words = (password: string) => ({ token, name: 'Race', email: '', password });
  const ends = await Promise.all([
    useSetUpLink(testDb.db, words('the first sentence'), WAIT),
    useSetUpLink(testDb.db, words('the second sentence'), WAIT),
  ]);
  expect(ends.filter((end) => end.ok)).toHaveLength(1);
  expect(ends.filter((end) => !end.ok)).toEqual([{ ok: false, reason: 'used_link' }]);
});

test('an old link is refused as expired and a made-up one as unknown', async () => {
  const added = await addPerson(testDb.db, { actorId: adaId, email: 'late@studio.example', name: 'Late', roles: ['viewer'] });
  const token = added.ok ? added.token : '';
  await testDb.db
    .updateTable('set_up_link')
    .set({ expires_at: sql<string>`clock_now() - interval '1 second'` })
    .where('token_digest', '=', digestLinkToken(token))
    .execute();
  expect(await useSetUpLink(testDb.db, { token, ...ADA }, WAIT)).toEqual({ ok: false, reason: 'expired_link' });
  for (const nonsense of ['', 'x', 'A'.repeat(43), `${token}x`, "' or 1=1 --"]) {
    expect(await findSetUpLink(testDb.db, nonsense)).toEqual({ ok: false, reason: 'unknown_link' });
  }
});

test('a link is valid for 24 hours', async () => {
  const { rows } = await sql<{
    hours: number;
  }>`select distinct round(extract(epoch from expires_at - made_at) / 3600)::int as hours from set_up_link where used_at is not null`.execute(
    testDb.db,
  );
  expect(rows).toEqual([{ hours: 24 }]);
});

test('a link to a new password leaves the name, and an invited person can’t take the name of someone else', async () => {
  const { db } = testDb;
  const [admin, before] = [await seedPerson(db, 'rita@studio.example', ['admin']), await seedPerson(db, 'otto@studio.example', 'finance')];
  const made = await resetPasswordLink(db, { actorId: admin, personId: admin }, SHOWN);
  if (!made.ok) throw new Error(made.reason);
  const password = 'a sentence of my own';
  expect(await useSetUpLink(db, { token: made.token, name: 'otto', email: '', password }, WAIT)).toMatchObject({ ok: true });
  const names = await db.selectFrom('person').select('name').where('id', 'in', [admin, before]).orderBy('name').execute();
  expect(names).toEqual([{ name: 'otto' }, { name: 'rita' }]);

  await testDb.pool.query(`update person set counts_from = clock_now() - interval '1 day' where id = $1`, [admin]);
  const invite = async (name: string) => await addPerson(db, { actorId: admin, email: 'new@studio.example', name, roles: ['viewer'] });
  for (const name of ['OTTO', ' ｏｔｔｏ ', 'The  Operator', 'Sharebook', 'invo'])
    expect(await invite(name), name).toEqual({ ok: false, reason: 'name_taken' });
  const invited = await invite('Nele');
  if (!invited.ok) throw new Error(invited.reason);
  const setUp = { token: invited.token, email: '', password };
  expect(await useSetUpLink(db, { ...setUp, name: 'Otto' }, WAIT)).toEqual({ ok: false, reason: 'name_taken' });
  expect(await useSetUpLink(db, { ...setUp, name: 'Nele Voss' }, WAIT)).toMatchObject({ ok: true });
  const [entry] = (await readAudit(db)).filter(({ act, subject }) => act === 'set a password' && subject === 'new@studio.example');
  expect(entry?.detail).toMatchObject({ name: { before: 'Nele', after: 'Nele Voss' } });
});
