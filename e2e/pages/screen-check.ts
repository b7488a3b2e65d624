import { expect, type Page, test } from 'playwright/test';

type ExpectAccessible = (page: Page) => Promise<void>;

/** Pages about money that Invo attributes to recipients. A statement has the notice on its paper. */
const ATTRIBUTED = /^\/demo(\/(?!payouts\/\d+\/statements\/\d)(months|recipients|payouts|refunds|periods|subscriptions)\b|$)/;

const NOTICE = 'Attribution report. Invo settles to the partner only and hasn’t paid any recipient.';

/** A page of a game: where it is, and its title. */
export interface Screen {
  address: string;
  title: string;
}

/**
 * Opens a page: its title, Invo's notice where it is about attributed money, no accessibility violation, and nothing beyond the edge on a desktop and on a phone.
 * Contrast is proven for every pair of colours in both themes by contrast.test.ts.
 */
export async function expectUsable(page: Page, { address, title }: Screen, expectAccessible: ExpectAccessible): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
  await expect(page.getByText(NOTICE), 'Invo’s notice').toHaveCount(ATTRIBUTED.test(address) ? 1 : 0);
  await expectReadable(page, expectAccessible);
}

/** Checks each page with `expectUsable`, in one tab, so that shared scripts load once. Each page is a step under its name. */
export async function expectAllUsable(
  page: Page,
  screens: Readonly<Record<string, Screen>>,
  expectAccessible: ExpectAccessible,
): Promise<void> {
  for (const [name, screen] of Object.entries(screens)) await test.step(name, () => expectUsable(page, screen, expectAccessible));
}

/** Looks at the open page once for accessibility, and at its width on a desktop and on a phone. */
export async function expectReadable(page: Page, expectAccessible: ExpectAccessible): Promise<void> {
  await expect(page.getByText('Loading from Invo…')).toHaveCount(0);
  await expectAccessible(page);
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${page.url()} at ${size.width}: nothing sticks out sideways`)
      .toBe(size.width);
  }
}
