import { clsx } from 'clsx';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { config, db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatItem, showControls } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { statementRights } from '#app/[game]/payouts/_run/run-lists.ts';
import { formatMoney, mostPlaces, normalizeMoney } from '#lib/core/money.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { findStatementPaper } from '#lib/payouts/find-statement.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import type { PaperColumn, PaperTable, StatementPaper } from '#lib/payouts/statement-paper.ts';
import { VOIDED_STATEMENTS } from '#lib/payouts/text.ts';
import { PrintButton } from '../statement-controls.tsx';
import styles from './statement.module.css';

export const metadata: Metadata = { title: 'Statement' };

interface StatementPageProps {
  params: Promise<{ game: string; runNo: string; playerId: string }>;
}

export default async function StatementPage({ params }: StatementPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo: runText, playerId: playerText } = await params;
  const game = await requireGame(slug);
  const runNo = parseRunNo(runText) ?? notFound();
  const playerId = parseNumericId(playerText) ?? notFound();
  const { canSeeEmails, mayExport } = statementRights(person);
  const about = { ...game, db: db(), isSimulated: config().isSimulated };
  const found = await findStatementPaper(about, { runNo, playerId, canSeeEmails });
  if (!found.ok && found.reason !== 'not_approved' && found.reason !== 'voided') notFound();
  if (!found.ok)
    return (
      <EmptyState title="No statement" isPage>
        {found.reason === 'voided' ? VOIDED_STATEMENTS : 'Statements are available once the run is approved.'}
      </EmptyState>
    );
  const { paper } = found;
  const here = `/${game.slug}/payouts/${runNo}/statements`;
  return (
    <>
      <div data-print="no">
        <PageHead
          title={`Statement, ${paper.month}`}
          actions={
            <>
              <PrintButton />
              {mayExport && (
                <>
                  <LinkButton href={`${here}/${playerId}/csv`} isFile>
                    Download CSV
                  </LinkButton>
                  <LinkButton href={`${here}/${playerId}/pdf`} kind="main" isFile>
                    Download PDF
                  </LinkButton>
                </>
              )}
            </>
          }
        >
          <Link href={`/${game.slug}/recipients/${playerId}`}>{paper.name === null ? paper.player : showControls(paper.name)}</Link> ·{' '}
          <Link href={here}>all statements of run {runNo}</Link>
        </PageHead>
      </div>
      <StatementSheet paper={paper} />
    </>
  );
}

/** A statement on white paper, in both themes and in print. */
function StatementSheet({ paper }: { paper: StatementPaper }): ReactElement {
  return (
    <article className={styles.sheet} data-paper="white" aria-label={`Statement ${paper.number}`}>
      {paper.banner !== null && <p className={styles.banner}>{paper.banner}</p>}
      <header className={styles.head}>
        <strong>{paper.issuer}</strong>
        <div className={styles.document}>
          <h2>{paper.title}</h2>
          {paper.month}
        </div>
      </header>
      <dl className={styles.facts}>
        <div>
          <dt>Recipient</dt>
          <dd>
            <bdi>{paper.name === null ? paper.player : showControls(paper.name)}</bdi>
          </dd>
          {paper.name !== null && <dd className={styles.more}>{paper.player}</dd>}
          {paper.email !== null && (
            <dd className={styles.more}>
              <bdi>{showControls(paper.email)}</bdi>
            </dd>
          )}
        </div>
        <div>
          <dt>Period</dt>
          <dd>{paper.period}</dd>
          <dd className={styles.more}>{paper.timeZone}</dd>
        </div>
        <div>
          <dt>Statement</dt>
          <dd>
            {paper.number}, issued {paper.issued}
          </dd>
        </div>
      </dl>
      <section className={styles.answer} aria-label="Payable">
        <div>
          <span className={styles.label}>Payable</span>
          <strong className={styles.amount}>{paper.payable}</strong>
        </div>
        <p>{paper.why}</p>
      </section>
      <Balance paper={paper} />
      {paper.tables.map((table) => (
        <Lines key={table.title} table={table} />
      ))}
      <footer className={styles.foot}>
        <p>{paper.notice}</p>
        <p className={styles.run}>{paper.run}</p>
      </footer>
    </article>
  );
}

function Balance({ paper }: { paper: StatementPaper }): ReactElement {
  const places = mostPlaces(paper.balance.map(({ amount_usd }) => normalizeMoney(amount_usd)));
  return (
    <>
      <h3>Balance</h3>
      <table className={styles.table} aria-label="Balance">
        <tbody>
          {paper.balance.map(({ label, note, amount_usd, isTotal }) => (
            <tr key={label} className={clsx(isTotal && styles.total)}>
              <th scope="row">{label}</th>
              <td className={styles.note}>{note}</td>
              <td className={styles.figure}>
                <Amount amount={amount_usd} places={places} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Lines({ table: { title, columns, rows, foot } }: { table: PaperTable }): ReactElement {
  const places = columns.map(({ kind }, index) =>
    kind === 'money' ? mostPlaces([...rows, foot].flatMap((row) => row[index] || []).map(normalizeMoney)) : 0,
  );
  const draw = (column: PaperColumn, cell: string, index: number) =>
    cell !== '' && column.kind === 'money' ? <Amount amount={cell} places={places[index] ?? 2} /> : <bdi>{formatItem(cell)}</bdi>;
  return (
    <>
      <h3>{title}</h3>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowAt) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a statement never change their order.
            <tr key={rowAt}>
              {columns.map((column, index) => (
                <td key={column.label} className={classOf(column)}>
                  {draw(column, row[index] ?? '', index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            {columns.map((column, index) => (
              <td key={column.label} className={classOf(column)}>
                {draw(column, foot[index] ?? '', index)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </>
  );
}

function classOf({ kind, isWideOnly }: PaperColumn): string {
  return clsx(kind !== 'text' && styles.figure, isWideOnly && styles.wideOnly);
}

/** An amount whose decimal point is below that of the longest one. */
function Amount({ amount, places }: { amount: string; places: number }): ReactElement {
  return <span style={{ paddingRight: `${places - mostPlaces([normalizeMoney(amount)])}ch` }}>{formatMoney(normalizeMoney(amount))}</span>;
}
