import { betterAuth } from 'better-auth';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { AUTH_SECRET, seedFactor } from '#lib/factors/testing/seed-factor.ts';
import { ensureDemoPeople } from '#lib/people/ensure-demo-people.ts';
import { BusyError } from '#lib/people/password.ts';
import { DEMO_PASSWORD } from '#lib/people/rules/person.ts';
import { authOptions, recordSignIn, SECOND_STEP } from './auth.ts';
import { digestToken } from './signed-in.ts';

const FIONA = { email: 'finance@starfall.example', password: DEMO_PASSWORD };
const SECRET = AUTH_SECRET;
let book: TestDb;
let auth: ReturnType<typeof createAuth>;

function createAuth(origin: string) {
  return betterAuth({ ...authOptions({ db: book.db, origin, secret: SECRET }), plugins: [SECOND_STEP] });
}

beforeAll(async () => {
  book = await createTestDb();
  await ensureDemoPeople(book.db, { isSimulated: true });
  auth = createAuth('http://127.0.0.1:3000');
});
afterAll(async () => await book.close());
beforeEach(async () => {
  await book.db.deleteFrom('person_session').execute();
  await book.db.deleteFrom('second_factor').execute();
  await book.db.updateTable('person').set({ disabled_at: null }).execute();
});

async function signIn(from = auth): Promise<{ setCookie: string; headers: Headers; token: string }> {
  const answer = await from.api.signInEmail({ body: FIONA, asResponse: true });
  const setCookie = answer.headers.getSetCookie().find((line) => line.includes('session_token')) ?? '';
  const pair = setCookie.split(';')[0] ?? '';
  return { setCookie, headers: new Headers({ cookie: pair }), token: decodeURIComponent(pair.split('=')[1] ?? '').split('.')[0] ?? '' };
}

async function storedSession(): Promise<{ token: string; hours: number }> {
  const hours = sql<number>`round(extract(epoch from expires_at - created_at) / 3600)::int`.as('hours');
  return await book.db.selectFrom('person_session').select(['token', hours]).executeTakeFirstOrThrow();
}

test('a session opens for eight hours and ends when signed out', async () => {
  const { headers } = await signIn();
  expect((await storedSession()).hours).toBe(8);
  expect((await auth.api.getSession({ headers }))?.user).toMatchObject({ email: FIONA.email });
  await auth.api.signOut({ headers });
  expect(await book.db.selectFrom('person_session').selectAll().execute()).toEqual([]);
  expect(await auth.api.getSession({ headers })).toBeNull();
});

test('the database keeps the digest of a session’s token only, and what it keeps opens nothing', async () => {
  const { token } = await signIn();
  const stored = (await storedSession()).token;
  expect(token).toMatch(/^\w{32}$/);
  expect(stored).toBe(digestToken(token));
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(SECRET), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  for (const [value, opens] of [
    [token, true],
    [stored, false],
  ] as const) {
    const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(value))).toString('base64');
    const headers = new Headers({ cookie: `sharebook.session_token=${encodeURIComponent(`${value}.${signature}`)}` });
    expect((await auth.api.getSession({ headers })) !== null).toBe(opens);
  }
});

test('a session past its end opens nothing', async () => {
  const { headers } = await signIn();
  await book.db.updateTable('person_session').set({ expires_at: sql<string>`clock_timestamp() - interval '1 second'` }).execute();
  expect(await auth.api.getSession({ headers })).toBeNull();
});

test('a session is not prolonged by being used', async () => {
  const { headers } = await signIn();
  await book.db
    .updateTable('person_session')
    .set({ expires_at: sql<string>`clock_timestamp() + interval '1 minute'`, updated_at: '2026-01-01T00:00:00Z' })
    .execute();
  const before = await book.db.selectFrom('person_session').selectAll().execute();
  expect(await auth.api.getSession({ headers })).not.toBeNull();
  expect(await book.db.selectFrom('person_session').selectAll().execute()).toEqual(before);
});

test('a wrong password, an unknown email and a disabled person get the same answer and no session', async () => {
  const refusal = async (body: { email: string; password: string }) =>
    await auth.api.signInEmail({ body, asResponse: true }).then(({ status }) => status);
  await book.db
    .updateTable('person')
    .set({ disabled_at: sql<string>`clock_timestamp()` })
    .where('email', '=', 'support@starfall.example')
    .execute();
  expect(await refusal({ ...FIONA, password: 'simulated data onlz' })).toBe(401);
  expect(await refusal({ ...FIONA, email: 'nobody@starfall.example' })).toBe(401);
  expect(await refusal({ ...FIONA, email: 'support@starfall.example' })).toBe(401);
  expect(await book.db.selectFrom('person_session').selectAll().execute()).toEqual([]);
});

test('nobody signs themself up', async () => {
  const answer = await auth.api.signUpEmail({
    body: { name: 'Eve', email: 'eve@starfall.example', password: DEMO_PASSWORD },
    asResponse: true,
  });
  expect(await answer.json()).toMatchObject({ code: 'EMAIL_PASSWORD_SIGN_UP_DISABLED' });
  expect(await book.db.selectFrom('person').select('id').where('email', '=', 'eve@starfall.example').execute()).toEqual([]);
});

