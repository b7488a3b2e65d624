import { expect, test } from 'vitest';
import {
  countNoun,
  formatAge,
  formatChange,
  formatCount,
  formatDay,
  formatGrowth,
  formatInstant,
  formatInstantsIn,
  formatMonth,
  formatParsedNumber,
  formatSide,
  formatTime,
  formatUtc,
  showControls,
} from './format.ts';

test.each([
  ['2026-10-01T00:00:00Z', 'UTC', '1 Oct 2026 00:00'],
  ['2026-09-30T10:00:00.123456Z', 'Pacific/Kiritimati', '1 Oct 2026 00:00'],
  ['2026-10-01T10:00:00Z', 'Pacific/Honolulu', '1 Oct 2026 00:00'],
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', '29 Mar 2026 03:30'],
])('the instant %s in %s is %s', (instant, zone, text) => {
  expect(formatInstant(instant, zone)).toBe(text);
});

test('seconds are shown only on request', () => {
  expect(formatInstant('2026-10-01T14:03:20Z', 'UTC', 'second')).toBe('1 Oct 2026 14:03:20');
  expect(formatTime('2026-10-01T14:03:20.9Z', 'UTC')).toBe('14:03:20');
});

test('an instant in UTC names its zone', () => {
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
])('the age of %s at noon is %s', (instant, text) => {
  expect(formatAge(instant, '2026-10-01T12:00:00Z')).toBe(text);
});

test.each([
  ['2026-09-01T00:00:00Z to 2026-10-01T00:00:00Z', '1 Sep 2026 00:00 to 1 Oct 2026 00:00 UTC'],
  ['reading 2026-09-01T00:00 to 2026-10-01T00:00', 'reading 1 Sep 2026 00:00 to 1 Oct 2026 00:00 UTC'],
  [
    'more between 2026-10-17T09:30:00Z and 2026-10-18T00:00:00Z: cutting it',
    'more between 17 Oct 2026 09:30 and 18 Oct 2026 00:00 UTC: cutting it',
  ],
  ['at 2026-10-17T09:30:05Z', 'at 17 Oct 2026 09:30:05 UTC'],
  ['at 2026-10-17T09:30:00.000Z', 'at 17 Oct 2026 09:30 UTC'],
  ['at 2026-10-17T09:30:00.123Z', 'at 2026-10-17T09:30:00.123Z'],
  ['at 2026-10-17T09:30:00.0009Z', 'at 2026-10-17T09:30:00.0009Z'],
  ['period 2026100004', 'period 2026100004'],
])('the instants in “%s” read as “%s”', (text, read) => {
  expect(formatInstantsIn(text)).toBe(read);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [-1234, '−1,234'],
])('the count %d is %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test('a count of one has a singular noun, any other a plural', () => {
  expect([countNoun(1, 'line'), countNoun(0, 'line'), countNoun(2, 'reply', 'replies')]).toEqual(['1 line', '0 lines', '2 replies']);
});

test.each([
  ['48213.07', '44308.95', '+$3,904.12 (+8.8%)'],
  ['90.00', '100.0000', '−$10.0000 (−10.0%)'],
  ['10', '10.00', 'No change'],
  ['5.00', '0.00', '+$5.00'],
  ['5.00', '-5.00', '+$10.00'],
  ['-36.00', '4.00', '−$40.00 (−1000.0%)'],
])('the change of %s from %s is %s', (amount, before, text) => {
  expect(formatChange(amount, before)).toBe(text);
});

test.each([
  ['110.00', '100.00', '+10.0%'],
  ['90.00', '100.00', '−10.0%'],
  ['1.00', '0.00', '+1.00'],
  ['1.00', '1.0', '0.0%'],
])('the growth of %s from %s is %s', (amount, before, text) => {
  expect(formatGrowth(amount, before)).toBe(text);
});

test.each([
  ['Aurora Vale', 'Aurora Vale'],
  ['Zoë 李 🧑🏽‍🚀', 'Zoë 李 🧑🏽‍🚀'],
  ['Bo\r\n\0', 'Bo␍␊␀'],
  ['evil\u202Ecod.exe', 'evil[U+202E]cod.exe'],
  ['a\u200Bb\u200Dc', 'a[U+200B]b[U+200D]c'],
  ['a\u200D🚀', 'a[U+200D]🚀'],
  ['\uD800', '[U+D800]'],
  ['<script>', '<script>'],
  ['', ''],
])('the name %j is shown as %j', (text, shown) => {
  expect(showControls(text)).toBe(shown);
});

test.each([
  ['12406', '12,406'],
  ['51040.5500', '51,040.5500'],
  ['-36.00', '−36.00'],
  ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  ['{"spend_order_not_found":2}', '{"spend_order_not_found":2}'],
])('the side %s of a check is shown as %s', (text, shown) => {
  expect(formatSide(text)).toBe(shown);
});

test.each([
  [3, '3'],
  [-0.5, '-0.5'],
  [12.3, '12.3'],
  [9_007_199_254_740_992, null],
])('the number %s of an answer is shown as %s, because parsing may have changed the value', (value, digits) => {
  expect(formatParsedNumber(value)).toBe(digits);
});
