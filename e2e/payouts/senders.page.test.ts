import { expect, test } from 'vitest';
import { ROLES } from '../pages/demo-people.ts';
import { request, send, visit } from '../pages/visit.ts';

const PAGE = '/demo/payouts/senders';
const IBAN = 'DE89370400440532013000';
const BANK = { game: 'demo', method: 'sepa', name: 'Drachen Spiele GmbH', account: IBAN, bic: '', town: '', country: '' };
const ACH = {
  game: 'demo',
  method: 'ach',
  company_name: 'Drachen',
  company_id: '1234567890',
  entry_description: 'REVSHARE',
  immediate_origin: '1234567890',
  bank_name: 'First Bank',
  bank_routing_number: '021000021',
};

const propose = async (fields: Record<string, string>) => (await send('proposeSenderAction', PAGE, fields, 'finance')).result;

test.each([
  [{ ...BANK, account: 'DE88370400440532013000' }, 'account', 'Enter a valid IBAN.'],
  [{ ...BANK, name: '' }, 'name', 'Enter a name of at most 70 letters.'],
  [{ ...BANK, bic: 'COBA' }, 'bic', 'Enter a valid BIC.'],
  [{ ...BANK, items_max: '0' }, 'items_max', 'Enter the number of payments per file.'],
  [{ ...BANK, method: 'wire_usd', bic: 'COBADEFFXXX' }, 'town', 'Enter a town and a country.'],
  [{ ...ACH, company_id: '12' }, 'company_id', 'Enter a company ID of ten letters or digits.'],
  [{ ...ACH, bank_routing_number: '021000022' }, 'bank_routing_number', 'Enter a valid routing number of your bank.'],
  [{ ...ACH, balanced: 'yes' }, 'offset_account_number', 'Enter a valid account to debit.'],
  [{ game: 'demo', method: 'paypal', email_subject: 'x'.repeat(300) }, 'email_subject', 'Enter an email subject of at most 255 letters.'],
  [{ game: 'demo', method: 'wise', template_header: '' }, 'template_header', 'The Wise template has no column “recipientId”.'],
  [{ game: 'demo', method: 'wise', template_header: 'recipientId,shoe size' }, 'template_header', 'Wise template'],
])('a sender account with a wrong entry is refused below that entry: %j', async (fields, field, sentence) => {
  const result = await propose(fields);
  expect(result).toMatchObject({ kind: 'invalid' });
  expect(result?.['fields']).toHaveProperty(field, expect.stringContaining(sentence));
});

test('an unknown payment method is refused', async () => {
  expect(await propose({ game: 'demo', method: 'bitcoin' })).toEqual({ kind: 'refused', sentence: 'Choose a method.' });
});

test('a sender account is masked on its page, waits for the other person, and one person alone confirms nothing', async () => {
  expect(await propose(BANK)).toMatchObject({ kind: 'done' });
  expect(await propose(BANK)).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('Another proposal') });
  const mine = await visit(PAGE, 'finance');
  expect(mine.region('Proposed for SEPA transfer').text).toContain('Drachen Spiele GmbH •••• 3000');
  expect(mine.region('Proposed for SEPA transfer').text).toContain('You proposed this. Someone else must confirm it.');
  const senderNo = mine.region('Proposed for SEPA transfer').hidden('senderNo');
  const confirm = async () =>
    (await send('confirmSenderAction', PAGE, { game: 'demo', senderNo, password: 'simulated data only' }, 'finance')).result;
  expect(await confirm()).toEqual({ kind: 'refused', sentence: 'You proposed this. Someone else must confirm it.' });
  expect((await visit('/demo/payouts', 'admin')).region('Waiting for you').text).toContain(
    'Confirm sender account Drachen Spiele GmbH •••• 3000',
  );
  expect((await visit(PAGE, 'admin')).buttons).toContain('Confirm sender account for SEPA transfer');
  const auditor = await visit(PAGE, 'auditor');
  expect(auditor.region('Proposed for SEPA transfer').text).toContain('•••• 3000');
  expect(auditor.buttons.filter((name) => /Show|Confirm|Withdraw|Propose/.test(name))).toEqual([]);
  for (const role of ['finance', 'admin', 'auditor'] as const)
    expect(await (await request(PAGE, role)).text(), `no account in what ${role} receives`).not.toContain(IBAN);
  expect((await send('withdrawSenderAction', PAGE, { game: 'demo', senderNo }, 'finance')).result).toMatchObject({ kind: 'done' });
  expect((await visit(PAGE, 'finance')).regions('Proposed for SEPA transfer')).toEqual([]);
});

test('sender accounts, rows of payments and payment files are closed to support and viewers', async () => {
  for (const role of ROLES) {
    const mayRead = ['finance', 'admin', 'auditor'].includes(role);
    expect((await request(PAGE, role)).status, `${PAGE} for ${role}`).toBe(mayRead ? 200 : 403);
    const rows = await request('/demo/lists/payments/rows?run=99999&sort=payment_reference&dir=asc', role);
    expect(rows.status, `rows for ${role}`).toBe(mayRead ? 404 : 403);
    expect((await request('/demo/payouts/99999/payments/files/1', role)).status, `a file for ${role}`).toBe(mayRead ? 404 : 403);
  }
});
