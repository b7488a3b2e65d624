import { expect, test } from 'vitest';
import { BEGAN_TO_SEND, heardOfAttempt, isAboutCall } from './refund-acts.ts';

test.each([
  [BEGAN_TO_SEND, true],
  [heardOfAttempt(12), true],
  ['approved a refund', false],
  ['began to send it by post', false],
])('%s only stands beside a call: %s', (act, isBeside) => {
  expect(isAboutCall(act)).toBe(isBeside);
});
