import { describe, expect, test } from 'vitest';
import { parseSource, readSources, type SourceFile } from './read-sources.ts';

// What of ours may reach a browser besides app, by folder: what is pure in every feature, and its sentences.
const BROWSER_SAFE = /^lib\/(core\/|[a-z-]+\/rules\/|[a-z-]+\/text\.ts$)/;
const PACKAGES =
  /^(react|react-dom|next\/(link|navigation|image)|@tanstack\/.*|recharts|clsx|csv-parse\/browser\/esm\/sync|lucide-react|big\.js|temporal-polyfill)$/;

// Known breaches, each to be fixed and removed from the list.
const SILENT: string[] = [];

const sources = readSources();

test('client components and everything they import are found', () => {
  const reached = reach(sources);
  expect(sources.filter((file) => file.directive === 'client').length).toBeGreaterThan(10);
  expect(reached.size).toBeGreaterThan(20);
});

test('client components import only app, core, rules and text, never a server module', () => {
  expect(offences(sources)).toEqual([]);
});

test('modules of app/_server import server-only, so that a browser build with one fails', () => {
  const silent = sources.filter(
    (file) =>
      file.path.startsWith('app/_server/') &&
      !file.isTest &&
      readsServer(file) &&
      !file.imports.some(({ target }) => target === 'server-only'),
  );
  expect(silent.map((file) => file.path)).toEqual(SILENT);
});

describe('the rule refuses', () => {
  const client = parseSource('app/x.tsx', `'use client';\nimport { y } from './y.ts';`);
  test.each([
    [
      'a database query, one import away',
      `import { listMonths } from '../lib/evidence/reads/months.ts';`,
      'app/y.ts → lib/evidence/reads/months.ts',
    ],
    ['the configuration', `import { readConfig } from '../lib/config.ts';`, 'app/y.ts → lib/config.ts'],
    [
      'a verb, which is for the server',
      `import { pullWindow } from '#lib/evidence/pull/pull-window.ts';`,
      'app/y.ts → lib/evidence/pull/pull-window.ts',
    ],
    ['a driver', `import pg from 'pg';`, 'app/y.ts → pg'],
    ['a module that says it is for the server', `import 'server-only';`, 'app/y.ts → server-only'],
    ['a type spelled so that the import stays', `import { type Db } from '../db/kit/open.ts';`, 'app/y.ts → db/kit/open.ts'],
  ])('%s', (_, text, offence) => {
    expect(offences([client, parseSource('app/y.ts', text)])).toEqual([offence]);
  });

  test('the rule ignores type imports and code behind an action', () => {
    expect(offences([client, parseSource('app/y.ts', `import type { Db } from '../db/kit/open.ts';`)])).toEqual([]);
    expect(offences([client, parseSource('app/y.ts', `'use server';\nimport pg from 'pg';`)])).toEqual([]);
  });
});

function offences(files: SourceFile[]): string[] {
  const found = [...reach(files)].flatMap((file) =>
    file.imports.filter((each) => !each.isTypeOnly && !mayReach(each.target)).map(({ target }) => `${file.path} → ${target}`),
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
    if (/^db\/|^lib\/[a-z-]+\/(reads|writes)[./]/.test(file.path)) continue;
    waiting.push(...file.imports.filter((each) => !each.isTypeOnly).flatMap(({ target }) => byPath.get(target) ?? []));
  }
  return reached;
}

function mayReach(target: string): boolean {
  if (target.startsWith('app/')) return true;
  return BROWSER_SAFE.test(target) || PACKAGES.test(target);
}

function readsServer(file: SourceFile): boolean {
  return file.imports.some(
    ({ target, isTypeOnly }) => !isTypeOnly && /^(db\/|lib\/[a-z-]+\/(?!rules\/|text\.ts)|lib\/config|next\/headers)/.test(target),
  );
}
