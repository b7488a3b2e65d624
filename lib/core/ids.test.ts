import { describe, expect, it } from 'vitest';
import { parseNumericId, parseRecordId, parseSubscriptionId } from './ids.ts';

describe('ids in paths', () => {
  it.each([
    ['1', 1],
    ['2026100004', 2026100004],
    ['9007199254740991', 9007199254740991],
  ])('parses %s', (text, number) => {
    expect(parseNumericId(text)).toBe(number);
  });
  it.each(['', '0', '01', '-1', '1.5', '1e3', '9007199254740992', '99999999999999999', 'x'])('refuses %j as a numeric id', (text) => {
    expect(parseNumericId(text)).toBeNull();
  });
  it.each(['.', '..', '...', '', 'SUB_1\n', 'a/b', 'a b', 'x'.repeat(51), 'ann@example.test', 'a%2Fb'])(
    'refuses %j as a subscription id',
    (text) => {
      expect(parseSubscriptionId(text)).toBeNull();
    },
  );
  it.each(['.', '..', '', 'a/b', 'a b', 'a?b', 'a%2Fb', 'ann@example.test', 'x'.repeat(101)])(
    'refuses %j as the id of an order or a transfer',
    (text) => {
      expect(parseRecordId(text)).toBeNull();
    },
  );
  it.each(['ORD_BREE_03', 'TRF_1', '20261', 'a.b:c-d'])('accepts %s as the id of an order or a transfer', (text) => {
    expect(parseRecordId(text)).toBe(text);
  });
  it('accepts the subscription id format of Invo', () => {
    expect(parseSubscriptionId('SUB_1767225600_WITN04AL')).toBe('SUB_1767225600_WITN04AL');
  });
});
