import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount, formatParsedNumber, showControls } from '#app/_ui/figures/format.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ExactNumber } from '#lib/core/exact-json.ts';
import { parseRecordId } from '#lib/core/typed-input.ts';
import type { AnswerTree } from '#lib/invo/shapes/answer-tree.ts';
import styles from './desk.module.css';

/** Rows of a list that a page shows at most. */
export const ROWS_SHOWN = 500;
const VALUES_SHOWN = 10_000;

interface AllFieldsProps {
  tree: AnswerTree;
  title?: string;
  /** Values shown at most; fewer where a page has many trees. */
  max?: number;
}

/** An answer as Invo sent it, without secrets, field by field; of a very long one the first values. */
export function AllFields({ tree, title = 'All fields', max = VALUES_SHOWN }: AllFieldsProps): ReactElement {
  return (
    <details className={styles.all}>
      <summary>{title}</summary>
      <FieldTree value={tree} max={max} />
    </details>
  );
}

/** Below what a page shows of a list: that there is more of it. */
export function FirstOf({ shown, count, noun }: { shown: number; count: number; noun: string }): ReactElement | null {
  if (count <= shown) return null;
  return (
    <p className={detail.quiet}>
      Showing the first {formatCount(shown)} of {formatCount(count)} {noun}.
    </p>
  );
}

/** A number with the digits Invo sent, where they are known. */
function ParsedNumber({ value }: { value: number }): ReactElement {
  const digits = formatParsedNumber(value);
  return digits === null ? <span className={detail.missing}>not readable</span> : <bdi className={styles.value}>{digits}</bdi>;
}

interface FieldTreeProps {
  value: AnswerTree;
  max?: number;
  /** What fields are called, by Invo's names; the others have Invo's. */
  labels?: Readonly<Record<string, string>>;
}

/** The fields of a value below each other, nested ones indented; of a very long one the first values. */
export function FieldTree({ value, max = VALUES_SHOWN, labels = {} }: FieldTreeProps): ReactElement {
  const bound = { left: max };
  const shown = firstValues(value, bound) ?? null;
  return (
    <>
      <Fields value={shown} labels={labels} />
      {bound.left < 0 && <p className={detail.quiet}>Only the first {formatCount(max)} values are shown.</p>}
    </>
  );
}

/** A tree up to as many values as are left. */
function firstValues(value: AnswerTree, bound: { left: number }): AnswerTree | undefined {
  bound.left -= 1;
  if (bound.left < 0) return undefined;
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return value;
  const visible = Object.entries(value).flatMap(([name, each]): [string, AnswerTree][] => {
    const shown = bound.left < 0 ? undefined : firstValues(each, bound);
    return shown === undefined ? [] : [[name, shown]];
  });
  return Array.isArray(value) ? visible.map(([, each]) => each) : Object.fromEntries(visible);
}

function Fields({ value, labels }: Required<Pick<FieldTreeProps, 'value' | 'labels'>>): ReactElement {
  if (value === null) return <span className={styles.none}>null</span>;
  if (typeof value === 'number') return <ParsedNumber value={value} />;
  if (value instanceof ExactNumber) return <bdi className={styles.value}>{value.digits}</bdi>;
  if (typeof value !== 'object') return <bdi className={styles.value}>{showControls(String(value))}</bdi>;
  const entries: [string, AnswerTree][] = Array.isArray(value)
    ? value.map((each, index): [string, AnswerTree] => [String(index + 1), each])
    : Object.entries(value);
  if (entries.length === 0) return <span className={styles.none}>{Array.isArray(value) ? 'empty list' : 'no fields'}</span>;
  return (
    <dl className={styles.tree}>
      {entries.map(([name, each]) => (
        <div key={name} className={styles.field}>
          <dt>{Object.hasOwn(labels, name) ? labels[name] : <code>{showControls(name)}</code>}</dt>
          <dd>
            <Fields value={each} labels={labels} />
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

/** An order's or transfer's ID, which leads to its page where it can be one of Invo's. `pages`: their address. */
export function RecordLink({ pages, id }: { pages: string; id: string }): ReactElement {
  return parseRecordId(id) === null ? <>{showControls(id)}</> : <Link href={`${pages}/${encodeURIComponent(id)}`}>{id}</Link>;
}
