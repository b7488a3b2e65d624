import { describe, expect, test } from 'vitest';
import { OCTOBER, sampleRecipient, sampleReversal, sampleSlice } from '#lib/evidence/testing/sample-slice.ts';
import { CONTROL, FIRST, SECOND } from '#lib/evidence/testing/two-slices.ts';
import { ADDITIVE_TOTALS, type SliceEvidence } from '../evidence.ts';
import { type JoinedTotals, joinTotals } from '../totals.ts';
import { allHold, countOwedBack, type WindowProof, WindowProver } from './prove-window.ts';

describe('a window of two slices', () => {
  const proof = prove([FIRST, SECOND], CONTROL);

  test('holds against its control totals', () => {
    expect(proof.checks.filter((check) => !check.ok)).toEqual([]);
    expect(proof.holds).toBe(true);
  });

  test('adds what adds, and counts from the lines what does not', () => {
    expect(proof.recipients).toEqual([
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
    expect(proof).toMatchObject({
      renewal_line_count: 2,
      reversal_event_count: 2,
      totals: { recipient_count: 2, net_attributed_usd: '-4.30' },
    });
  });

  test('names who owes back, and how much', () => {
    expect(countOwedBack(proof.recipients)).toEqual({ count: 1, usd: '-5.00' });
    expect(countOwedBack([])).toEqual({ count: 0, usd: '0.00' });
  });

  test.each(Object.entries(ADDITIVE_TOTALS))('a control total %s that differs, a %s, is found and named', (name, kind) => {
    const moved = { ...CONTROL, [name]: kind === 'money' ? '0.009999' : 5 };
    const broken = prove([FIRST, SECOND], moved).checks.filter((check) => !check.ok);
    expect(broken.map((check) => check.name)).toEqual([`control_${name}`]);
    expect(broken[0]).toMatchObject({ severity: 'hard', expected: kind === 'money' ? '0.009999' : '5' });
  });

  test('reasons and the number of recipients are held against the control totals too', () => {
    const moved = { ...CONTROL, unattributed_reasons: { spend_order_not_found: 1 }, recipient_count: 3 };
    expect(
      prove([FIRST, SECOND], moved)
        .checks.filter((check) => !check.ok)
        .map((check) => check.name),
    ).toEqual(['control_unattributed_reasons', 'control_recipient_count']);
  });

  test('the number of recipients is not asked of control totals that came in several windows', () => {
    const proof = prove([FIRST, SECOND], joinTotals([FIRST.totals, SECOND.totals]));
    expect(proof.holds).toBe(true);
    expect(proof.checks.map((check) => check.name)).not.toContain('control_recipient_count');
    expect(proof.totals).toMatchObject({ recipient_count: 2, renewals_settled_then_fully_reversed: null });
  });

  test('one broken slice breaks the window', () => {
    const broken = prove([FIRST, { ...SECOND, renewals: [] }], CONTROL);
    expect(broken.holds).toBe(false);
  });
});

describe('nets to zero over the whole window', () => {
  test.each<[string, SliceEvidence['reversals'], number]>([
    ['refunded whole in one go', [sampleReversal({ paid_at: OCTOBER.start })], 1],
    ['refunded in two slices, half each', [half({}), half({})], 1],
    ['only half refunded', [half({})], 0],
    ['settled before the window', [sampleReversal({})], 0],
    ['settled at the very end, which is not in it', [sampleReversal({ paid_at: OCTOBER.end })], 0],
    [
      'a full refund of which a fraction of a cent was not attributed',
      [sampleReversal({ paid_at: OCTOBER.start, originally_attributed_usd: '0.700001' })],
      1,
    ],
  ])('%s', (_, reversals, count) => {
    const slices = reversals.map((reversal) => sampleSlice({ reversals: [reversal] }));
    expect(prove(slices, CONTROL).recipients[0]?.nets_to_zero_count).toBe(count);
  });

  test('a period reversed in two slices is one reversal and one coarse question', () => {
    const slices = [half({}), half({})].map((reversal) => sampleSlice({ reversals: [reversal] }));
    expect(prove(slices, CONTROL).recipients[0]).toMatchObject({ reversal_count: 1, coarse_reversal_count: 1 });
  });
});

describe('one slice alone', () => {
  test('states Invo’s own figures in Invo’s own spelling', () => {
    const only = sampleSlice({ recipients: [sampleRecipient({ subscription_count: 2, net_attributed_usd: '0.7000' })] });
    expect(prove([only], only.totals).recipients[0]).toMatchObject({ subscription_count: 2, net_attributed_usd: '0.7000' });
  });
});

test('recipients stand by net, most first, then by id', () => {
  const recipients = [
    [3, '1.00'],
    [2, '-1'],
    [1, '1.0'],
    [4, '10'],
  ].map(([id, net]) => sampleRecipient({ recipient_player_id: Number(id), net_attributed_usd: String(net) }));
  expect(
    prove([sampleSlice({ recipients, renewals: [], reversals: [] })], CONTROL).recipients.map((each) => each.recipient_player_id),
  ).toEqual([4, 1, 3, 2]);
});

test('warnings do not stop a window from holding', () => {
  expect(allHold([{ name: 'x', severity: 'warning', ok: false, expected: '', actual: '', difference: null, offenders: [] }])).toBe(true);
  expect(allHold([{ name: 'x', severity: 'hard', ok: false, expected: '', actual: '', difference: null, offenders: [] }])).toBe(false);
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

function prove(slices: SliceEvidence[], control: JoinedTotals): WindowProof {
  const prover = new WindowProver(OCTOBER);
  for (const slice of slices) prover.add(slice);
  return prover.close(control);
}
