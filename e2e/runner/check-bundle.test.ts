import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkBundle } from './check-bundle.ts';

const made: string[] = [];
afterAll(() => made.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

const ENV = {
  INVO_GAME_SECRET: 'sk-canary-1234',
  INVO_WEBHOOK_SECRET_PREVIOUS: 'wh-canary-1234',
  DATABASE_URL: 'postgres://canary@db/book',
  INVO_GAME: 'aurora-game',
  SHAREBOOK_AUTH_SECRET: 'short',
};

test('a build without anything of the server has no offence', async () => {
  expect(
    await checkBundle({ root: build({ '.next/static/chunks/a.js': 'const game = "aurora-game", note = "short";' }), env: ENV }),
  ).toEqual([]);
});

describe('one offence is named by file, and a secret is not repeated', () => {
  test.each([
    ['.next/static/chunks/a.js', 'x("sk-canary-1234")', 'the value of INVO_GAME_SECRET'],
    ['.next/static/chunks/deep/b.js.map', 'wh-canary-1234', 'the value of INVO_WEBHOOK_SECRET_PREVIOUS'],
    ['.next/server/app/index.html', '<p>postgres://canary@db/book', 'the value of DATABASE_URL'],
    ['.next/server/app/sign-in.rsc', 'sk-canary-1234', 'the value of INVO_GAME_SECRET'],
    ['.next/static/chunks/a.js', 'kept-canary-5678', 'the value of simulatedGame'],
    ['public/readme.txt', 'set INVO_GAME_SECRET to …', 'the name INVO_GAME_SECRET'],
    ['.next/static/chunks/a.js', 'process.env.SHAREBOOK_AUTH_SECRET', 'the name SHAREBOOK_AUTH_SECRET'],
    ['.next/static/chunks/a.js', 'const t="kysely_migration"', '"kysely_migration", which only the query builder has'],
    ['.next/static/chunks/a.js', 'h["X-Game-Secret-Key"]=s', '"X-Game-Secret-Key", which only the Invo client has'],
  ])('%s with %s', async (file, text, what) => {
    const root = build({ '.next/static/chunks/main.js': '', '.data/secrets.json': '{"simulatedGame": "kept-canary-5678"}', [file]: text });
    const offences = await checkBundle({ root, env: ENV });
    expect(offences).toEqual([`${file} holds ${what}.`]);
    expect(offences.join()).not.toContain('canary');
  });
});

test('code of the server may hold what it likes', async () => {
  const root = build({ '.next/static/chunks/a.js': '', '.next/server/app/page.js': 'kysely_migration sk-canary-1234' });
  expect(await checkBundle({ root, env: ENV })).toEqual([]);
});

test('no build is an offence, not a pass', async () => {
  expect(await checkBundle({ root: build({ 'package.json': '{}' }), env: ENV })).toEqual([
    'There is no build to look through: run the build first.',
  ]);
});

function build(files: Record<string, string>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-bundle-'));
  made.push(root);
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return root;
}
