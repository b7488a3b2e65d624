import { expect, test } from 'vitest';
import { formatSending } from './sending-text.ts';

test.each([
  ['item_sale', 'waiting', {}, 'Sharebook sends it again at 15:47.'],
  ['item_sale', 'waiting', { isPaused: true }, 'Sharebook sends it again once desk actions resume.'],
  ['item_sale', 'unknown', { isOff: true }, 'Sharebook sends it again once item sales are turned on.'],
  ['milestone', 'approved', { isPaused: true, isOff: true }, 'Sharebook sends it once desk actions resume.'],
  ['milestone', 'approved', {}, 'Sharebook sends it now.'],
  ['payment_link', 'approved', {}, null],
  ['item_sale', 'checking', {}, null],
] as const)('a page states when Sharebook sends a %s that is %s, with %o', (kind, state, held, text) => {
  expect(formatSending(kind, state, '15:47', { isPaused: false, isOff: false, ...held })).toBe(text);
});
