import { expect, test } from 'vitest';
import { type DatedState, newestReported, REPORTED_STATES } from './report-row.ts';

const paid: DatedState = { state: 'paid', occurredOn: '2026-11-05' };
const returned: DatedState = { state: 'returned', occurredOn: '2026-12-05' };

test.each<[string, DatedState[], string | null]>([
  ['nothing was reported', [], null],
  ['one report', [paid], 'paid'],
  ['a return after the payment', [paid, returned], 'returned'],
  ['the return reported first', [returned, paid], 'returned'],
  ['a stale pending after the payment', [paid, { state: 'pending', occurredOn: '2026-11-04' }], 'paid'],
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
