import { describe, expect, test } from 'vitest';
import { findDateOrder, parseReportedAmount, parseReportedDate } from './report-cells.ts';

describe('an amount as a provider writes it', () => {
  test.each([
    ['120.35', '120.35'],
    ['-120.35', '-120.35'],
    ['−120.35', '-120.35'],
    ['+5', '5.00'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ['1\u00a0234,50', '1234.50'],
    ['120,35', '120.35'],
    ['12,345,678.90', '12345678.90'],
    ['1234.5', '1234.50'],
    [' 7.00 ', '7.00'],
  ])('%s is %s', (cell, amount) => {
    expect(parseReportedAmount(cell)).toBe(amount);
  });

  test.each([
    '',
    '1,234',
    '1.234',
    '12.3456',
    '1,23.45',
    '12,34,567.00',
    '1.2.3,45',
    '(120.35)',
    '120.35 USD',
    '$120.35',
    '1e3',
    'NaN',
    '٣٫٥',
    '1,234,5',
  ])('“%s” is none that can be read without a guess', (cell) => {
    expect(parseReportedAmount(cell)).toBeNull();
  });
});

describe('the dates of a report', () => {
  test.each([
    [['05/11/2026', '25/11/2026'], 'dmy'],
    [['11/05/2026', '11/25/2026'], 'mdy'],
    [['2026-11-05', '2026-11-25 10:00:00'], 'ymd'],
    [['05-11-2026', ''], 'open'],
    [[''], 'ymd'],
    [['2026-11-05', 'yesterday'], 'ymd'],
    [['25/11/2026', 'yesterday'], 'dmy'],
    [['25.11.2026', '11/25/2026'], 'mixed'],
    [['2026-11-05', '05/11/2026'], 'mixed'],
    [['2026-11-05', '25/11/2026'], 'mixed'],
  ] as const)('%s have the order %s', (dates, order) => {
    expect(findDateOrder(dates)).toBe(order);
  });

  test('are read in one order, and a day that doesn’t exist is none', () => {
    expect(parseReportedDate('05/11/2026', 'dmy')).toBe('2026-11-05');
    expect(parseReportedDate('05/11/2026', 'mdy')).toBe('2026-05-11');
    expect(parseReportedDate('2026-11-05T10:00:00+01:00', 'ymd')).toBe('2026-11-05');
    expect(parseReportedDate('31/11/2026', 'dmy')).toBeNull();
    expect(parseReportedDate('29/02/2027', 'dmy')).toBeNull();
    expect(parseReportedDate('yesterday', 'ymd')).toBeNull();
  });
});
