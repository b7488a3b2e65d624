import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { pauseRefundsAction, resumeRefundsAction } from '#app/_pauses/actions.ts';
import { ResumeForm } from '#app/_pauses/resume-form.tsx';
import { type Game, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { countForBadges } from '#app/_shell/badge-count.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatAge, formatItem } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { findRegister, type RefundNeedingAction } from '#lib/refunds/reads/refunds-needing-action.ts';
import { REFUND_STATE_TEXT } from '#lib/refunds/text.ts';
import { PauseNotice } from '../_refunds/pause-notice.tsx';
import type { SearchParams } from '../_rows/define-list.ts';
import { refundsList, refundsOf } from './refund-table.ts';

interface RefundsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Refunds' };

const WAITING_MAX = 25;

export default async function RefundsPage({ params, searchParams }: RefundsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const [register, { refunds: count }] = await Promise.all([
    findRegister(db(), game.gameId, { waitingMax: WAITING_MAX }),
    countForBadges(game, person),
  ]);
  const { pause, waiting, readAt, elsewhereCount } = register;
  const { spec, first } = await refundsList.loadFirst(refundsOf(game, person), searchParams);
  return (
    <>
      <PageHead title="Refunds" actions={person.may('refunds.request') && pause === null && <PauseDialog game={game} />}>
        Refunds requested in Sharebook and their outcome at Invo. Each has its own idempotency key, so it can’t be made twice.
      </PageHead>
      <PauseNotice game={game} person={person} pause={pause}>
        <ResumeForm slug={game.slug} what="refunds" person={person} pause={pause} action={resumeRefundsAction} />
      </PauseNotice>
      <RefreshWhile isBusy={register.isMoving} />
      {elsewhereCount > 0 && person.may('deliveries.read') && (
        <TableNote>
          Not in this list: <Link href={`/${game.slug}/webhooks?show=elsewhere`}>{countNoun(elsewhereCount, 'refund')} made elsewhere</Link>
          , as Invo reported by webhook.
        </TableNote>
      )}
      {register.isEmpty ? (
        <EmptyState title="No refunds yet">
          {person.may('refunds.request')
            ? 'Search for the player or the subscription, open the charged period and choose “Refund”.'
            : 'Refunds appear here when support, finance or an admin requests one.'}
        </EmptyState>
      ) : (
        <>
          <WaitingList slug={game.slug} waiting={waiting} count={count} person={person} now={readAt} />
          <DataTable key={register.token} spec={spec} first={first} />
          <TableNote>Amounts in USD, times in UTC.</TableNote>
        </>
      )}
    </>
  );
}

interface WaitingListProps {
  slug: string;
  /** The longest waiting first. */
  waiting: RefundNeedingAction[];
  /** How many there are, listed or not. */
  count: number;
  person: Pick<Person, 'id' | 'may'>;
  now: string;
}

/** The refunds that need action, the longest waiting first; nothing when there are none. */
function WaitingList({ slug, waiting, count, person, now }: WaitingListProps): ReactElement | null {
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

/** Pauses all refunds of a game, with what that does before the button is pressed. */
function PauseDialog({ game }: { game: Game }): ReactElement {
  return (
    <SideDialog opener="Pause refunds" title={`Pause refunds for ${game.name}`}>
      <ActionForm
        action={pauseRefundsAction}
        about={{ game: game.slug }}
        label={`Pause refunds for ${game.name}`}
        pendingLabel="Pausing…"
        kind="danger"
        note={{ label: 'Reason', lengthMax: WHY_LENGTH_MAX, isRequired: true }}
      >
        <p>
          No new refunds will be sent to Invo. Refunds already sent are still tracked. Refunds can still be requested and approved while
          they are paused.
        </p>
        <p>Resuming needs two approvers.</p>
      </ActionForm>
    </SideDialog>
  );
}
