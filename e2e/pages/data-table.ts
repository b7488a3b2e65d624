import { expect, type Locator, type Page } from 'playwright/test';

/** The long table of a page, found by the noun of its rows. */
export class LongTable {
  readonly grid: Locator;
  readonly find: Locator;
  readonly #page: Page;

  constructor(page: Page, noun: 'recipients' | 'lines' | 'reversals') {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: noun });
    this.find = page.getByRole('textbox', { name: /^(Search|Filter by) / });
  }

  /** The rows that contain a text. */
  row(text: string | RegExp): Locator {
    return this.grid.getByRole('row').filter({ hasText: text });
  }

  /** The totals row. */
  total(): Locator {
    return this.grid.getByRole('row').last();
  }

  /** The row that the keys act on. */
  current(): Locator {
    return this.grid.getByRole('row', { selected: true });
  }

  /** Compares the cells of a row by their headings. */
  async expectCells(row: Locator, cells: Record<string, string>): Promise<void> {
    await expect(row).toHaveCount(1);
    const headings = (await this.grid.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
    for (const [heading, text] of Object.entries(cells)) {
      expect(headings, `a column "${heading}"`).toContain(heading);
      await expect(row.getByRole('gridcell').nth(headings.indexOf(heading)), heading).toHaveText(text);
    }
  }

  async sortBy(heading: string): Promise<void> {
    await this.grid.getByRole('columnheader', { name: heading, exact: true }).getByRole('button').click();
  }

  async show(choice: string): Promise<void> {
    await this.#page.getByRole('group', { name: 'Show' }).getByRole('button', { name: choice }).click();
  }
}
