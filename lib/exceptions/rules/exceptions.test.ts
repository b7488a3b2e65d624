import { expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { textsOfAction } from '#lib/refunds/rules/audit-actions.ts';
import { EXCEPTIONAL_ACTS, FAILED_SIGN_INS, listPeriods, parsePeriod } from './exceptions.ts';

/** Acts whose text is composed where they are recorded. */
const COMPOSED = [
  'asked to resume payouts',
  'resumed payouts',
  'recorded the outcome of a cancellation',
  'recorded the outcome of a price change',
  'recorded the outcome of a card change',
];

test('every exceptional act is one that the product records, and belongs to one kind', () => {
  const acts = [...Object.values(EXCEPTIONAL_ACTS).flat(), ...FAILED_SIGN_INS];
  expect(acts).toHaveLength(new Set(acts).size);
  const texts = readSources()
    .filter(({ path, isTest }) => path.startsWith('lib/') && !isTest && path !== 'lib/exceptions/rules/exceptions.ts')
    .map(({ text }) => text)
    .join('\n');
  expect(acts.filter((act) => !COMPOSED.includes(act) && !texts.includes(`'${act}'`))).toEqual([]);
});

test('an act of refunds counts under the text of every version', () => {
  expect(EXCEPTIONAL_ACTS.pauses).toEqual(expect.arrayContaining(textsOfAction('paused refunds')));
  expect(EXCEPTIONAL_ACTS.pauses).toContain('stopped all refunds');
});

test.each([
  ['2026-10', { start: '2026-09-30T15:00:00Z', end: '2026-10-31T15:00:00Z' }],
  ['2026', { start: '2025-12-31T15:00:00Z', end: '2026-12-31T15:00:00Z' }],
])('the period %s is cut in the time zone of the game', (text, window) => {
  expect(parsePeriod(text, 'Asia/Tokyo')).toEqual({ text, window });
});

test.each([['2026-13'], ['1999'], ['20266'], [''], [undefined], [['2026']], ['2026-10-01'], ['x'.repeat(40)]])(
  'the period %j covers all time',
  (text) => {
    expect(parsePeriod(text, 'UTC')).toEqual({ text: '', window: null });
  },
);

test('years come from the months that can be chosen, newest first', () => {
  expect(listPeriods(['2025-12', '2026-01', '2026-02'])).toEqual({ years: ['2026', '2025'], months: ['2026-02', '2026-01', '2025-12'] });
});
