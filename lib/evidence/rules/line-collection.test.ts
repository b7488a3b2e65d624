import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OCTOBER, sampleEvent, sampleRecipient, sampleRenewal, sampleReversal } from '#e2e/support/evidence/sample-slice.ts';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import type { RecipientReport, RefundEvent, ReversalLine } from './evidence.ts';
import { LineCollection, reversalInstants } from './line-collection.ts';

const FIRST_HALF = { start: OCTOBER.start, end: '2026-10-21T00:00:00Z' };
const SECOND_HALF = { start: FIRST_HALF.end, end: OCTOBER.end };

describe('renewals', () => {
  test('a line shown twice is stored once', () => {
    const lines = new LineCollection(OCTOBER);
    lines.add(OCTOBER, report({ renewals: [sampleRenewal(), sampleRenewal({ period_id: 102 })] }));
    lines.add(FIRST_HALF, report({ renewals: [sampleRenewal()] }));
    expect(lines.renewalsOf(11).map((line) => line.period_id)).toEqual([101, 102]);
  });

  test('lines of different recipients are not mixed', () => {
    const lines = new LineCollection(OCTOBER);
    lines.add(OCTOBER, report({ renewals: [sampleRenewal()] }));
    lines.add(OCTOBER, report({ recipient_player_id: 12, renewals: [sampleRenewal({ period_id: 7, recipient_player_id: 12 })] }));
    expect(lines.renewalsOf(11)).toHaveLength(1);
    expect(lines.renewalsOf(12)).toHaveLength(1);
    expect(lines.renewalsOf(13)).toEqual([]);
  });

  test('renewals count in the part in which they settled, excluding its end', () => {
    const lines = new LineCollection(OCTOBER);
    lines.add(
      OCTOBER,
      report({ renewals: [sampleRenewal({ paid_at: FIRST_HALF.start }), sampleRenewal({ period_id: 102, paid_at: FIRST_HALF.end })] }),
    );
    expect([OCTOBER, FIRST_HALF, SECOND_HALF].map((part) => lines.countWithin(part, 11, 'renewals'))).toEqual([2, 1, 1]);
  });
});

describe('reversals', () => {
  test('a reversal read completely stays as reported', () => {
    const lines = new LineCollection(OCTOBER);
    lines.add(OCTOBER, report({ reversals: [sampleReversal()] }));
    expect(lines.reversalsOf(11)).toEqual([sampleReversal()]);
  });

  test('a reversal read in two parts is the union of its events, with their figures', () => {
    const lines = new LineCollection(OCTOBER);
    lines.add(SECOND_HALF, report({ reversals: [partOf(SECOND_HALF)] }));
    lines.add(FIRST_HALF, report({ reversals: [partOf(FIRST_HALF)] }));
    const [line] = lines.reversalsOf(11);
    expect(line).toMatchObject({
      reversed_attributed_usd: '0.70',
      partner_revenue_reversed_usd: '7.00',
      settled_in_this_window: null,
      nets_to_zero_in_window: null,
    });
    expect(line?.refund_events).toEqual(sampleReversal().refund_events);
    expect([OCTOBER, FIRST_HALF, SECOND_HALF].map((part) => lines.countWithin(part, 11, 'reversals'))).toEqual([1, 1, 1]);
  });

  test('a reversal read completely is never changed by a part, before or after', () => {
    for (const isFirst of [true, false]) {
      const lines = new LineCollection(OCTOBER);
      if (isFirst) lines.add(OCTOBER, report({ reversals: [sampleReversal()] }));
      lines.add(SECOND_HALF, report({ reversals: [partOf(SECOND_HALF)] }));
      if (!isFirst) lines.add(OCTOBER, report({ reversals: [sampleReversal()] }));
      expect(lines.reversalsOf(11)).toEqual([sampleReversal()]);
    }
  });

  test('two refunds of one instant are distinguished by the amount refunded after them', () => {
    const [one, two] = [
      sampleEvent({ refunded_at: '2026-10-20T10:00:00.000Z' }),
      sampleEvent({ cumulative_refunded_before_usd: '4.00', cumulative_refunded_after_usd: '8.00' }),
    ];
    const lines = new LineCollection(OCTOBER);
    lines.add(FIRST_HALF, report({ reversals: [sampleReversal({ refund_events: [two] })] }));
    lines.add(
      FIRST_HALF,
      report({ reversals: [sampleReversal({ refund_events: [one, { ...one, cumulative_refunded_after_usd: '4.0' }] })] }),
    );
    expect(lines.reversalsOf(11)[0]?.refund_events.map((event) => event.cumulative_refunded_before_usd)).toEqual(['0.00', '4.00']);
  });

  test('an event without recorded partner revenue makes the sum not recorded, never zero', () => {
    const lines = new LineCollection(OCTOBER);
    lines.add(
      FIRST_HALF,
      report({
        reversals: [
          sampleReversal({
            refund_events: [sampleEvent(), sampleEvent({ refunded_at: '2026-10-20T11:00:00Z', partner_revenue_reversed_usd: null })],
          }),
        ],
      }),
    );
    expect(lines.reversalsOf(11)[0]?.partner_revenue_reversed_usd).toBeNull();
  });

  test('a coarse reversal counts where its period was last refunded, with its reported figure', () => {
    const coarse = sampleReversal({ reversal_basis: 'period_row', refund_events: [], partner_revenue_reversed_usd: null });
    const lines = new LineCollection(OCTOBER);
    lines.add(SECOND_HALF, report({ reversals: [coarse] }));
    expect(lines.reversalsOf(11)[0]).toMatchObject({
      reversed_attributed_usd: '0.70',
      partner_revenue_reversed_usd: null,
      settled_in_this_window: null,
    });
    expect([FIRST_HALF, SECOND_HALF].map((part) => lines.countWithin(part, 11, 'reversals'))).toEqual([0, 1]);
    expect(reversalInstants({ ...coarse, latest_refund_at: null })).toEqual([]);
  });
});