test('the cookie is for this site’s server alone, and for https where Sharebook is served so', async () => {
  expect((await signIn()).setCookie).toMatch(/^sharebook\.session_token=.*; Path=\/; HttpOnly; SameSite=Lax$/);
  const secure = await signIn(createAuth('https://book.studio.example'));
  expect(secure.setCookie).toMatch(/^__Secure-sharebook\.session_token=.*HttpOnly/);
  expect(secure.setCookie).toMatch(/; Secure/);
});

describe('a person with a second factor', () => {
  const countSessions = async (): Promise<number> => (await book.db.selectFrom('person_session').select('id').execute()).length;
  const byPassword = (password: string) =>
    recordSignIn(book.db, FIONA.email, () => auth.api.signInEmail({ body: { email: FIONA.email, password } }));
  const disable = () =>
    book.db.updateTable('person').set({ disabled_at: '2026-11-01T00:00:00Z' }).where('email', '=', FIONA.email).execute();
  let personId: string;
  beforeEach(async () => {
    personId = (await book.db.selectFrom('person').select('id').where('email', '=', FIONA.email).executeTakeFirstOrThrow()).id;
    await seedFactor(book.db, personId);
  });

  test('gets no session by the password alone, and by the second step one that opens', async () => {
    expect(await byPassword(FIONA.password)).toBe('code_needed');
    expect(await countSessions()).toBe(0);
    const answer = await auth.api.openSecondSession({ body: { personId }, asResponse: true });
    const cookie =
      answer.headers
        .getSetCookie()
        .find((line) => line.includes('session_token'))
        ?.split(';')[0] ?? '';
    expect((await auth.api.getSession({ headers: new Headers({ cookie }) }))?.user).toMatchObject({ email: FIONA.email });
  });

  test('gets the answer of everyone for a wrong password, and when disabled for the right one too', async () => {
    expect(await byPassword('not the password')).toBe('refused');
    await disable();
    expect(await byPassword(FIONA.password)).toBe('refused');
    expect(await countSessions()).toBe(0);
  });

  test('gets no session by the second step when they were disabled between password and code', async () => {
    await disable();
    expect(await recordSignIn(book.db, FIONA.email, () => auth.api.openSecondSession({ body: { personId } }))).toBe('refused');
    expect(await countSessions()).toBe(0);
  });

  test('signs in by the password alone while the set-up isn’t finished', async () => {
    await book.db.updateTable('second_factor').set({ confirmed_at: null, last_step: null }).execute();
    expect(await byPassword(FIONA.password)).toBe('opened');
  });

  test('can’t be signed in by a request to the second step: it is no route', async () => {
    const request = new Request('http://127.0.0.1:3000/api/auth/sign-in/second-step', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ personId }),
    });
    expect((await auth.handler(request)).status).toBe(404);
    expect(await countSessions()).toBe(0);
  });
});

describe('the audit of signing in', () => {
  const signInWith = (email: string, password: string) =>
    recordSignIn(book.db, email, () => auth.api.signInEmail({ body: { email, password } }));
  const audited = async (): Promise<string[]> =>
    (await book.db.selectFrom('audit').select(['actor', 'act', 'subject']).orderBy('audit_id').execute()).map(
      ({ actor, act, subject }) => `${actor} ${act}: ${subject}`,
    );
  let before: number;
  beforeEach(async () => {
    before = (await audited()).length;
  });

  test('a wrong password is recorded with the email of the person, whatever its case', async () => {
    expect(await signInWith('Finance@Starfall.example', 'not the password')).toBe('refused');
    expect((await audited()).slice(before)).toEqual([`${FIONA.email} failed to sign in: Sharebook`]);
  });

  test('an email that nobody has is recorded without what was typed', async () => {
    expect(await signInWith('my-password@typed.wrong', 'x')).toBe('refused');
    expect((await audited()).slice(before)).toEqual(['unknown person failed to sign in: Sharebook']);
    const { rows } = await book.pool.query(`select 1 from audit a where to_jsonb(a)::text like '%typed.wrong%'`);
    expect(rows).toEqual([]);
  });

  test('a disabled person with the right password is recorded as refused', async () => {
    await book.db.updateTable('person').set({ disabled_at: '2026-11-01T00:00:00Z' }).where('email', '=', FIONA.email).execute();
    expect(await signInWith(FIONA.email, FIONA.password)).toBe('refused');
    expect((await audited()).slice(before)).toEqual([`${FIONA.email} failed to sign in: Sharebook`]);
  });

  test('a sign-in is recorded once, and one that was not checked not at all', async () => {
    expect(await signInWith(FIONA.email, FIONA.password)).toBe('opened');
    expect(await recordSignIn(book.db, FIONA.email, () => Promise.reject(new BusyError()))).toBe('busy');
    expect((await audited()).slice(before)).toEqual([`${FIONA.email} signed in: Sharebook`]);
  });
});
