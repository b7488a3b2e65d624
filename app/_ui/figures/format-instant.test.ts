import { expect, test } from 'vitest';
import { formatAge, formatDay, formatInstant, formatMonth, formatTime, formatUtc } from './format-instant.ts';

test.each([
  ['2026-10-01T00:00:00Z', 'UTC', '1 Oct 2026 00:00'],
  ['2026-09-30T10:00:00.123456Z', 'Pacific/Kiritimati', '1 Oct 2026 00:00'],
  ['2026-10-01T10:00:00Z', 'Pacific/Honolulu', '1 Oct 2026 00:00'],
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', '29 Mar 2026 03:30'],
])('%s in %s reads %s', (instant, zone, text) => {
  expect(formatInstant(instant, zone)).toBe(text);
});

test('seconds come where asked for', () => {
  expect(formatInstant('2026-10-01T14:03:20Z', 'UTC', 'second')).toBe('1 Oct 2026 14:03:20');
  expect(formatTime('2026-10-01T14:03:20.9Z', 'UTC')).toBe('14:03:20');
});

test('in UTC the zone is named', () => {
  expect(formatUtc('2026-10-01T14:03:20Z')).toBe('1 Oct 2026 14:03 UTC');
  expect(formatUtc('2026-10-01T14:03:20Z', 'second')).toBe('1 Oct 2026 14:03:20 UTC');
});

test.each([
  ['2026-10-01T00:00:00Z', undefined, '1 Oct 2026'],
  ['2026-10-31T23:59:59.999Z', 'UTC', '31 Oct 2026'],
  ['2026-10-31T10:00:00Z', 'Pacific/Kiritimati', '1 Nov 2026'],
])('the day of %s in %s is %s', (instant, zone, day) => {
  expect(formatDay(instant, zone)).toBe(day);
});

test('a month has a long and a short name', () => {
  expect(formatMonth('2026-09')).toBe('September 2026');
  expect(formatMonth('2026-09', 'short')).toBe('Sep 2026');
});

test.each([
  ['2026-10-01T12:00:00Z', 'just now'],
  ['2026-10-01T11:59:00Z', '1 minute ago'],
  ['2026-10-01T10:00:00Z', '2 hours ago'],
  ['2026-09-28T12:00:00Z', '3 days ago'],
  ['2026-10-01T12:00:05Z', 'just now'],
])('%s is %s at noon', (instant, told) => {
  expect(formatAge(instant, '2026-10-01T12:00:00Z')).toBe(told);
});
