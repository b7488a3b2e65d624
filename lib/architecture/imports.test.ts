import { describe, expect, test } from 'vitest';
import { parseSource, readSources, type SourceFile, type SourceImport } from './read-sources.ts';

interface Room {
  /** The first that a path begins with is its room. */
  begins: string;
  /** What it may import of ours, by how the path begins, its own room aside. */
  ours: string[];
  /** What it may import of ours for its types only. */
  types?: string[];
  /** Packages it may import; none named: any. */
  packages?: RegExp;
}

// Who may import whom. A room not named here fails.
const ROOMS: Room[] = [
  { begins: 'lib/domain/', ours: [], packages: /^(big\.js|temporal-polyfill|node:crypto)$/ },
  { begins: 'lib/invo/', ours: ['lib/domain/'], packages: /^(zod|node:.*)$/ },
  { begins: 'lib/operations/', ours: ['lib/domain/', 'lib/invo/', 'db/'], types: ['lib/config.ts'] },
  { begins: 'lib/jobs/', ours: ['lib/operations/', 'lib/domain/', 'db/', 'lib/config.ts'] },
  {
    begins: 'lib/cli/',
    ours: ['lib/operations/', 'lib/domain/', 'db/', 'lib/config.ts', 'lib/invo/invo-error.ts', 'lib/invo/say-invo-error.ts'],
  },
  { begins: 'lib/start/', ours: ['lib/cli/', 'lib/operations/', 'lib/domain/', 'db/', 'lib/config.ts'] },
  { begins: 'lib/config.ts', ours: ['lib/domain/'], packages: /^(zod|node:fs)$/ },
  {
    begins: 'db/queries/',
    ours: ['db/queries/', 'lib/domain/', 'db/kit/migrate.ts', 'db/evidence/columns.ts', 'db/evidence/writes/snapshots.ts'],
    types: ['db/'],
    packages: /^(kysely|node:.*)$/,
  },
  { begins: 'db/', ours: ['db/queries/', 'lib/domain/'], packages: /^(kysely(\/migration)?|pg|pg-copy-streams|pg-cursor|node:.*)$/ },
  { begins: 'app/_ui/', ours: ['lib/domain/', 'app/_server/action-state.ts'] },
  { begins: 'app/_server/', ours: ['lib/operations/', 'lib/jobs/', 'lib/domain/', 'lib/config.ts', 'db/', 'app/_ui/'] },
  // What Invo's refusals mean in words is text alone, and every screen that shows a stored refusal says it the same way.
  {
    begins: 'app/',
    ours: ['app/', 'lib/domain/', 'lib/invo/refusals/', 'db/queries/', 'lib/config.ts'],
    types: ['db/kit/open.ts', 'lib/operations/', 'lib/invo/invo-error.ts'],
  },
  { begins: 'e2e/upstream/', ours: [], packages: /^node:/ },
  { begins: 'e2e/', ours: ['e2e/', 'db/', 'lib/'] },
];

// Files of app that may start operations: what changes something, or sends a file.
const STARTS_OPERATIONS = /\/(actions|route)\.tsx?$/;

// Pages may start an operation that reads; support's keep what Invo answered and change nothing else. Constants an operation owns are
// read where they are.
const READING_OPERATIONS = [
  'lib/subscriptions/read-period-detail.ts',
  'lib/subscriptions/read-subscription-detail.ts',
  'lib/players/read-player-detail.ts',
  'lib/subscriptions/read-change-facts.ts',
  'lib/people/find-set-up-link.ts',
  'lib/people/password-length.ts',
  'lib/people/demo-people.ts',
  'lib/refunds/read-fresh-facts.ts',
];

// Known breaches, each to be mended and taken off the list; a line that is no longer needed fails.
const BREACHES: string[] = [];
const ENVIRONMENT_BREACHES: string[] = [];

const sources = readSources();

test('every import of what ships keeps to the table of rooms', () => {
  const found = sources.filter((file) => !file.isTest).flatMap(breachesOf);
  expect(found).toEqual(BREACHES);
});

