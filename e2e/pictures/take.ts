import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { findBrowser } from '#e2e/runner/browser.ts';
import type { DemoRole } from '../pages/demo-people.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { signInAs } from '../pages/sign-in-page.ts';

// Takes the pictures of the README from a Sharebook that runs on fresh simulated data: node e2e/pictures/take.ts [address]
// It closes September and submits October on the way.
const address = process.argv[2] ?? 'http://127.0.0.1:3000';
const found = await findBrowser(process.env);
const browser = await chromium.launch({
  executablePath: found.executablePath,
  env: { ...process.env, ...found.env } as Record<string, string>,
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
});
const [finance, admin, support] = [await openAs('finance'), await openAs('admin'), await openAs('support')];

await finance.goto('/demo/months/2026-10');
await finance.getByRole('grid', { name: 'recipients' }).getByText('Aurora Vale').waitFor();
await take(finance, 'month');

const preparer = new PayoutPages(finance);
await preparer.prepare('2026-09');
await preparer.submit();
await new PayoutPages(admin).approve(1);
await preparer.prepare('2026-10');
await preparer.submit();
await admin.goto('/demo/payouts/2/approve');
await admin.getByRole('button', { name: /^Approve \$/ }).waitFor();
await take(admin, 'approve');

const form = new RefundForm(support);
await form.open(2026111432);
await support.getByLabel('Partial amount').check();
await support.getByLabel('Amount (USD)').fill('20.00');
await support.getByLabel('Reason', { exact: true }).selectOption('Goodwill');
await form.preview.getByText('18.00').first().waitFor();
await take(support, 'refund');
await browser.close();

async function openAs(role: DemoRole): Promise<Page> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1440, height: 1000 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await signInAs(page, role);
  return page;
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.join(import.meta.dirname, `${name}.png`) });
}
