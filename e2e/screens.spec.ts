import { expect, test } from './fixtures.ts';
import { expectAllUsable, expectReadable, type Screen } from './pages/screen-check.ts';

/** One of each layout. `npm run prove` shows the others. */
const SCREENS: Record<string, Screen> = {
  'the overview': { address: '/demo', title: 'Overview' },
  'the months': { address: '/demo/months', title: 'Months' },
  'the recipients of a month': { address: '/demo/months/2026-10', title: 'October 2026' },
  'one recipient': { address: '/demo/recipients/9009', title: 'Halcyon Drift' },
  'the first page of support': { address: '/demo/players', title: 'Players' },
  'payouts before the first run': { address: '/demo/payouts', title: 'Payouts' },
};
const OTHERS: Record<string, Screen> = {
  'the close of a month before its run': { address: '/demo/months/2026-10/close', title: 'October 2026' },
  'a recipient with a hostile name': { address: '/demo/recipients/9003', title: 'Kestrel "Kes" O\'Neil, Guild␊House Three' },
  'the exceptions': { address: '/demo/exceptions', title: 'Exceptions' },
  'the desk actions of a game': { address: '/settings/desk-actions/demo', title: 'Desk actions of Starfall' },
  'the actions before the first one': { address: '/demo/actions', title: 'Actions' },
  'the accounts of journals': { address: '/settings/accounts/demo', title: 'Accounts of Starfall' },
  'the reversals of a month': { address: '/demo/months/2026-10/reversals', title: 'October 2026' },
  'the lines of a month': { address: '/demo/months/2026-10/lines', title: 'October 2026' },
  'the open items of a month': { address: '/demo/months/2026-10/open-items', title: 'October 2026' },
  'the fees of a month': { address: '/demo/months/2026-10/fees', title: 'October 2026' },
  'the reconciliation of a month': { address: '/demo/months/2026-10/reconciliation', title: 'October 2026' },
  'an open month': { address: '/demo/months/2026-11', title: 'November 2026' },
  'a month that is not pulled': { address: '/demo/months/2024-01', title: 'January 2024' },
  'all recipients': { address: '/demo/recipients', title: 'Recipients' },
  'the covered routes': { address: '/settings/covered', title: 'Covered routes' },
  'adjustments before the first one': { address: '/demo/payouts/adjustments', title: 'Payouts' },
  'notices before the first one': { address: '/notices', title: 'Notices' },
  'my account': { address: '/settings/account', title: 'Your account' },
  'the webhooks': { address: '/demo/webhooks', title: 'Webhooks' },
};

test('I can use a page of each layout on a desktop and on a phone', async ({ page, expectAccessible }) => {
  await expectAllUsable(page, SCREENS, expectAccessible);
});

test('I can use every other page on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await expectAllUsable(page, OTHERS, expectAccessible);
});

test('a month on a phone has the same names and roles as on a desktop', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto('/demo/months/2026-10/open-items');
  await expect(page.getByRole('heading', { level: 1, name: 'October 2026' })).toBeVisible();
  await expectAccessible(page);
});

test.describe('before I sign in', () => {
  test.use({ role: null });

  test('I can use the sign-in page on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
    await page.goto('/sign-in');
    await expect(page.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();
    await expectReadable(page, expectAccessible);
  });
});

test.describe('as an admin', () => {
  test.use({ role: 'admin' });

  test('I can use the settings on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
    await page.goto('/settings');
    await expect(page.getByRole('heading', { level: 2, name: 'People' })).toBeVisible();
    await expectReadable(page, expectAccessible);
  });

  test('the index of the settings leads to each section, by pointer and by keyboard, on a desktop and on a phone', {
    tag: '@proof',
  }, async ({ page }) => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await page.goto('/settings');
      const index = page.getByRole('navigation', { name: 'Sections of settings' });
      // Other specs of the same Sharebook may have left something that waits.
      await expect(index.getByRole('link').filter({ hasNotText: 'Waiting for approval' })).toHaveText([
        'People',
        'Two-factor',
        'Auto-approval limits',
        'Payout policy',
        'Journal accounts',
        'Desk actions',
        'Games',
        'Covered routes',
      ]);
      for (const [link, section] of [
        ['Covered routes', 'Covered routes'],
        ['Two-factor', 'Two-factor authentication'],
        ['Auto-approval limits', 'Auto-approval limits'],
        ['Payout policy', 'Payout policy'],
        ['Journal accounts', 'Journal accounts'],
        ['Games', 'Games'],
        ['People', 'People'],
      ] as const) {
        await index.getByRole('link', { name: link }).click();
        const heading = page.getByRole('heading', { level: 2, name: section, exact: true });
        await expect(heading).toBeInViewport({ ratio: 1 });
        // Nothing that stays in view lies over it.
        expect(
          await heading.evaluate((element) => {
            const { left, top, height } = element.getBoundingClientRect();
            return document.elementFromPoint(left + 2, top + height / 2) === element;
          }),
          `${section} at ${size.width} pixels`,
        ).toBe(true);
      }
      await index.getByRole('link', { name: 'Payout policy' }).focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/#payout-policy$/);
      await page.keyboard.press('Tab');
      await expect(page.locator('summary', { hasText: 'Propose another policy' })).toBeFocused();
    }
  });
});

test('I choose dark colours once and every page has them', async ({ page }) => {
  await page.goto('/demo/months');
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.goto('/demo/months/2026-10/reconciliation');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true');
});

test('with reduced motion all colours of an open page change at once with the theme', { tag: '@proof' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/demo/months/2026-10');
  const dark = await page.getByRole('button', { name: 'Dark' }).elementHandle();
  const name = page.getByRole('grid', { name: 'recipients' }).getByText('Aurora Vale');
  // Read in the same task as the click: a transition, however short, would still show the colour before it.
  const colours = await name.evaluate((element, button) => {
    const before = getComputedStyle(element).color;
    (button as HTMLButtonElement).click();
    return [before, getComputedStyle(element).color];
  }, dark);
  expect(colours).toEqual(['rgb(27, 30, 35)', 'rgb(236, 238, 241)']);
});
