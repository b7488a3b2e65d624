import { expect, type Page } from 'playwright/test';

/** Structure depends on the width and contrast on the theme: these two meet each of both. */
export const LOOKS = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const;
const NOTICE = 'Attribution report. Invo settles to the partner only and hasn’t paid any recipient.';

/** A page of a game: where it is, and its title. */
export interface Screen {
  address: string;
  title: string;
}

/** Opens a page on a desktop in light mode and on a phone in dark mode: its title, Invo's notice, nothing beyond the edge, and no accessibility violation. */
export async function expectUsable(page: Page, { address, title }: Screen, expectAccessible: (page: Page) => Promise<void>): Promise<void> {
  for (const { colorScheme, ...size } of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(page.getByText(NOTICE)).toBeAttached();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      `${address} at ${size.width}: nothing sticks out sideways`,
    ).toBe(size.width);
    await expectAccessible(page);
  }
}
