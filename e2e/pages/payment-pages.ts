import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { today } from './payment-requests.ts';
import { look } from './payout-requests.ts';
import { SearchBox } from './search-box.ts';

/** What changes a payment or a file. */
const ACTS = /Create|Record|Download|Cancel|cancel|Confirm|Propose|re-issue|Add report|Close/;

/** A file as a person downloads it, and the reference of its first payment. */
interface DownloadedFile {
  text: string;
  reference: string;
  amount: string;
}

/** The payments of one run, as one person uses their pages. */
export class PaymentPages {
  readonly page: Page;
  readonly runNo: number;

  constructor(page: Page, runNo: number) {
    this.page = page;
    this.runNo = runNo;
  }

  /** Opens the Payments tab from the run. */
  async open(): Promise<void> {
    await this.page.goto(`/demo/payouts/${this.runNo}`);
    await this.page.getByRole('navigation', { name: 'Parts of this run' }).getByRole('link', { name: 'Payments' }).click();
    await expect(this.page.getByRole('heading', { name: 'Payments', exact: true })).toBeVisible();
  }

  /** No file is created without a sender account: the page says why, and leads to where one is proposed. */
  async expectNoSender(): Promise<void> {
    const { page } = this;
    await page.getByRole('button', { name: /^Create files for \d+ payments$/ }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'PayPal: no file was created.' });
    await expect(alert).toContainText('No sender account is confirmed for this payment method.');
    await alert.getByRole('link', { name: 'Sender accounts' }).click();
    await expect(page).toHaveURL('/demo/payouts/senders?method=paypal');
  }

  /** Proposes the sender account of PayPal. */
  async proposeSender(): Promise<void> {
    const { page } = this;
    await page.getByLabel('Email subject').fill('Your revenue share');
    await page.getByRole('button', { name: 'Propose sender account' }).click();
    await expect(page.getByText('You proposed this. Someone else must confirm it.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  }

  /** Opens the proposed sender account from what waits, compares its entries and confirms it. */
  async confirmSender(): Promise<void> {
    const { page } = this;
    await page.goto('/demo/payouts');
    await page.getByRole('region', { name: 'Waiting for you' }).getByRole('link', { name: 'Review sender account' }).click();
    const proposal = page.getByRole('region', { name: 'Proposed for PayPal' });
    await proposal.getByRole('button', { name: 'Show in full' }).click();
    await expect(proposal.getByText('Your revenue share')).toBeVisible();
    await proposal.getByRole('button', { name: 'Confirm sender account for PayPal' }).click();
    await expect(page.getByRole('region', { name: 'PayPal', exact: true })).toContainText('In force');
  }

  /** Proposes the first payment of the list as paid elsewhere, by keyboard. Returns its reference. */
  async proposeElsewhere(): Promise<string> {
    const { page } = this;
    const grid = page.getByRole('grid', { name: 'payments' });
    const reference = (await grid.getByRole('link').first().innerText()).trim();
    await grid.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Record as paid elsewhere' }).click();
    const sheet = page.getByRole('dialog', { name: /^Record 1 payment.* as paid elsewhere$/ });
    await sheet.getByLabel('Paid on').fill('2026-11-05');
    await sheet.getByLabel('Note').fill('By cheque');
    await sheet.getByRole('button', { name: 'Propose as paid elsewhere' }).click();
    const proposal = page.getByRole('region', { name: /^Proposal \d+: paid elsewhere$/ });
    await expect(proposal).toContainText('You proposed this. Someone else must confirm it.');
    await expect(proposal.getByRole('link', { name: reference })).toBeVisible();
    return reference;
  }

  /** Confirms from what waits that payments were made elsewhere. */
  async confirmElsewhere(): Promise<void> {
    const { page } = this;
    await page.goto('/demo/payouts');
    await page.getByRole('region', { name: 'Waiting for you' }).getByRole('link', { name: 'Review payments' }).click();
    await page.getByRole('button', { name: /^Confirm 1 payment as paid, \$/ }).click();
    await expect(page.getByRole('region', { name: 'Paid elsewhere', exact: true })).toContainText('By cheque');
    await expect(page.getByRole('region', { name: 'Progress of payments' })).toContainText('1 paid');
  }

  /** Creates the file of all payments that wait, and downloads it twice: the same bytes, which the page names by their SHA-256. */
  async createFile(): Promise<DownloadedFile> {
    const { page } = this;
    await page.getByRole('button', { name: /^Create files for \d+ payments$/ }).click();
    const download = page.getByRole('button', { name: /^Download demo-2026-09-run2-paypal/ });
    await expect(download).toBeVisible();
    const [first, second] = [await this.#download(), await this.#download()];
    expect(second.equals(first)).toBe(true);
    const sha256 = createHash('sha256').update(first).digest('hex');
    await expect(page.getByTitle(sha256)).toHaveText(sha256.slice(0, 8));
    const text = first.toString();
    // address,amount,currency,reference,note,wallet
    const [, amount = '', , reference = ''] = text.split('\r\n')[0]?.split(',') ?? [];
    return { text, reference, amount };
  }

  async #download(): Promise<Buffer> {
    const downloading = this.page.waitForEvent('download');
    await this.page.getByRole('button', { name: /^Download demo/ }).click();
    return await readFile(await (await downloading).path());
  }

  /** The run was voided before any file: the page says so and offers nothing. */
  async expectVoided(): Promise<void> {
    const shown = await look(this.page, `/demo/payouts/${this.runNo}/payments`);
    const notice = shown.region('This run was voided');
    expect(notice.text).toContain('None of its payments is in a file.');
    expect(notice.link('Close tab')).toBe('/demo/months/2026-09/close');
    expect(shown.main.text, 'nothing is still to do').not.toMatch(/Not in a file|in a file yet/);
    const payment = await look(this.page, `/demo/payouts/${this.runNo}/payments/${/A1\w{8}/.exec(shown.main.text)?.[0]}`);
    expect(payment.main.text).toMatch(/^Payment \w+ ?Voided.*Fiona Hale confirmed that the run is voided\. ?“The wrong minimum applied”/);
    for (const { main } of [shown, payment]) expect(main.buttons.filter((name) => ACTS.test(name))).toEqual([]);
  }

  /** One person requests that the file of a payment be cancelled, this one confirms it. Then neither offers anything. */
  async cancelAfter(other: PaymentPages, reference: string): Promise<void> {
    await other.page.getByRole('button', { name: /^Request to cancel file/ }).click();
    const sheet = other.page.getByRole('dialog', { name: /^Cancel file/ });
    await sheet.getByLabel('Reason').fill('The wrong note');
    await sheet.getByRole('checkbox', { name: /nobody uploaded/ }).check();
    await sheet.getByRole('button', { name: 'Request to cancel' }).click();
    await expect(other.page.getByText('Don’t upload this file')).toBeVisible();
    await this.page.goto('/demo/payouts');
    await this.page.getByRole('region', { name: 'Waiting for you' }).getByRole('link', { name: 'Review file' }).click();
    await this.page.getByRole('checkbox', { name: /nobody uploaded/ }).check();
    await this.page.getByRole('button', { name: /^Cancel file of \d+ payments$/ }).click();
    await expect(this.page.getByText('1 cancelled file')).toBeVisible();
    const payments = `/demo/payouts/${this.runNo}/payments`;
    expect((await look(this.page, payments)).html).toMatch(/Cancelled by .*The wrong note.*Don’t upload a copy\./);
    const { main } = await look(this.page, `${payments}/${reference}`);
    expect(main.text).toMatch(/confirmed that the file is cancelled\..*Replaced by ?A\w{9}/);
    expect(main.buttons.filter((name) => ACTS.test(name))).toEqual([]);
    await other.open();
  }

  /** Records that the file was uploaded. From then on the run can't be voided. */
  async handOver(): Promise<void> {
    const { page } = this;
    await page.getByLabel('Reference of the bank or provider').fill('PP-778');
    await page.getByRole('button', { name: /^Record hand-over of file/ }).click();
    await expect(page.getByText('Handed over', { exact: true }).first()).toBeVisible();
    await page.goto(`/demo/payouts/${this.runNo}`);
    await expect(page.getByText('A payment of this run was handed over, so it can’t be voided.')).toBeVisible();
  }

  /** Records a pasted report: it confirms one payment, and a row that is about none is set aside. */
  async recordReport({ reference, amount }: DownloadedFile): Promise<void> {
    const { page } = this;
    await this.open();
    const card = page.getByRole('region', { name: 'Add report' });
    const rows = ['reference,status,amount,currency,provider_id,date', `${reference},Completed,${amount},USD,PRV-77120,${today()}`];
    await card.getByLabel('Or paste lines').fill([...rows, `,Completed,4.00,USD,PRV-77121,${today()}`].join('\n'));
    await card.getByRole('button', { name: 'Check pasted lines' }).click();
    await expect(card.getByText('2 rows: 1 paid, 1 is not ours.')).toBeVisible();
    await card.getByRole('button', { name: 'Record report' }).click();
    await card.getByRole('link', { name: 'report 1' }).click();
    await page.getByRole('button', { name: 'Set aside row 3 of report 1' }).click();
    const aside = page.getByRole('dialog', { name: 'Set aside row 3 of report 1' });
    await aside.getByLabel('Note').fill('Rent');
    await aside.getByRole('button', { name: 'Set aside' }).click();
    await expect(page.getByText('“Rent”')).toBeVisible();
  }

  /** Pastes a line of a bank into the search: it opens the payment that the line names. */
  async findByBankLine(reference: string): Promise<void> {
    const { page } = this;
    await new SearchBox(page).search(`05.11.2026 PayPal transfer ${reference.toLowerCase()} USD 13.50`);
    await expect(page).toHaveURL(`/demo/payouts/${this.runNo}/payments/${reference}`);
    await expect(page.getByRole('heading', { level: 1, name: `Payment ${reference}` })).toBeVisible();
    await expect(page.getByText('Reference PP-778')).toBeVisible();
    await expect(page.getByText('The provider reports it as paid.')).toBeVisible();
  }
}
