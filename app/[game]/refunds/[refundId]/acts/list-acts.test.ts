import { describe, expect, test } from 'vitest';
import { ROLES, type Role } from '#lib/core/roles.ts';
import { REFUND_STATES } from '#lib/refunds/rules/state.ts';
import { listRefundActs, type RefundActs, type Scene } from './list-acts.ts';

const SCENE: Scene = {
  state: 'awaiting_approval',
  amount_usd: '60.00',
  needsSecondApprover: false,
  attemptCount: 0,
  requesterId: 'asker',
  ownerId: 'asker',
  statementBy: null,
  isImpossible: false,
};

function acts(scene: Partial<Scene>, id: string, role: Role): RefundActs {
  return listRefundActs({ ...SCENE, ...scene }, { id, role }, {});
}

describe('a refund that waits for approval', () => {
  test.each([
    ['asker', 'support', null, 'withdraw', /above your limit/],
    ['other', 'finance', 'person', 'reject', null],
    ['other', 'admin', 'person', 'reject', null],
    ['other', 'support', null, null, /finance or an admin/],
    ['asker', 'finance', 'own', 'withdraw', null],
    ['other', 'viewer', null, null, /changes nothing/],
    ['other', 'auditor', null, null, /changes nothing/],
  ] as const)('%s as %s may approve: %s, decline: %s', (id, role, approve, decline, why) => {
    const listed = acts({}, id, role);
    expect([listed.approve, listed.decline]).toEqual([approve, decline]);
    if (why === null) expect(listed.why).toBeNull();
    else expect(listed.why).toMatch(why);
  });

  test('above the limit of finance not even finance approves the own one', () => {
    expect(acts({ amount_usd: '500.01' }, 'asker', 'finance').approve).toBeNull();
    expect(acts({ amount_usd: '500.00' }, 'asker', 'finance').approve).toBe('own');
    expect(acts({ amount_usd: '500.00', needsSecondApprover: true }, 'asker', 'finance').approve).toBeNull();
  });

  test('one that can no longer be done as asked is approved by nobody', () => {
    for (const id of ['asker', 'other']) expect(acts({ isImpossible: true }, id, 'finance').approve).toBeNull();
    expect(acts({ isImpossible: true }, 'asker', 'finance').why).toMatch(/no longer be done/);
  });
});

describe('two people', () => {
  test('are two: who said it may take it back but not agree', () => {
    const own = acts({ state: 'attention', statementBy: 'other' }, 'other', 'finance');
    expect([own.propose, own.confirm, own.drop]).toEqual([false, false, 'own']);
    const second = acts({ state: 'attention', statementBy: 'other' }, 'third', 'finance');
    expect([second.propose, second.confirm, second.drop]).toEqual([false, true, 'other']);
  });

  test('support says what happened and does not agree', () => {
    expect(acts({ state: 'attention' }, 'other', 'support').propose).toBe(true);
    expect(acts({ state: 'attention', statementBy: 'other' }, 'third', 'support')).toMatchObject({ confirm: false, drop: 'other' });
  });
});

test('an approved one is withdrawn only while nothing was sent', () => {
  expect(acts({ state: 'approved' }, 'other', 'support').decline).toBe('withdraw');
  expect(acts({ state: 'approved', attemptCount: 1 }, 'other', 'support').decline).toBeNull();
  expect(acts({ state: 'sending' }, 'other', 'support').decline).toBeNull();
});

test('whoever only reads may do nothing in any state', () => {
  for (const state of REFUND_STATES)
    for (const role of ROLES.filter((each) => each === 'viewer' || each === 'auditor'))
      expect(acts({ state, statementBy: 'other' }, 'asker', role)).toMatchObject({
        approve: null,
        decline: null,
        takeOver: false,
        propose: false,
        confirm: false,
        drop: null,
        startNew: false,
      });
});

test('a landed refund starts no new one, a refused one does', () => {
  expect(acts({ state: 'landed' }, 'asker', 'support').startNew).toBe(false);
  expect(acts({ state: 'refused' }, 'asker', 'support').startNew).toBe(true);
});
