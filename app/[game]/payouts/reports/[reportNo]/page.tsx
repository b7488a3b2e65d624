import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatCount, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { findPaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { parseOrdinal } from '#lib/core/typed-input.ts';
import { findReport, LISTED_ROWS_MAX, listListedRows } from '#lib/payments/reads/reports.ts';
import { REPORT_KIND_TEXT } from '#lib/payments/text.ts';
import { DownloadForm } from '../../_run/download-form.tsx';
import styles from '../../_run/run.module.css';
import { ShownEntries } from '../../_run/shown-entries.tsx';
import { downloadReportAction, setForeignAsideAction, showRowsAction } from '../actions.ts';
import { ListedRows } from '../listed-rows.tsx';

export const metadata: Metadata = { title: 'Bank report' };

interface ReportPageProps {
  params: Promise<{ game: string; reportNo: string }>;
  searchParams: SearchParams;
}

/** One report: what it states, what it consists of, and its rows that confirmed nothing by themselves. */
export default async function ReportPage({ params, searchParams }: ReportPageProps): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const { game: slug, reportNo: typed } = await params;
  const game = await requireGame(slug);
  const reportNo = parseOrdinal(typed) ?? notFound();
  const { after: typedAfter } = await searchParams;
  const after = typeof typedAfter === 'string' ? parseOrdinal(typedAfter) : null;
  const [found, rows] = await Promise.all([
    findReport(db(), game.gameId, { reportNo }),
    listListedRows(db(), game.gameId, { reportNo, after: after === null ? null : { reportNo, rowNo: after }, limit: LISTED_ROWS_MAX + 1 }),
  ]);
  const report = found ?? notFound();
  const listed = rows.slice(0, LISTED_ROWS_MAX);
  const may = await findPaymentRights(game, person);
  const mayShow = person.accountRefusal === null && person.may('payees.show') && payeeKey() !== null;
  const href = `/${slug}/payouts/reports/${reportNo}`;
  const about = { game: slug, reportNo };
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
              ...(report.feeCount > 0 ? { note: `and ${report.feeCount} of fees or conversions` } : {}),
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
        {report.listedCount === 0 ? (
          <EmptyState title="None">Every row about a payment confirmed it.</EmptyState>
        ) : (
          <>
            {may.prepare && report.openForeignCount > 1 && (
              <p className={styles.downloads} data-print="no">
                <SideDialog opener={`Set aside ${countNoun(report.openForeignCount, 'row')} that aren’t ours`} title="Set aside rows">
                  <ActionForm
                    action={setForeignAsideAction}
                    about={{ ...about, shownCount: report.openForeignCount }}
                    label={`Set aside ${countNoun(report.openForeignCount, 'row')}`}
                    pendingLabel="Setting aside…"
                    note={{ label: 'Note', lengthMax: 500, isRequired: true }}
                  >
                    <p className={styles.hint}>
                      They name no payment of this game, as most rows of a bank statement. Rows with another reason stay open.
                    </p>
                  </ActionForm>
                </SideDialog>
              </p>
            )}
            {listed.length === 0 ? (
              <EmptyState title="No further rows">The report has no listed row after row {after}.</EmptyState>
            ) : (
              <ListedRows slug={slug} label="Rows of the report" rows={listed} mayDecide={may.prepare} />
            )}
            {(after !== null || rows.length > listed.length) && (
              <>
                <TableNote>
                  {formatCount(listed.length)} of {formatCount(report.listedCount)} rows.
                </TableNote>
                <p className={styles.downloads} data-print="no">
                  {after !== null && <LinkButton href={href}>First rows</LinkButton>}
                  {rows.length > listed.length && <LinkButton href={`${href}?after=${listed.at(-1)?.rowNo}`}>Next rows</LinkButton>}
                </p>
              </>
            )}
          </>
        )}
      </section>
      {mayShow && (report.listedCount === 0 || listed.length > 0) && (
        <section className={styles.section} data-print="no">
          <Card title="As the bank or provider wrote it">
            <div className={styles.forms}>
              <p className={styles.hint}>
                {report.listedCount > 0 ? 'The rows above' : `The first ${LISTED_ROWS_MAX} rows`} with all of their cells, which may show
                accounts. The download has every row.
              </p>
              <ShownEntries
                key={after}
                action={showRowsAction}
                about={after === null ? about : { ...about, after }}
                label="Rows in full"
                opener="Show rows"
              />
              <DownloadForm action={downloadReportAction} about={about} href={`${href}/file`} label={`Download report ${reportNo}`} />
            </div>
          </Card>
        </section>
      )}
    </>
  );
}
