import { expect, test } from 'vitest';
import type { IdentityCell } from '#app/_ui/data-table/table-spec.ts';
import { lineIdentity, recipientFlags } from './month-table.ts';

const OCTOBER = { month: '2026-10', slug: 'starfall' };
const PLAIN = {
  recipient_player_id: 7,
  resolved: true,
  baseMismatchCount: 0,
  coarseReversalCount: 0,
  netsToZeroCount: 0,
  reversedMonths: [] as string[],
  isFirstTime: false,
};

test.each([
  ['with nothing unusual', {}, []],
  ['who is unresolved', { resolved: false }, ['unresolved']],
  ['whose record Invo doesn’t report', { resolved: null }, []],
  ['with a different base on one line', { baseMismatchCount: 1 }, ['base differs on 1 line']],
  ['with a different base on two lines', { baseMismatchCount: 2 }, ['base differs on 2 lines']],
  ['with a reversal of September', { reversedMonths: ['2026-09'] }, ['reverses September']],
  ['with reversals of two months', { reversedMonths: ['2026-08', '2026-09'] }, ['reverses August and September']],
  ['with reversals of many months', { reversedMonths: ['2025-08', '2025-09', '2026-01'] }, ['reverses 3 earlier months']],
  ['whose renewal settled and was refunded', { netsToZeroCount: 1 }, ['settled and refunded']],
  ['new, with reversals without receipts', { coarseReversalCount: 2, isFirstTime: true }, ['2 reversals without receipts', 'first time']],
])('a recipient %s has these remarks', (_, facts, words) => {
  expect(recipientFlags(OCTOBER, { ...PLAIN, ...facts }).map((flag) => flag.word)).toEqual(words);
});

test('a remark links to its lines', () => {
  expect(recipientFlags(OCTOBER, { ...PLAIN, baseMismatchCount: 1 })[0]?.href).toBe('/starfall/months/2026-10/lines?find=7&show=base');
});

test.each([
  ['ada@mail.example', true, 'ada@mail.example'],
  ['ada@mail.example', false, 'a•••@m•••.example'],
  ['Ada ＠ home', false, '•••'],
  ['Ada Vale', false, 'Ada Vale'],
  [null, false, null],
])('the name %j is shown to a role that sees emails: %j, as %j', (recipientName, canSeeEmails, shown) => {
  const cell: IdentityCell = lineIdentity({ slug: 'demo', canSeeEmails }, { recipient_player_id: 7, recipient_name: recipientName });
  expect(cell.name).toBe(shown);
});
