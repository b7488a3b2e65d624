import path from 'node:path';
import { defineConfig } from 'playwright/test';

const ROOT = path.resolve(import.meta.dirname, '..');
const PORT = process.env['PORT'] ?? '3100';
const ORIGIN = `http://127.0.0.1:${PORT}`;
const IS_ROOT = process.getuid?.() === 0;
const OWN_INVO = '**/refusals.spec.ts';
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const CHROMIUM_FLAGS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  outputDir: path.join(ROOT, 'test-results'),
  // Those that share a Sharebook and a simulated Invo go one after the other; those with their own go beside them.
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_REPORT'] ?? path.join(ROOT, '.data/test/playwright.json') }]],
  use: {
    baseURL: ORIGIN,
    timezoneId: 'UTC',
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env['CHROME_PATH'] ? { executablePath: process.env['CHROME_PATH'] } : {}),
      env: { ...process.env, ...(JSON.parse(process.env['CHROME_ENV'] ?? '{}') as Record<string, string>) } as Record<string, string>,
      args: IS_ROOT ? ['--no-sandbox', ...CHROMIUM_FLAGS] : CHROMIUM_FLAGS,
    },
  },
  projects: [
    { name: 'desktop', testIgnore: OWN_INVO, workers: 1, use: DESKTOP },
    { name: 'own-invo', testMatch: OWN_INVO, workers: 1, use: DESKTOP },
  ],
  webServer: {
    command: `"${process.execPath}" lib/start/start.ts`,
    cwd: ROOT,
    url: `${ORIGIN}/readyz`,
    env: {
      ...(process.env as Record<string, string>),
      PORT,
      SHAREBOOK_DATA: process.env['SHAREBOOK_DATA'] ?? '.data/test/browser',
      SHAREBOOK_NOW: process.env['SHAREBOOK_NOW'] ?? '2026-11-21T12:00:00Z',
    },
    timeout: 600_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
