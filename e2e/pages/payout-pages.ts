import { expect, type Locator, type Page } from 'playwright/test';
import { verifyPack } from '#lib/packs/verify-pack.ts';

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

  /** Compares a month with Invo again, waits until its page says that it changed, and reads its badge in the list of months. */
  async recheck(month: string): Promise<string> {
    const { page } = this;
    await page.goto('/demo/months');
    await page.getByRole('button', { name: `Re-check now: ${month}` }).click();
    await expect(page.getByText(/figures changed since snapshot/)).toBeVisible({ timeout: 60_000 });
    await page.goto('/demo/months');
    return await page
      .getByRole('row', { name: new RegExp(`^${month}`) })
      .getByRole('link', { name: /^Changed/ })
      .first()
      .innerText();
  }

  /**
   * The roll-forward of these recipients in a run, as its file has it: opening, earned, reversed, already deducted, adjusted, due, payable and carried
   * forward, then the outcome.
   */
  async readLines(runNo: number, recipients: readonly number[]): Promise<Record<number, string>> {
    const file = await (await this.page.request.get(`/demo/payouts/${runNo}/export/csv`)).text();
    const find = (id: number): string => {
      const amounts = /,((?:-?[\d.]+,){9})([a-z_]+),/.exec(file.slice(file.indexOf(`,${id},`)));
      // The sixth amount is what came back, which no run has yet.
      return [...(amounts?.[1]?.split(',').toSpliced(5, 1).slice(0, 8) ?? []), amounts?.[2]].join(' ');
    };
    return Object.fromEntries(recipients.map((id) => [id, find(id)]));
  }

  /** Downloads the evidence pack of a run from its page: its name, its banner, and what verifying it without Sharebook finds. */
  async downloadPack(runNo: number): Promise<{ fileName: string; banner: string | null; violations: unknown[] }> {
    const { page } = this;
    await page.goto(`/demo/payouts/${runNo}`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Evidence pack' }).click()]);
    const { index, violations } = await verifyPack(await download.path());
    return { fileName: download.suggestedFilename(), banner: index.banner, violations };
  }

  /** Starts the run of a month and answers each item of its close, one click an item. */
  async prepare(month: string): Promise<void> {
    await this.start(month);
    await this.answer();
  }

  /** Starts the run of a month from its Close tab. */
  async start(month: string): Promise<void> {
    const { page } = this;
    await page.goto(`/demo/months/${month}`);
    await this.click(page.getByRole('link', { name: 'Close', exact: true }));
    await this.click(page.getByRole('button', { name: 'Start payout run' }));
    await expect(page.getByRole('link', { name: /^Open run/ })).toBeVisible();
  }

  /** Answers each item of the Close tab that needs an answer. The tab counts those that are left. */
  async answer(): Promise<void> {
    const { page } = this;
    const submit = page.getByRole('button', { name: /^Submit .* for approval$/ });
    const finding = page.getByRole('button', { name: 'Record finding' });
    const note = page.getByRole('button', { name: 'Save note' });
    await expect(submit).toBeVisible();
    // The fields are counted: a button has another name while its form is sent.
    const found = page.getByLabel('What you found');
    const noted = page.getByRole('textbox', { name: 'Note' });
    const open = (await found.count()) + (await noted.count());
    // A re-check blocks too, until the one that runs beside is done.
    await expect(this.closeTab).toHaveText(open === 0 ? 'Close' : `Close ${open}`, { timeout: 60_000 });
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
    await expect(this.closeTab).toHaveText('Close');
  }

  private get closeTab(): Locator {
    return this.page.getByRole('navigation', { name: 'Parts of this month' }).getByRole('link', { name: /^Close/ });
  }

  /** Submits the draft on the Close tab once nothing blocks it any more: the re-check runs beside. */
  async submit(): Promise<void> {
    const submit = this.page.getByRole('button', { name: /^Submit .* for approval$/ });
    await expect(submit).toBeEnabled({ timeout: 60_000 });
    await this.click(submit);
    await expect(this.page.getByText('In review')).toBeVisible();
  }

  /** Approves the run that waits, from the list of runs, and ends on the run’s own page. */
  async approve(runNo: number): Promise<void> {
    const { page } = this;
    await page.goto('/demo/months');
    await this.click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Payouts/ }));
    await this.click(page.getByRole('link', { name: new RegExp(`run ${runNo}$`) }));
    await this.click(page.getByRole('link', { name: /^Review / }));
    await this.click(page.getByRole('button', { name: /^Approve \$/ }));
    await expect(page).toHaveURL(`/demo/payouts/${runNo}/payments`);
    await expect(page.getByText(/^Approved by/)).toBeVisible();
    await page.goto(`/demo/payouts/${runNo}`);
  }
}
