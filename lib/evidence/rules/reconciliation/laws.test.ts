import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySlice } from '#e2e/support/evidence/any-slice.ts';
import { subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { Recipient, RefundEvent, RenewalLine, ReversalLine, SliceEvidence } from '../evidence.ts';
import type { Totals } from '../totals.ts';
import { allMatch, reconcileSlice } from './check-window.ts';

// Every money field, and whether a cent more or less on one row must break a hard check.
// "bounded": held within a total, so a cent may pass. "reference": stored and shown, no equation of the contract holds it.
const TOTALS = {
  settled_gross_usd: 'bounded',
  invo_fee_usd: 'bounded',
  partner_revenue_settled_usd: 'hard',
  partner_revenue_reversed_usd: 'hard',
  partner_revenue_usd: 'hard',
  gross_attributed_usd: 'hard',
  reversed_attributed_usd: 'hard',
  net_attributed_usd: 'hard',
} as const satisfies Record<Money<Totals>, Weight>;
const RECIPIENT = { gross_attributed_usd: 'hard', reversed_attributed_usd: 'hard', net_attributed_usd: 'hard' } as const satisfies Record<
  Money<Recipient>,
  Weight
>;
const RENEWAL = {
  amount_usd: 'bounded',
  invo_fee_usd: 'bounded',
  partner_revenue_usd: 'hard',
  partner_revenue_settled_usd: 'hard',
  partner_revenue_reversed_usd: 'hard',
  base_usd: 'bounded',
  attributed_amount_usd: 'hard',
  expected_base_usd: 'reference',
  recorded_base_usd: 'reference',
  card_charged_usd: 'reference',
  pcstore_charged_usd: 'reference',
  refunded_amount_usd: 'reference',
} as const satisfies Record<Money<RenewalLine>, Weight>;
const REVERSAL = {
  amount_usd: 'reference',
  originally_attributed_usd: 'bounded',
  reversed_attributed_usd: 'hard',
  partner_revenue_reversed_usd: 'bounded',
  refunded_to_date_usd: 'reference',
} as const satisfies Record<Money<ReversalLine>, Weight>;
const EVENT = {
  refunded_amount_usd: 'hard',
  cumulative_refunded_before_usd: 'hard',
  cumulative_refunded_after_usd: 'hard',
  reversed_attributed_usd: 'hard',
  partner_revenue_reversed_usd: 'reference',
} as const satisfies Record<Money<RefundEvent>, Weight>;

type Weight = 'hard' | 'bounded' | 'reference';
type Money<Row> = Extract<keyof Row, `${string}_usd`>;

test('a consistent slice reconciles', () => {
  fc.assert(
    fc.property(anySlice(), (slice) => {
      expect(reconcileSlice(slice).filter((check) => !check.ok)).toEqual([]);
    }),
  );
});

describe('a cent more or less, on any row', () => {
  const places: [string, (slice: SliceEvidence) => object[], Record<string, Weight>][] = [
    ['the totals', (slice) => [slice.totals], TOTALS],
    ['a recipient', (slice) => slice.recipients, RECIPIENT],
    ['a renewal', (slice) => slice.renewals, RENEWAL],
    ['a reversal', (slice) => slice.reversals, REVERSAL],
    ['a refund event', (slice) => slice.reversals.flatMap((line) => line.refund_events), EVENT],
  ];
  const fields = places.flatMap(([where, rowsOf, weights]) =>
    Object.entries(weights).map(([field, weight]) => ({ where, rowsOf, field, weight })),
  );

  test.each(fields.filter(({ weight }) => weight === 'hard'))('$field of $where breaks a hard check', ({ rowsOf, field }) => {
    fc.assert(
      fc.property(anySlice(), fc.nat(), fc.constantFrom('0.01', '-0.01', '0.000001'), (slice, pick, step) => {
        fc.pre(move(rowsOf(slice), pick, field, step));
        expect(allMatch(reconcileSlice(slice))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test.each(fields.filter(({ weight }) => weight === 'reference'))(
    '$field of $where breaks no check: no equation uses it',
    ({ rowsOf, field }) => {
      fc.assert(
        fc.property(anySlice(), fc.nat(), (slice, pick) => {
          fc.pre(move(rowsOf(slice), pick, field, '0.01'));
          expect(reconcileSlice(slice).filter((check) => !check.ok)).toEqual([]);
        }),
        { numRuns: 20 },
      );
    },
  );

  test.each(fields.filter(({ weight }) => weight === 'bounded'))(
    '$field of $where may change within its bound and not beyond it',
    ({ rowsOf, field }) => {
      fc.assert(
        fc.property(anySlice(), fc.nat(), (slice, pick) => {
          const isLowered = field === 'base_usd' || field === 'originally_attributed_usd' || rowsOf(slice)[0] === slice.totals;
          fc.pre(move(rowsOf(slice), pick, field, isLowered ? '-99999999.00' : '99999999.00'));
          expect(reconcileSlice(slice).some((check) => !check.ok)).toBe(true);
        }),
        { numRuns: 30 },
      );
    },
  );
});

describe('a whole line', () => {
  test.each<['renewals' | 'reversals']>([['renewals'], ['reversals']])(
    'removed from the %s, or listed twice, breaks a hard check',
    (kind) => {
      fc.assert(
        fc.property(anySlice(), fc.nat(), fc.boolean(), (slice, pick, isTwice) => {
          const lines: object[] = slice[kind];
          const index = pick % lines.length;
          if (isTwice) lines.push(structuredClone(lines[index] ?? {}));
          else lines.splice(index, 1);
          expect(allMatch(reconcileSlice(slice))).toBe(false);
        }),
      );
    },
  );

  test('given to another recipient breaks a hard check', () => {
    fc.assert(
      fc.property(anySlice(), fc.nat(), (slice, pick) => {
        const line = slice.renewals[pick % slice.renewals.length];
        if (line) line.recipient_player_id = line.recipient_player_id === 11 ? 12 : 11;
        expect(allMatch(reconcileSlice(slice))).toBe(false);
      }),
    );
  });
});

test('renewals without attribution may add any amount to the totals', () => {
  fc.assert(
    fc.property(anySlice(), fc.integer({ min: 1, max: 1_000_000 }), (slice, dollars) => {
      const { totals } = slice;
      for (const key of ['invo_fee_usd', 'partner_revenue_settled_usd', 'partner_revenue_reversed_usd', 'settled_gross_usd'] as const) {
        totals[key] = sumMoney([totals[key], `${key === 'settled_gross_usd' ? dollars * 2 : dollars}`]);
      }
      totals.partner_revenue_usd = subtractMoney(totals.partner_revenue_settled_usd, totals.partner_revenue_reversed_usd);
      expect(reconcileSlice(slice).filter((check) => !check.ok)).toEqual([]);
    }),
  );
});

/** Moves one amount of one of the rows; false when there is none to move. */
function move(rows: object[], pick: number, field: string, step: string): boolean {
  const row = rows[rows.length === 0 ? 0 : pick % rows.length] as Record<string, unknown> | undefined;
  const amount = row?.[field];
  if (!row || typeof amount !== 'string') return field === 'pcstore_charged_usd' || field === 'refunded_amount_usd' ? Boolean(row) : false;
  row[field] = sumMoney([amount, step]);
  return true;
}
