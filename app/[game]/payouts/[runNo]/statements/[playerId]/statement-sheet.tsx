import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, formatCount, formatItem, showControls } from '#app/_ui/figures/format.ts';
import { formatMoney, mostPlaces, normalizeMoney, sumMoney } from '#lib/core/money.ts';
import type { PaperColumn, PaperGroup, PaperTable, StatementPaper } from '#lib/payouts/statement-paper.ts';
import styles from './statement.module.css';

interface StatementSheetProps {
  paper: StatementPaper;
  /** The groups of its tables, by title. */
  groups: Readonly<Record<string, PaperGroup[]>>;
  /** With every line of a long one. */
  isWhole: boolean;
}

/** A statement on white paper, in both themes and in print. */
export function StatementSheet({ paper, groups, isWhole }: StatementSheetProps): ReactElement {
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
        <Lines key={table.title} table={table} groups={groups[table.title] ?? null} isWhole={isWhole} />
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

/** Lines of a table that the page has in full. A longer table begins with sums by subscription, or with its first lines. */
const LINES_MAX = 30;

interface LinesProps {
  table: PaperTable;
  /** What a long table begins with; null: its first lines. */
  groups: PaperGroup[] | null;
  isWhole: boolean;
}

/** A table of a statement. What a long one leaves out is stated with its sum, and sent on request. */
function Lines({ table, groups, isWhole }: LinesProps): ReactElement {
  const { title, columns, rows, foot } = table;
  const places = columns.map(({ kind }, index) =>
    kind === 'money' ? mostPlaces([...rows, foot].flatMap((row) => row[index] || []).map(normalizeMoney)) : 0,
  );
  const cells = (row: string[], first?: ReactElement): ReactElement[] =>
    columns.map((column, index) => {
      const cell = row[index] ?? '';
      return (
        <td key={column.label} className={classOf(column)}>
          {index === 0 && first}
          {(index > 0 || first === undefined) &&
            (cell !== '' && column.kind === 'money' ? <Amount amount={cell} places={places[index] ?? 2} /> : <bdi>{formatItem(cell)}</bdi>)}
        </td>
      );
    });
  const isLong = rows.length > LINES_MAX;
  const parts = (isLong && groups) || rows.map((row) => ({ rows: [row], foot: row }));
  const shown = isLong && !isWhole ? parts.slice(0, LINES_MAX) : parts;
  const rest = parts.slice(shown.length);
  return (
    <>
      <h3 id={anchorOf(title)}>{title}</h3>
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
        {shown.map((part, partAt) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a statement never change their order.
          <tbody key={partAt}>
            {part.rows.length > 1 && (
              <tr>
                {cells(
                  part.foot,
                  <details>
                    <summary>{part.foot[0]}</summary>
                  </details>,
                )}
              </tr>
            )}
            {part.rows.map((row, rowAt) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <tr key={rowAt} className={clsx(part.rows.length > 1 && styles.line)}>
                {cells(row)}
              </tr>
            ))}
          </tbody>
        ))}
        {rest.length > 0 && (
          <tbody>
            <tr>
              {cells(
                sumOfRest(table, rest),
                <Link
                  href={`?lines=all#${anchorOf(title)}`}
                  aria-label={`Show ${formatCount(rest.length)} more`}
                >{`${formatCount(rest.length)} more`}</Link>,
              )}
            </tr>
          </tbody>
        )}
        <tfoot>
          <tr>{cells(foot)}</tr>
        </tfoot>
      </table>
      {isLong && (
        <p className={styles.hint}>
          {groups === null ? '' : `${countNoun(groups.length, 'subscription')}, the largest sum first. `}
          The PDF and the CSV list every line.
        </p>
      )}
    </>
  );
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** What the parts that aren’t shown come to, in the cells of their table. A sum that one of them lacks stays empty. */
function sumOfRest({ columns }: PaperTable, rest: readonly PaperGroup[]): string[] {
  return columns.map(({ kind }, index) => {
    const amounts = rest.map(({ foot }) => foot[index] ?? '');
    return kind === 'money' && !amounts.includes('') ? sumMoney(amounts) : '';
  });
}

function classOf({ kind, isWideOnly }: PaperColumn): string {
  return clsx(kind !== 'text' && styles.figure, isWideOnly && styles.wideOnly);
}

/** An amount whose decimal point is below that of the longest one. */
function Amount({ amount, places }: { amount: string; places: number }): ReactElement {
  return <span style={{ paddingRight: `${places - mostPlaces([normalizeMoney(amount)])}ch` }}>{formatMoney(normalizeMoney(amount))}</span>;
}
