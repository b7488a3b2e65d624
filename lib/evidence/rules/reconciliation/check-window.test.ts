import { describe, expect, test } from 'vitest';
import { OCTOBER, sampleEvent, sampleRecipient, sampleReversal, sampleSlice } from '#e2e/support/evidence/sample-slice.ts';
import { CONTROL, FIRST, SECOND } from '#e2e/support/evidence/two-slices.ts';
import type { SliceEvidence } from '../evidence.ts';
import { ADDITIVE_TOTALS, type JoinedTotals, joinTotals } from '../totals.ts';
import { allMatch, countFigures, type Reconciliation, reconcileSlice, WindowReconciler } from './check-window.ts';

describe('a window of two slices', () => {
  const reconciliation = reconcile([FIRST, SECOND], CONTROL);

  test('matches its control totals', () => {
    expect(reconciliation.checks.filter((check) => !check.ok)).toEqual([]);
    expect(reconciliation.holds).toBe(true);
  });

  test('adds additive figures and recounts the others from the lines', () => {
    expect(reconciliation.recipients).toEqual([
      {
        ...sampleRecipient({
          renewal_count: 2,
          reversal_count: 1,
          subscription_count: 1,
          gross_attributed_usd: '1.40',
          reversed_attributed_usd: '0.70',
          net_attributed_usd: '0.70',
          first_paid_at: '2026-10-05T10:00:00Z',
          last_paid_at: '2026-10-18T10:00:00Z',
        }),
        base_mismatch_count: 1,
        coarse_reversal_count: 0,
        earlier_reversed_usd: '0.00',
        nets_to_zero_count: 1,
      },
      {
        ...sampleRecipient({
          recipient_player_id: 12,
          player_name: 'Bo',
          renewal_count: 0,
          reversal_count: 1,
          subscription_count: 0,
          gross_attributed_usd: '0.00',
          reversed_attributed_usd: '5.00',
          net_attributed_usd: '-5.00',
          first_paid_at: null,
          last_paid_at: null,
        }),
        base_mismatch_count: 0,
        coarse_reversal_count: 0,
        earlier_reversed_usd: '5.00',
        nets_to_zero_count: 0,
      },
    ]);
    expect(reconciliation).toMatchObject({
      renewal_line_count: 2,
      reversal_event_count: 2,
      totals: { recipient_count: 2, net_attributed_usd: '-4.30' },
    });
  });

  test('counts the recipients with a negative balance and sums it', () => {
    expect(countFigures(reconciliation)).toMatchObject({ negative_balance_count: 1, negative_balance_usd: '-5.00' });
    expect(countFigures({ ...reconciliation, recipients: [] })).toMatchObject({ negative_balance_count: 0, negative_balance_usd: '0.00' });
  });

  test.each(Object.entries(ADDITIVE_TOTALS))('a different control total %s (%s) is found and named', (name, kind) => {
    const moved = { ...CONTROL, [name]: kind === 'money' ? '0.009999' : 5 };
    const broken = reconcile([FIRST, SECOND], moved).checks.filter((check) => !check.ok);
    expect(broken.map((check) => check.name)).toEqual([`control_${name}`]);
    expect(broken[0]).toMatchObject({ severity: 'hard', expected: kind === 'money' ? '0.009999' : '5' });
  });

  test('reasons and the number of recipients are compared with the control totals too', () => {
    const moved = { ...CONTROL, unattributed_reasons: { spend_order_not_found: 1 }, recipient_count: 3 };
    expect(
      reconcile([FIRST, SECOND], moved)
        .checks.filter((check) => !check.ok)
        .map((check) => check.name),
    ).toEqual(['control_unattributed_reasons', 'control_recipient_count']);
  });

  test('the number of recipients is not compared when the control totals cover several windows', () => {
    const reconciliation = reconcile([FIRST, SECOND], joinTotals([FIRST.totals, SECOND.totals]));
    expect(reconciliation.holds).toBe(true);
    expect(reconciliation.checks.map((check) => check.name)).not.toContain('control_recipient_count');
    expect(reconciliation.totals).toMatchObject({ recipient_count: 2, renewals_settled_then_fully_reversed: null });
  });

  test('an inconsistent slice makes the window inconsistent', () => {
    const broken = reconcile([FIRST, { ...SECOND, renewals: [] }], CONTROL);
    expect(broken.holds).toBe(false);
  });
});

const SMALL_SHARE = sampleReversal({
  period_id: 102,
  paid_at: OCTOBER.start,
  amount_usd: '2.49',
  originally_attributed_usd: '0.02',
  reversed_attributed_usd: '0.02',
  refunded_to_date_usd: '1.94',
  refund_events: [
    sampleEvent({
      refunded_amount_usd: '1.94',
      cumulative_refunded_after_usd: '1.94',
      reversed_attributed_usd: '0.02',
      is_full_refund: false,
    }),
  ],
});
const NO_SHARE = sampleReversal({
  period_id: 103,
  paid_at: OCTOBER.start,
  amount_usd: '0.99',
  originally_attributed_usd: '0.00',
  reversed_attributed_usd: '0.00',
  refunded_to_date_usd: '0.10',
  reversal_basis: 'period_row',
  partner_revenue_reversed_usd: null,
  refund_events: [],
});
const UNKNOWN_PRICE = { refunded_to_date_usd: null, nets_to_zero_in_window: true };

