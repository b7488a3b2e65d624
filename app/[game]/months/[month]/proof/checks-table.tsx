import type { ReactElement } from 'react';
import { tellInstants } from '#app/_ui/figures/tell-instants.ts';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { StoredCheck } from '#db/evidence/reads/snapshots.ts';
import { wordsOfCheck } from '../check-words.ts';
import { formatSide } from '../format-side.ts';
import styles from './checks-table.module.css';

/** The checks of a statement, those that do not tie first, each with its two sides, the difference and the first rows that break it. */
export function ChecksTable({ label, checks }: { label: string; checks: StoredCheck[] }): ReactElement {
  const sorted = checks.toSorted((a, b) => Number(a.ok) - Number(b.ok));
  return (
    <>
      <h2 className={styles.heading}>{label}</h2>
      <TableFrame label={label}>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Result</th>
            <th scope="col" className="num">
              Invo says
            </th>
            <th scope="col" className="num">
              The evidence says
            </th>
            <th scope="col" className="num">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </tbody>
      </TableFrame>
    </>
  );
}

function CheckRow({ check }: { check: StoredCheck }): ReactElement {
  const words = wordsOfCheck(check.name);
  return (
    <tr>
      <th scope="row" className={styles.title}>
        {words.title}
        {check.offenders.length > 0 && <Offenders check={check} />}
      </th>
      <td>
        <Status {...resultOf(check)} />
      </td>
      <Side text={check.expected} words={words.expected} />
      <Side text={check.actual} words={words.actual} />
      <td className="num">
        <Difference check={check} isBound={words.isBound === true} />
      </td>
    </tr>
  );
}

function Difference({ check, isBound }: { check: StoredCheck; isBound: boolean }): ReactElement {
  if (check.difference === null) return <span className={styles.words}>{check.ok ? 'none' : 'see the sides'}</span>;
  if (check.ok && isBound) return <span className={styles.words}>within, {formatSide(check.difference)}</span>;
  return <span className={styles.broken}>{formatSide(check.difference)}</span>;
}

function Side({ text, words }: { text: string; words: string }): ReactElement {
  return (
    <td className={styles.side}>
      {formatSide(text)}
      <span className={styles.words}>{words}</span>
    </td>
  );
}

function Offenders({ check }: { check: StoredCheck }): ReactElement {
  return (
    <details className={styles.offenders} open={!check.ok}>
      <summary>First rows that break it</summary>
      <ul>
        {check.offenders.map(({ subject, expected, actual }) => (
          <li key={`${subject} ${expected} ${actual}`}>
            <bdi>{tellInstants(subject)}</bdi>: {formatSide(expected)} against {formatSide(actual)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function resultOf({ ok, severity }: StoredCheck): { tone: 'good' | 'bad' | 'wait'; word: string } {
  if (ok) return { tone: 'good', word: 'Ties' };
  return severity === 'hard' ? { tone: 'bad', word: 'Does not tie' } : { tone: 'wait', word: 'To look at' };
}
