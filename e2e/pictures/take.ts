import path from 'node:path';
import { chromium } from 'playwright';
import { findBrowser } from '#e2e/runner/browser.ts';
import { signInAs } from '../pages/sign-in-page.ts';

// Takes the picture of the README from a Sharebook that runs on simulated data: node e2e/pictures/take.ts [address]
const address = process.argv[2] ?? 'http://127.0.0.1:3000';
const found = await findBrowser(process.env);
const browser = await chromium.launch({
  executablePath: found.executablePath,
  env: { ...process.env, ...found.env } as Record<string, string>,
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
});
const context = await browser.newContext({
  baseURL: address,
  viewport: { width: 1440, height: 1000 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
  locale: 'en-GB',
});
const page = await context.newPage();
await signInAs(page, 'finance');
await page.goto('/demo/months/2026-10');
await page.getByRole('grid', { name: 'recipients' }).getByText('Aurora Vale').waitFor();
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: path.join(import.meta.dirname, 'month.png') });
await browser.close();