describe('nets to zero over the whole window', () => {
  test.each<[string, SliceEvidence['reversals'], number]>([
    ['refunded whole in one go', [sampleReversal({ paid_at: OCTOBER.start })], 1],
    ['refunded in two slices, half each', [half({ refunded_to_date_usd: '5.00' }), half({})], 1],
    ['only half refunded', [half({ refunded_to_date_usd: '5.00' })], 0],
    ['1.94 of 2.49 refunded, which reverses all of a share of 0.02', [SMALL_SHARE], 0],
    ['0.10 of 0.99 refunded without a receipt, which reverses all of a share of 0.00', [NO_SHARE], 0],
    ['0.99 of 0.99 refunded without a receipt', [{ ...NO_SHARE, refunded_to_date_usd: '0.99' }], 1],
    ['a coarse reversal of which Invo reports no refunded amount, marked as net zero', [{ ...NO_SHARE, ...UNKNOWN_PRICE }], 1],
    ['settled before the window', [sampleReversal({})], 0],
    ['settled at the very end, which is not in it', [sampleReversal({ paid_at: OCTOBER.end })], 0],
    [
      'a full refund with an unattributed fraction of a cent',
      [sampleReversal({ paid_at: OCTOBER.start, originally_attributed_usd: '0.700001' })],
      1,
    ],
  ])('%s', (_, reversals, count) => {
    const slices = reversals.map((reversal) => sampleSlice({ reversals: [reversal] }));
    expect(reconcile(slices, CONTROL).recipients[0]?.nets_to_zero_count).toBe(count);
  });

  test('a snapshot that was counted by the first rule is repeated by it', () => {
    const slices = [SMALL_SHARE, NO_SHARE].map((reversal) => sampleSlice({ reversals: [reversal] }));
    expect(reconcile(slices, CONTROL, 1).recipients[0]?.nets_to_zero_count).toBe(2);
    expect(reconcile(slices, CONTROL).recipients[0]?.nets_to_zero_count).toBe(0);
  });

  test('a period reversed in two slices is one reversal and one coarse open item', () => {
    const slices = [half({}), half({})].map((reversal) => sampleSlice({ reversals: [reversal] }));
    expect(reconcile(slices, CONTROL).recipients[0]).toMatchObject({ reversal_count: 1, coarse_reversal_count: 1 });
  });
});

describe('a window of one slice', () => {
  test('has Invo’s figures exactly as written by Invo', () => {
    const only = sampleSlice({ recipients: [sampleRecipient({ subscription_count: 2, net_attributed_usd: '0.7000' })] });
    expect(reconcile([only], only.totals).recipients[0]).toMatchObject({ subscription_count: 2, net_attributed_usd: '0.7000' });
  });
});

test('recipients are sorted by net, highest first, then by ID', () => {
  const recipients = [
    [3, '1.00'],
    [2, '-1'],
    [1, '1.0'],
    [4, '10'],
  ].map(([id, net]) => sampleRecipient({ recipient_player_id: Number(id), net_attributed_usd: String(net) }));
  expect(
    reconcile([sampleSlice({ recipients, renewals: [], reversals: [] })], CONTROL).recipients.map((each) => each.recipient_player_id),
  ).toEqual([4, 1, 3, 2]);
});

test('warnings don’t make a window inconsistent', () => {
  expect(allMatch([{ name: 'x', severity: 'warning', ok: false, expected: '', actual: '', difference: null, offenders: [] }])).toBe(true);
  expect(allMatch([{ name: 'x', severity: 'hard', ok: false, expected: '', actual: '', difference: null, offenders: [] }])).toBe(false);
});

/** Half of period 101 taken back, without receipts. */
function half(fields: Partial<SliceEvidence['reversals'][number]>): SliceEvidence['reversals'][number] {
  return sampleReversal({
    period_id: 101,
    paid_at: OCTOBER.start,
    reversal_basis: 'period_row',
    reversed_attributed_usd: '0.35',
    partner_revenue_reversed_usd: null,
    refund_events: [],
    ...fields,
  });
}

function reconcile(slices: SliceEvidence[], control: JoinedTotals, figuresVersion?: number): Reconciliation {
  const prover = new WindowReconciler(OCTOBER, figuresVersion);
  for (const slice of slices) prover.add(slice);
  return prover.close(control);
}

const slice = sampleSlice();
const broken = (changed: typeof slice): string[] =>
  reconcileSlice(changed)
    .filter((check) => !check.ok)
    .map((check) => check.name);

test('a consistent slice has settlements and refunds inside its window only', () => {
  expect(broken(slice)).toEqual([]);
});

test.each(['2026-09-30T23:59:59.999Z', '2026-11-01T00:00:00Z'])('a line that settled at %s is outside October', (paid_at) => {
  const renewals = slice.renewals.map((line, index) => (index === 0 ? { ...line, paid_at } : line));
  expect(broken({ ...slice, renewals })).toContain('renewals_settled_in_window');
});

test('a refund of another month is outside October', () => {
  const reversals = slice.reversals.map((line) => ({
    ...line,
    refund_events: line.refund_events.map((event) => ({ ...event, refunded_at: '2026-06-01T00:00:00Z' })),
  }));
  expect(broken({ ...slice, reversals })).toContain('refunds_in_window');
});
