import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import type { UnresolvedRecipient } from '#db/evidence/reads/open-items.ts';
import { negateMoney } from '#lib/core/money.ts';
import { Question } from './question.tsx';

/** Recipients whose player record Invo could not find. */
export function UnresolvedQuestions({
  rows,
  count,
  recipientsHref,
}: {
  rows: UnresolvedRecipient[];
  count: number;
  recipientsHref: string;
}): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <Question
      title="Recipients not found at Invo"
      count={count}
      listedCount={rows.length}
      playbook="Invo cannot find the player record, so nobody knows whom to pay. The amount is kept under the player id; do not pay it until the person is known."
    >
      <TableFrame label="Recipients not found at Invo">
        <thead>
          <tr>
            <th scope="col">Player</th>
            <th scope="col" className="num">
              Renewals
            </th>
            <th scope="col" className="num">
              Earned
            </th>
            <th scope="col" className="num">
              Reversed
            </th>
            <th scope="col" className="num">
              Net, USD
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.recipientPlayerId}>
              <th scope="row">
                <Link href={`${recipientsHref}/${row.recipientPlayerId}`}>Player {row.recipientPlayerId}</Link>
              </th>
              <td className="num">{formatCount(row.renewalCount)}</td>
              <td>
                <Money amount={row.gross_attributed_usd} />
              </td>
              <td>
                <Money amount={negateMoney(row.reversed_attributed_usd)} />
              </td>
              <td>
                <Money amount={row.net_attributed_usd} isStrong />
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Question>
  );
}
