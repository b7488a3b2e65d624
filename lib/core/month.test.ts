import { describe, expect, test } from 'vitest';
import { addMonths, isTimeZone, lastDayOf, listMonths, monthOf, monthOfWindow, monthWindow, nextWorkday, parseMonth } from './month.ts';
import { windowLength } from './window.ts';

const HOUR_US = 3_600_000_000n;

// Zones east and west of everything, without and with clock changes, changes of a half hour, of the calendar day, at midnight and at a month's edge.
const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Honolulu',
  'Pacific/Niue',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tehran',
  'Asia/Gaza',
  'Asia/Amman',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Europe/Berlin',
  'Europe/London',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/New_York',
  'America/Los_Angeles',
  'America/Asuncion',
  'America/Scoresbysund',
];

describe('a month as it is written', () => {
  test.each(['2026-01', '2026-12', '1000-01', '9998-12'])('%s is a month', (text) => {
    expect(parseMonth(text)).toBe(text);
  });
  test.each([
    '',
    '2026',
    '2026-1',
    '2026-00',
    '2026-13',
    '2026-10-01',
    '26-10',
    '0000-10',
    '0999-12',
    '9999-12',
    '2026/10',
    ' 2026-10',
    '2026-10\n',
    '2026-10 ',
    '-2026-10',
    '２０２６-10',
  ])('%j is none', (text) => {
    expect(parseMonth(text)).toBeNull();
  });
});

describe('the window of a month', () => {
  test.each([
    ['2026-10', 'UTC', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['2026-12', 'UTC', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2024-02', 'UTC', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2026-10', 'Pacific/Kiritimati', '2026-09-30T10:00:00Z', '2026-10-31T10:00:00Z'],
    ['2026-10', 'Pacific/Honolulu', '2026-10-01T10:00:00Z', '2026-11-01T10:00:00Z'],
    ['2026-03', 'Europe/Berlin', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['2026-10', 'Europe/Berlin', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    ['2026-03', 'America/New_York', '2026-03-01T05:00:00Z', '2026-04-01T04:00:00Z'],
    ['2026-11', 'America/New_York', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    ['2026-10', 'Australia/Lord_Howe', '2026-09-30T13:30:00Z', '2026-10-31T13:00:00Z'],
    ['2026-10', 'Asia/Kathmandu', '2026-09-30T18:15:00Z', '2026-10-31T18:15:00Z'],
    // The clocks of Paraguay went forward at midnight of 1 October 2023: that month began at 01:00.
    ['2023-10', 'America/Asuncion', '2023-10-01T04:00:00Z', '2023-11-01T03:00:00Z'],
  ])('%s in %s runs from %s to %s', (month, zone, start, end) => {
    expect(monthWindow(month, zone)).toEqual({ start, end });
  });

  test.each([
    ['2026-03', 'Europe/Berlin', 31n * 24n - 1n],
    ['2026-10', 'Europe/Berlin', 31n * 24n + 1n],
    ['2026-02', 'UTC', 28n * 24n],
    ['2024-02', 'UTC', 29n * 24n],
  ])('%s in %s lasts %i hours', (month, zone, hours) => {
    expect(windowLength(monthWindow(month, zone))).toBe(hours * HOUR_US);
  });

  test.each(ZONES)('in %s the months of sixteen years adjoin and contain their own instants', (zone) => {
    let before = monthWindow('2019-12', zone);
    for (const month of listMonths('2020-01', '2035-12')) {
      const window = monthWindow(month, zone);
      expect(window.start).toBe(before.end);
      expect(window.start < window.end).toBe(true);
      expect(monthOf(window.start, zone)).toBe(month);
      expect(monthOf(window.end, zone)).toBe(addMonths(month, 1));
      expect(monthOfWindow(window, zone)).toBe(month);
      before = window;
    }
  });
});

test.each([
  ['2026-10-31T23:30:00Z', 'UTC', '2026-10'],
  ['2026-10-31T23:30:00Z', 'Europe/Berlin', '2026-11'],
  ['2026-10-01T03:59:59.999999Z', 'America/New_York', '2026-09'],
  ['2026-10-01T04:00:00Z', 'America/New_York', '2026-10'],
  ['2026-10-31T10:00:00Z', 'Pacific/Kiritimati', '2026-11'],
])('%s falls in %s into %s', (instant, zone, month) => {
  expect(monthOf(instant, zone)).toBe(month);
});

test.each([
  ['2026-10', 1, '2026-11'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-10', -13, '2025-09'],
  ['2026-10', 0, '2026-10'],
])('%s and %i months are %s', (month, count, later) => {
  expect(addMonths(month, count)).toBe(later);
});

test.each([
  ['2025-11', '2026-02', ['2025-11', '2025-12', '2026-01', '2026-02']],
  ['2026-02', '2026-02', ['2026-02']],
  ['2026-03', '2026-02', []],
])('from %s to %s there are %j', (first, last, months) => {
  expect(listMonths(first, last)).toEqual(months);
});

test.each([
  ['a day too short', { start: '2026-10-01T00:00:00Z', end: '2026-10-31T00:00:00Z' }],
  ['two months', { start: '2026-10-01T00:00:00Z', end: '2026-12-01T00:00:00Z' }],
  ['a second late', { start: '2026-10-01T00:00:01Z', end: '2026-11-01T00:00:00Z' }],
  ['the month of another zone', monthWindow('2026-10', 'Europe/Berlin')],
])('a window of %s is no month', (_, window) => {
  expect(monthOfWindow(window, 'UTC')).toBeNull();
});

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['Mars/Olympus', false],
  ['', false],
  ['Europe/Berlin ', false],
  ['2026-10', false],
])('%j is a time zone: %s', (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne);
});

test.each([
  ['UTC', '2026-10-31'],
  ['Pacific/Kiritimati', '2026-10-31'],
  ['Pacific/Honolulu', '2026-10-31'],
  ['Europe/Berlin', '2026-10-31'],
])('the last day of October in %s is %s', (timeZone, day) => {
  expect(lastDayOf(monthWindow('2026-10', timeZone), timeZone)).toBe(day);
});

test.each([
  ['2026-11-18', '2026-11-19'],
  ['2026-11-20', '2026-11-23'],
  ['2026-11-21', '2026-11-23'],
  ['2026-11-22', '2026-11-23'],
  ['2026-12-31', '2027-01-01'],
])('the workday after %s is %s', (day, next) => {
  expect(nextWorkday(day)).toBe(next);
});
