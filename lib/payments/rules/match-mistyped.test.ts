import { expect, test } from 'vitest';
import { FIRST, knows, outcomesOf, row, SECOND } from '#e2e/support/payments/matched-rows.ts';
import type { ReportRow } from './report-row.ts';

const likely = { references: [], mistyped: ['A200700014'] };
test.each<[string, Partial<ReportRow>, unknown[]]>([
  ['was paid', likely, ['mistyped', 1]],
  ['was returned', { ...likely, state: 'returned' }, ['mistyped', 1]],
  [
    'was returned with the amount of none',
    { ...likely, state: 'returned', amounts: [{ amount: '99.00', currency: 'USD' }] },
    ['mistyped', null],
  ],
  ['has an amount that can’t be read', { ...likely, unreadable: 'amount', amounts: [] }, ['mistyped', null]],
  ['has no amount by its layout, as several do', { ...likely, amounts: [], hasAmount: false }, ['mistyped', null]],
  ['has another wrong letter', { references: [], mistyped: ['A20070001X'] }, ['foreign', null]],
  ['has the trace of a payment, too', { ...likely, trace: '061000050000001' }, [1, 'paid', 'trace']],
])('a row whose reference is one of ours but for a letter and that %s', (_, facts, result) => {
  const known = knows([FIRST, SECOND], {
    byMistyped: new Map([['A200700014', [FIRST, SECOND]]]),
    byTrace: new Map([['061000050000001', FIRST]]),
  });
  expect(outcomesOf([row(facts)], known)).toEqual([result]);
});
