import { expect, test } from 'vitest';
import { formatSide } from './format-side.ts';

test.each([
  ['12406', '12,406'],
  ['51040.5500', '51,040.5500'],
  ['-36.00', '−36.00'],
  ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  ['{"spend_order_not_found":2}', '{"spend_order_not_found":2}'],
])('%s reads %s', (text, read) => {
  expect(formatSide(text)).toBe(read);
});
