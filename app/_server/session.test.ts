import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runInRequest } from '#lib/operate/request-context.ts';
import { sourceOfRequest } from './session.ts';

const sourceOf = (method: string): string =>
  runInRequest({ requestId: 'a request', method, address: '127.0.0.1', personId: null, statements: 0 }, () => sourceOfRequest());

test('only a request that reads gets what the process remembers', () => {
  expect(['GET', 'HEAD'].map(sourceOf)).toEqual(['cache', 'cache']);
  expect(['POST', 'PUT', 'get', 'unknown'].map(sourceOf)).toEqual(['database', 'database', 'database', 'database']);
});

test('where the web server of Sharebook doesn’t run, the database is asked', () => {
  expect(sourceOfRequest()).toBe('database');
});

test('every route that hands out a file asks the database who takes it', () => {
  const app = path.join(import.meta.dirname, '..');
  const files = fs.globSync('**/route.ts', { cwd: app }).map((name) => ({ name, code: fs.readFileSync(path.join(app, name), 'utf8') }));
  const handingOut = files.filter(({ code }) => /send(File|Bytes|GzipCsv|Json)\(/.test(code));
  expect(handingOut.length).toBeGreaterThan(5);
  expect(handingOut.filter(({ code }) => !/requirePerson\([^)]*'database'\)/.test(code)).map(({ name }) => name)).toEqual([]);
});

const APP = path.join(import.meta.dirname, '..');
const listFiles = (pattern: string): { name: string; code: string }[] =>
  fs.globSync(pattern, { cwd: APP }).map((name) => ({ name, code: fs.readFileSync(path.join(APP, name), 'utf8') }));

// What a person reaches who still has to set up a second factor: signing in and out, the set-up, and what is open to everybody.
const OPEN_PAGES = [
  'healthz/route.ts',
  'metrics/route.ts',
  'readyz/route.ts',
  'set-up/page.tsx',
  'sign-in/code/page.tsx',
  'sign-in/page.tsx',
  'sign-in/second-factor/page.tsx',
];

test('every page and route but those for signing in asks for a person who has set up what their roles need', () => {
  // A page that passes the question on to a component or a function of its folders is found by the file of that.
  const asks = (code: string): boolean => /\b(requirePerson|findPerson)\(/.test(code);
  const components = listFiles('[[]game[]]/**/*.{ts,tsx}').filter(
    ({ name, code }) => !/(^|\/)(page|layout|route|actions)\.tsx?$/.test(name) && asks(code),
  );
  const isPassedOn = (code: string): boolean => components.some(({ name }) => code.includes(`/${path.basename(name)}'`));
  const files = [...listFiles('**/page.tsx'), ...listFiles('**/route.ts')];
  expect(files.length).toBeGreaterThan(40);
  expect(
    files
      .filter(({ code }) => !asks(code) && !isPassedOn(code))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(OPEN_PAGES);
});

test('only signing in and the set-up of a second factor ask for a person who may not have set it up', () => {
  const asking = listFiles('**/*.{ts,tsx}').filter(
    ({ name, code }) => !name.endsWith('.test.ts') && /\b(findSelf|requireSelf|receiveSelfForm|receiveSelfProof)\(/.test(code),
  );
  expect(asking.map(({ name }) => name).toSorted()).toEqual([
    '_account/actions.ts',
    '_server/receive-approval.ts',
    '_server/receive-form.ts',
    '_server/session.ts',
    'sign-in/code/page.tsx',
    'sign-in/page.tsx',
    'sign-in/second-factor/page.tsx',
  ]);
});

test('every action asks first who sends its form', () => {
  const actions = listFiles('**/*.ts').filter(({ code }) => code.startsWith(`'use server'`));
  expect(actions.length).toBeGreaterThan(15);
  const open = actions.filter(({ code }) => !/\b(receive\w*(Form|Approval|Proof)|openLookUp|requirePerson)\(/.test(code));
  expect(open.map(({ name }) => name)).toEqual(['_shell/sign-out.ts']);
});
