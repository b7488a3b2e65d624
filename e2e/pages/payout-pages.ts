import { expect, type Locator, type Page } from 'playwright/test';

/** The close of months and their runs, as one person uses them; counts their clicks. */
export class PayoutPages {
  clicks = 0;
  /** Of these, answers to items of the close. */
  answers = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  /** Starts the run of a month and answers each item of its close, one click an item. */
  async prepare(month: string): Promise<void> {
    const { page } = this;
    await page.goto(`/demo/months/${month}`);
    await this.click(page.getByRole('link', { name: 'Close', exact: true }));
    await this.click(page.getByRole('button', { name: 'Start payout run' }));
    await expect(page.getByRole('link', { name: /^Open run/ })).toBeVisible();
    await this.answer();
  }

  /** Answers each item of the Close tab that asks for it. */
  async answer(): Promise<void> {
    const { page } = this;
    const submit = page.getByRole('button', { name: /^Submit .* for approval$/ });
    const finding = page.getByRole('button', { name: 'Record finding' });
    const note = page.getByRole('button', { name: 'Save note' });
    await expect(submit).toBeVisible();
    // The fields are counted: a button has another name while its form is sent.
    const found = page.getByLabel('What you found');
    const noted = page.getByRole('textbox', { name: 'Note' });
    for (let open = await found.count(); open > 0; open--) {
      await found.first().fill('Invo traced it to a cancelled test order.');
      await this.click(finding.first());
      this.answers++;
      await expect(found).toHaveCount(open - 1);
    }
    for (let open = await noted.count(); open > 0; open--) {
      await noted.first().fill('Checked against the evidence.');
      await this.click(note.first());
      this.answers++;
      await expect(noted).toHaveCount(open - 1);
    }
  }

  /** Submits the draft on the Close tab once nothing blocks it any more: the re-check runs beside. */
  async submit(): Promise<void> {
    const submit = this.page.getByRole('button', { name: /^Submit .* for approval$/ });
    await expect(submit).toBeEnabled({ timeout: 60_000 });
    await this.click(submit);
    await expect(this.page.getByText('In review')).toBeVisible();
  }

  /** Approves the run that waits, from the list of runs. */
  async approve(runNo: number): Promise<void> {
    const { page } = this;
    await page.goto('/demo/months');
    await this.click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Payouts/ }));
    await this.click(page.getByRole('link', { name: new RegExp(`run ${runNo}$`) }));
    await this.click(page.getByRole('link', { name: /^Review / }));
    await this.click(page.getByRole('button', { name: /^Approve \$/ }));
    await expect(page.getByText(/^Approved by/)).toBeVisible();
  }
}
