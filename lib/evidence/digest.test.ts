import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySlice } from '#e2e/support/evidence/any-slice.ts';
import { OCTOBER, sampleRenewal, sampleReversal, sampleSlice, sampleTotals } from '#e2e/support/evidence/sample-slice.ts';
import { sumMoney } from '../core/money.ts';
import { digestSlice, digestSnapshot } from './digest.ts';
import type { Recipient, RefundEvent, RenewalLine, ReversalLine, SliceEvidence } from './rules/evidence.ts';
import type { Totals } from './rules/totals.ts';
import { joinTotals } from './rules/totals.ts';

// Every field of the evidence, and whether the digest covers it. What Invo may change later for a closed window is not,
// nor what only names, explains or repeats a fact.
const TOTALS = {
  renewals_settled: true,
  settled_gross_usd: true,
  invo_fee_usd: true,
  partner_revenue_settled_usd: true,
  partner_revenue_reversed_usd: true,
  partner_revenue_usd: true,
  renewals_with_attribution: true,
  renewals_without_attribution: true,
  unattributed_reasons: true,
  gross_attributed_usd: true,
  reversed_attributed_usd: true,
  net_attributed_usd: true,
  renewals_settled_then_fully_reversed: true,
  refund_events_in_window: true,
  reversals_without_receipts: true,
  recipient_count: true,
} satisfies Record<keyof Totals, boolean>;
const RECIPIENT = {
  recipient_player_id: true,
  resolved: false,
  player_email: false,
  player_name: false,
  identity_id: false,
  renewal_count: true,
  reversal_count: true,
  subscription_count: true,
  gross_attributed_usd: true,
  reversed_attributed_usd: true,
  net_attributed_usd: true,
  first_paid_at: false,
  last_paid_at: false,
} satisfies Record<keyof Recipient, boolean>;
const RENEWAL = {
  period_id: true,
  recipient_player_id: true,
  paid_at: true,
  subscription_id: true,
  period_seq: true,
  item_id: false,
  item_name: false,
  status: false,
  period_start: false,
  period_end: false,
  amount_usd: true,
  invo_fee_usd: true,
  partner_revenue_usd: false,
  partner_revenue_settled_usd: true,
  partner_revenue_reversed_usd: false,
  percent_at_renewal: true,
  base_usd: true,
  attributed_amount_usd: true,
  base_matches_settled_fee: false,
  expected_base_usd: false,
  recorded_base_usd: false,
  rail: true,
  amount_coins: true,
  balance_applied_coins: true,
  card_charged_usd: true,
  pcstore_charged_usd: true,
  refunded_amount_usd: false,
  refunded_at: false,
  transaction_id: true,
  mint_order_id: false,
} satisfies Record<keyof RenewalLine, boolean>;
const REVERSAL = {
  period_id: true,
  recipient_player_id: true,
  subscription_id: true,
  period_seq: false,
  status: false,
  paid_at: true,
  amount_usd: false,
  originally_attributed_usd: true,
  reversed_attributed_usd: true,
  partner_revenue_reversed_usd: true,
  refunded_to_date_usd: false,
  latest_refund_at: false,
  reversal_basis: true,
  settled_in_this_window: false,
  nets_to_zero_in_window: false,
  note: false,
  refund_events: true,
} satisfies Record<keyof ReversalLine, boolean>;
const EVENT = {
  refunded_at: true,
  refunded_amount_usd: true,
  cumulative_refunded_before_usd: false,
  cumulative_refunded_after_usd: true,
  reversed_attributed_usd: true,
  partner_revenue_reversed_usd: true,
  partner_revenue_reversal_basis: false,
  is_full_refund: true,
} satisfies Record<keyof RefundEvent, boolean>;

const PLACES: [string, (slice: SliceEvidence) => object | undefined, Record<string, boolean>][] = [
  ['the totals', (slice) => slice.totals, TOTALS],
  ['a recipient', (slice) => slice.recipients[0], RECIPIENT],
  ['a renewal', (slice) => slice.renewals[0], RENEWAL],
  ['a reversal', (slice) => slice.reversals[0], REVERSAL],
  ['a refund event', (slice) => slice.reversals[0]?.refund_events[0], EVENT],
];
const FIELDS = PLACES.flatMap(([where, rowOf, facts]) => Object.entries(facts).map(([field, isFact]) => ({ where, rowOf, field, isFact })));

