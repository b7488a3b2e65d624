import { expect, test } from 'vitest';
import { isConfirmedByTwo } from './text.ts';

test('one person who confirmed an account twice is one, and the operator counts as one more', () => {
  const by = (byId: string | null) => ({ basis: 'confirmation' as const, byId });
  expect(isConfirmedByTwo([by('ada'), by('ada')])).toBe(false);
  expect(isConfirmedByTwo([by(null), by(null)])).toBe(false);
  expect(isConfirmedByTwo([by('ada'), by(null)])).toBe(true);
  expect(isConfirmedByTwo([by('ada'), by('gus')])).toBe(true);
});
