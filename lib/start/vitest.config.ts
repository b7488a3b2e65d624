import path from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = path.resolve(import.meta.dirname, '../..');
const EVERYWHERE = ['node_modules/**', '.next/**', '.data/**'];
/** What is waited for comes in its time, however busy the machine. */
const POLL = { poll: { timeout: 30_000, interval: 25 } };
const SETUP = [path.join(import.meta.dirname, 'test-runner/fixed-seed.ts')];
/** One process runs file after file: it takes half the time, and every file has a database and a simulated Invo of its own. */
const IN_ONE_PROCESS = { isolate: false };
const shared = {
  root: ROOT,
  // In tests there is no browser to keep anything from.
  resolve: { alias: { 'server-only': path.join(ROOT, 'node_modules/server-only/empty.js') } },
};

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          ...IN_ONE_PROCESS,
          include: ['{lib,db,app,e2e/upstream,e2e/bench,e2e/sql-rules}/**/*.test.{ts,tsx}'],
          exclude: [...EVERYWHERE, '**/*.int.test.{ts,tsx}'],
          setupFiles: SETUP,
          env: { TZ: 'UTC' },
          expect: POLL,
          // Long enough that a busy machine fails no test that only computes.
          testTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'int',
          ...IN_ONE_PROCESS,
          include: ['**/*.int.test.ts'],
          exclude: EVERYWHERE,
          globalSetup: path.join(import.meta.dirname, 'test-runner/test-database.ts'),
          setupFiles: [...SETUP, path.join(ROOT, 'e2e/sql-rules/check-statements.ts')],
          env: { TZ: 'UTC' },
          expect: POLL,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
    pool: 'forks',
    maxWorkers: 2,
  },
});
