import { describe, expect, test } from 'vitest';
import { parseSource, readSources, type SourceFile, type SourceImport } from './read-sources.ts';

interface Room {
  /** What a path of this room looks like; the first room that matches is the path's. */
  paths: RegExp;
  /** The rooms it may import from, its own aside. */
  rooms: readonly string[];
  /** The rooms it may import types from, besides. */
  types?: readonly string[];
  /** Packages it may import; none named: any. */
  packages?: RegExp;
}

const VERBS =
  'accounting|approvals|audit|balances|evidence|factors|fees|games|journals|loyalty|notices|orders|payouts|people|players|refunds|search|subscriptions|transfers|two-factor|webhooks';
const DATABASE = /^(kysely(\/(migration|helpers\/postgres))?|pg|pg-copy-streams|pg-cursor|node:.*)$/;
const SHARED = ['core', 'rules', 'text'] as const;
const STORE = ['kit', 'paging', 'tables', 'reads', 'writes'] as const;

// Who may import whom, by folder alone. A path that lies in no room fails.
const ROOMS: Record<string, Room> = {
  core: { paths: /^lib\/core\//, rooms: [], packages: /^(temporal-polyfill|yazl|node:(crypto|stream))$/ },
  rules: { paths: /^lib\/[a-z-]+\/rules\//, rooms: ['core'], packages: /^(zod|node:crypto)$/ },
  text: { paths: /^lib\/[a-z-]+\/text\.ts$/, rooms: ['core', 'rules'], packages: /^$/ },
  // Logs, metrics and request ids: known to whatever serves or works, and knowing none of it.
  operate: { paths: /^lib\/(operate|observability)\//, rooms: ['core'], packages: /^(prom-client|node:.*)$/ },
  invo: { paths: /^lib\/invo\//, rooms: SHARED, packages: /^(zod|node:.*)$/ },
  config: { paths: /^lib\/config(\.test)?\.ts$/, rooms: ['core'], packages: /^(zod|node:fs)$/ },
  reads: {
    paths: /^(db|lib)\/[a-z-]+\/reads(\/|\.ts$)/,
    rooms: [...SHARED, 'kit', 'paging', 'tables'],
    types: ['writes'],
    packages: DATABASE,
  },
  writes: { paths: /^(db|lib)\/[a-z-]+\/writes(\/|\.ts$)/, rooms: [...SHARED, 'kit', 'paging', 'tables', 'reads'], packages: DATABASE },
  verbs: { paths: new RegExp(`^lib/(${VERBS})/`), rooms: [...SHARED, ...STORE, 'invo'], types: ['config'] },
  jobs: { paths: /^lib\/jobs\//, rooms: [...SHARED, ...STORE, 'verbs', 'config', 'operate'] },
  cli: { paths: /^lib\/cli\//, rooms: [...SHARED, ...STORE, 'verbs', 'invo', 'config'] },
  start: { paths: /^lib\/start\//, rooms: [...SHARED, ...STORE, 'verbs', 'jobs', 'cli', 'config', 'operate'] },
  testing: { paths: /^lib\/(testing|architecture)\//, rooms: [...SHARED, ...STORE, 'verbs', 'invo', 'config'] },
  // Lists and pages of rows: a definition, a request, its cursor and the error of a cursor that fits nothing.
  paging: { paths: /^db\/kit\/((rank-)?list|paging(-cursor)?)\.ts$/, rooms: ['core', 'kit'], packages: DATABASE },
  kit: { paths: /^db\/(kit\/|(types|distribution)(\.int\.test)?\.ts$)/, rooms: ['core'], packages: DATABASE },
  // What the reads and the writes of one feature share: its column lists and stored shapes.
  tables: { paths: /^db\/[a-z]+\/[a-z-]+\.ts$/, rooms: [...SHARED, 'kit'], packages: DATABASE },
  ui: { paths: /^app\/_ui\//, rooms: ['core'], types: ['rules', 'server'] },
  server: { paths: /^app\/_server\//, rooms: [...SHARED, ...STORE, 'verbs', 'jobs', 'config', 'operate', 'ui'] },
  app: {
    paths: /^(app\/|(proxy|instrumentation)\.ts$)/,
    rooms: [...SHARED, 'paging', 'reads', 'config', 'operate', 'ui', 'server'],
    types: ['kit', 'verbs', 'invo'],
  },
  upstream: { paths: /^e2e\/upstream\//, rooms: [], packages: /^node:/ },
  e2e: { paths: /^e2e\//, rooms: [...SHARED, ...STORE, 'verbs', 'jobs', 'cli', 'start', 'testing', 'invo', 'config'] },
};

// Files of app that may start verbs: what changes something, or sends a file.
const STARTS_VERBS = /\/(actions|route)\.tsx?$/;

// A page may start a verb that only reads: `read-…` calls Invo and stores the answer, `find-…` queries the database.
const READING_VERB = /\/(read|find)-[a-z-]+\.ts$/;

// Known breaches, each to be fixed and removed from the list; a line that is no longer needed fails.
const BREACHES: string[] = [];
const ENVIRONMENT_BREACHES: string[] = [];

const sources = readSources();

test('every import of shipped code follows the table of rooms', () => {
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

test('the simulated service and its tests import nothing of Sharebook', () => {
  const found = sources
    .filter((file) => file.path.startsWith('e2e/upstream/'))
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => /^(app|lib|db)\//.test(target)).map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('lib/invo and db never import each other, not even in a test', () => {
  const found = sources
    .filter((file) => /^(lib\/invo|db)\//.test(file.path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) =>
          path.startsWith('db/') ? /^lib\/invo\/(?!rules\/|text\.ts)/.test(target) : /^db\/|\/(reads|writes)[./]/.test(target),
        )
        .map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('only app/_server, lib/cli and lib/start read the environment', () => {
  const found = sources.filter(
    (file) => !file.isTest && /\bprocess\.env\b/.test(file.text) && !/^(app\/_server|lib\/cli|lib\/start|lib\/jobs|e2e)\//.test(file.path),
  );
  expect(found.map((file) => file.path)).toEqual(ENVIRONMENT_BREACHES);
});

test('SQL is written in db alone, except for what starts the embedded server', () => {
  const found = sources.filter(
    ({ path, text, isTest }) =>
      !isTest &&
      /^(lib|app)\//.test(path) &&
      !/^lib\/start\/|\/testing\/|^lib\/[a-z-]+\/(reads|writes)(\/|\.ts$)/.test(path) &&
      /\.query[<(]|\bsql`/.test(text),
  );
  expect(found.map((file) => file.path)).toEqual([]);
});

test('no statement has a name, so that a pooler in transaction mode can stand in front of Postgres', () => {
  const found = sources.filter(
    ({ path, text, isTest }) => !isTest && /^(lib|app|db)\//.test(path) && /\.query[^;]{0,60}\(\{\s*name:/.test(text),
  );
  expect(found.map((file) => file.path)).toEqual([]);
});

test('the job engine is imported by one file, so that the web process never loads it', () => {
  const found = sources.filter(({ imports }) => imports.some(({ target }) => target === 'pg-boss')).map((file) => file.path);
  expect(found).toEqual(['lib/jobs/engine.int.test.ts', 'lib/jobs/engine.ts']);
});

test('the mail client is imported by one file, which only the worker, doctor and the email of a password link open', () => {
  const importersOf = (name: string): string[] =>
    sources
      .filter(({ isTest, imports }) => !isTest && imports.some(({ target, isTypeOnly }) => target === name && !isTypeOnly))
      .map(({ path }) => path);
  expect(importersOf('nodemailer')).toEqual(['lib/notices/open-mailer.ts']);
  expect(importersOf('lib/notices/open-mailer.ts')).toEqual(['lib/cli/doctor-command.ts', 'lib/jobs/worker.ts', 'lib/people/mail-link.ts']);
});

// Pages and routes that show or send a complete month, and what shows operators the state of the replica.
const READS_REPLICA = [
  'app/[game]/months/[month]/export/[sheet]/route.ts',
  'app/[game]/months/[month]/sheet-page.tsx',
  'app/[game]/months/[month]/table/[part]/route.ts',
  'app/_server/server-context.ts',
  'app/metrics/route.ts',
  'app/settings/page.tsx',
  'lib/cli/doctor-command.ts',
];

test('the read replica is reached from pages and files of complete months alone, so no session and no money decision asks it', () => {
  const found = sources.filter(
    ({ path, text, isTest }) =>
      !isTest && /\b(openCompleteReads|completeReads)\b|import \{[^}]*\breadComplete\b/.test(text) && path !== 'db/kit/replica.ts',
  );
  expect(found.map((file) => file.path)).toEqual(READS_REPLICA);
});

test('every imported path exists', () => {
  const paths = new Set(sources.map((file) => file.path));
  const found = sources
    .filter((file) => !file.path.startsWith('e2e/architecture/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => /^(app|lib|db|e2e)\/.*\.tsx?$/.test(target) && !paths.has(target))
        .map(({ target }) => `${path} → ${target}`),
    );
  expect(found).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(circlesOf(sources)).toEqual([]);
});

test('a circle of two files that import only types of each other is found', () => {
  const a = parseSource('lib/core/a.ts', `import type { B } from './b.ts';`);
  const b = parseSource('lib/core/b.ts', `import type { A } from './a.ts';`);
  expect(circlesOf([a, b, parseSource('lib/core/c.ts', `import { a } from './a.ts';`)])).toEqual([['lib/core/a.ts', 'lib/core/b.ts']]);
});

test('a folder of app imports only from its own path and from shared folders with an underscore above it', () => {
  const found = sources.filter((file) => file.path.startsWith('app/')).flatMap(crossings);
  expect(found).toEqual([]);
});

describe('a folder of app', () => {
  test.each([
    ['app/[game]/refunds/page.tsx', '../periods/[periodId]/refund/period-words.ts', false],
    ['app/[game]/refunds/page.tsx', '../../settings/side-dialog.tsx', false],
    ['app/[game]/refunds/page.tsx', '../periods/_walk/walk.ts', false],
    ['app/_shell/shell.tsx', '../sign-in/sign-out.ts', false],
    ['app/[game]/_refunds/action-form.tsx', '../refunds/refund-table.ts', false],
    ['app/[game]/refunds/page.tsx', './[refundId]/summary.tsx', true],
    ['app/[game]/refunds/[refundId]/page.tsx', '../refund-table.ts', true],
    ['app/[game]/refunds/[refundId]/page.tsx', '../../_refunds/action-form.tsx', true],
    ['app/[game]/refunds/[refundId]/page.tsx', '../../../_ui/layout/card.tsx', true],
    ['app/layout.tsx', './sign-in/door.tsx', true],
  ])('%s may import %s: %j', (path, target, mayImportIt) => {
    expect(crossings(parseSource(path, `import { x } from '${target}';`))).toHaveLength(mayImportIt ? 0 : 1);
  });
});

describe('the table refuses', () => {
  test.each([
    ['lib/core/x.ts', `import pg from 'pg';`],
    ['lib/core/x.ts', `import { checkWindow } from '#lib/evidence/rules/reconciliation/check-window.ts';`],
    ['lib/refunds/rules/x.ts', `import type { Db } from '#db/kit/open.ts';`],
    ['lib/refunds/rules/x.ts', `import fs from 'node:fs';`],
    ['lib/refunds/text.ts', `import { sendRefund } from './send-refund.ts';`],
    ['lib/invo/x.ts', `import { insertSlice } from '#lib/evidence/writes/insert-slice.ts';`],
    ['db/evidence/reads/x.ts', `import { insertPull } from '../writes/pull-queue.ts';`],
    ['db/evidence/writes/x.ts', `import { pullWindow } from '#lib/evidence/pull/pull-window.ts';`],
    ['lib/refunds/x.ts', `import { readConfig } from '#lib/config.ts';`],
    ['app/[game]/page.tsx', `import { insertPull } from '#lib/evidence/writes/pull-queue.ts';`],
    ['app/[game]/page.tsx', `import { requestPull } from '#lib/evidence/pull/request-pull.ts';`],
    ['app/[game]/page.tsx', `import { openInvo } from '#lib/invo/open-invo.ts';`],
    ['app/_ui/x.tsx', `import { listMonths } from '#lib/evidence/reads/months.ts';`],
    ['lib/jobs/x.ts', `import { world } from '#e2e/upstream/world/cast.ts';`],
    ['e2e/upstream/x.ts', `import { parseMoney } from '#lib/core/money.ts';`],
    ['e2e/upstream/x.ts', `import yazl from 'yazl';`],
    ['lib/newroom/x.ts', `import fs from 'node:fs';`],
  ])('in %s: %s', (path, text) => {
    expect(breachesOf(parseSource(path, text))).toHaveLength(1);
  });
});

function breachesOf(file: SourceFile): string[] {
  const room = roomOf(file.path);
  return file.imports.filter((each) => !room || !mayImport(file.path, room, each)).map(({ target }) => `${file.path} → ${target}`);
}

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS).find((name) => ROOMS[name]?.paths.test(path));
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

function mayImport(path: string, name: string, { target, isTypeOnly }: SourceImport): boolean {
  const room = ROOMS[name];
  if (!room) return false;
  if (!/^(app|lib|db|e2e)\//.test(target)) return room.packages === undefined || target.startsWith('.') || room.packages.test(target);
  const targetRoom = roomOf(target);
  if (targetRoom === undefined) return false;
  if (targetRoom === name || room.rooms.includes(targetRoom)) return true;
  if (isTypeOnly && room.types?.includes(targetRoom)) return true;
  if (name !== 'app' || targetRoom !== 'verbs') return false;
  return STARTS_VERBS.test(path) || READING_VERB.test(target);
}

/** The groups of files that reach each other by imports (Tarjan's strongly connected components of more than one file). */
function circlesOf(files: SourceFile[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const at = order.size;
    order.set(path, at);
    stack.push(path);
    let low = at;
    for (const { target } of byPath.get(path)?.imports ?? []) {
      if (!byPath.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? at);
    }
    if (low === at) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  };
  for (const { path } of files) if (!order.has(path)) visit(path);
  return circles;
}
