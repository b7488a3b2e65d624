import path from 'node:path';
import { defineConfig } from 'playwright/test';

const ROOT = path.resolve(import.meta.dirname, '..');
const IS_ROOT = process.getuid?.() === 0;
const LONGEST = '**/payouts/two-people.spec.ts';
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const CHROMIUM_FLAGS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // One process for a page instead of two: everything is of one origin.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process',
];

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  outputDir: path.join(ROOT, 'test-results'),
  globalSetup: './seed.ts',
  // Each worker has a Sharebook and a simulated Invo of its own, so that any two files can run side by side.
  workers: 2,
  // Once more, over fresh data; what passes then is listed as flaky. What luck must not decide carries the tag @no-retry (fixtures.ts).
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_REPORT'] ?? path.join(ROOT, '.data/test/playwright.json') }],
    ['./runner/playwright-reporter.ts'],
  ],
  use: {
    trace: 'on-first-retry',
    timezoneId: 'UTC',
    // A control that is not there fails its test soon, not at the end of the test's own limit.
    actionTimeout: 60_000,
    locale: 'en-GB',
    launchOptions: {
      ...(process.env['CHROME_PATH'] ? { executablePath: process.env['CHROME_PATH'] } : {}),
      env: { ...process.env, ...(JSON.parse(process.env['CHROME_ENV'] ?? '{}') as Record<string, string>) } as Record<string, string>,
      args: IS_ROOT ? ['--no-sandbox', ...CHROMIUM_FLAGS] : CHROMIUM_FLAGS,
    },
  },
  projects: [
    // One story of several tests in a world of its own: started last, it would leave the other worker idle for a third of the run.
    { name: 'longest', testMatch: LONGEST, use: DESKTOP },
    { name: 'desktop', testIgnore: LONGEST, use: DESKTOP },
  ],
});
