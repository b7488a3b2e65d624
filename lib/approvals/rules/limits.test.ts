import { expect, test } from 'vitest';
import { exceedsLimit, limitFor, parseLimit } from './limits.ts';

const POLICY = { defaults: { finance: '500.00' }, set: { admin: '900.00' } };

test.each([
  ['finance', '500.00', false],
  ['finance', '500.01', true],
  ['admin', '0.01', true],
  ['viewer', '0.01', true],
] as const)('%s with %s USD exceeds the limit: %s', (role, amount, expected) => {
  expect(exceedsLimit(role, amount, POLICY)).toBe(expected);
});

test('a set limit replaces the default, and creates none for a role without a default', () => {
  expect(limitFor('finance', { ...POLICY, set: { finance: '0.00' } })).toBe('0.00');
  expect(limitFor('admin', POLICY)).toBeNull();
});

test.each([
  ['50', '50.00'],
  ['0', '0.00'],
  ['12.5', '12.50'],
  ['-1', null],
  ['0.001', null],
  ['12345678901', null],
  ['all', null],
])('the typed limit "%s" is %s', (text, limit) => {
  expect(parseLimit(text)).toBe(limit);
});
