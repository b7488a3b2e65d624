import { expect, test } from 'vitest';
import { contradictsDates, type DatedState, dayOfReturn, isKnownReturn, newestReported, REPORTED_STATES } from './reported-states.ts';

const paid: DatedState = { state: 'paid', occurredOn: '2026-11-05' };
const returned: DatedState = { state: 'returned', occurredOn: '2026-12-05' };

test.each<[string, DatedState[], string | null]>([
  ['nothing was reported', [], null],
  ['one report', [paid], 'paid'],
  ['a return after the payment', [paid, returned], 'returned'],
  ['the return reported first', [returned, paid], 'returned'],
  ['a stale pending after the payment', [paid, { state: 'pending', occurredOn: '2026-11-04' }], 'paid'],
  ['a pending of a later day than the payment', [{ state: 'pending', occurredOn: '2026-11-06' }, paid], 'paid'],
  ['a pending of a later day than the return', [{ state: 'pending', occurredOn: '2026-12-06' }, paid, returned], 'returned'],
  [
    'a pending after a failure',
    [
      { state: 'failed', occurredOn: '2026-11-04' },
      { state: 'pending', occurredOn: '2026-11-06' },
    ],
    'pending',
  ],
  ['pending and paid on one day', [{ state: 'pending', occurredOn: '2026-11-05' }, paid], 'paid'],
  ['a failure and a later success of one payment', [{ state: 'failed', occurredOn: '2026-11-04' }, paid], 'paid'],
  ['a report without a date beside one with a date', [{ state: 'failed', occurredOn: null }, paid], 'paid'],
  [
    'two reports without dates',
    [
      { state: 'pending', occurredOn: null },
      { state: 'paid', occurredOn: null },
    ],
    'paid',
  ],
])('%s', (_, said, state) => {
  expect(newestReported(said)?.state ?? null).toBe(state);
});

test('the order in which reports come never matters', () => {
  const days = ['2026-11-04', '2026-11-05', null];
  const all = REPORTED_STATES.flatMap((state) => days.map((occurredOn): DatedState => ({ state, occurredOn })));
  for (const one of all)
    for (const other of all) for (const third of all) expect(newestReported([one, other, third])).toBe(newestReported([third, one, other]));
});

test.each<[string, DatedState[], string, boolean]>([
  ['nothing else came back', [paid], '2026-11-08', false],
  ['another report has the return', [paid, { state: 'returned', occurredOn: '2026-11-08' }], '2026-11-09', true],
  ['another report dates it later', [paid, { state: 'returned', occurredOn: '2026-11-09' }], '2026-11-08', true],
  [
    'it was paid again since',
    [paid, { state: 'returned', occurredOn: '2026-11-08' }, { state: 'paid', occurredOn: '2026-11-10' }],
    '2026-11-12',
    false,
  ],
  [
    'it is the first of two returns, reported last',
    [paid, { state: 'paid', occurredOn: '2026-11-10' }, { state: 'returned', occurredOn: '2026-11-12' }],
    '2026-11-08',
    false,
  ],
])('a return whose fee is posted once is known by date: %s', (_, said, occurredOn, isKnown) => {
  expect(isKnownReturn(said, occurredOn)).toBe(isKnown);
});

test.each<[string, DatedState[], DatedState, boolean]>([
  ['a return on the day of the payment', [paid], { state: 'returned', occurredOn: '2026-11-05' }, false],
  ['a return before the payment', [paid], { state: 'returned', occurredOn: '2026-11-04' }, true],
  ['a failure before the payment', [paid], { state: 'failed', occurredOn: '2026-11-04' }, true],
  ['an earlier return of what was returned later', [paid, returned], { state: 'returned', occurredOn: '2026-11-04' }, false],
  ['an earlier status of what was paid', [paid], { state: 'pending', occurredOn: '2026-11-04' }, false],
  ['a payment after a return without a date', [{ state: 'returned', occurredOn: null }], paid, true],
  ['a payment after its return', [{ state: 'returned', occurredOn: '2026-11-04' }], paid, true],
  ['a payment before its return', [returned], paid, false],
  ['a failure on the day of the payment', [paid], { state: 'failed', occurredOn: '2026-11-05' }, true],
  ['a payment on the day of a failure', [{ state: 'failed', occurredOn: '2026-11-05' }], paid, true],
  ['a failure after the payment', [paid], { state: 'failed', occurredOn: '2026-11-06' }, false],
  ['a payment before its failure', [{ state: 'failed', occurredOn: '2026-11-06' }], paid, true],
  [
    'a payment before its failure, after which it was on its way',
    [
      { state: 'failed', occurredOn: '2026-11-06' },
      { state: 'pending', occurredOn: '2026-11-07' },
    ],
    paid,
    true,
  ],
  ['a payment before a status of a later day', [{ state: 'pending', occurredOn: '2026-11-06' }], paid, false],
  ['a failure before a status of a later day', [{ state: 'pending', occurredOn: '2026-11-06' }], { ...paid, state: 'failed' }, true],
  ['a failure beside a payment, both without dates', [{ ...paid, occurredOn: null }], { state: 'failed', occurredOn: null }, true],
  ['a later status of what was paid', [paid], { state: 'pending', occurredOn: '2026-11-06' }, true],
  ['a later status of what failed', [{ state: 'failed', occurredOn: '2026-11-04' }], { state: 'pending', occurredOn: '2026-11-06' }, false],
])('a date that would hide what a row states contradicts: %s', (_, said, row, isContradiction) => {
  expect(contradictsDates(said, row)).toBe(isContradiction);
});

test.each<[string, string | null, string]>([
  ['its own day', '2026-11-06', '2026-11-06'],
  ['the day of the payment, as it is its own', '2026-11-05', '2026-11-05'],
  ['the day of the decision, as it has none', null, '2026-11-20'],
  ['the day of the decision, as its own is before the payment', '2026-11-04', '2026-11-20'],
])('an accepted return counts from %s', (_, occurredOn, day) => {
  expect(dayOfReturn([paid, { state: 'failed', occurredOn: '2026-11-07' }], occurredOn, '2026-11-20')).toBe(day);
});

test('an accepted return never counts from before the payment that it returns', () => {
  for (const occurredOn of ['2026-11-04', null])
    expect(dayOfReturn([{ state: 'paid', occurredOn: '2026-11-21' }], occurredOn, '2026-11-20')).toBe('2026-11-21');
});
