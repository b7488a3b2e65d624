import { expect, test } from '../fixtures.ts';
import { readSecrets } from '../pages/simulated-invo.ts';

test('nothing the browser loads for a month contains a secret', async ({ page }) => {
  const bodies: Promise<string>[] = [];
  page.on('response', (answer) => bodies.push(answer.text().catch(() => '')));
  await page.goto('/demo/months/2026-10/lines');
  await expect(page.getByRole('grid', { name: 'lines' }).getByRole('row').last()).toContainText('1,348 lines');
  const all = (await Promise.all(bodies)).join('\n');
  for (const [name, secret] of Object.entries(readSecrets())) expect(all.includes(secret), name).toBe(false);
});
