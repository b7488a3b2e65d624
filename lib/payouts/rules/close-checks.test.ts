import { expect, test } from 'vitest';
import { judgeClose } from './close-checks.ts';
import type { CheckItem, CloseFacts, CloseReversal } from './close-input.ts';
import { DEFAULT_POLICY } from './policy.ts';

const FACTS: CloseFacts = {
  policy: DEFAULT_POLICY,
  window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
  now: '2026-11-21T12:00:00Z',
  recheckFrom_minutes: 45,
  status: 'complete',
  isContradicted: false,
  recheck: { checkedAt: '2026-11-21T11:00:00Z', isEqual: true },
  pull: null,
  precedes: 'approved',
  earnedTwice: [],
  reversals: [],
  unattributed: [],
  warnings: [],
  baseMismatches: [],
  openRefunds: [],
  drift: [],
  lines: [],
  paidDetails: [],
  missingSenders: [],
  eurRate: null,
  netsToZeroCount: 0,
  endedHolds: [],
  unconfirmedAdjustments: [],
  strandedAdjustments: [],
  cardFees: null,
  notes: [],
};
const itemOf = (changed: Partial<CloseFacts>, key: string): CheckItem | undefined =>
  judgeClose({ ...FACTS, ...changed }).items.find((item) => item.key === key);
const reversal = (given: Partial<CloseReversal>): CloseReversal => ({
  recipientId: 71,
  name: null,
  periodId: 501,
  isCoarse: true,
  reported_usd: '0.00',
  takenBefore_usd: '0.00',
  taken_usd: '0.00',
  pinned_usd: '0.00',
  ...given,
});

test('a reversal without receipts of a share below a cent needs a note like any other, as Invo counts it', () => {
  expect(itemOf({ reversals: [reversal({})] }, 'coarse')).toMatchObject({ group: 'note', count: 1, amount_usd: '0.00' });
  const two = [reversal({}), reversal({ periodId: 502, reported_usd: '1.35', taken_usd: '1.35' })];
  expect(itemOf({ reversals: two }, 'coarse')).toMatchObject({ count: 2, amount_usd: '-1.35' });
  expect(itemOf({ reversals: [reversal({ isCoarse: false })] }, 'coarse')).toBeUndefined();
});

const DRIFTED = {
  recipientId: 76,
  name: 'Mira Vale',
  periodId: 501,
  runNo: 1,
  earnedChange_usd: '0.00',
  reportedThen_usd: '0.00',
  reportedNow_usd: '5.00',
  isCoarse: false,
  netChange_usd: '-5.00',
  deducted_usd: '0.00',
  deductible_usd: '5.00',
};

test('the amount of changed months leaves reversals without receipts out, and each is named with its recipient and period', () => {
  const coarse = { ...DRIFTED, periodId: 502, isCoarse: true, netChange_usd: null, reportedNow_usd: '1.35' };
  const facts = { drift: [DRIFTED, coarse] };
  const who = { recipientId: 76, name: 'Mira Vale', runNo: 1 };
  expect(itemOf(facts, 'drift')).toMatchObject({
    amount_usd: '-5.00',
    rows: [{ ...who, periodId: 501, figures: { net_change: '-5.00' } }],
  });
  expect(itemOf(facts, 'drift_coarse')).toMatchObject({
    amount_usd: null,
    rows: [{ ...who, periodId: 502, figures: { reported_then: '0.00', reported_now: '1.35', deducted_so_far: '0.00' } }],
  });
});

test('a note on renewals without attribution answers those it was written for, not as many others', () => {
  const reason = 'attribution_not_recorded';
  const facts = itemOf({ unattributed: [{ reason, count: 2, foundCount: 0, facts: 'aa' }] }, reason)?.facts ?? '';
  const notes = [{ checkKey: reason, facts }];
  expect(itemOf({ notes, unattributed: [{ reason, count: 2, foundCount: 0, facts: 'aa' }] }, reason)?.isAnswered).toBe(true);
  expect(itemOf({ notes, unattributed: [{ reason, count: 2, foundCount: 0, facts: 'bb' }] }, reason)?.isAnswered).toBe(false);
});

test('what is payable is counted by the lines it is payable to, not by all with money due', () => {
  const line = { name: null, held_usd: '0.00', detailNo: null, identityId: null, net_usd: '0.00', lastNet_usd: null, wasPaid: true };
  const lines = [
    { ...line, recipientId: 71, outcome: 'payable' as const, due_usd: '12.005', payable_usd: '12.00' },
    { ...line, recipientId: 72, outcome: 'below_minimum' as const, due_usd: '4.00', payable_usd: '0.00' },
  ];
  expect(itemOf({ lines }, 'payable')).toMatchObject({ group: 'info', count: 1, amount_usd: '12.00' });
  expect(itemOf({ lines }, 'below_minimum')).toMatchObject({ group: 'info', count: 1, amount_usd: '4.00' });
});

test('methods of the run without a sender account are named with what they pay, and block nothing', () => {
  const missingSenders = [
    { method: 'paypal' as const, payable_usd: '12.00' },
    { method: 'sepa' as const, payable_usd: '30.50' },
  ];
  expect(itemOf({ missingSenders }, 'no_sender')).toMatchObject({
    group: 'info',
    count: 2,
    amount_usd: '42.50',
    rows: [
      { method: 'paypal', figures: { payable: '12.00' } },
      { method: 'sepa', figures: { payable: '30.50' } },
    ],
  });
  expect(itemOf({}, 'no_sender')).toBeUndefined();
});
