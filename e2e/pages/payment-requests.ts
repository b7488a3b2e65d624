import { expect, type Page } from 'playwright/test';
import { readStrictCsv } from '#e2e/support/payments/read-strict-csv.ts';
import { ownOrigin } from '../fixtures.ts';
import { look, post } from './payout-requests.ts';

const SENDERS = '/demo/payouts/senders';

/** Has two people confirm an IBAN as the payment details of a recipient, by the requests that the forms send. */
export async function confirmIban(author: Page, other: Page, recipientId: number, iban: string): Promise<void> {
  const path = `/demo/payouts/payees/${recipientId}`;
  const details = { game: 'demo', recipientId: String(recipientId), method: 'sepa', iban, holder_name: 'Sable Quill' };
  await post(author, path, 'proposeDetailsAction', { ...details, reason: 'From the contract' });
  await post(other, path, 'confirmDetailsAction', formWith(await look(other, path), 'shown'));
}

/** Has two people confirm what the files of PayPal and of SEPA are sent with. */
export async function confirmSenders(author: Page, other: Page): Promise<void> {
  const bank = { method: 'sepa', name: 'Starfall GmbH', account: 'DE02120300000000202051', bic: 'BYLADEM1001' };
  for (const sender of [{ method: 'paypal', decimal_sign: '.' }, bank])
    await post(author, SENDERS, 'proposeSenderAction', { game: 'demo', ...sender });
  const proposed = new Set((await look(other, SENDERS)).forms.flatMap(({ senderNo }) => senderNo ?? []));
  for (const senderNo of proposed) await post(other, SENDERS, 'confirmSenderAction', { game: 'demo', senderNo });
}

/** Approves a submitted run. */
export async function approveRun(page: Page, runNo: number): Promise<void> {
  await page.goto(`/demo/payouts/${runNo}/approve`);
  await page.getByRole('button', { name: /^Approve \$/ }).click();
  await expect(page.getByText(/^Approved by/)).toBeVisible();
}

/** Creates the files of everything that waits in a run. */
export async function createFiles(page: Page, runNo: number): Promise<void> {
  const path = `/demo/payouts/${runNo}/payments`;
  const form = formWith(await look(page, path), 'runId');
  await post(page, path, 'createFilesAction', { ...form, 'paypal.format': 'paypal_web', 'sepa.format': 'pain_001_09' });
}

/** Records that files of a run were uploaded. */
export async function handOver(page: Page, runNo: number, ...batchNos: number[]): Promise<void> {
  for (const batchNo of batchNos) {
    const fields = { game: 'demo', batchNo: String(batchNo), reference: '' };
    await post(page, `/demo/payouts/${runNo}/payments`, 'handOverAction', fields);
  }
}

/** A payment of a run, as the list's file has it. */
export interface FilePayment {
  reference: string;
  recipientId: number;
  amount_usd: string;
  method: string;
}

/** The payments of a run that no other one replaced, by reference. */
export async function listPayments(page: Page, runNo: number): Promise<FilePayment[]> {
  const answer = await page.request.get(`/demo/lists/payments/file?run=${runNo}`);
  const [heads = [], ...rows] = readStrictCsv((await answer.text()).replace('\ufeff', ''));
  const cell = (row: string[], key: string): string => row[heads.indexOf(key)] ?? '';
  return rows
    .filter((row) => !['cancelled', 'reissued'].includes(cell(row, 'state')))
    .map((row) => ({
      reference: cell(row, 'payment_reference'),
      recipientId: Number(cell(row, 'recipient_player_id')),
      amount_usd: cell(row, 'amount_usd'),
      method: cell(row, 'method'),
    }));
}

/** The day on which reports date payments: of a file that was created just before. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** A report of the generic layout: each row a reference, a status, an amount and its currency. */
export function reportOf(rows: readonly (readonly [reference: string, status: string, amount: string, currency?: string])[]): string {
  const lines = rows.map(
    ([reference, status, amount, currency = 'USD'], index) =>
      `${reference},${status},${amount},${currency},PRV-${reference}-${index},${today()}`,
  );
  return ['reference,status,amount,currency,provider_id,date', ...lines, ''].join('\n');
}

/** The payment that a test is about. Throws when the list doesn't have it. */
export function present(payment: FilePayment | undefined): FilePayment {
  if (payment === undefined) throw new Error('there is no such payment');
  return payment;
}

/** Records a report. */
export async function recordReport(page: Page, text: string): Promise<void> {
  const headers = { origin: ownOrigin(), 'sharebook-act': 'record', 'sharebook-file-name': 'report.csv' };
  const answer = await page.request.post('/demo/payouts/reports/import', { headers, data: Buffer.from(text) });
  expect(await answer.json()).toMatchObject({ kind: 'recorded' });
}

/** The form of a page, or of a part of it, that has a field of that name, with what is filled in. Throws when there is none. */
export function formWith(page: { forms: Record<string, string>[] }, field: string): Record<string, string> {
  const form = page.forms.find((each) => field in each);
  if (form === undefined) throw new Error(`there is no form with ${field}`);
  return form;
}
