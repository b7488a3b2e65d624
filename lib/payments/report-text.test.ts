import { expect, test } from 'vitest';
import { formatReportRefusal } from './report-text.ts';
import { LISTED_REASONS } from './rules/match-rows.ts';
import { REPORT_REFUSALS } from './rules/report-row.ts';
import { formatListed, LISTED_TEXT } from './text.ts';

test.each(REPORT_REFUSALS)('a report refused as %s says what to do', (reason) => {
  const sentence = formatReportRefusal({ reason, rowNo: null, detail: '1 of 2' });
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toContain('undefined');
  expect(formatReportRefusal({ reason, rowNo: 7, detail: '1 of 2' })).toBe(`Row 7: ${sentence}`);
});

test('each listed row has words of its own', () => {
  expect(new Set(LISTED_REASONS.map((reason) => LISTED_TEXT[reason])).size).toBe(LISTED_REASONS.length);
});

test.each([
  ['1.00', true, 'Date is missing, unreadable, in the future or over ten years old'],
  [null, false, 'Date is missing, unreadable, in the future or over ten years old'],
  [null, true, 'Amount can’t be read'],
])('a row that can’t be read with the amount %s, in a layout with amounts: %s, is named by what can’t be', (amount, hasAmounts, text) => {
  expect(formatListed({ problem: 'unreadable', amount, hasAmounts })).toBe(text);
  expect(formatListed({ problem: 'foreign', amount, hasAmounts })).toBe(LISTED_TEXT.foreign);
});
