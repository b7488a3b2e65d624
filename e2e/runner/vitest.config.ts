import path from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = path.resolve(import.meta.dirname, '../..');
const EVERYWHERE = ['node_modules/**', '.next/**', '.data/**'];
/** What is waited for comes in its time, however busy the machine. */
const POLL = { poll: { timeout: 30_000, interval: 25 } };
/** One process runs file after file: it takes half the time, and every file has a database and a simulated Invo of its own. */
const IN_ONE_PROCESS = { isolate: false };
const shared = {
  root: ROOT,
  // In tests there is no browser to keep anything from.
  resolve: { alias: { 'server-only': path.join(ROOT, 'node_modules/server-only/empty.js') } },
};
const test = {
  ...IN_ONE_PROCESS,
  setupFiles: [path.join(import.meta.dirname, 'fixed-seed.ts')],
  env: { TZ: 'UTC' },
  expect: POLL,
};
/**
 * A failed integration or page test is run once more and listed as flaky when it then passes. Luck must not decide races, kills, histories,
 * `verify` and golden files: they carry this tag, one by one or by a comment at the top of their file (`@module-tag no-retry`).
 * The tag `proof` leaves a test to `npm run prove`.
 */
const RETRY = {
  retry: 1,
  tags: [
    { name: 'no-retry', description: 'its first failure is final', retry: 0 },
    { name: 'proof', description: 'left out of npm test, run by npm run prove or by its name' },
  ],
};

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          ...test,
          name: 'unit',
          include: ['{lib,db,app,e2e}/**/*.test.{ts,tsx}'],
          exclude: [...EVERYWHERE, '**/*.{int,page}.test.{ts,tsx}'],
          // Long enough that a busy machine fails no test that only computes.
          testTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          ...test,
          ...RETRY,
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude: EVERYWHERE,
          globalSetup: path.join(import.meta.dirname, 'test-database.ts'),
          setupFiles: [...(test.setupFiles ?? []), path.join(import.meta.dirname, '../sql-rules/check-statements.ts')],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        ...shared,
        test: {
          ...test,
          ...RETRY,
          name: 'page',
          include: ['e2e/**/*.page.test.ts'],
          exclude: EVERYWHERE,
          globalSetup: path.join(import.meta.dirname, 'page-server.ts'),
          setupFiles: [...test.setupFiles, path.join(import.meta.dirname, 'page-setup.ts')],
          // All of them look at one Sharebook and one simulated Invo.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
        },
      },
    ],
    tags: RETRY.tags,
    pool: 'forks',
  },
});
