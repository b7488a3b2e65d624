import { describe, expect, test } from 'vitest';
import { listMonths } from '#lib/core/month.ts';
import { listDuePulls, type MonthPulled, type ScheduledGame } from './due-pulls.ts';

const REAL: ScheduledGame = { timeZone: 'UTC', settleLag_minutes: 15, isSimulated: false, firstMonth: null };
const NOON = '2026-11-21T12:00:00Z';

describe('months due to be pulled', () => {
  test.each<[string, MonthPulled[], string[], Partial<ScheduledGame>?]>([
    ['nothing was ever pulled: the first pull is a person’s decision', [], []],
    ['all is complete but the month that has just started', [month('2026-10', 'complete', NOON)], ['2026-11']],
    [
      'a month between was never pulled',
      [month('2026-08', 'complete', NOON), month('2026-11', 'open', '2026-11-21T11:00:00Z')],
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
      'the last three complete months were compared a day ago, and those before them as well',
      [...months('2026-06', '2026-10', 'complete', '2026-11-20T12:00:00Z'), month('2026-11', 'open', NOON)],
      ['2026-08', '2026-09', '2026-10'],
    ],
    [
      'the last three complete months were compared 23 hours ago',
      [...months('2026-08', '2026-10', 'complete', '2026-11-20T13:00:00Z'), month('2026-11', 'open', NOON)],
      [],
    ],
    [
      'complete months were compared a week ago, the fourteenth and the fifteenth of them too',
      [
        ...months('2025-08', '2025-10', 'complete', '2026-11-14T12:00:00Z'),
        ...months('2025-11', '2026-10', 'complete', NOON),
        month('2026-11', 'open', NOON),
      ],
      ['2025-09', '2025-10'],
    ],
    [
      'a re-check failed five hours ago and succeeded two days ago',
      [month('2026-10', 'complete', '2026-11-21T07:00:00Z', '2026-11-19T12:00:00Z'), month('2026-11', 'open', NOON)],
      [],
    ],
    [
      'a re-check failed six hours ago and succeeded two days ago',
      [month('2026-10', 'complete', '2026-11-21T06:00:00Z', '2026-11-19T12:00:00Z'), month('2026-11', 'open', NOON)],
      ['2026-10'],
    ],
    [
      'the first months were never pulled but a person requested them',
      [month('2026-10', 'complete', NOON), month('2026-11', 'open', NOON)],
      ['2026-08', '2026-09'],
      { firstMonth: '2026-08' },
    ],
    ['a person requested two months and nothing was pulled yet', [], ['2026-10', '2026-11'], { firstMonth: '2026-10' }],
  ])('when %s', (_, pulled, due, changed = {}) => {
    expect(listDuePulls(NOON, NOON, { ...REAL, ...changed }, pulled)).toEqual(due);
  });

  test('due months are listed oldest first', () => {
    const pulled = [month('2026-11', 'open', NOON), month('2026-07', 'inconsistent', '2026-11-01T00:00:00Z')];
    expect(listDuePulls(NOON, NOON, REAL, pulled)).toEqual(['2026-07', '2026-08', '2026-09', '2026-10']);
  });

  test('a month that was pulled long ago makes the schedule go back 36 months and no further', () => {
    const due = listDuePulls(NOON, NOON, REAL, [month('2017-01', 'complete', NOON), month('2026-11', 'open', NOON)]);
    expect([due.length, due[0], due.at(-1)]).toEqual([35, '2023-12', '2026-10']);
  });

  test('simulated data starts with fourteen months, including the current one', () => {
    const due = listDuePulls(NOON, NOON, { ...REAL, isSimulated: true }, []);
    expect(due).toHaveLength(14);
    expect([due[0], due.at(-1)]).toEqual(['2025-10', '2026-11']);
  });

  test('a month that closed is due at once, and after a failure six hours later', () => {
    const pulled = (last: string, done: string) => [month('2026-10', 'open', last, done), month('2026-11', 'open', '2026-11-01T00:20:00Z')];
    expect(dueAt('2026-11-01T00:20:00Z', REAL, pulled('2026-10-31T23:00:00Z', '2026-10-31T23:00:00Z'))).toEqual(['2026-10']);
    expect(dueAt('2026-11-01T00:21:00Z', REAL, pulled('2026-11-01T00:20:00Z', '2026-10-31T23:00:00Z'))).toEqual([]);
    expect(dueAt('2026-11-01T06:20:00Z', REAL, pulled('2026-11-01T00:20:00Z', '2026-10-31T23:00:00Z'))).toEqual(['2026-10']);
  });

  test('a clock set by hand, ahead of the database, doesn’t make a re-check due again and again', () => {
    const pulled = [month('2026-10', 'complete', '2026-11-21T11:59:00Z'), month('2026-11', 'open', '2027-03-01T00:00:00Z')];
    expect(listDuePulls('2026-11-30T12:00:00Z', NOON, REAL, pulled)).toEqual([]);
    expect(dueAt('2026-11-30T12:00:00Z', REAL, pulled)).toEqual(['2026-10']);
  });

  test('the new month is due once its first minutes have settled, in the reporting time zone', () => {
    const pulled = [month('2026-10', 'open', '2026-10-31T00:00:00Z')];
    expect(dueAt('2026-11-01T00:14:00Z', REAL, pulled)).toEqual(['2026-10']);
    expect(dueAt('2026-11-01T00:15:00Z', REAL, pulled)).toEqual(['2026-10', '2026-11']);
    expect(dueAt('2026-10-31T10:15:00Z', { ...REAL, timeZone: 'Pacific/Kiritimati' }, pulled)).toEqual(['2026-10', '2026-11']);
  });
});

function dueAt(now: string, game: ScheduledGame, pulled: MonthPulled[]): string[] {
  return listDuePulls(now, now, game, pulled);
}

function month(name: string, status: MonthPulled['status'], lastPulledAt: string, lastDoneAt: string | null = lastPulledAt): MonthPulled {
  return { month: name, status, lastPulledAt, lastDoneAt };
}

function months(first: string, last: string, status: MonthPulled['status'], lastPulledAt: string): MonthPulled[] {
  return listMonths(first, last).map((name) => month(name, status, lastPulledAt));
}
