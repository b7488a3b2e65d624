import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { KeyNotice } from '#app/[game]/_payouts/key-notice.tsx';
import { AccountNotice, findPaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { parseOrdinal } from '#lib/core/typed-input.ts';
import { listListedRows, listReports } from '#lib/payments/reads/reports.ts';
import { ReportForm } from '../_run/report-form.tsx';
import styles from '../_run/run.module.css';
import { PayoutsHead } from '../_run/run-head.tsx';
import { ListedRows } from './listed-rows.tsx';
import { ReportTable } from './report-table.tsx';

export const metadata: Metadata = { title: 'Bank reports' };

/** Open rows that the page lists; a report's page has all of its own. */
const ROWS_MAX = 50;
/** Reports on a page. */
const REPORTS_MAX = 100;

interface ReportsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

/** What banks and providers reported of payments: the rows that wait for a decision, and every report, newest first. */
export default async function ReportsPage({ params, searchParams }: ReportsPageProps): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const game = await requireGame((await params).game);
  const typed = (await searchParams)['before'];
  const before = typeof typed === 'string' ? parseOrdinal(typed) : null;
  const [found, open] = await Promise.all([
    listReports(db(), game.gameId, { before, limit: REPORTS_MAX + 1 }),
    before === null ? listListedRows(db(), game.gameId, { isOpen: true, limit: ROWS_MAX + 1 }) : [],
  ]);
  const reports = found.slice(0, REPORTS_MAX);
  const href = `/${game.slug}/payouts/reports`;
  const may = await findPaymentRights(game, person);
  const mayAdd = may.prepare && payeeKey() !== null;
  return (
    <>
      <PayoutsHead slug={game.slug} person={person} />
      <KeyNotice />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      {mayAdd && (
        <div className={styles.bar} data-print="no">
          <p className={styles.hint}>A report confirms payments by their references and amounts. Its bytes are stored sealed.</p>
          <SideDialog opener="Add report" title="Add a bank report" kind="main">
            <ReportForm game={game.slug} />
          </SideDialog>
        </div>
      )}
      {open.length > 0 && (
        <section className={styles.section}>
          <h2>Rows to decide</h2>
          <ListedRows slug={game.slug} label="Rows to decide" rows={open.slice(0, ROWS_MAX)} mayDecide={may.prepare} />
          {open.length > ROWS_MAX && <TableNote>The first {ROWS_MAX}. The page of each report lists all of its rows.</TableNote>}
        </section>
      )}
      {reports.length === 0 ? (
        <EmptyState title="No reports yet">
          Download a report from your bank or payment provider after a hand-over, and add it here. It confirms which payments arrived.
        </EmptyState>
      ) : (
        <section className={styles.section}>
          <h2>Reports</h2>
          <ReportTable slug={game.slug} reports={reports} />
          {(before !== null || found.length > reports.length) && (
            <p className={styles.downloads} data-print="no">
              {before !== null && <LinkButton href={href}>Newest reports</LinkButton>}
              {found.length > reports.length && <LinkButton href={`${href}?before=${reports.at(-1)?.reportNo}`}>Older reports</LinkButton>}
            </p>
          )}
        </section>
      )}
    </>
  );
}
