import { Fragment, type ReactElement, type ReactNode } from 'react';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { NarrowNote, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatMoney } from '#lib/core/money.ts';
import detail from './detail.module.css';
import styles from './invo-fields.module.css';

export interface InvoFact {
  label: string;
  /** null: not reported. */
  value: ReactNode;
  /** Invo's field name; left out when the value isn't a single field. */
  field?: string;
  /** A short note below the value. */
  note?: ReactNode;
  /** An id or an email: it takes two columns. */
  isWide?: true;
}

/** Facts from Invo, each with its field name; a missing value is shown as not reported, never as zero. */
export function InvoFacts({ facts }: { facts: InvoFact[] }): ReactElement {
  return <Facts columns="many" facts={facts.map(({ field, value, ...fact }) => ({ ...fact, value: showValue(value, field) }))} />;
}

function showValue(value: ReactNode, field: string | undefined): ReactNode {
  const shown = value ?? <span className={detail.missing}>not reported</span>;
  return field === undefined ? shown : <InvoField name={field}>{shown}</InvoField>;
}

/** A value from Invo with its field name: on hover, and below it while the page's switch is on. */
export function InvoField({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <span className={styles.field} title={name}>
      {children}
      <code className={styles.name}>
        <FieldName name={name} />
      </code>
    </span>
  );
}

/** A field name of Invo that breaks only between its words. */
export function FieldName({ name }: { name: string }): ReactElement {
  return (
    <>
      {name.split(/(?<=[_.])/).map((word, index) => (
        <Fragment key={`${index} ${word}`}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}

interface CoinsProps {
  amount: string | null;
  currency?: string;
  /** Invo reported something that is no amount. */
  isUnreadable?: boolean;
}

/** An amount of coins with its unit, never in dollars; null is not reported or not readable, and neither is zero. */
export function Coins({ amount, currency = 'coins', isUnreadable = false }: CoinsProps): ReactElement {
  if (amount === null) return <span className={detail.missing}>{isUnreadable ? 'not readable' : 'not reported'}</span>;
  return (
    <span className={detail.coins}>
      {formatMoney(amount)} <bdi>{currency}</bdi>
    </span>
  );
}

/** One compared figure, formatted, with Invo's field name. */
export interface ComparedRow {
  field: string;
  label: string;
  /** null: nothing was expected. */
  expected: string | null;
  reported: string;
  /** null: one side isn't known. */
  agrees: boolean | null;
}

export interface ComparedTableProps {
  label: string;
  rows: ComparedRow[];
  /** All values are amounts. */
  areFigures?: boolean;
}

/** What Invo reports compared with what was expected, and whether they match. */
export function ComparedTable({ label, rows, areFigures = false }: ComparedTableProps): ReactElement {
  const shown = (value: string): ReactNode => (areFigures ? <span className={styles.figure}>{value}</span> : value);
  return (
    <SimpleTable
      label={label}
      rows={rows}
      keyOf={({ field }) => field}
      columns={[
        { label: 'Field', cell: (row) => <ComparedName {...row} /> },
        { label: 'Expected', isFigure: areFigures, cell: ({ expected }) => shown(expected ?? 'none') },
        { label: 'Reported by Invo', isFigure: areFigures, cell: ({ reported }) => shown(reported) },
        { label: 'Result', isWideOnly: true, cell: ({ agrees }) => <Verdict agrees={agrees} /> },
      ]}
    />
  );
}

function Verdict({ agrees }: Pick<ComparedRow, 'agrees'>): ReactElement | null {
  return agrees === null ? null : <Status tone={agrees ? 'good' : 'bad'} word={agrees ? 'Matches' : 'Doesn’t match'} />;
}

function ComparedName({ label, field, agrees }: ComparedRow): ReactElement {
  return (
    <span className={styles.figureName}>
      {label}
      <code className={styles.figureField}>
        <FieldName name={field} />
      </code>
      <NarrowNote>
        <Verdict agrees={agrees} />
      </NarrowNote>
    </span>
  );
}
