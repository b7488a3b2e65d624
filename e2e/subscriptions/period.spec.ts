import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { control, hold, letGo } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('I can show Invo’s field names with the keyboard', async ({ page }) => {
  await page.goto('/demo/periods/2026100002');
  const name = page.getByRole('region', { name: 'Where the money went' }).getByText('fee_legs.disputed_amount_held_usd');
  await expect(page.getByTitle('fee_legs.disputed_amount_held_usd')).toBeVisible();
  await expect(name).toBeHidden();
  const toggle = page.getByRole('button', { name: /field names/ });
  await expect(async () => {
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(name).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

test('while Invo is slow the page says that it is loading, and then it shows the lines in pulled months', async ({ page }) => {
  await hold({ route: 'period' });
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent !== 'Period 2026100018' || !document.body.textContent.includes('Loading from Invo…'))
        return;
      Object.assign(globalThis, { stoodWhileAsking: true });
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/demo/periods/2026100018', { waitUntil: 'commit' });
  await expect(page.getByText('Couldn’t load this period from Invo. Nothing is stored yet.')).toBeVisible();
  expect(await page.evaluate(() => 'stoodWhileAsking' in globalThis)).toBe(true);
  await letGo();
  await expect(
    page.getByRole('region', { name: 'Lines in pulled months' }).getByRole('row', { name: /^October 2026 Renewal/ }),
  ).toContainText('0.54');
});

test('a period is readable on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  for (const period of ['2026100013', '4040404']) {
    await page.goto(`/demo/periods/${period}`);
    await expect(page.getByText('Lines in pulled months').first()).toBeVisible();
    await expectReadable(page, expectAccessible);
  }
});
