import { expect, test } from 'vitest';
import { ATTEMPT_CLASSES } from '../refunds/rules/attempt.ts';
import { answeredAction, REFUND_ACTIONS } from '../refunds/rules/audit-actions.ts';
import { AUDIT_ACTS, actsShownAs } from './rules/acts.ts';
import { formatAuditEntry } from './text.ts';

const entry = (act: string, detail: Record<string, unknown> = {}, subject = 'refund 12') => formatAuditEntry({ act, subject, detail });
const DIGEST = '1b27be1cee54'.padEnd(64, '0');

/** The names under which acts store their facts, with a value as the code stores it. */
const STORED: Record<string, unknown> = {
  reason: 'base_mismatch',
  class: 'no_answer',
  from: 'awaiting_approval',
  to: 'awaiting_approval',
  decision: 'send_again',
  approval: 'policy',
  name: 'support_day',
  kind: 'brought_forward',
  conclusion: 'owed_and_adjusted',
  check: 'pinned_exact',
  method: 'wire_usd',
  read: 'subscription',
  purpose: 'new_password',
  second_factor: 'app',
  outcome: 'not_sent',
  state: 'paid',
  before: ['finance'],
  after: { roles_for: ['finance', 'admin'] },
  limit_usd: '50.00',
  payable_usd: '1138.27',
  content_digest: DIGEST,
  exact_usd: { card_fees: '1.0038' },
  snapshot_id: 7,
  pullId: 12,
  isFresh: true,
  not_uploaded: true,
  changes: [{ kind: 'hold_placed', recipientId: 72 }],
  missing_files: [{ runNo: 3, sumUsd: '12.00' }],
  recheckHours: 24,
  item_nos: [1, 2],
  answer: DIGEST,
};

test.each([
  ...AUDIT_ACTS,
  ...Object.values(REFUND_ACTIONS),
  answeredAction(3),
  'was refused for their roles',
  'was refused to void this payout run',
])('the entry “%s” has no key of the code in it', (act) => {
  const { act: shown, facts } = entry(act, STORED, 'payouts.approve');
  for (const text of [shown, ...facts]) {
    expect(text).not.toMatch(/_|\{|\}|undefined|\[object|[a-z][A-Z]/);
    expect(text).toMatch(/^[A-Z0-9“$]/);
  }
});

test('an answer that leaves the outcome open says what Invo did and what the refund is now', () => {
  expect(entry(answeredAction(1), { to: 'unknown', class: 'retry', answer: DIGEST })).toEqual({
    act: 'Recorded the answer to attempt 1',
    subject: 'refund 12',
    facts: ['Failed at Invo, outcome unknown. The refund is now: Unknown.', 'Stored answer: 1b27be1cee54…'],
  });
});

test.each(ATTEMPT_CLASSES)('the class “%s” of an answer is written in words', (name) => {
  expect(entry(answeredAction(1), { class: name, to: 'waiting' }).facts).toEqual([
    expect.stringMatching(/^[A-Z][^_]+\. The refund is now: Retrying\.$/),
  ]);
});

test.each([
  ['a sum', 'submitted payout run', { payable_usd: '1138.27' }, ['Payable: $1,138.27.']],
  ['a change of roles', 'changed roles', { before: ['finance'], after: ['finance', 'admin'] }, ['From Finance to Finance, Admin.']],
  ['what a person wrote, quoted', 'rejected payout run', { reason: 'See row_12' }, ['“See row_12”']],
  ['a fact of no sentence by its label', 'signed in', { second_factor: null, newThing_usd: '4.5' }, ['New thing USD: $4.50']],
  [
    'a change of a named fact',
    'changed notice settings',
    { run_submitted: { before: 'email', after: 'off' } },
    ['A run waits for your approval: In Sharebook and by email → Off'],
  ],
  ['nested facts', 'posted journal of payout run', { exact_usd: { card_fees: '1.0038' } }, ['Exact USD: Card fees on refunds 1.0038']],
])('the detail has %s', (_, act, detail, facts) => {
  expect(entry(act, detail).facts).toEqual(facts);
});

test('a refused page names the right in words, and an act of an earlier version is shown in today’s words', () => {
  expect(entry('was refused for their roles', {}, 'payouts.approve')).toMatchObject({
    act: 'Refused: their roles don’t allow it',
    subject: 'approve payouts',
  });
  expect(entry('took a refund over').act).toBe('Became the assignee');
});

test('an act is found by the words it is shown with', () => {
  expect(actsShownAs('exported a FILE')).toEqual(['took a file']);
  expect(actsShownAs('no such words')).toEqual([]);
});