test('nothing that ships imports e2e or a test', () => {
  const tests = new Set(sources.filter((file) => file.isTest).map((file) => file.path));
  const found = sources
    .filter((file) => !file.isTest && !file.path.startsWith('e2e/'))
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => target.startsWith('e2e/') || tests.has(target)).map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('the simulated service imports nothing of ours, its tests neither', () => {
  const found = sources
    .filter((file) => file.path.startsWith('e2e/upstream/'))
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => /^(app|lib|db)\//.test(target)).map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('the wire and the store never meet, not even in a test', () => {
  const found = sources
    .filter((file) => /^(lib\/invo|db)\//.test(file.path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith(path.startsWith('db/') ? 'lib/invo/' : 'db/'))
        .map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('only app/_server, the commands and the start read the environment', () => {
  const found = sources.filter(
    (file) => !file.isTest && /\bprocess\.env\b/.test(file.text) && !/^(app\/_server|lib\/cli|lib\/start|lib\/jobs|e2e)\//.test(file.path),
  );
  expect(found.map((file) => file.path)).toEqual(ENVIRONMENT_BREACHES);
});

test('every path an import names is there', () => {
  const paths = new Set(sources.map((file) => file.path));
  const found = sources
    .filter((file) => !file.path.startsWith('lib/architecture/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => /^(app|lib|db|e2e)\/.*\.tsx?$/.test(target) && !paths.has(target))
        .map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('a folder of app imports what lies on its own path; what several share stands in a folder with an underscore above them', () => {
  const found = sources.filter((file) => file.path.startsWith('app/')).flatMap(crossings);
  expect(found).toEqual([]);
});

describe('a folder of app', () => {
  test.each([
    ['app/[game]/refunds/page.tsx', '../periods/[periodId]/refund/period-words.ts', false],
    ['app/[game]/refunds/page.tsx', '../../settings/side-dialog.tsx', false],
    ['app/[game]/refunds/page.tsx', '../periods/_walk/walk.ts', false],
    ['app/_shell/shell.tsx', '../sign-in/sign-out.ts', false],
    ['app/[game]/_refunds/act-form.tsx', '../refunds/refund-table.ts', false],
    ['app/[game]/refunds/page.tsx', './[refundId]/answer.tsx', true],
    ['app/[game]/refunds/[refundId]/page.tsx', '../load-refunds.ts', true],
    ['app/[game]/refunds/[refundId]/page.tsx', '../../_refund/act-form.tsx', true],
    ['app/[game]/refunds/[refundId]/page.tsx', '../../../_ui/layout/card.tsx', true],
    ['app/layout.tsx', './sign-in/door.tsx', true],
  ])('%s may import %s: %j', (path, target, mayImportIt) => {
    expect(crossings(parseSource(path, `import { x } from '${target}';`))).toHaveLength(mayImportIt ? 0 : 1);
  });
});

describe('the table refuses', () => {
  test.each([
    ['lib/domain/x.ts', `import pg from 'pg';`],
    ['lib/domain/x.ts', `import type { Db } from '../../db/kit/open.ts';`],
    ['lib/invo/x.ts', `import { insertSlice } from '../../db/evidence/writes/slices.ts';`],
    ['db/x.ts', `import { pullWindow } from '../lib/evidence/pull/pull-window.ts';`],
    ['db/queries/x.ts', `import { insertPull } from '../pulls.ts';`],
    ['lib/operations/x.ts', `import { readConfig } from '../config.ts';`],
    ['app/[game]/page.tsx', `import { insertPull } from '../../db/evidence/writes/pulls.ts';`],
    ['app/[game]/page.tsx', `import { requestPull } from '../../lib/evidence/pull/request-pull.ts';`],
    ['app/[game]/page.tsx', `import { createClient } from '../../lib/invo/client.ts';`],
    ['app/_ui/x.tsx', `import { listMonths } from '../../db/evidence/reads/months/list-months.ts';`],
    ['lib/jobs/x.ts', `import { world } from '../../e2e/upstream/world/cast.ts';`],
    ['e2e/upstream/x.ts', `import { parseMoney } from '../../lib/core/money.ts';`],
    ['e2e/upstream/x.ts', `import big from 'big.js';`],
    ['lib/new-room/x.ts', `import fs from 'node:fs';`],
  ])('in %s: %s', (path, text) => {
    expect(breachesOf(parseSource(path, text))).toHaveLength(1);
  });
});

function breachesOf(file: SourceFile): string[] {
  const room = ROOMS.find(({ begins }) => file.path.startsWith(begins));
  return file.imports.filter((each) => !room || !mayImport(file.path, room, each)).map(({ target }) => `${file.path} → ${target}`);
}

function crossings({ path, imports }: SourceFile): string[] {
  const own = folderOf(path);
  return imports
    .filter(({ target }) => target.startsWith('app/'))
    .filter(({ target }) => {
      const home = target.includes('/_') ? target.slice(0, target.indexOf('/_') + 1) : folderOf(target);
      return !own.startsWith(home) && !home.startsWith(own);
    })
    .map(({ target }) => `${path} → ${target}`);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function mayImport(path: string, room: Room, { target, isTypeOnly }: SourceImport): boolean {
  if (!/^(app|lib|db|e2e)\//.test(target)) return room.packages === undefined || target.startsWith('.') || room.packages.test(target);
  if (ROOMS.find(({ begins }) => target.startsWith(begins)) === room) return true;
  if (room.ours.some((begins) => target.startsWith(begins))) return true;
  if (isTypeOnly && room.types?.some((begins) => target.startsWith(begins))) return true;
  if (room.begins !== 'app/') return false;
  return READING_OPERATIONS.includes(target) || (STARTS_OPERATIONS.test(path) && target.startsWith('lib/operations/'));
}
