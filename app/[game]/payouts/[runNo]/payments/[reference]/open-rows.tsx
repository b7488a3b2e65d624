import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { ListedRow } from '#lib/payments/reads/reports.ts';
import { LISTED_TEXT } from '#lib/payments/text.ts';

/** Rows of bank reports about the payment that changed nothing by themselves: until a person decides, its state may not be what the bank says. */
export function OpenRows({ slug, rows }: { slug: string; rows: ListedRow[] }): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <Notice
      voice="wait"
      title={rows.length === 1 ? 'A bank row waits for a decision' : `${formatCount(rows.length)} bank rows wait for a decision`}
    >
      {rows.map(({ reportNo, rowNo, problem, payment }) => (
        <p key={`${reportNo} ${rowNo}`}>
          <Link href={`/${slug}/payouts/reports/${reportNo}`}>
            Report {reportNo}, row {rowNo}
          </Link>
          , {payment === null ? 'about the whole file' : 'about this payment'}: {LISTED_TEXT[problem]}
        </p>
      ))}
      <p>Until then the payment’s state doesn’t include what it says.</p>
    </Notice>
  );
}
