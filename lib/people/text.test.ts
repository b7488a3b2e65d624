import { expect, test } from 'vitest';
import { formatAuditDetail, isConfirmedByTwo } from './text.ts';

test.each([
  [
    'names in words, without empty values',
    { payable_usd: '45.00', pullId: 7, isFresh: false, note: '', code: null },
    ['payable USD: 45.00', 'pull ID: 7', 'fresh: no'],
  ],
  [
    'both sides of a change on one line',
    { before: ['finance'], after: ['finance', 'admin'], asked_by: 'ada' },
    ['finance → finance, admin', 'asked by: ada'],
  ],
  ['a named change, from nothing', { amount_usd: { before: null, after: '50.00' } }, ['amount USD: none → 50.00']],
  [
    'each nested fact on its own line',
    { exact_usd: { adjusted_up: '12.00', service_fee: '1223.7686' }, journal_no: '202609-A' },
    ['exact USD, adjusted up: 12.00', 'exact USD, service fee: 1223.7686', 'journal number: 202609-A'],
  ],
  [
    'sides that hold several facts, each by name',
    { before: { amount_usd: '45.00' }, after: '50.00' },
    ['before, amount USD: 45.00', 'after: 50.00'],
  ],
  ['lists of facts by number', { lines: [{ id: 1 }, { id: 2 }] }, ['lines 1, ID: 1', 'lines 2, ID: 2']],
  [
    'the beginning of a digest',
    { content_digest: 'd61cb18b1cee5423dd2d0e25f40afb9a94c463c69632a1b7b800a8b7ec3d4a50' },
    ['content digest: d61cb18b1cee…'],
  ],
])('the detail of an audit entry shows %s', (_, detail, lines) => {
  expect(formatAuditDetail(detail)).toEqual(lines);
});

test('one person who confirmed an account twice is one, and the operator counts as one more', () => {
  const by = (byId: string | null) => ({ basis: 'confirmation' as const, byId });
  expect(isConfirmedByTwo([by('ada'), by('ada')])).toBe(false);
  expect(isConfirmedByTwo([by(null), by(null)])).toBe(false);
  expect(isConfirmedByTwo([by('ada'), by(null)])).toBe(true);
  expect(isConfirmedByTwo([by('ada'), by('gus')])).toBe(true);
});
