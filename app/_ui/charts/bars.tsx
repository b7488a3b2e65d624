import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatCount } from '../figures/format.ts';
import { Money } from '../figures/money.tsx';
import styles from './bars.module.css';

/** A part of a whole, with its exact figures. */
interface SharePart {
  key: string;
  label: string;
  count: number;
  /** Exact USD. */
  amount: string;
}

interface ShareBarProps {
  label: string;
  /** Heads of the table: what a part is, what is counted, and what its amount is. */
  heads: { part: string; count: string; amount: string };
  /** In the order of the bar; at most eight, each with a pattern of its own. */
  parts: SharePart[];
}

/** A part this wide has its count written on it. */
const LABELLED_FROM = 0.09;

/** How many of a whole belong to each part: one bar, and the table that it draws. */
export function ShareBar({ label, heads, parts }: ShareBarProps): ReactElement {
  const whole = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <figure className={styles.share}>
      <div className={styles.whole} aria-hidden="true">
        {parts.map(({ key, count }, index) => (
          <span key={key} className={clsx(styles.part, patternOf(index))} style={{ flexGrow: count }}>
            {count >= whole * LABELLED_FROM && <b>{formatCount(count)}</b>}
          </span>
        ))}
      </div>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{heads.part}</th>
            <th scope="col" className={styles.figure}>
              {heads.count}
            </th>
            <th scope="col" className={styles.figure}>
              {heads.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ key, label: name, count, amount }, index) => (
            <tr key={key}>
              <th scope="row">
                <span className={styles.named}>
                  <i className={clsx(styles.key, patternOf(index))} aria-hidden="true" />
                  {name}
                </span>
              </th>
              <td className={styles.figure}>{formatCount(count)}</td>
              <td className={styles.figure}>
                <Money amount={amount} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const PATTERNS = [styles.solid, styles.pale, styles.stripes, styles.dots, styles.rising, styles.grid, styles.upright, styles.empty];

function patternOf(index: number): string | undefined {
  return PATTERNS[index % PATTERNS.length];
}

interface ChangeBarProps {
  /** How long, from 0 to 1. */
  share: number;
  /** Too long for the scale: it breaks off. */
  isCut: boolean;
  isLess: boolean;
}

/** A bar from the middle: to the right for more, to the left for less. The exact figure is beside it. */
export function ChangeBar({ share, isCut, isLess }: ChangeBarProps): ReactElement {
  return (
    <span className={styles.change} aria-hidden="true">
      <span className={clsx(styles.moved, isLess && styles.less, isCut && styles.cut)} style={{ width: `${Math.max(share * 50, 0.6)}%` }} />
    </span>
  );
}
