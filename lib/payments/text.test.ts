import { expect, test } from 'vitest';
import { SHOW_REFUSALS } from '#lib/payees/find-key-refusal.ts';
import { FILE_REFUSALS, FILES_REFUSALS, SENDER_REFUSALS, SHOW_REPORT_REFUSALS } from './action-text.ts';
import { BLOCKER_REASONS, SENDER_SETTINGS } from './rules/payment-blocker.ts';
import { formatAcceptedDifference, formatPaymentBlocker } from './text.ts';

test.each(BLOCKER_REASONS)('the blocker %s has sentences', (reason) => {
  const detail = reason === 'sender_setting' ? 'bic' : 'DETAIL';
  expect(formatPaymentBlocker({ reason, item: null, detail })).toMatch(/^[A-Z][^\n]*\.$/);
});

test.each(SENDER_SETTINGS)('the setting %s has words of its own', (detail) => {
  expect(formatPaymentBlocker({ reason: 'sender_setting', item: null, detail })).toMatch(
    /^The sender account needs (a|an|the) [^\n]+\. Change it under Sender accounts\.$/,
  );
});

test('a blocker of a payment names the payment and its recipient', () => {
  const item = { itemNo: 1868, recipientId: 71, reference: 'A200701TC8' };
  const blocker = { reason: 'bic_missing', item, detail: '' } as const;
  const sentence = 'The bank’s BIC is missing. Wires and accounts outside the EEA need one.';
  expect(formatPaymentBlocker(blocker, 'Mira Vale')).toBe(`Payment A200701TC8 to Mira Vale: ${sentence}`);
  expect(formatPaymentBlocker(blocker)).toBe(`Payment A200701TC8 to player 71: ${sentence}`);
});

test.each([
  SHOW_REFUSALS.unreadable,
  FILE_REFUSALS.unreadable,
  FILES_REFUSALS.sender_unreadable,
  SENDER_REFUSALS.unreadable,
  SHOW_REPORT_REFUSALS.unreadable,
])('what doesn’t open names the key that sealed it before anything is entered again: “%s”', (sentence) => {
  expect(sentence).toContain('Set SHAREBOOK_PAYEE_KEY to the key that sealed it');
});

test('a row whose amount differs states what accepting it does, with the figures', () => {
  const payment = { amount: '1080.00', currency: 'USD' };
  const row = { amount: '500.00', currency: 'USD', payment, state: 'returned' } as const;
  expect(formatAcceptedDifference(row)).toBe(
    'The whole payment of 1,080.00 USD then counts as returned and is due again. 500.00 USD came back: the journal posts the other 580.00 USD to bank fees on returned payments.',
  );
  expect(formatAcceptedDifference({ ...row, amount: '1080.35', state: 'paid' })).toBe(
    'The payment then counts as paid with 1,080.00 USD, which the journal posts. The report states 1,080.35 USD: post the difference of 0.35 USD in your books.',
  );
  expect(formatAcceptedDifference({ ...row, state: null })).toContain('The whole payment of 1,080.00 USD');
  for (const same of [{ amount: '1080' }, { amount: null }, { currency: 'EUR' }, { payment: null }])
    expect(formatAcceptedDifference({ ...row, ...same })).toBeNull();
});
