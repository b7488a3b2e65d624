import { expect, test } from 'vitest';
import { hideEmails } from './hide-emails.ts';

test.each([
  ['Wrote from mira.holt@players.example, twice', 'Wrote from m•••@p•••.example, twice'],
  ['<a@b.example>;c@d.example', '<a•••@b•••.example>;c•••@d•••.example'],
  ['Nothing to hide @ all', 'Nothing to hide @ all'],
])('%s', (text, hidden) => {
  expect(hideEmails(text)).toBe(hidden);
});
