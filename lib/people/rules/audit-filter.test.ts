import { expect, test } from 'vitest';
import { isFiltered, parseAuditFilter } from './audit-filter.ts';

const GAMES = [{ slug: 'demo', gameId: 7 }];
const NONE = { actor: '', act: '', subject: '', gameId: null, from: null, to: null };

test('an address without a filter shows everything', () => {
  expect(parseAuditFilter({}, GAMES)).toEqual(NONE);
  expect(isFiltered(NONE)).toBe(false);
});

test('a filter is read from the address: persons in lower case, games by slug, days as days', () => {
  const filter = parseAuditFilter(
    { actor: ' Ada@Studio.example', act: 'approved', subject: 'refund 12', game: 'demo', from: '2026-11-01', to: '2026-11-30' },
    GAMES,
  );
  expect(filter).toEqual({
    actor: 'ada@studio.example',
    act: 'approved',
    subject: 'refund 12',
    gameId: 7,
    from: '2026-11-01',
    to: '2026-11-30',
  });
  expect(isFiltered(filter)).toBe(true);
});

test.each([
  { from: '' },
  { from: 'yesterday' },
  { to: '2026-02-30' },
  { from: '0000-01-01' },
  { game: 'elsewhere' },
  { actor: ['a', 'b'] },
  { act: 'x'.repeat(201) },
])('%j makes no sense and is left out', (given) => {
  expect(parseAuditFilter(given, GAMES)).toEqual(NONE);
});

test.each([
  { actor: 'ada' },
  { act: 'approved' },
  { subject: 'refund 12' },
  { game: 'demo' },
  { from: '2026-11-01' },
  { to: '2026-11-30' },
])('%j alone is a filter', (given) => {
  expect(isFiltered(parseAuditFilter(given, GAMES))).toBe(true);
});
