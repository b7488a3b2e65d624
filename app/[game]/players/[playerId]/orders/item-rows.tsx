import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatParsedNumber, showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ExactNumber } from '#lib/core/exact-json.ts';
import { parseInstant } from '#lib/core/instant.ts';
import { parseRecordId } from '#lib/core/typed-input.ts';
import type { AnswerFields, AnswerTree } from '#lib/invo/shapes/answer-tree.ts';
import { itemLabel } from '#lib/orders/text.ts';

// Invo's names, as far as a row shows them; the rest is under "All fields".
const COLUMNS_MAX = 8;
const FIRST = ['order_id', 'item_name', 'item_quantity', 'unit_price', 'total_price', 'order_status', 'status', 'created_at'];

/** Rows as Invo sent them: a name Sharebook doesn’t know is its own head. Prices are coins. */
export function ItemRows({ rows, slug }: { rows: AnswerFields[] | null; slug: string }): ReactElement {
  if (rows === null) return <p className={detail.quiet}>Sharebook doesn’t recognize this response format. The full response is below.</p>;
  if (rows.length === 0) return <p className={detail.quiet}>None. Invo lists no item purchases for this player.</p>;
  return (
    <SimpleTable
      label="Item purchases"
      isLong
      rows={rows.slice(0, ROWS_SHOWN).map((row, position) => ({ row, at: position }))}
      keyOf={({ at }) => at}
      columns={columnsOf(rows).map(
        (name, index): SimpleColumn<{ row: AnswerFields; at: number }> => ({
          label: itemLabel(name),
          isFigure: FIGURES.includes(name),
          isWideOnly: index > 2,
          cell: ({ row }) => <Cell name={name} value={row[name]} slug={slug} />,
        }),
      )}
    />
  );
}

const FIGURES = ['item_quantity', 'unit_price', 'total_price'];

/** The columns of lists whose form isn't documented: names that say most first, then the order in which Invo sent them. */
function columnsOf(rows: readonly AnswerFields[], first: readonly string[] = FIRST): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const known = first.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))].slice(0, COLUMNS_MAX);
}

function Cell({ name, value, slug }: { name: string; value: AnswerTree | undefined; slug: string }): ReactElement {
  if (value === undefined) return <span className={detail.missing}>not reported</span>;
  if (value instanceof ExactNumber) return <bdi>{value.digits}</bdi>;
  if (value !== null && typeof value === 'object')
    return <span className={detail.missing}>{Array.isArray(value) ? 'a list' : 'fields'}</span>;
  const text = typeof value === 'number' ? formatParsedNumber(value) : String(value);
  if (text === null) return <span className={detail.missing}>not readable</span>;
  if (name === 'order_id' && parseRecordId(text) !== null) return <Link href={`/${slug}/orders/${encodeURIComponent(text)}`}>{text}</Link>;
  const instant = name.endsWith('_at') ? parseInstant(text) : null;
  return instant === null ? <bdi>{showControls(text)}</bdi> : <Instant at={instant} />;
}
