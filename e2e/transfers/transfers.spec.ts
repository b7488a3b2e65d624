import { test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';

test.use({ role: 'support' });

test('transfers are readable on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  for (const path of ['transfers', 'transfers/TRF_MINOR']) {
    await page.goto(`/demo/${path}`);
    await expectReadable(page, expectAccessible);
  }
});