describe('the digest of a slice', () => {
  test.each(FIELDS)('$field of $where matters: $isFact', ({ rowOf, field, isFact }) => {
    const slice = structuredClone(sampleSlice());
    Object.assign(rowOf(slice) ?? {}, { [field]: another(field, (rowOf(slice) as Record<string, unknown>)[field]) });
    expect(hex(slice) !== hex(sampleSlice())).toBe(isFact);
  });

  test.each(FIELDS.filter(({ field, isFact }) => isFact && /_usd$|_coins$/.test(field)))(
    '$field of $where counts to the last digit, and not its spelling',
    ({ rowOf, field }) => {
      const [moved, respelled, base] = [sampleSlice(), sampleSlice(), sampleSlice()].map((slice) => structuredClone(slice));
      for (const [slice, amount] of [
        [moved, '7.00000001'],
        [respelled, '7.000'],
        [base, '7'],
      ] as const)
        Object.assign(rowOf(slice ?? sampleSlice()) ?? {}, { [field]: amount });
      expect(hex(respelled)).toBe(hex(base));
      expect(hex(moved)).not.toBe(hex(base));
    },
  );

  test('the digest ignores when the report was made and how many calls it took', () => {
    expect(hex(sampleSlice({ generated_at: '2027-01-01T00:00:00Z', call_count: 9, notice_count: 9 }))).toBe(hex(sampleSlice()));
  });

  test('the digest covers the window, however it is written', () => {
    expect(hex(sampleSlice({ window: { ...OCTOBER, end: '2026-11-01T00:00:00.000Z' } }))).toBe(hex(sampleSlice()));
    expect(hex(sampleSlice({ window: { ...OCTOBER, end: '2026-11-01T00:00:00.001Z' } }))).not.toBe(hex(sampleSlice()));
  });

  test('the digest ignores the order of recipients, lines and reasons', () => {
    fc.assert(
      fc.property(anySlice(), fc.infiniteStream(fc.nat()), (slice, dice) => {
        const shuffled = {
          ...slice,
          recipients: shuffle(slice.recipients, dice),
          renewals: shuffle(slice.renewals, dice),
          reversals: shuffle(slice.reversals, dice),
        };
        expect(hex(shuffled)).toBe(hex(slice));
      }),
      { numRuns: 30 },
    );
    expect(hex(withReasons({ a: 1, b: 2 }))).toBe(hex(withReasons({ b: 2, a: 1 })));
  });

  test('the digest distinguishes not recorded from zero and from empty text', () => {
    const values = [null, '', '0', 'null'].map((transaction_id) =>
      hex(sampleSlice({ renewals: sampleSlice().renewals.map((line) => ({ ...line, transaction_id })) })),
    );
    expect(new Set(values).size).toBe(4);
    const coins = [null, '0'].map((amount_coins) =>
      hex(sampleSlice({ renewals: sampleSlice().renewals.map((line) => ({ ...line, amount_coins })) })),
    );
    expect(new Set(coins).size).toBe(2);
  });

  test('the digest ignores events of a coarse reversal, which no sheet shows and nothing stores', () => {
    const [shown, bare] = [undefined, []].map((refund_events) =>
      sampleSlice({ reversals: [sampleReversal({ reversal_basis: 'period_row', ...(refund_events && { refund_events }) })] }),
    );
    expect(hex(shown)).toBe(hex(bare));
  });

  test('text that imitates field separators has a digest of its own', () => {
    const none = { card_charged_usd: null, amount_coins: null, balance_applied_coins: null, pcstore_charged_usd: null };
    const [one, other] = [
      { ...none, rail: 'r', amount_coins: '1.00', balance_applied_coins: '2.00', transaction_id: '5.00,su' },
      { ...none, rail: 'r,s1.00', amount_coins: '2.00', pcstore_charged_usd: '5.00', transaction_id: 'u' },
    ].map((fields) => sampleSlice({ renewals: [sampleRenewal(fields)] }));
    expect(hex(one)).not.toBe(hex(other));
  });
});

