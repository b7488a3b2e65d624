import { expect, test } from '../fixtures.ts';
import { type DemoRole, ROLES } from '../pages/sign-in-page.ts';
import { readSecrets } from '../pages/simulated-invo.ts';

const MONTH = '/demo/months/2026-10';
const PAGES = [
  '/demo/months',
  MONTH,
  `${MONTH}/reversals`,
  `${MONTH}/lines`,
  `${MONTH}/open-items`,
  `${MONTH}/reconciliation`,
  '/demo/recipients',
  '/demo/recipients/9009',
  '/settings',
];
const REST = [
  '/demo/lists/recipients/rows?month=2026-10',
  `${MONTH}/export/recipients`,
  `${MONTH}/export/recipients.manifest.json`,
  '/demo/lists/all-recipients/rows',
  '/demo/pulls/1',
  '/metrics',
  '/readyz',
];
const MAY_READ_EMAILS: Record<DemoRole, boolean> = { finance: true, support: true, auditor: true, admin: true, viewer: false };

for (const role of ROLES) {
  test.describe(`as ${role}`, () => {
    test.use({ role });

    test(`no response to ${role} contains a secret${MAY_READ_EMAILS[role] ? '' : ' or an unmasked email'}`, async ({ request }) => {
      const secrets = Object.entries(readSecrets());
      expect(secrets.length).toBeGreaterThanOrEqual(4);
      for (const address of [...PAGES, ...REST]) {
        const answer = await request.get(address);
        const text = await answer.text();
        if (PAGES.includes(address)) expect(answer.status(), address).toBe(200);
        for (const [name, secret] of secrets) expect(text.includes(secret), `${name} in ${address}`).toBe(false);
        if (!MAY_READ_EMAILS[role]) expect(text, address).not.toMatch(/[\w.]{2,}@creators\.example/);
      }
    });
  });
}

test('nothing the browser loads for a month contains a secret', async ({ page }) => {
  const bodies: Promise<string>[] = [];
  page.on('response', (answer) => bodies.push(answer.text().catch(() => '')));
  await page.goto(`${MONTH}/lines`);
  await expect(page.getByRole('grid', { name: 'lines' }).getByRole('row').last()).toContainText('1,348 lines');
  const all = (await Promise.all(bodies)).join('\n');
  for (const [name, secret] of Object.entries(readSecrets())) expect(all.includes(secret), name).toBe(false);
});
