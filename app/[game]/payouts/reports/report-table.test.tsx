import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { StoredReport } from '#lib/payments/reads/reports.ts';
import { ReportTable } from './report-table.tsx';

const REPORT: StoredReport = {
  reportNo: 1,
  kind: 'paypal_activity',
  fileName: 'report.csv',
  sha256: 'ab',
  rowCount: 12,
  feeCount: 0,
  result: '12 rows: 12 paid.',
  addedBy: 'Fiona Hale',
  addedAt: '2026-11-05T14:03:20Z',
  confirmedCount: 12,
  listedCount: 0,
  openCount: 0,
  openForeignCount: 0,
};

const namesOf = (reports: Partial<StoredReport>[]): string[] => {
  const rows = reports.map((report, index): StoredReport => ({ ...REPORT, reportNo: reports.length - index, ...report }));
  const html = renderToStaticMarkup(<ReportTable slug="demo" reports={rows} />);
  return [...html.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, name = '']) => name.replaceAll('<!-- -->', ''));
};

test('a report is listed by the name of its file where that is stored in clear and no other report has it', () => {
  expect(namesOf([{ fileName: 'Statement 2026-11-05.xml' }, {}])).toEqual(['Report 2, Statement 2026-11-05.xml', 'Report 1, report.csv']);
});

test('reports whose names are masked, shared or missing are listed by layout, time and number of rows', () => {
  const masked = { fileName: '….csv' };
  expect(
    namesOf([
      { ...masked, rowCount: 1 },
      { ...masked, kind: 'wise_statement', addedAt: '2026-11-06T09:30:00Z', rowCount: 2_400 },
      { fileName: null, kind: 'pasted' },
      { fileName: 'Download.CSV' },
      { fileName: 'Download.CSV', addedAt: '2026-10-05T14:03:20Z' },
    ]),
  ).toEqual([
    'Report 5, PayPal activity, 5 Nov 2026 14:03 UTC, 1 row',
    'Report 4, Wise statement, 6 Nov 2026 09:30 UTC, 2,400 rows',
    'Report 3, Pasted lines, 5 Nov 2026 14:03 UTC, 12 rows',
    'Report 2, Download.CSV, 5 Nov 2026 14:03 UTC, 12 rows',
    'Report 1, Download.CSV, 5 Oct 2026 14:03 UTC, 12 rows',
  ]);
});
