import { expect, type Locator, type Page } from 'playwright/test';

/** The search box. */
export class SearchBox {
  readonly input: Locator;
  readonly answer: Locator;
  readonly choices: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    const dialog = page.getByRole('dialog', { name: 'Search' });
    this.input = dialog.getByRole('combobox', { name: /any id$/i });
    this.answer = dialog.getByRole('status');
    this.choices = dialog.getByRole('listbox', { name: 'Results' }).getByRole('option');
  }

  /** Opens the box with the keyboard. */
  async open(): Promise<void> {
    await this.#page.keyboard.press('Control+k');
    await expect(this.input).toBeFocused();
  }

  /** Enters a text and presses Enter. */
  async search(text: string): Promise<void> {
    await this.open();
    await this.input.fill(text);
    await this.input.press('Enter');
  }
}
