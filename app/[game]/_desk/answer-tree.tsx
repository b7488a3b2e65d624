import type { ReactElement } from 'react';
import { formatParsedNumber, showControls } from '#app/_ui/figures/format.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import type { AnswerTree } from '#lib/invo/shapes/lenient.ts';
import styles from './desk.module.css';

/** An answer as Invo sent it, without secrets, field by field. */
export function AllFields({ tree, title = 'All fields' }: { tree: AnswerTree; title?: string }): ReactElement {
  return (
    <details className={styles.all}>
      <summary>{title}</summary>
      <FieldTree value={tree} />
    </details>
  );
}

/** A number by its value, and whether Invo may have sent more digits. */
function SentNumber({ value }: { value: number }): ReactElement {
  const number = formatParsedNumber(value);
  if (number === null) return <span className={detail.missing}>not readable</span>;
  return (
    <>
      <bdi className={styles.value}>{number.text}</bdi>
      {!number.isExact && <span className={detail.missing}> sent as a number, so digits at its end may be missing</span>}
    </>
  );
}

/** The fields of a value below each other, nested ones indented. */
export function FieldTree({ value }: { value: AnswerTree }): ReactElement {
  if (value === null) return <span className={styles.none}>null</span>;
  if (typeof value === 'number') return <SentNumber value={value} />;
  if (typeof value !== 'object') return <bdi className={styles.value}>{showControls(String(value))}</bdi>;
  const entries: [string, AnswerTree][] = Array.isArray(value)
    ? value.map((each, at): [string, AnswerTree] => [String(at + 1), each])
    : Object.entries(value);
  if (entries.length === 0) return <span className={styles.none}>{Array.isArray(value) ? 'empty list' : 'no fields'}</span>;
  return (
    <dl className={styles.tree}>
      {entries.map(([name, each]) => (
        <div key={name} className={styles.field}>
          <dt>
            <code>{showControls(name)}</code>
          </dt>
          <dd>
            <FieldTree value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Below the rows of an answer: it may say that it has only some of them. */
export function MoreRows({ hasMore }: { hasMore: boolean }): ReactElement | null {
  return hasMore ? <p className={detail.quiet}>Invo has more rows than this answer.</p> : null;
}
