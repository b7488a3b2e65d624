import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '#lib/start/data-folder.ts';
import config from './imports.config.ts';

/** A file, what it imports, and the rules that refuse it. A circle is reported once, at one of its files. */
const CASES: [file: string, code: string, ...refusals: string[]][] = [
  ['lib/core/a.ts', `import { checkWindow } from '#lib/evidence/rules/check-window.ts';`, 'core'],
  ['lib/core/b.ts', `import type { Column } from 'recharts';`, 'core'],
  ['lib/core/c.ts', `import { createHash } from 'node:crypto';`],
  ['lib/refunds/rules/a.ts', `import type { Db } from '#db/kit/open.ts';`, 'rules'],
  ['lib/refunds/rules/b.ts', `import fs from 'node:fs';`, 'rules'],
  ['lib/refunds/rules/c.ts', `import { pause } from '../reads.ts';`, 'rules'],
  ['lib/refunds/rules/d.ts', `import { z } from 'zod';\nimport { month } from '#lib/core/month.ts';`],
  ['lib/refunds/text.ts', `import { sendRefund } from './send-refund.ts';`, 'text'],
  ['lib/observability/a.ts', `import { listMonths } from '#lib/evidence/reads/months.ts';`, 'observability'],
  ['lib/config.ts', `import { openDb } from '#db/kit/open.ts';`, 'config'],
  ['lib/invo/a.ts', `import { pullWindow } from '#lib/evidence/pull/pull-window.ts';`, 'invo'],
  ['lib/invo/b.ts', `import type { Slice } from '#lib/evidence/writes/insert-slice.ts';`, 'invo'],
  ['lib/invo/c.test.ts', `import { openDb } from '#db/kit/open.ts';`, 'invo'],
  ['db/kit/a.ts', `import { checkWindow } from '#lib/evidence/rules/check-window.ts';`, 'db'],
  ['db/kit/b.test.ts', `import { request } from '#lib/invo/request.ts';`, 'db'],
  ['lib/evidence/reads/a.ts', `import { insertSlice } from '../writes/insert-slice.ts';`, 'reads'],
  ['lib/evidence/reads/b.ts', `import type { Slice } from '../writes/insert-slice.ts';\nimport { sql } from 'kysely';`],
  ['lib/evidence/reads/c.test.ts', `import { request } from '#lib/invo/request.ts';`, 'reads'],
  ['lib/evidence/reads/d.ts', `const { request } = await import('#lib/invo/request.ts');`, 'reads'],
  ['lib/evidence/writes/a.ts', `import { pullWindow } from '../pull/pull-window.ts';`, 'writes'],
  ['lib/evidence/writes/b.int.test.ts', `import { request } from '#lib/invo/request.ts';`, 'writes'],
  ['lib/refunds/a.ts', `import { readConfig } from '#lib/config.ts';`, 'verbs'],
  ['lib/refunds/b.ts', `import type { Config } from '#lib/config.ts';\nimport { request } from '#lib/invo/request.ts';`],
  ['lib/refunds/c.ts', `export { work } from '#lib/jobs/worker.ts';`, 'verbs'],
  ['lib/refunds/d.ts', `import { sql } from 'kysely';`, 'sql'],
  ['lib/refunds/e.ts', `import type { Pool } from 'pg';`, 'driver'],
  ['lib/start/postgres/a.ts', `import pg from 'pg';`, 'driver'],
  ['db/kit/c.ts', `import pg from 'pg';`],
  ['lib/jobs/a.ts', `import { request } from '#lib/invo/request.ts';`, 'jobs'],
  ['lib/jobs/b.ts', `import { PgBoss } from 'pg-boss';`, 'job-engine'],
  ['lib/jobs/engine.ts', `import { PgBoss } from 'pg-boss';`],
  ['lib/cli/a.ts', `import { work } from '#lib/jobs/worker.ts';`, 'cli'],
  ['lib/start/a.ts', `import { request } from '#lib/invo/request.ts';`, 'start'],
  ['lib/start/b.ts', `import { world } from '#e2e/upstream/world.ts';`, 'simulated'],
  ['lib/start/c.ts', `import { parse } from './parse.test.ts';`, 'shipped'],
  ['lib/start/d.ts', `import { test } from 'vitest';`, 'installed'],
  ['lib/stray.ts', `import { month } from '#lib/core/month.ts';`, 'lib'],
  ['lib/payouts/e.ts', `import { planMonth } from '#lib/demo/rules/plan-step.ts';`, 'demo'],
  ['lib/jobs/run-demo-year.ts', `import { planMonth } from '#lib/demo/rules/plan-step.ts';`],
  ['lib/notices/a.ts', `import nodemailer from 'nodemailer';`, 'mail-client'],
  ['lib/notices/b.ts', `import { parse } from 'csv-parse';`, 'csv-parser'],
  ['lib/notices/f.ts', `import { XMLParser } from 'fast-xml-parser';`, 'xml-parser'],
  ['app/_ui/a.tsx', `import { listMonths } from '#lib/evidence/reads/months.ts';`, 'ui'],
  ['app/_ui/b.tsx', `import type { Line } from '#lib/evidence/rules/check-window.ts';`],
  ['app/_server/a.ts', `import { request } from '#lib/invo/request.ts';`, 'server'],
  ['app/[game]/a/page.tsx', `import { insertSlice } from '#lib/evidence/writes/insert-slice.ts';`, 'app'],
  ['app/[game]/b/actions.ts', `import type { Slice } from '#lib/evidence/writes/insert-slice.ts';`, 'app'],
  ['app/[game]/c/page.tsx', `import { request } from '#lib/invo/request.ts';`, 'app'],
  ['app/[game]/d/page.tsx', `import { openDb } from '#db/kit/open.ts';`, 'app'],
  ['app/[game]/e/page.tsx', `import { pullWindow } from '#lib/evidence/pull/pull-window.ts';`, 'pages'],
  ['app/[game]/e/actions.ts', `import { pullWindow } from '#lib/evidence/pull/pull-window.ts';`],
  ['app/[game]/f/page.tsx', `import { readDetail } from '#lib/evidence/read-detail.ts';`],
  ['app/[game]/g/page.tsx', `import { openMailer } from '#lib/notices/open-mailer.ts';`, 'mailer', 'pages'],
  ['app/[game]/h/page.tsx', `import { parseUploadedCsv } from '#lib/core/parse-uploaded-csv.ts';`, 'uploads'],
  ['proxy.ts', `import { openDb } from '#db/kit/open.ts';`, 'app'],
  ['e2e/upstream/a.ts', `import { month } from '#lib/core/month.ts';`, 'upstream'],
  ['e2e/upstream/b.test.ts', `import { month } from '#lib/core/month.ts';`, 'upstream'],
  ['e2e/upstream/c.ts', `import yazl from 'yazl';`, 'upstream'],
  ['e2e/upstream/e.ts', `import { seed } from '#e2e/support/seed.ts';`, 'shipped'],
  ['e2e/upstream/d.ts', `import http from 'node:http';`],
  ['lib/payouts/rules/a.ts', `import type { B } from './b.ts';`, 'circle'],
  ['lib/payouts/rules/b.ts', `import type { A } from './a.ts';`],
  ['lib/payouts/c.ts', `import { gone } from './gone.ts';`, 'missing'],
  ['lib/payouts/d.ts', `import gone from 'gone';`, 'missing'],
];
const TARGETS = [
  'lib/core/month',
  'lib/evidence/rules/check-window',
  'lib/evidence/reads/months',
  'lib/evidence/writes/insert-slice',
  'lib/evidence/pull/pull-window',
  'lib/evidence/read-detail',
  'lib/refunds/reads',
  'lib/refunds/send-refund',
  'lib/invo/request',
  'lib/jobs/worker',
  'lib/start/parse.test',
  'lib/notices/open-mailer',
  'db/kit/open',
  'e2e/upstream/world',
  'e2e/support/seed',
  'lib/core/parse-uploaded-csv',
  'lib/demo/rules/plan-step',
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-imports-'));
let refusals = new Map<string, Set<string>>();

beforeAll(async () => {
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  fs.copyFileSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  for (const name of ['csv-parse', 'fast-xml-parser', 'kysely', 'nodemailer', 'pg', 'pg-boss', 'recharts', 'vitest', 'yazl', 'zod'])
    write(`node_modules/${name}/index.js`, '');
  for (const target of TARGETS) write(`${target}.ts`, '');
  for (const [file, code] of CASES) write(file, code);
  const places = ['app', 'db', 'e2e', 'lib', 'proxy.ts'];
  const { output } = await cruise(places, {
    ...config.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: config.forbidden ?? [] },
  });
  const { violations } = (output as ICruiseResult).summary;
  refusals = new Map(
    [...Map.groupBy(violations, ({ from }) => from)].map(([file, found]) => [file, new Set(found.map(({ rule }) => rule.name))]),
  );
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

test.each(CASES)('%s: %s', (file, _code, ...expected) => {
  expect([...(refusals.get(file) ?? [])].toSorted()).toEqual(expected.toSorted());
});

test('every rule has a reason and refuses a case', () => {
  const rules = config.forbidden ?? [];
  const refusing = new Set(CASES.flatMap(([, , ...names]) => names));
  expect(rules.filter(({ name, comment }) => !comment || !refusing.has(name ?? ''))).toEqual([]);
});
