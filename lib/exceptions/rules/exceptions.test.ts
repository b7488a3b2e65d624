import { expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { AUDIT_ACTS } from '#lib/audit/rules/acts.ts';
import { REFUND_ACTIONS, textsOfAction } from '#lib/refunds/rules/audit-actions.ts';
import { EXCEPTIONAL_ACTS, FAILED_SIGN_INS, listPeriods, parsePeriod, REFUSED_ACT } from './exceptions.ts';

/** Acts whose text is composed where they are recorded. */
const COMPOSED = [
  'asked to resume payouts',
  'resumed payouts',
  'recorded the outcome of a cancellation',
  'recorded the outcome of a price change',
  'recorded the outcome of a card change',
];

test('every exceptional act is one that the product records, and belongs to one kind', () => {
  const acts = [...Object.values(EXCEPTIONAL_ACTS).flat(), ...FAILED_SIGN_INS];
  expect(acts).toHaveLength(new Set(acts).size);
  const texts = readSources()
    .filter(({ path, isTest }) => path.startsWith('lib/') && !isTest && path !== 'lib/exceptions/rules/exceptions.ts')
    .map(({ text }) => text)
    .join('\n');
  expect(acts.filter((act) => !COMPOSED.includes(act) && !texts.includes(`'${act}'`))).toEqual([]);
});

/** The acts of the normal path. One that is new in the product belongs here or among the exceptional ones. */
const NORMAL_ACTS = [
  'signed in',
  'set a password',
  'withdrew a password link',
  'added a person',
  'added a demo person',
  'counts an account as confirmed',
  'turned on two-factor authentication',
  'made new backup codes',
  'changed notice settings',
  'asked for a pull',
  'started the history',
  'asked for the detail reports',
  'changed what is read of each month',
  'asked for balances',
  'stopped reading balances',
  // Listed where its file is incomplete.
  'took a file',
  'requested an evidence pack',
  'started payout run',
  'recalculated payout run',
  'entered the EUR rate of payout run',
  'submitted payout run',
  'approved payout run',
  'posted journal of payout run',
  'closed payout run',
  'asked for all statements',
  'proposed a payout policy',
  'set the accounts of journals',
  'proposed payment details',
  'confirmed payment details',
  'withdrew payment details',
  'proposed a sender account',
  'confirmed a sender account',
  'withdrew a sender account',
  'created a payment file',
  'downloaded a payment file',
  'handed over a payment file',
  'recorded a bank report',
  'viewed the rows of a bank report',
  'downloaded a bank report',
  'added a milestone',
  'removed a milestone',
  'set the word for sends',
  'requested a desk action',
  'approved a desk action',
  'withdrew a desk action',
  'started sending a desk action',
  'recorded the answer to a desk action',
  'settled a desk action',
  'let a desk action expire',
  'read what a desk action is about',
  'asked a phone to approve',
  'asked for another reading',
  'requested a cancellation',
  'requested a price change',
  'requested a card change',
  REFUND_ACTIONS.requested,
  REFUND_ACTIONS.approved,
  REFUND_ACTIONS.withdrew,
  REFUND_ACTIONS.assigned,
  REFUND_ACTIONS.refreshed,
  REFUND_ACTIONS.readPeriod,
  REFUND_ACTIONS.startedSending,
  REFUND_ACTIONS.periodChanged,
  REFUND_ACTIONS.approvalLapsed,
  REFUND_ACTIONS.refusalConfirmed,
  REFUND_ACTIONS.matchedPeriod,
  REFUND_ACTIONS.completedReceipt,
];

test('every act that the product records is normal or exceptional, and none is both', () => {
  const exceptional = new Set<string>([...Object.values(EXCEPTIONAL_ACTS).flat(), ...FAILED_SIGN_INS]);
  const known = [...AUDIT_ACTS, ...Object.values(REFUND_ACTIONS)].filter((act) => !act.startsWith(REFUSED_ACT));
  expect(known.filter((act) => !exceptional.has(act))).toEqual(NORMAL_ACTS);
});

test('an act of refunds counts under the text of every version', () => {
  expect(EXCEPTIONAL_ACTS.pauses).toEqual(expect.arrayContaining(textsOfAction('paused refunds')));
  expect(EXCEPTIONAL_ACTS.pauses).toContain('stopped all refunds');
});

test.each([
  ['2026-10', { start: '2026-09-30T15:00:00Z', end: '2026-10-31T15:00:00Z' }],
  ['2026', { start: '2025-12-31T15:00:00Z', end: '2026-12-31T15:00:00Z' }],
])('the period %s is cut in the time zone of the game', (text, window) => {
  expect(parsePeriod(text, 'Asia/Tokyo')).toEqual({ text, window });
});

test.each([['2026-13'], ['1999'], ['20266'], [''], [undefined], [['2026']], ['2026-10-01'], ['x'.repeat(40)]])(
  'the period %j covers all time',
  (text) => {
    expect(parsePeriod(text, 'UTC')).toEqual({ text: '', window: null });
  },
);

test('years come from the months that can be chosen, newest first', () => {
  expect(listPeriods(['2025-12', '2026-01', '2026-02'])).toEqual({ years: ['2026', '2025'], months: ['2026-02', '2026-01', '2025-12'] });
});
