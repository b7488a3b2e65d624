import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { AllFields, ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { parseRecordId } from '#lib/core/ids.ts';
import { formatMoney } from '#lib/core/money.ts';
import type { InboundRow } from '#lib/invo/undocumented/inbound-transfers.ts';

// Values of one row: a page has many rows.
const ROW_VALUES = 50;

interface InboundRowsProps {
  slug: string;
  rows: InboundRow[] | null;
  /** What is shown where there is no row. */
  empty?: string;
}

/** The transfers that wait to be collected: what could be found by name, and every field of the row beside it. */
export function InboundRows({ slug, rows, empty = 'None.' }: InboundRowsProps): ReactElement {
  if (rows === null) return <p className={detail.quiet}>Sharebook doesn’t recognize this response format. The full response is below.</p>;
  if (rows.length === 0) return <p className={detail.quiet}>{empty}</p>;
  return (
    <SimpleTable
      label="Waiting to be collected"
      isLong
      rows={rows.slice(0, ROWS_SHOWN).map((row, index) => ({ ...row, at: index }))}
      keyOf={({ at }) => at}
      columns={[
        {
          label: 'Transfer',
          cell: ({ transactionId }) =>
            transactionId === null ? (
              <span className={detail.missing}>no ID found</span>
            ) : parseRecordId(transactionId) === null ? (
              showControls(transactionId)
            ) : (
              <Link href={`/${slug}/transfers/${encodeURIComponent(transactionId)}`}>{transactionId}</Link>
            ),
        },
        {
          label: 'Amounts',
          isFigure: true,
          cell: ({ amounts, unreadable, currencyName }) =>
            amounts.length + unreadable.length === 0 ? (
              <span className={detail.missing}>no amount found</span>
            ) : (
              <>
                {amounts.map(({ field, amount }) => (
                  <span key={field} className={detail.coins}>
                    {formatMoney(amount)} {currencyName !== null && <bdi>{showControls(currencyName)}</bdi>}
                    <code className={detail.under}>{field}</code>
                  </span>
                ))}
                {unreadable.map((field) => (
                  <span key={field} className={detail.missing}>
                    not readable <code className={detail.under}>{field}</code>
                  </span>
                ))}
              </>
            ),
        },
        {
          label: 'Collect by',
          isWideOnly: true,
          cell: ({ expiresAt }) => <span className={detail.when}>{expiresAt === null ? 'not reported' : formatUtc(expiresAt)}</span>,
        },
        { label: 'Fields', cell: ({ fields }) => <AllFields tree={fields} max={ROW_VALUES} /> },
      ]}
    />
  );
}
