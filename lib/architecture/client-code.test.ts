import { describe, expect, test } from 'vitest';
import { parseSource, readSources, type SourceFile } from './read-sources.ts';

// What of ours may reach a browser besides app: the pure words and formatters of the domain.
const PURE = [
  'lib/core/money.ts',
  'lib/core/instant.ts',
  'lib/core/month.ts',
  'lib/core/window.ts',
  'lib/core/roles.ts',
  'lib/evidence/rules/sheets.ts',
  // What a person may write, and how much of it, and which amount a typed text is.
  'lib/core/parse-typed-usd.ts',
  'lib/core/typed-text.ts',
  'lib/core/storable-text.ts',
  // The preview of a refund is drawn as its amount is typed: facts in, words and figures out, no digest and no clock.
  'lib/refunds/rules/estimate-refund.ts',
  'lib/refunds/rules/find-hindrance.ts',
  'lib/refunds/rules/foresee-reversal.ts',
  'lib/refunds/rules/refund-limits.ts',
  'lib/refunds/rules/refund-reasons.ts',
  'lib/refunds/rules/remaining-of.ts',
  'lib/refunds/rules/share-of.ts',
  // So is what a new price will do, and what a reading says of a change nobody knows the outcome of.
  'lib/subscriptions/rules/foresee-price.ts',
  'lib/subscriptions/rules/judge-subscription-reading.ts',
];
const PACKAGES =
  /^(react|react-dom|next\/(link|navigation|image)|@base-ui\/react\/.*|@tanstack\/.*|recharts|clsx|lucide-react|big\.js|temporal-polyfill)$/;

// Known breaches, each to be mended and taken off the list.
const SILENT: string[] = [];

const sources = readSources();

test('there are client components, and what they reach was followed', () => {
  const reached = reach(sources);
  expect(sources.filter((file) => file.directive === 'client').length).toBeGreaterThan(10);
  expect(reached.size).toBeGreaterThan(20);
});

test('what a client component reaches by import is app and the pure part of the domain, and no server module', () => {
  expect(offences(sources)).toEqual([]);
});

test('server modules of app/_server say so, so that a build fails that takes one to the browser', () => {
  const silent = sources.filter(
    (file) =>
      file.path.startsWith('app/_server/') &&
      !file.isTest &&
      readsServer(file) &&
      !file.imports.some(({ target }) => target === 'server-only'),
  );
  expect(silent.map((file) => file.path)).toEqual(SILENT);
});

test('actions are for the server and export nothing but async functions', () => {
  for (const file of sources.filter((each) => each.directive === 'server')) {
    const exports = [...file.text.matchAll(/^export (?!type |interface )(.*)$/gm)].map(([, line]) => line ?? '');
    expect([file.path, exports.filter((line) => !line.startsWith('async function '))]).toEqual([file.path, []]);
  }
  const actions = sources.filter((file) => file.path.endsWith('/actions.ts'));
  expect(actions.length).toBeGreaterThan(2);
  expect(actions.filter((file) => file.directive !== 'server').map((file) => file.path)).toEqual([]);
});

describe('the rule refuses', () => {
  const client = parseSource('app/x.tsx', `'use client';\nimport { y } from './y.ts';`);
  test.each([
    [
      'a database query, one import away',
      `import { listMonths } from '../db/evidence/reads/months/list-months.ts';`,
      'app/y.ts → db/evidence/reads/months/list-months.ts',
    ],
    ['the configuration', `import { readConfig } from '../lib/config.ts';`, 'app/y.ts → lib/config.ts'],
    [
      'a part of the domain that is for the server',
      `import { digestSlice } from '../lib/evidence/rules/proof/digest.ts';`,
      'app/y.ts → lib/evidence/rules/proof/digest.ts',
    ],
    ['a driver', `import pg from 'pg';`, 'app/y.ts → pg'],
    ['a module that says it is for the server', `import 'server-only';`, 'app/y.ts → server-only'],
    ['a type spelled so that the import stays', `import { type Db } from '../db/kit/open.ts';`, 'app/y.ts → db/kit/open.ts'],
  ])('%s', (_, text, offence) => {
    expect(offences([client, parseSource('app/y.ts', text)])).toEqual([offence]);
  });

  test('neither types nor what lies behind an action', () => {
    expect(offences([client, parseSource('app/y.ts', `import type { Db } from '../db/kit/open.ts';`)])).toEqual([]);
    expect(offences([client, parseSource('app/y.ts', `'use server';\nimport pg from 'pg';`)])).toEqual([]);
  });
});

function offences(files: SourceFile[]): string[] {
  const found = [...reach(files)].flatMap((file) =>
    file.imports.filter((each) => !each.isTypeOnly && !mayReach(file, each.target)).map(({ target }) => `${file.path} → ${target}`),
  );
  return found.toSorted();
}

/** The files whose code goes to a browser: client components and all they import as values. An action is called over the wire, so its file stays. */
function reach(files: SourceFile[]): Set<SourceFile> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<SourceFile>();
  const waiting = files.filter((file) => file.directive === 'client' && !file.isTest);
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (reached.has(file) || file.directive === 'server') continue;
    reached.add(file);
    if (file.path.startsWith('lib/') || file.path.startsWith('db/')) continue;
    waiting.push(...file.imports.filter((each) => !each.isTypeOnly).flatMap(({ target }) => byPath.get(target) ?? []));
  }
  return reached;
}

function mayReach(from: SourceFile, target: string): boolean {
  if (from.path.startsWith('lib/') || from.path.startsWith('db/')) return true;
  if (target.startsWith('app/')) return true;
  return PURE.includes(target) || PACKAGES.test(target);
}

function readsServer(file: SourceFile): boolean {
  return file.imports.some(
    ({ target, isTypeOnly }) => !isTypeOnly && /^(db\/|lib\/operations\/|lib\/config|next\/headers|better-auth)/.test(target),
  );
}
