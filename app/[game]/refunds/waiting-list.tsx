import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { formatAge, formatItem } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { RefundNeedingAction } from '#lib/refunds/reads/refunds-needing-action.ts';
import { REFUND_STATE_TEXT } from '#lib/refunds/text.ts';

export interface WaitingListProps {
  slug: string;
  /** The longest waiting first. */
  waiting: RefundNeedingAction[];
  /** How many there are, listed or not. */
  count: number;
  person: Pick<Person, 'id' | 'may'>;
  now: string;
}

/** The refunds that need action, the longest waiting first; nothing when there are none. */
export function WaitingList({ slug, waiting, count, person, now }: WaitingListProps): ReactElement | null {
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{count === 1 ? '1 refund needs action' : `${count} refunds need action`}</h2>
      <SimpleTable
        label="Refunds that need action"
        rows={waiting}
        keyOf={({ refund_id }) => refund_id}
        columns={[
          { label: 'Refund', cell: ({ refund_id }) => <Link href={`/${slug}/refunds/${refund_id}`}>Refund {refund_id}</Link> },
          {
            label: 'Next step',
            cell: (refund) => (
              <>
                <Status tone={REFUND_STATE_TEXT[refund.state].tone} word={REFUND_STATE_TEXT[refund.state].label} />{' '}
                {formatNextStep(refund, person)}
              </>
            ),
          },
          { label: 'Amount, USD', isFigure: true, cell: ({ amount_usd }) => <Money amount={amount_usd} /> },
          {
            label: 'Period',
            isWideOnly: true,
            cell: ({ item_name, period_id, period_seq }) => (
              <>
                <bdi>{formatItem(item_name)}</bdi>,{' '}
                <Link href={`/${slug}/periods/${period_id}`}>
                  period {period_seq} ({period_id})
                </Link>
              </>
            ),
          },
          { label: 'Requested by', isWideOnly: true, cell: ({ requested_by }) => requested_by.name },
          { label: 'Waiting since', isWideOnly: true, cell: ({ state_since }) => formatAge(state_since, now) },
        ]}
      />
      {count > waiting.length && (
        <p>
          Showing the oldest {waiting.length}. <Link href={`/${slug}/refunds?show=for_people`}>View all {count}</Link>.
        </p>
      )}
    </section>
  );
}

function formatNextStep({ reason, has_statement, requested_by }: RefundNeedingAction, person: Pick<Person, 'id' | 'may'>): string {
  switch (reason) {
    case 'approval':
      if (requested_by.id === person.id) return 'Requested by you; needs another approver';
      return person.may('refunds.approve') ? 'You can approve it' : '';
    case 'two_people':
      return has_statement ? 'Outcome recorded; needs a second approver' : 'No outcome recorded yet';
    case 'not_shown':
      return 'Recorded as refunded, but the period doesn’t show it: check with Invo';
    case 'reversal_missing':
      return 'Its month was pulled since and reports no reversal: pull the month again, then ask Invo';
    case 'no_access':
      return 'Invo denies access for this game: ask your Sharebook administrator to check its key and its status in the Invo console';
  }
}
