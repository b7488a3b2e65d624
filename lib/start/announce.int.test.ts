import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { findSetUpLink } from '../people/find-set-up-link.ts';
import { seedPerson } from '../people/testing/seed-people.ts';
import { announce } from './announce.ts';

let book: TestDb;
beforeAll(async () => {
  book = await createTestDb();
});
afterAll(async () => await book.close());

const URL_TEXT = 'https://book.studio.example';

test('simulated data needs no link: a person is picked', async () => {
  const lines = await announce({ url: URL_TEXT, isSimulated: true, env: { NODE_ENV: 'test', DATABASE_URL: book.url } });
  expect(lines.join('\n')).toContain('pick a person');
  expect(lines.join('\n')).not.toContain('token');
});

test('a book without an admin prints a link that opens, and one with an admin prints none', async () => {
  const start = async (): Promise<string> =>
    (await announce({ url: URL_TEXT, isSimulated: false, env: { NODE_ENV: 'test', DATABASE_URL: book.url } })).join('\n');
  const [, token = ''] = /^https:\/\/book\.studio\.example\/set-up\?token=([\w-]{43})$/m.exec(await start()) ?? [];
  expect(await findSetUpLink(book.db, token)).toMatchObject({ ok: true, purpose: 'first_admin' });
  await seedPerson(book.db, 'ada@studio.example', 'admin');
  expect(await start()).not.toContain('token');
});
