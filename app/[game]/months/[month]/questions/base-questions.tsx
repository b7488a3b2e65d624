import Link from 'next/link';
import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import type { BaseMismatch } from '#db/evidence/reads/open-items.ts';
import { subtractMoney } from '#lib/core/money.ts';
import { Question } from './question.tsx';

/** Lines whose recorded base differs from the settled price less Invo's fee. */
export function BaseQuestions({
  rows,
  count,
  recipientsHref,
}: {
  rows: BaseMismatch[];
  count: number;
  recipientsHref: string;
}): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <Question
      title="Base differs from the settled fee"
      count={count}
      listedCount={rows.length}
      playbook="The share was taken of another base than price less Invo’s fee. The attributed amount stays the one that was recorded at settlement; decide with Invo whether it is right before paying it."
    >
      <TableFrame label="Lines whose base differs">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">Recipient</th>
            <th scope="col">Settled</th>
            <th scope="col" className="num">
              Base recorded
            </th>
            <th scope="col" className="num">
              Base expected
            </th>
            <th scope="col" className="num">
              Difference
            </th>
            <th scope="col" className="num">
              Attributed, USD
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
                <Money amount={row.recorded_base_usd} />
              </td>
              <td>
                <Money amount={row.expected_base_usd} />
              </td>
              <td>
                <Money amount={differenceOf(row)} />
              </td>
              <td>
                <Money amount={row.attributed_amount_usd} isStrong />
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Question>
  );
}

function differenceOf({ recorded_base_usd: recorded, expected_base_usd: expected }: BaseMismatch): string | null {
  return recorded === null || expected === null ? null : subtractMoney(recorded, expected);
}
