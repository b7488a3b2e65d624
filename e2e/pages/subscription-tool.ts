import { expect, type Locator, type Page } from 'playwright/test';

/** The subscriptions of support's cases (e2e/upstream/world/support-table.ts). */
export const CASES = {
  mira: 'SUB_1733392800_DESKMIRA',
  tomas: 'SUB_1733396400_DESKTOMA',
  ines: 'SUB_1733400000_DESKINES',
  owen: 'SUB_1734508800_DESKOWEN',
  pavel: 'SUB_1733479200_DESKPAVE',
  sena: 'SUB_1733486400_DESKSENA',
  theo: 'SUB_1733565600_DESKTHEO',
  uma: 'SUB_1733569200_DESKUMA1',
  vik: 'SUB_1638957600_DESKVIK1',
};

/** One of the three pages that change a subscription. */
export class SubscriptionTool {
  readonly confirmation: Locator;
  readonly receipt: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.confirmation = page.getByRole('dialog');
    this.receipt = page.getByRole('region', { name: 'Invo’s answer' });
  }

  async open(tool: 'cancel' | 'price' | 'card', subscriptionId: string): Promise<void> {
    await this.#page.goto(`/demo/subscriptions/${subscriptionId}/${tool}`);
    await expect(this.#page.getByText('Loading from Invo…')).toHaveCount(0);
  }

  /** The value of a label in the confirmation. */
  line(label: string): Locator {
    return this.confirmation
      .locator('dl > div')
      .filter({ has: this.#page.getByText(label, { exact: true }) })
      .getByRole('definition');
  }

  /** Expects the receipt's row of one of Invo's fields: expected, reported, and whether they match. */
  async expectAnswered(field: string, expected: string, answered: string): Promise<void> {
    const row = this.receipt.getByRole('row').filter({ has: this.#page.getByText(field, { exact: true }) });
    await expect(row.getByRole('cell')).toHaveText([expected, answered, expected === answered ? 'Matches' : 'Doesn’t match']);
  }
}
