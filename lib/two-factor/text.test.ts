import { expect, test } from 'vitest';
import { formatWithoutFactor } from './text.ts';

test.each<[string[], string]>([
  [[], 'None'],
  [['Ada'], 'Ada'],
  [['Ada', 'Ben'], 'Ada and Ben'],
  [['Ada', 'Ben', 'Cleo', 'Dov'], 'Ada, Ben, Cleo, and Dov'],
  [['Ada', 'Ben', 'Cleo', 'Dov', 'Eve'], 'Ada, Ben, Cleo, and 2 more'],
])('the people without a second factor %j are listed as "%s"', (names, text) => {
  expect(formatWithoutFactor(names)).toBe(text);
});
