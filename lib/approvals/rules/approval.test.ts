import { describe, expect, test } from 'vitest';
import { compareMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import {
  type ApprovalRequest,
  type ApproverAccounts,
  ceilingOf,
  coversContent,
  type Decider,
  dayLimitOf,
  decideApproval,
  decideDecline,
  hasLapsed,
  isSecondPerson,
  LIMIT_NAMES,
  LIMITED_KEYS,
  limitNamed,
  limitOf,
  parseLimit,
} from './approval.ts';

const REQUEST: ApprovalRequest = {
  preparedBy: 'ada',
  contentDigest: 'c0ffee',
  needsSecondPerson: false,
};
const COUNT: ApproverAccounts = { own: 'counts', preparer: 'counts' };
const decider = (id: string, role: Role, accounts: ApproverAccounts = COUNT): Decider => ({
  id,
  roles: [role],
  prepare: 'refunds.request',
  approve: 'refunds.approve',
  accounts,
});

describe('an approval', () => {
  test.each([
    ['another approver', decider('fin', 'finance'), {}, { ok: true, approval: 'person' }],
    ['the preparer within their limit', decider('ada', 'support'), {}, { ok: true, approval: 'policy' }],
    ['the preparer above their limit', decider('ada', 'finance'), { exceedsLimit: true }, { ok: false, reason: 'own_request' }],
    ['another approver above their own limit', decider('fin', 'finance'), { exceedsLimit: true }, { ok: true, approval: 'person' }],
    ['another person without the right', decider('sol', 'support'), {}, { ok: false, reason: 'not_allowed' }],
    ['the preparer who lost the right', decider('ada', 'viewer'), {}, { ok: false, reason: 'not_allowed' }],
    ['an admin without the role finance', decider('ann', 'admin'), {}, { ok: false, reason: 'not_allowed' }],
    ['an approver whose account is too new', decider('fin', 'finance', { ...COUNT, own: 'too_new' }), {}, { ok: false, reason: 'too_new' }],
    [
      'an approver of what an unconfirmed person prepared',
      decider('fin', 'finance', { ...COUNT, preparer: 'unconfirmed' }),
      {},
      { ok: false, reason: 'preparer_unconfirmed' },
    ],
    [
      'the preparer within their limit, however new',
      decider('ada', 'support', { own: 'too_new', preparer: 'too_new' }),
      {},
      { ok: true, approval: 'policy' },
    ],
    ['an approver who saw other content', decider('fin', 'finance'), { shownDigest: 'beef' }, { ok: false, reason: 'changed' }],
  ])('by %s: %#', (_, person, given, expected) => {
    expect(decideApproval(REQUEST, person, { shownDigest: 'c0ffee', exceedsLimit: false, ...given })).toEqual(expected);
  });

  test('a request that needed a second person still needs one, even within a later limit', () => {
    const request = { ...REQUEST, needsSecondPerson: true };
    const given = { shownDigest: 'c0ffee', exceedsLimit: false };
    expect(decideApproval(request, decider('ada', 'finance'), given)).toEqual({ ok: false, reason: 'own_request' });
    expect(decideApproval(request, decider('fin', 'finance'), given)).toEqual({ ok: true, approval: 'person' });
  });
});

test.each([
  ['the preparer withdraws without a reason', 'ada', 'support', '', { ok: true, becomes: 'withdrawn' }],
  ['an approver rejects with a reason', 'fin', 'finance', 'Paid twice', { ok: true, becomes: 'rejected' }],
  ['an approver must say why', 'fin', 'finance', '', { ok: false, reason: 'why_missing' }],
  ['others may not decline', 'sol', 'support', 'Paid twice', { ok: false, reason: 'not_allowed' }],
] as const)('%s', (_, id, role, why, expected) => {
  expect(decideDecline({ preparedBy: 'ada' }, decider(id, role), why)).toEqual(expected);
});

test('an approval covers the content it was given for and no other', () => {
  expect(coversContent('a1', 'a1')).toBe(true);
  expect(coversContent('a1', 'a2')).toBe(false);
  expect(coversContent(null, 'a1')).toBe(false);
});

test('an approval lapses at the end of its time, not before', () => {
  expect([hasLapsed(1_000, 1_499, 500), hasLapsed(1_000, 1_500, 500)]).toEqual([false, true]);
});

test('one person never counts as two', () => {
  expect([isSecondPerson('ada', 'ada'), isSecondPerson('ada', 'fin')]).toEqual([false, true]);
});

test.each([
  ['refunds', ['finance'], {}, '500.00', '5000.00'],
  ['refunds', ['support', 'finance'], { finance: '9.00' }, '50.00', '500.00'],
  ['refunds', ['finance'], { finance: '0.00', finance_day: '7.00' }, '0.00', '7.00'],
  ['refunds', ['admin'], {}, null, null],
  ['payments', ['support'], {}, '100.00', '1000.00'],
  ['payments', ['finance'], {}, '999.99', '9999.90'],
  ['items', ['support'], { support_day: '20.00' }, '1000.00', '20.00'],
  ['sends', ['finance'], {}, '0.00', '0.00'],
  ['transfers', [], {}, null, null],
] as const)('the limits of %s for %j with %j are %s, and %s for 24 hours', (what, roles, set, one, day) => {
  expect([limitOf(what, roles, set), dayLimitOf(what, roles, set)]).toEqual([one, day]);
});

test('no default exceeds its ceiling', () => {
  for (const what of LIMITED_KEYS)
    for (const name of LIMIT_NAMES)
      expect([what, name, compareMoney(limitNamed(what, name, {}), ceilingOf(what, name)) <= 0]).toEqual([what, name, true]);
});

test.each([
  ['50', '50.00'],
  ['0', '0.00'],
  ['12.5', '12.50'],
  ['-1', null],
  ['0.001', null],
  ['12345678901', null],
  ['all', null],
])('the typed limit "%s" is %s', (text, limit) => {
  expect(parseLimit(text)).toBe(limit);
});
