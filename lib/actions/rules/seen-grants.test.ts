import { expect, test } from 'vitest';
import type { ActionState, GrantState } from './action-state.ts';
import { answerIn, isPhoneAwaited, newestGrant, type SeenGrant } from './seen-grants.ts';

const grant = (grantId: number, state: GrantState): SeenGrant => ({ grantId, state });

test.each<[string, (SeenGrant | null)[], SeenGrant | null]>([
  ['nothing was requested', [null, null], null],
  [
    'the phone declined, and is requested once more',
    [grant(1, 'declined'), grant(2, 'waiting'), grant(1, 'declined')],
    grant(2, 'waiting'),
  ],
  ['another screen replaced the grant', [grant(1, 'waiting'), grant(1, 'waiting'), grant(2, 'waiting')], grant(2, 'waiting')],
  ['the coins were moved after the last watch', [grant(1, 'replaced'), grant(1, 'waiting'), grant(1, 'approved')], grant(1, 'replaced')],
  ['the watch is newer than the page', [grant(1, 'waiting'), null, grant(1, 'approved')], grant(1, 'approved')],
  ['a new phone wants to be set up', [grant(1, 'waiting'), null, grant(1, 'enrolling')], grant(1, 'enrolling')],
  ['the new phone was put aside', [grant(1, 'enrolling'), null, grant(1, 'waiting')], grant(1, 'waiting')],
])('what is true of the phone when %s', (_, seen, expected) => {
  expect(newestGrant(...seen)).toEqual(expected);
});

test.each<[GrantState, boolean]>([
  ['started', true],
  ['waiting', true],
  ['enrolling', true],
  ['approved', false],
  ['declined', false],
  ['replaced', false],
])('a grant that is %s: may the phone still answer? %s', (state, expected) => {
  expect(isPhoneAwaited(grant(1, state))).toBe(expected);
});

const answer = (actionId: number, state: ActionState, grantId = 7) => ({
  actionId,
  state,
  answers: { grantId, decision: 'approve' as const },
});
const text = { actionId: 9, state: 'done' as const, answers: null };

test.each<[string, Parameters<typeof answerIn>[0], number | null]>([
  ['there is no step', [], null],
  ['the owner of the phone was texted', [text], null],
  ['an answer waits for its approval', [text, answer(4, 'awaiting_approval')], 4],
  ['Invo took it', [answer(4, 'done')], 4],
  ['it was rejected', [answer(4, 'rejected')], null],
  ['Invo refused one, and took another', [answer(5, 'refused'), answer(4, 'done')], 4],
  ['its answer was lost', [answer(5, 'unknown')], 5],
])('the answer to a new phone when %s', (_, steps, expected) => {
  expect(answerIn(steps)?.actionId ?? null).toBe(expected);
});
