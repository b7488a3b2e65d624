import { expect, test } from 'vitest';
import { coverCardNumbers, coverPersonal } from './cover-personal.ts';

test.each([
  ['visa 4242424242424242', 'visa •••• 4242'],
  ['4242 4242-4242.4241 debit', '•••• 4241 debit'],
  ['12345678901', '12345678901'],
  ['on 2026-11-21 12:00:00', 'on 2026-11-21 12:00:00'],
])('of what may be a card number in %j the last four digits stay', (text, covered) => {
  expect(coverCardNumbers(text)).toBe(covered);
});

test('what is kept on record names no e-mail either', () => {
  expect(coverPersonal('mira@players.example lost 4242 4242 4242 4242')).toMatch(/^m\S+@\S+ lost •••• 4242$/);
});
