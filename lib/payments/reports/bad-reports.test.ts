import { expect, test } from 'vitest';
import { badReports } from '#e2e/support/payments/bad-reports.ts';
import { formatReportRefusal } from '../report-text.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import { readReport } from './read-report.ts';

const REFERENCE = formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 1 });

test.each(await badReports(REFERENCE))(
  'a report with %s is refused in a sentence that names the row or the reason',
  (_, bytes, sentence) => {
    const reading = readReport(bytes);
    expect(reading.ok ? 'was read' : formatReportRefusal(reading.refusal)).toMatch(sentence);
  },
);
