import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import type { StoredReport } from '#lib/payments/reads/reports.ts';
import { REPORT_KIND_TEXT } from '#lib/payments/text.ts';

/** Recorded reports: what each is, what it states, and how many of its rows wait for a decision. */
export function ReportTable({ slug, reports }: { slug: string; reports: StoredReport[] }): ReactElement {
  return <SimpleTable label="Reports" columns={columnsOf(slug, reports)} rows={reports} keyOf={({ reportNo }) => reportNo} />;
}

/** What a report is called: the name of its file if that identifies it among the listed ones; otherwise its layout or file, time and number of rows. */
function nameOf({ fileName, kind, addedAt, rowCount }: StoredReport, listed: readonly StoredReport[]): string {
  const name = fileName === null || fileName.includes('…') ? null : showControls(fileName);
  if (name !== null && listed.filter((other) => other.fileName === fileName).length === 1) return name;
  return `${name ?? REPORT_KIND_TEXT[kind]}, ${formatUtc(addedAt)}, ${countNoun(rowCount, 'row')}`;
}

function columnsOf(slug: string, reports: readonly StoredReport[]): SimpleColumn<StoredReport>[] {
  return [
    {
      label: 'Report',
      cell: (report) => (
        <>
          <Link href={`/${slug}/payouts/reports/${report.reportNo}`}>
            Report {report.reportNo}, {nameOf(report, reports)}
          </Link>
          <NarrowNote>{report.result}</NarrowNote>
        </>
      ),
    },
    { label: 'Layout', isWideOnly: true, cell: ({ kind }) => REPORT_KIND_TEXT[kind] },
    { label: 'Result', isWideOnly: true, cell: ({ result }) => result },
    {
      label: 'To decide',
      isFigure: true,
      cell: ({ openCount }) => (openCount === 0 ? '' : <Flag tone="wait" word={openCount.toLocaleString('en-US')} />),
    },
    { label: 'Added by', isWideOnly: true, cell: ({ addedBy, addedAt }) => `${addedBy}, ${formatUtc(addedAt)}` },
  ];
}
