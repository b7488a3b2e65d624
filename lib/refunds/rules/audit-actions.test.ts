import { expect, test } from 'vitest';
import { answeredAction, formatRefundAction, isAboutCall, REFUND_ACTIONS } from './audit-actions.ts';

test.each([
  [REFUND_ACTIONS.startedSending, true],
  [answeredAction(12), true],
  ['began to send', true],
  ['heard of attempt 12', true],
  ['approved a refund', false],
  ['began to send it by post', false],
])('"%s" only marks a call: %s', (action, isCall) => {
  expect(isAboutCall(action)).toBe(isCall);
});

test.each([
  ['asked for a refund', 'requested this refund'],
  ['took a refund over', 'became the assignee'],
  ['stopped all refunds', 'paused refunds'],
  ['heard of attempt 3', 'recorded the answer to attempt 3'],
  ['approved a refund', 'approved this refund'],
  ['toString', 'toString'],
  ['text of another feature', 'text of another feature'],
])('the recorded text "%s" is shown as "%s"', (recorded, shown) => {
  expect(formatRefundAction(recorded)).toBe(shown);
});
