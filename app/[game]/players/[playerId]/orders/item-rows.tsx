import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatParsedNumber, showControls } from '#app/_ui/figures/format.ts';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import type { AnswerFields, AnswerTree } from '#lib/invo/shapes/lenient.ts';
import { parseRecordId } from '#lib/search/rules/parse-search.ts';

// Invo's names, as far as a row shows them; the rest is under "All fields".
const COLUMNS_MAX = 8;
const FIRST = ['order_id', 'item_name', 'item_quantity', 'unit_price', 'total_price', 'order_status', 'status', 'created_at'];

/** Rows as Invo sent them: its own names as heads, its own text in the cells. Prices are coins. */
export function ItemRows({ rows, slug }: { rows: AnswerFields[] | null; slug: string }): ReactElement {
  if (rows === null) return <p className={detail.quiet}>Sharebook doesn’t recognize this response format. The full response is below.</p>;
  if (rows.length === 0) return <p className={detail.quiet}>None. Invo lists no item purchases for this player.</p>;
  return (
    <SimpleTable
      label="Item purchases"
      isLong
      rows={rows.map((row, at) => ({ row, at }))}
      keyOf={({ at }) => at}
      columns={columnsOf(rows).map(
        (name, place): SimpleColumn<{ row: AnswerFields; at: number }> => ({
          label: name,
          isWideOnly: place > 2,
          cell: ({ row }) => <Cell name={name} value={row[name]} slug={slug} />,
        }),
      )}
    />
  );
}

/** The columns of lists whose form isn't documented: names that say most first, then the order in which Invo sent them. */
function columnsOf(rows: readonly AnswerFields[], first: readonly string[] = FIRST): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const known = first.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))].slice(0, COLUMNS_MAX);
}

/** A number whose digits are all known; others are below, under "All fields", with what may be missing. */
function wholeNumber(value: number): string | null {
  const number = formatParsedNumber(value);
  return number?.isExact === true ? number.text : null;
}

function Cell({ name, value, slug }: { name: string; value: AnswerTree | undefined; slug: string }): ReactElement {
  if (value === undefined) return <span className={detail.missing}>not reported</span>;
  if (value !== null && typeof value === 'object')
    return <span className={detail.missing}>{Array.isArray(value) ? 'a list' : 'fields'}</span>;
  const text = typeof value === 'number' ? wholeNumber(value) : String(value);
  if (text === null) return <span className={detail.missing}>not readable</span>;
  if (name === 'order_id' && parseRecordId(text) !== null) return <Link href={`/${slug}/orders/${encodeURIComponent(text)}`}>{text}</Link>;
  return <bdi>{showControls(text)}</bdi>;
}