test('the events are the same however the window is cut and in whatever order the parts are read', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 12 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      (times, cuts, again) => {
        const events = chain(times.toSorted((a, b) => a - b));
        const edges = [0, ...cuts.toSorted((a, b) => a - b), 1000];
        const parts = edges.slice(1).map((edge, index) => ({
          start: index === 0 ? OCTOBER.start : minute(edges[index] ?? 0),
          end: edge === 1000 ? OCTOBER.end : minute(edge),
        }));
        const order = [...parts.toReversed(), ...again.map((index) => parts[index % parts.length] ?? OCTOBER)];
        const lines = new LineCollection(OCTOBER);
        for (const part of order) {
          const seen = events.filter((event) => containsInstant(part, event.refunded_at));
          if (seen.length > 0) lines.add(part, report({ reversals: [sampleReversal({ refund_events: seen })] }));
        }
        const [line] = lines.reversalsOf(11);
        expect(line?.refund_events).toEqual(events);
        expect(line?.reversed_attributed_usd).toBe(sumMoney(events.map((event) => event.reversed_attributed_usd)));
        for (const part of parts)
          expect(lines.countWithin(part, 11, 'reversals')).toBe(events.some((event) => containsInstant(part, event.refunded_at)) ? 1 : 0);
      },
    ),
  );
});

function report(change: Partial<RecipientReport>): RecipientReport {
  return { ...sampleRecipient(), renewals: [], reversals: [], isTruncated: { renewals: false, reversals: false }, ...change };
}

/** The sample reversal as an answer about a part shows it: only the events of that part, and flags about that part. */
function partOf(part: Window): ReversalLine {
  const whole = sampleReversal();
  const refund_events = whole.refund_events.filter((event) => containsInstant(part, event.refunded_at));
  return sampleReversal({
    refund_events,
    reversed_attributed_usd: sumMoney(refund_events.map((event) => event.reversed_attributed_usd)),
    nets_to_zero_in_window: false,
  });
}

function chain(minutes: number[]): RefundEvent[] {
  return minutes.map((instant, index) =>
    sampleEvent({
      refunded_at: minute(instant),
      refunded_amount_usd: '0.10',
      cumulative_refunded_before_usd: sumMoney([`${index / 10}`]),
      cumulative_refunded_after_usd: sumMoney([`${(index + 1) / 10}`]),
      reversed_attributed_usd: '0.007',
    }),
  );
}

function minute(minutes: number): string {
  return fromMicroseconds(toMicroseconds(OCTOBER.start) + BigInt(minutes) * 60_000_000n);
}
