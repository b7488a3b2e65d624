import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import styles from './compared-table.module.css';
import { FieldName } from './field-name.tsx';

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
            <th scope="row" className={styles.name}>
              {name}
              <code className={styles.field}>
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
