import { describe, expect, test } from 'vitest';
import { compareInstants } from '#lib/core/instant.ts';
import { sumMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import { countToFind, type Named, nextSearchStep, type Part, type SearchStep, windowKey } from './locate-unattributed.ts';

interface Renewal {
  at: string;
  /** null: attributed. */
  reason: string | null;
  amount: string;
}

const OCTOBER: Window = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };

/** Invo's totals of a window over these renewals. */
function totalsOf(renewals: Renewal[], window: Window): Part['totals'] {
  const inside = renewals.filter(({ at }) => compareInstants(window.start, at) <= 0 && compareInstants(at, window.end) < 0);
  const unattributed_reasons: Record<string, number> = {};
  for (const { reason } of inside) if (reason !== null) unattributed_reasons[reason] = (unattributed_reasons[reason] ?? 0) + 1;
  const settled_gross_usd = sumMoney(inside.map(({ amount }) => amount));
  return { unattributed_reasons, settled_gross_usd, invo_fee_usd: '0.00', partner_revenue_settled_usd: settled_gross_usd };
}

/** Answers every question until the search ends. */
function search(renewals: Renewal[], named: Named[] = []): { step: SearchStep; requests: Window[] } {
  const answers = new Map<string, Part['totals']>();
  const requests: Window[] = [];
  const parts = [{ window: OCTOBER, totals: totalsOf(renewals, OCTOBER) }];
  for (;;) {
    const step = nextSearchStep(parts, named, answers);
    if (step.kind !== 'ask') return { step, requests };
    requests.push(step.window);
    answers.set(windowKey(step.window), totalsOf(renewals, step.window));
  }
}

const MISSING: Renewal = { at: '2026-10-01T05:20:00.5Z', reason: 'attribution_not_recorded', amount: '14.00' };

describe('the search for renewals without attribution', () => {
  test('locates one within a minute, with the reason and the amount settled there', () => {
    const { step, requests } = search([MISSING, { at: '2026-10-17T09:30:00Z', reason: null, amount: '5.00' }]);
    expect(step).toMatchObject({
      kind: 'done',
      located: [{ count: 1, reason: 'attribution_not_recorded', totals: { settled_gross_usd: '14.00' } }],
    });
    if (step.kind !== 'done') throw new Error('not done');
    const [{ window } = { window: OCTOBER }] = step.located;
    expect(Date.parse(window.end) - Date.parse(window.start)).toBeLessThanOrEqual(60_000);
    expect(compareInstants(window.start, MISSING.at) <= 0 && compareInstants(MISSING.at, window.end) < 0).toBe(true);
    expect(requests).toHaveLength(16);
  });

  test('sends no call when none is counted, none needs locating, or reports name them all', () => {
    const benign = { ...MISSING, reason: 'no_revenue_share_configured' };
    const done = { step: { kind: 'done', located: [] }, requests: [] };
    expect(search([])).toEqual(done);
    expect(search([benign])).toEqual(done);
    expect(search([MISSING], [{ paidAt: MISSING.at, reason: MISSING.reason }])).toEqual(done);
  });

  test('isn’t misled by a named renewal of another reason', () => {
    const { step } = search([MISSING], [{ paidAt: MISSING.at, reason: 'attribution_malformed' }]);
    expect(step).toMatchObject({ located: [{ count: 1, reason: 'attribution_not_recorded' }] });
  });

  test('renewals of one instant stay together, with their number', () => {
    const { step } = search([MISSING, { ...MISSING, reason: 'attribution_malformed', amount: '1.00' }]);
    expect(step).toMatchObject({ located: [{ count: 2, reason: null, totals: { settled_gross_usd: '15.00' } }] });
  });

  test('tells two apart that settled a second after each other', () => {
    const { step } = search([MISSING, { ...MISSING, at: '2026-10-01T05:20:01.5Z' }]);
    expect(step).toMatchObject({ located: [{ count: 1 }, { count: 1 }] });
  });

  test('continues with the answers read so far, and requests none twice', () => {
    const { requests } = search([MISSING]);
    expect(new Set(requests.map(windowKey)).size).toBe(requests.length);
    const answers = new Map(requests.slice(0, 5).map((window) => [windowKey(window), totalsOf([MISSING], window)]));
    const step = nextSearchStep([{ window: OCTOBER, totals: totalsOf([MISSING], OCTOBER) }], [], answers);
    expect(step).toEqual({ kind: 'ask', window: requests[5] });
  });

  test('ends when a part has more than the whole, because Invo’s figures changed meanwhile', () => {
    const whole = { window: OCTOBER, totals: totalsOf([MISSING], OCTOBER) };
    const first = nextSearchStep([whole], [], new Map());
    if (first.kind !== 'ask') throw new Error('nothing requested');
    const more = totalsOf([MISSING, MISSING], first.window);
    expect(nextSearchStep([whole], [], new Map([[windowKey(first.window), more]]))).toEqual({ kind: 'moved', window: first.window });
  });
});

test('only renewals that ask for a finding are counted', () => {
  expect(countToFind({ no_revenue_share_configured: 7, spend_order_not_found: 1, a_later_reason: 2 })).toBe(3);
});
