import { expect, test } from 'vitest';
import { formatReportRefusal } from './report-text.ts';
import { LISTED_REASONS } from './rules/match-rows.ts';
import { REPORT_REFUSALS } from './rules/report-row.ts';
import { LISTED_TEXT } from './text.ts';

test.each(REPORT_REFUSALS)('a report refused as %s says what to do', (reason) => {
  const sentence = formatReportRefusal({ reason, rowNo: null, detail: '1 of 2' });
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toContain('undefined');
  expect(formatReportRefusal({ reason, rowNo: 7, detail: '1 of 2' })).toBe(`Row 7: ${sentence}`);
});

test('each listed row has words of its own', () => {
  expect(new Set(LISTED_REASONS.map((reason) => LISTED_TEXT[reason])).size).toBe(LISTED_REASONS.length);
});
