import { describe, expect, test } from 'vitest';
import { listDuePulls, type MonthPulled } from './due-pulls.ts';

const REAL = { timeZone: 'UTC', settleLag_minutes: 15, isSimulated: false };
const NOON = '2026-11-21T12:00:00Z';

describe('months due to be pulled', () => {
  test.each<[string, MonthPulled[], string[]]>([
    ['nothing was ever pulled: the first pull is a person’s decision', [], []],
    ['all is complete but the month that has just started', [month('2026-10', 'complete', '2026-11-01T01:00:00Z')], ['2026-11']],
    [
      'a month between was never pulled',
      [month('2026-08', 'complete', '2026-09-01T01:00:00Z'), month('2026-11', 'open', '2026-11-21T11:00:00Z')],
      ['2026-09', '2026-10'],
    ],
    [
      'a closed month is inconsistent and was tried an hour ago',
      [month('2026-10', 'inconsistent', '2026-11-21T11:00:00Z'), month('2026-11', 'open', NOON)],
      [],
    ],
    [
      'a closed month is inconsistent and was tried six hours ago',
      [month('2026-10', 'inconsistent', '2026-11-21T06:00:00Z'), month('2026-11', 'open', NOON)],
      ['2026-10'],
    ],
    [
      'a month was pulled open and has closed since',
      [month('2026-10', 'open', '2026-10-31T12:00:00Z'), month('2026-11', 'open', NOON)],
      ['2026-10'],
    ],
    [
      'a try of a closed month failed a while ago',
      [month('2026-10', null, '2026-11-21T05:59:59Z'), month('2026-11', 'open', NOON)],
      ['2026-10'],
    ],
    ['the open month was pulled 23 hours ago', [month('2026-11', 'open', '2026-11-20T13:00:00Z')], []],
    ['the open month was pulled a day ago', [month('2026-11', 'open', '2026-11-20T12:00:00Z')], ['2026-11']],
    [
      'a complete month is left alone however old it is',
      [month('2026-10', 'complete', '2020-01-01T00:00:00Z'), month('2026-11', 'open', NOON)],
      [],
    ],
  ])('when %s', (_, pulled, due) => {
    expect(listDuePulls(NOON, REAL, pulled)).toEqual(due);
  });

  test('due months are listed oldest first', () => {
    const pulled = [month('2026-11', 'open', NOON), month('2026-07', 'inconsistent', '2026-11-01T00:00:00Z')];
    expect(listDuePulls(NOON, REAL, pulled)).toEqual(['2026-07', '2026-08', '2026-09', '2026-10']);
  });

  test('a month that was pulled long ago makes the schedule go back 36 months and no further', () => {
    const due = listDuePulls(NOON, REAL, [month('2017-01', 'complete', NOON), month('2026-11', 'open', NOON)]);
    expect([due.length, due[0], due.at(-1)]).toEqual([35, '2023-12', '2026-10']);
  });

  test('simulated data starts with fourteen months, including the current one', () => {
    const due = listDuePulls(NOON, { ...REAL, isSimulated: true }, []);
    expect(due).toHaveLength(14);
    expect([due[0], due.at(-1)]).toEqual(['2025-10', '2026-11']);
  });

  test('the new month is due once its first minutes have settled, in the reporting time zone', () => {
    const pulled = [month('2026-10', 'open', '2026-10-31T00:00:00Z')];
    expect(listDuePulls('2026-11-01T00:14:00Z', REAL, pulled)).toEqual(['2026-10']);
    expect(listDuePulls('2026-11-01T00:15:00Z', REAL, pulled)).toEqual(['2026-10', '2026-11']);
    expect(listDuePulls('2026-10-31T10:15:00Z', { ...REAL, timeZone: 'Pacific/Kiritimati' }, pulled)).toEqual(['2026-10', '2026-11']);
  });
});

function month(name: string, status: MonthPulled['status'], lastPulledAt: string): MonthPulled {
  return { month: name, status, lastPulledAt };
}
