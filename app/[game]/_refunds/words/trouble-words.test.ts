import { expect, test } from 'vitest';
import { sayTrouble } from './trouble-words.ts';

test('trouble on the road is told in our words, with the reference where there is one', () => {
  expect(sayTrouble({ errorCode: 'timeout', facts: {}, errorId: null })).toBe('Invo did not answer in time.');
  expect(sayTrouble({ errorCode: 'window_too_large', facts: {}, errorId: null })).toBe(
    'Invo’s answer would hold more than one report may carry.',
  );
  expect(sayTrouble({ errorCode: 'upstream_fault', facts: {}, errorId: 'err_4' })).toBe('Invo failed on its side. Quote err_4 to Invo.');
});

test('a refusal of Invo’s is told with its figures', () => {
  const facts = { already_refunded_usd: '5.00', remaining_refundable_usd: '15.00' };
  expect(sayTrouble({ errorCode: 'AMOUNT_EXCEEDS_REMAINING', facts, errorId: 'err_5' })).toMatch(
    /5\.00 USD of 20\.00.*15\.00 is left.*err_5/,
  );
});

test('a code nobody knows, or the name of something every object has, is not guessed at', () => {
  expect(sayTrouble({ errorCode: 'toString', facts: {}, errorId: null })).toContain('(toString)');
});
