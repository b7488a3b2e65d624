import { describe, expect, test } from 'vitest';
import { ROLES, type Role } from '#lib/core/roles.ts';
import { REFUND_STATES } from '#lib/refunds/rules/state.ts';
import { type ActionFacts, type AllowedActions, listAllowedActions } from './allowed-actions.ts';

const SITUATION: ActionFacts = {
  state: 'awaiting_approval',
  exceedsLimit: true,
  needsSecondApprover: false,
  attemptCount: 0,
  requesterId: 'asker',
  assigneeId: 'asker',
  recordedBy: null,
  isImpossible: false,
  accounts: { own: 'counts', preparer: 'counts' },
};

function actionsOf(situation: Partial<ActionFacts>, id: string, role: Role): AllowedActions {
  return listAllowedActions({ ...SITUATION, ...situation }, { id, roles: [role] });
}

describe('a refund awaiting approval', () => {
  test.each([
    ['asker', 'support', null, 'withdraw', /exceeds your auto-approval limit/],
    ['other', 'finance', 'person', 'reject', null],
    ['other', 'admin', null, null, /not change them/],
    ['other', 'support', null, null, /Only finance/],
    ['asker', 'finance', null, 'withdraw', /exceeds your auto-approval limit/],
    ['other', 'viewer', null, null, /not change them/],
    ['other', 'auditor', null, null, /not change them/],
  ] as const)('the %s, as %s, may approve it: %s, and decline it: %s', (id, role, approve, decline, why) => {
    const listed = actionsOf({}, id, role);
    expect([listed.approve, listed.decline]).toEqual([approve, decline]);
    if (why === null) expect(listed.why).toBeNull();
    else expect(listed.why).toMatch(why);
  });

  test('above the limit of finance, finance can’t approve its own refund', () => {
    expect(actionsOf({ exceedsLimit: true }, 'asker', 'finance').approve).toBeNull();
    expect(actionsOf({ exceedsLimit: false }, 'asker', 'finance').approve).toBe('own');
    expect(actionsOf({ exceedsLimit: false, needsSecondApprover: true }, 'asker', 'finance').approve).toBeNull();
  });

  test('finance whose account is too new decides nothing; of an unconfirmed requester they can only reject', () => {
    const tooNew = actionsOf({ accounts: { own: 'too_new', preparer: 'counts' } }, 'other', 'finance');
    expect([tooNew.approve, tooNew.decline]).toEqual([null, null]);
    expect(tooNew.why).toMatch(/less than 24 hours/);
    const unconfirmed = actionsOf({ accounts: { own: 'counts', preparer: 'unconfirmed' } }, 'other', 'finance');
    expect([unconfirmed.approve, unconfirmed.decline]).toEqual([null, 'reject']);
    expect(unconfirmed.why).toMatch(/isn’t confirmed/);
  });

  test('a refund that is no longer possible can’t be approved by anyone', () => {
    for (const id of ['asker', 'other']) expect(actionsOf({ isImpossible: true }, id, 'finance').approve).toBeNull();
    expect(actionsOf({ isImpossible: true }, 'asker', 'finance').why).toMatch(/no longer possible/);
  });
});

describe('an outcome recorded by two people', () => {
  test('the person who recorded the outcome can discard it but not confirm it', () => {
    const own = actionsOf({ state: 'attention', recordedBy: 'other' }, 'other', 'finance');
    expect([own.propose, own.confirm, own.drop]).toEqual([false, false, 'own']);
    const second = actionsOf({ state: 'attention', recordedBy: 'other' }, 'third', 'finance');
    expect([second.propose, second.confirm, second.drop]).toEqual([false, true, 'other']);
  });

  test('support can record an outcome but not confirm one', () => {
    expect(actionsOf({ state: 'attention' }, 'other', 'support').propose).toBe(true);
    expect(actionsOf({ state: 'attention', recordedBy: 'other' }, 'third', 'support')).toMatchObject({ confirm: false, drop: 'other' });
  });
});

test('an approved refund can be withdrawn only while nothing was sent', () => {
  expect(actionsOf({ state: 'approved' }, 'other', 'support').decline).toBe('withdraw');
  expect(actionsOf({ state: 'approved', attemptCount: 1 }, 'other', 'support').decline).toBeNull();
  expect(actionsOf({ state: 'sending' }, 'other', 'support').decline).toBeNull();
});

test('a viewer or an auditor can do nothing in any state', () => {
  for (const state of REFUND_STATES)
    for (const role of ROLES.filter((each) => each === 'viewer' || each === 'auditor'))
      expect(actionsOf({ state, recordedBy: 'other' }, 'asker', role)).toMatchObject({
        approve: null,
        decline: null,
        assign: false,
        propose: false,
        confirm: false,
        drop: null,
        startNew: false,
      });
});

test('a refused refund offers a new one, a completed refund doesn’t', () => {
  expect(actionsOf({ state: 'landed' }, 'asker', 'support').startNew).toBe(false);
  expect(actionsOf({ state: 'refused' }, 'asker', 'support').startNew).toBe(true);
});
