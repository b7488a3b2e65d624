import { describe, expect, test } from 'vitest';
import { ALL, BACK, knows, outcomesOf, reported, row } from '#e2e/support/payments/matched-rows.ts';
import type { KnownConfirmation } from './match-rows.ts';
import type { ReportKind, ReportRow } from './report-row.ts';

describe('a second return of a payment', () => {
  const first = { ...BACK, providerId: 'R1' };
  const second = { state: 'returned', occurredOn: '2026-11-05' } as const;
  test.each<[string, ReportKind, Partial<KnownConfirmation>[], Partial<ReportRow>, unknown[]]>([
    ['under another ID on another day is listed', 'generic', [first], { providerId: 'R2' }, ['returned_more', 1]],
    ['on another day without an ID is listed', 'generic', [BACK], {}, ['returned_more', 1]],
    ['of that day without an ID is the same', 'generic', [first], { occurredOn: BACK.occurredOn }, [1, 'returned', 'reference']],
    ['that a report of another layout has is the same', 'camt_053', [first], { providerId: 'R2' }, [1, 'returned', 'reference']],
    ['after it was paid again is another one', 'generic', [first, { occurredOn: '2026-11-05' }], second, [1, 'returned', 'reference']],
    [
      'of a whole file is no movement of its own',
      'generic',
      [{ ...first, isOfFile: true }],
      { providerId: 'R2' },
      [1, 'returned', 'reference'],
    ],
    [
      'that PayPal has by both rows is the same',
      'paypal_activity',
      [{ ...first, kind: 'paypal_activity' }],
      { providerId: 'R2' },
      [1, 'returned', 'reference'],
    ],
  ])('%s', (_, kind, known, facts, result) => {
    expect(outcomesOf([row({ ...second, ...facts })], knows([reported(...known)]), kind)).toEqual([result]);
  });

  test('within one report is listed too', () => {
    const rows = [row(first), row({ ...second, providerId: 'R2' })];
    expect(outcomesOf(rows, ALL)).toEqual([
      [1, 'returned', 'reference'],
      ['returned_more', 1],
    ]);
  });
});
