import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { ListedRow } from '#lib/payments/reads/reports.ts';
import { formatListed } from '#lib/payments/text.ts';

/** Rows of bank reports about the payment that changed nothing by themselves: until a person decides, its state may not be what the bank says. */
export function OpenRows({ slug, rows }: { slug: string; rows: ListedRow[] }): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <Notice
      voice="wait"
      title={rows.length === 1 ? 'A bank row waits for a decision' : `${formatCount(rows.length)} bank rows wait for a decision`}
    >
      {rows.map((row) => (
        <p key={`${row.reportNo} ${row.rowNo}`}>
          <Link href={`/${slug}/payouts/reports/${row.reportNo}`}>
            Report {row.reportNo}, row {row.rowNo}
          </Link>
          , {row.payment === null ? 'about the whole file' : 'about this payment'}: {formatListed(row)}
        </p>
      ))}
      <p>Until then the payment’s state doesn’t include what it says.</p>
    </Notice>
  );
}
