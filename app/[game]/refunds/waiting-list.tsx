import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { formatAge } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import type { WaitingRefund } from '#db/refunds/reads/refunds-needing-action.ts';
import { StateStatus } from '../_refunds/words/state-status.tsx';

export interface WaitingListProps {
  slug: string;
  waiting: WaitingRefund[];
  /** How many there are in all. */
  count: number;
  person: Pick<Person, 'id' | 'may'>;
  now: string;
}

/** The refunds that wait for a person, whoever waited longest first; nothing when none does. */
export function WaitingList({ slug, waiting, count, person, now }: WaitingListProps): ReactElement | null {
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{count === 1 ? 'One refund needs a person' : `${count} refunds need a person`}</h2>
      <TableFrame label="Refunds that need a person">
        <thead>
          <tr>
            <th scope="col">Refund</th>
            <th scope="col">Needs</th>
            <th scope="col" className="num">
              Amount, USD
            </th>
            <th scope="col">For</th>
            <th scope="col">Asked by</th>
            <th scope="col">Waiting since</th>
          </tr>
        </thead>
        <tbody>
          {waiting.map((refund) => (
            <tr key={refund.refund_id}>
              <th scope="row">
                <Link href={`/${slug}/refunds/${refund.refund_id}`}>Refund {refund.refund_id}</Link>
              </th>
              <td>
                <StateStatus state={refund.state} /> {sayNeeds(refund, person)}
              </td>
              <td className="num">
                <Money amount={refund.amount_usd} />
              </td>
              <td>
                <bdi>{refund.item_name === null ? 'item not recorded' : showControls(refund.item_name)}</bdi>,{' '}
                <Link href={`/${slug}/periods/${refund.period_id}`}>
                  period {refund.period_id}, number {refund.period_seq}
                </Link>
              </td>
              <td>{refund.requested_by.name}</td>
              <td>{formatAge(refund.state_since, now)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {count > waiting.length && (
        <p>
          These are the oldest {waiting.length}. <Link href={`/${slug}/refunds?show=for_people`}>All {count} stand in the register</Link>.
        </p>
      )}
    </section>
  );
}

function sayNeeds({ reason, has_statement, requested_by }: WaitingRefund, person: Pick<Person, 'id' | 'may'>): string {
  switch (reason) {
    case 'approval':
      return requested_by.id === person.id ? 'yours, somebody else approves' : person.may('refunds.approve') ? 'you may approve it' : '';
    case 'two_people':
      return has_statement ? 'one has said what happened, a second has to agree' : 'nobody has said yet what happened';
    case 'not_shown':
      return 'two people said that it was refunded, and the period does not show it: look at Invo';
    case 'reversal_missing':
      return 'its month was pulled since and reports no reversal of it: pull the month afresh, then ask Invo';
    case 'no_access':
      return 'Invo does not let this game in: whoever runs Sharebook has to look at its key and at its status in the Invo console';
  }
}