describe('the digest of a snapshot', () => {
  const [a, b, previous] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
  const digest = digestSnapshot(previous, OCTOBER, [a, b], sampleTotals()).toString('hex');

  test.each<[string, Buffer]>([
    ['the previous snapshot', digestSnapshot(null, OCTOBER, [a, b], sampleTotals())],
    ['the window', digestSnapshot(previous, { ...OCTOBER, end: '2026-10-31T23:59:59Z' }, [a, b], sampleTotals())],
    ['the slices', digestSnapshot(previous, OCTOBER, [a], sampleTotals())],
    ['the order of the slices', digestSnapshot(previous, OCTOBER, [b, a], sampleTotals())],
    ['the control totals', digestSnapshot(previous, OCTOBER, [a, b], sampleTotals({ net_attributed_usd: '0.71' }))],
  ])('%s matters', (_, other) => {
    expect(other.toString('hex')).not.toBe(digest);
  });

  test('the same snapshot has the same digest of 32 bytes', () => {
    expect(digestSnapshot(previous, OCTOBER, [a, b], sampleTotals({ net_attributed_usd: '0.7' })).toString('hex')).toBe(digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

// Written down when the first evidence was stored: a change of any of them would break every stored digest. Each total has a value of its own.
describe('digests of stored evidence never change', () => {
  const totals = sampleTotals({
    renewals_settled: 31,
    settled_gross_usd: '101.10',
    invo_fee_usd: '102.2',
    partner_revenue_settled_usd: '103.3333',
    partner_revenue_reversed_usd: '104.00',
    partner_revenue_usd: '-105.5',
    renewals_with_attribution: 32,
    renewals_without_attribution: 33,
    unattributed_reasons: { spend_order_not_found: 2, no_revenue_share_configured: 1, zero: 0 },
    gross_attributed_usd: '106.60',
    reversed_attributed_usd: '107.70',
    net_attributed_usd: '-1.10',
    renewals_settled_then_fully_reversed: 34,
    refund_events_in_window: 35,
    reversals_without_receipts: 36,
    recipient_count: 37,
  });
  const slice = digestSlice(sampleSlice({ totals }));
  const coarse = digestSlice(sampleSlice({ reversals: [sampleReversal({ reversal_basis: 'period_row', refund_events: [] })] }));

  test.each([
    ['a slice', slice, 'c989128fbedff9b575e7a36e23fd122b2e99d4f4be537dfc246fa52c77535158'],
    ['a slice with a coarse reversal', coarse, '3baa2d24aaea6685981314286164e06af0c0b06ad13bac07616c827b250398ba'],
    [
      'the first snapshot of a chain',
      digestSnapshot(null, OCTOBER, [slice], totals),
      '4b798241f39b46d57cc417f74d098a7217f2e565743fbd708d991efae1b3830a',
    ],
    [
      'a later snapshot of two slices',
      digestSnapshot(slice, OCTOBER, [slice, coarse], joinTotals([totals, sampleTotals()])),
      '772bc8ae527338646610f00f4851d982dd63f994e086e3cc120f223aa4b12f72',
    ],
  ])('%s', (_, digest, pinned) => {
    expect(digest.toString('hex')).toBe(pinned);
  });
});

function another(field: string, value: unknown): unknown {
  if (field === 'unattributed_reasons') return { spend_order_not_found: 1 };
  if (field === 'refund_events') return [];
  if (field === 'reversal_basis') return 'period_row';
  if (field.endsWith('_usd') || field.endsWith('_coins')) return sumMoney([String(value ?? '1'), '0.01']);
  if (field.endsWith('_at')) return '2026-10-07T07:07:07Z';
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1000 : 'another';
}

function withReasons(unattributed_reasons: Record<string, number>): SliceEvidence {
  return sampleSlice({ totals: sampleTotals({ unattributed_reasons }) });
}

function shuffle<T>(rows: T[], dice: Iterator<number>): T[] {
  return rows
    .map((row) => ({ row, key: Number(dice.next().value) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ row }) => row);
}

function hex(slice: SliceEvidence | undefined): string {
  return digestSlice(slice ?? sampleSlice()).toString('hex');
}
