import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const ASA = '/demo/players/910023';

test('I find a player by email, try a tab again that couldn’t be read, and read every tab on a desktop and on a phone', {
  tag: '@proof',
}, async ({ page, expectAccessible }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('asa.venn@players.example');
  await expect(page).toHaveURL(ASA);
  await control('faults', [{ kind: '503', times: 9, match: { route: 'loyalty' } }]);
  await page.goto(`${ASA}/loyalty`);
  await expect(page.getByText('Loyalty couldn’t be read')).toBeVisible();
  await control('faults', {}, 'DELETE');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Harbour week' })).toBeVisible();
  for (const tab of ['', '/cards', '/orders', '/subscriptions', '/loyalty', '/transfers']) {
    await page.goto(`${ASA}${tab}`);
    await expectReadable(page, expectAccessible);
  }
});
