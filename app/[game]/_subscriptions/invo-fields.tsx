import { clsx } from 'clsx';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatMoney } from '#lib/core/money.ts';
import detail from './detail.module.css';
import styles from './invo-fields.module.css';

export interface InvoFact {
  label: string;
  /** null: Invo did not say. */
  value: ReactNode;
  /** Invo's own field; left out where the figure is no single one of Invo's. */
  field?: string;
  /** A few quiet words beneath. */
  note?: ReactNode;
  /** An id or an address. */
  isWide?: true;
}

/** Facts as Invo gives them, each with its field name; what was not said is told as such, never as zero. */
export function InvoFacts({ facts }: { facts: InvoFact[] }): ReactElement {
  return <Facts columns="many" facts={facts.map(({ field, value, ...fact }) => ({ ...fact, value: showValue(value, field) }))} />;
}

function showValue(value: ReactNode, field: string | undefined): ReactNode {
  const said = value ?? <span className={detail.missing}>not recorded</span>;
  return field === undefined ? said : <InvoField name={field}>{said}</InvoField>;
}

/** One figure of Invo's with its own field name: on hover, and written beneath it while the page's switch says so. */
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

/** One of Invo's field names, which breaks between its words only. */
export function FieldName({ name }: { name: string }): ReactElement {
  return (
    <>
      {name.split(/(?<=[_.])/).map((word, at) => (
        <Fragment key={`${at} ${word}`}>
          {at > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}

/** An amount of coins with its unit, never dollars; null is not recorded, which is not zero. */
export function Coins({ amount, currency = 'coins' }: { amount: string | null; currency?: string }): ReactElement {
  if (amount === null) return <span className={detail.missing}>not recorded</span>;
  return (
    <span className={detail.coins}>
      {formatMoney(amount)} <bdi>{currency}</bdi>
    </span>
  );
}

/** One figure in words, with Invo's own name of it. */
export interface ComparedRow {
  field: string;
  label: string;
  /** null: nothing was. */
  expected: string | null;
  told: string;
  /** null: one side is not known. */
  agrees: boolean | null;
}

export interface ComparedTableProps {
  label: string;
  rows: ComparedRow[];
  /** All of them are amounts. */
  areFigures?: boolean;
}

/** What Invo says beside what was expected, and whether they agree, figure by figure. */
export function ComparedTable({ label, rows, areFigures = false }: ComparedTableProps): ReactElement {
  const cell = areFigures ? clsx('num', styles.figure) : undefined;
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col" className={cell}>
            Expected
          </th>
          <th scope="col" className={cell}>
            Invo says
          </th>
          <th scope="col">Agree</th>
        </tr>
      </thead>
      <tbody className={styles.figures}>
        {rows.map(({ field, label: name, expected, told, agrees }) => (
          <tr key={field}>
            <th scope="row" className={styles.figureName}>
              {name}
              <code className={styles.figureField}>
                <FieldName name={field} />
              </code>
            </th>
            <td className={cell}>{expected ?? '–'}</td>
            <td className={cell}>{told}</td>
            <td>{agrees !== null && <Status tone={agrees ? 'good' : 'bad'} word={agrees ? 'the same' : 'different'} />}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
