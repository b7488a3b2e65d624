import { describe, expect, test } from 'vitest';
import { compareLifetime, type LifetimeReport } from './compare-lifetime.ts';

const SPAN = { start: '2026-09-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const OWN = { span: SPAN, gross_usd: '7.20', reversed_usd: '1.80' };
const cycle = (paid_at: string | null, more: Partial<LifetimeReport['cycles'][number]> = {}): LifetimeReport['cycles'][number] => ({
  paid_at,
  attributed_amount_usd: paid_at === null ? null : '3.60',
  refunded_amount_usd: null,
  refunded_at: null,
  ...more,
});
const REPORT: LifetimeReport = {
  subscription_id: 'SUB_1',
  totals: { gross_attributed_usd: '7.20', reversed_attributed_usd: '1.80' },
  isWhole: true,
  cycles: [
    cycle(null),
    cycle('2026-10-01T00:00:00Z', { refunded_amount_usd: '10.00', refunded_at: '2026-10-02T00:00:00Z' }),
    cycle('2026-09-01T00:00:00Z'),
  ],
};

describe('the totals over a subscription’s life', () => {
  test('match the lines of the months when both sums are equal', () => {
    expect(compareLifetime(REPORT, OWN)).toEqual({ kind: 'matches' });
  });

  test('count renewals outside the pulled months as the report lists them', () => {
    const totals = { gross_attributed_usd: '14.40', reversed_attributed_usd: '1.80' };
    const cycles = [cycle('2026-11-01T00:00:00Z'), ...REPORT.cycles, cycle('2026-08-01T00:00:00Z')];
    expect(compareLifetime({ ...REPORT, totals, cycles }, OWN)).toEqual({ kind: 'matches' });
  });

  test('differ with both sides when the months lack a line or a reversal', () => {
    expect(compareLifetime(REPORT, { ...OWN, gross_usd: '3.60', reversed_usd: '0.00' })).toEqual({
      kind: 'differs',
      subscription_id: 'SUB_1',
      invo_gross_usd: '7.20',
      own_gross_usd: '3.60',
      invo_reversed_usd: '1.80',
      own_reversed_usd: '0.00',
    });
  });

  test.each<[string, Partial<LifetimeReport>]>([
    ['Invo states no totals', { totals: null }],
    ['the report lists some of the cycles only', { isWhole: false }],
    [
      'a refund came after the pulled months',
      { cycles: [cycle('2026-10-01T00:00:00Z', { refunded_amount_usd: '1.00', refunded_at: '2026-11-01T00:00:00Z' })] },
    ],
    [
      'a refunded period settled before the pulled months',
      { cycles: [cycle('2026-08-31T00:00:00Z', { refunded_amount_usd: '1.00', refunded_at: '2026-09-02T00:00:00Z' })] },
    ],
    ['a refund has no date', { cycles: [cycle('2026-10-01T00:00:00Z', { refunded_amount_usd: '1.00' })] }],
  ])('aren’t compared when %s', (_, changed) => {
    expect(compareLifetime({ ...REPORT, ...changed }, OWN)).toEqual({ kind: 'not_comparable' });
  });
});
