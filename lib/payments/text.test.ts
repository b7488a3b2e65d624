import { expect, test } from 'vitest';
import { SHOW_REFUSALS } from '#lib/payees/find-key-refusal.ts';
import { FILE_REFUSALS, FILES_REFUSALS, SENDER_REFUSALS, SHOW_REPORT_REFUSALS } from './action-text.ts';
import { BLOCKER_REASONS, SENDER_SETTINGS } from './rules/payment-blocker.ts';
import { formatPaymentBlocker } from './text.ts';

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
