import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatCount, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { findReport, listListedRows } from '#lib/payments/reads/reports.ts';
import { REPORT_KIND_TEXT } from '#lib/payments/text.ts';
import styles from '../../_run/run.module.css';
import { ListedRows } from '../listed-rows.tsx';

export const metadata: Metadata = { title: 'Bank report' };

/** One report: what it said, what it consists of, and its rows that confirmed nothing by themselves. */
export default async function ReportPage({ params }: { params: Promise<{ game: string; reportNo: string }> }): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const { game: slug, reportNo: typed } = await params;
  const game = await requireGame(slug);
  const reportNo = parseNumericId(typed) ?? notFound();
  const [found, rows] = await Promise.all([findReport(db(), game.gameId, { reportNo }), listListedRows(db(), game.gameId, { reportNo })]);
  const report = found ?? notFound();
  const mayDecide = person.accountRefusal === null && person.may('payouts.prepare');
  return (
    <>
      <PageHead
        title={`Report ${reportNo}`}
        beside={
          report.openCount === 0 ? <Status tone="good" word="Decided" /> : <Status tone="wait" word={`${report.openCount} to decide`} />
        }
      >
        {report.result} <Link href={`/${slug}/payouts/reports`}>All reports</Link>
      </PageHead>
      <Card title="Report">
        <Facts
          columns="many"
          facts={[
            { label: 'File', value: report.fileName === null ? 'Pasted lines' : showControls(report.fileName) },
            { label: 'Layout', value: REPORT_KIND_TEXT[report.kind] },
            {
              label: 'Rows',
              value: formatCount(report.rowCount),
              ...(report.feeCount > 0 ? { note: `and ${report.feeCount} of fees` } : {}),
            },
            { label: 'Confirmations', value: formatCount(report.confirmedCount) },
            { label: 'Added by', value: report.addedBy, note: formatUtc(report.addedAt) },
            {
              label: 'SHA-256',
              value: (
                <CopyButton text={report.sha256} what="SHA-256 of the report">
                  <code title={report.sha256}>{report.sha256.slice(0, 8)}</code>
                </CopyButton>
              ),
            },
          ]}
        />
      </Card>
      <section className={styles.section}>
        <h2>Rows that confirmed nothing by themselves</h2>
        {rows.length === 0 ? (
          <EmptyState title="None">Every row about a payment confirmed it.</EmptyState>
        ) : (
          <ListedRows slug={slug} label="Rows of the report" rows={rows} mayDecide={mayDecide} />
        )}
      </section>
    </>
  );
}
