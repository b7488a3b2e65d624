import Link from 'next/link';
import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import type { CoarseReversal } from '#db/evidence/reads/open-items.ts';
import { negateMoney } from '#lib/core/money.ts';
import { COARSE_BASIS } from '#lib/evidence/rules/evidence.ts';
import { Question } from './question.tsx';

/** Reversals that Invo reports without receipts: in one sum, in the month of the latest refund. */
export function CoarseQuestions({
  rows,
  count,
  recipientsHref,
}: {
  rows: CoarseReversal[];
  count: number;
  recipientsHref: string;
}): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <Question
      title="Reversals without receipts"
      count={Math.max(count, rows.length)}
      listedCount={rows.length}
      playbook="Invo holds no receipt of these refunds and reports each in one sum, in the month of its latest refund. Another refund of the same period can move it to a later month: compare before taking the same amount back twice. What was taken from your own revenue is not known."
    >
      <TableFrame label="Reversals without receipts">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">Recipient</th>
            <th scope="col">Settled</th>
            <th scope="col">Basis</th>
            <th scope="col" className="num">
              Originally attributed
            </th>
            <th scope="col" className="num">
              Reversed here
            </th>
            <th scope="col" className="num">
              Your revenue reversed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.periodId}>
              <th scope="row">{row.periodId}</th>
              <td>
                <Link href={`${recipientsHref}/${row.recipientPlayerId}`}>Player {row.recipientPlayerId}</Link>
              </td>
              <td>
                <Instant at={row.paidAt} precision="second" />
              </td>
              <td>
                <Flag tone="wait" word={row.reversalBasis === COARSE_BASIS ? 'coarse, whole period' : row.reversalBasis} />
              </td>
              <td>
                <Money amount={row.originally_attributed_usd} />
              </td>
              <td>
                <Money amount={negateMoney(row.reversed_attributed_usd)} isStrong />
              </td>
              <td className="num">
                <Money amount={null} />
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Question>
  );
}
