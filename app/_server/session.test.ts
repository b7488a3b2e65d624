import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

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

test('every page and route but those for signing in requires a person who has set up what their roles need', () => {
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
    ({ name, code }) => !name.endsWith('.test.ts') && /\b(findSelf|requireSelf)\(/.test(code),
  );
  expect(asking.map(({ name }) => name).toSorted()).toEqual([
    '_server/form-action.ts',
    '_server/session.ts',
    'sign-in/code/page.tsx',
    'sign-in/page.tsx',
    'sign-in/second-factor/page.tsx',
  ]);
});
