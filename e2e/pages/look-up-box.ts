import { expect, type Locator, type Page } from 'playwright/test';

/** The box in which anything is looked up. */
export class LookUpBox {
  readonly input: Locator;
  readonly answer: Locator;
  readonly choices: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    const dialog = page.getByRole('dialog', { name: 'Look up' });
    this.input = dialog.getByRole('combobox', { name: /any id$/i });
    this.answer = dialog.getByRole('status');
    this.choices = dialog.getByRole('listbox', { name: 'Found' }).getByRole('option');
  }

  /** Opens it by the keys, once the page listens for them. */
  async open(): Promise<void> {
    await expect(async () => {
      await this.#page.keyboard.press('Control+k');
      await expect(this.input).toBeFocused({ timeout: 1_000 });
    }).toPass();
  }

  /** Types or pastes a text and presses Enter. */
  async lookUp(text: string): Promise<void> {
    await this.open();
    await this.input.fill(text);
    await this.input.press('Enter');
  }
}
