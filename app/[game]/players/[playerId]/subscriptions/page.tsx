import Link from 'next/link';
import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { formatItem, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { PageSteps, parseOffset } from '#app/[game]/_subscriptions/page-steps.tsx';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import type { PlayerBalances, PlayerSubscriptions } from '#lib/invo/routes/support-reads.ts';
import { readPlayerSubscriptions, readStoredPlayer } from '#lib/players/read-player.ts';
import { listPlayerRecords, type PlayerSubscription } from '#lib/players/reads.ts';
import { formatNoSubscriptions } from '#lib/players/text.ts';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import { SUBSCRIPTIONS_PER_PAGE } from '#lib/subscriptions/rules/subscription.ts';
import { nextChargeText, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import { findShownPlayer, type OpenTab, openTab, PlayerNotice, type PlayerParams } from '../player-tab.tsx';

export default async function SubscriptionsPage({
  params,
  searchParams,
}: PlayerParams & { searchParams: SearchParams }): Promise<ReactElement> {
  const tab = await openTab({ params });
  const offset = parseOffset((await searchParams)['from']);
  return (
    <Suspense key={offset} fallback={<LoadingFromInvo />}>
      <Subscriptions tab={tab} offset={offset} />
    </Suspense>
  );
}

async function Subscriptions({ tab, offset }: { tab: OpenTab; offset: number }): Promise<ReactElement> {
  const { game, playerId } = tab;
  const context = openLookUp(game, tab.person);
  const [player, { subscriptions: known, refunds }] = await Promise.all([
    findShownPlayer(tab).then((found) => readStoredPlayer(context, found?.stored ?? null)),
    listPlayerRecords(db(), game.gameId, playerId),
  ]);
  const ownRefunds = <OwnRefunds slug={game.slug} refunds={refunds} />;
  if (player.kind !== 'player')
    return (
      <>
        <PlayerNotice tab={tab} player={player} />
        {ownRefunds}
      </>
    );
  const list = await readPlayerSubscriptions(context, player, { offset });
  if (list.kind === 'other_player') return <PlayerNotice tab={tab} player={{ ...list, stored: player.stored }} />;
  return (
    <div className={detail.page}>
      <ReadNotices together="the subscriptions" reads={[{ detail: list, what: 'the subscriptions' }]} />
      <ReadLine detail={list} timeZone={game.timeZone} />
      <PlayerSubscriptionsTable
        slug={game.slug}
        playerId={playerId}
        subscriptions={list}
        wallet={player.balances.kind}
        known={known}
        offset={offset}
      />
      {ownRefunds}
    </div>
  );
}

interface PlayerSubscriptionsProps {
  slug: string;
  playerId: number;
  subscriptions: Detail<PlayerSubscriptions>;
  /** How the wallet was read: only a wallet shows that the player exists. */
  wallet: Detail<PlayerBalances>['kind'];
  /** Stored subscriptions, for when Invo can't be reached and no list is stored. */
  known: PlayerSubscription[];
  offset: number;
}

/** The player's subscriptions, newest first, page by page. */
function PlayerSubscriptionsTable(props: PlayerSubscriptionsProps): ReactElement {
  return (
    <section>
      <h2>Subscriptions</h2>
      {'value' in props.subscriptions ? <Listed {...props} list={props.subscriptions.value} /> : <Known {...props} />}
    </section>
  );
}

function Listed({
  slug,
  playerId,
  subscriptions,
  wallet,
  list,
  offset,
}: PlayerSubscriptionsProps & { list: PlayerSubscriptions }): ReactElement {
  const { subscriptions: rows, pagination } = list;
  return (
    <>
      {rows.length === 0 ? (
        <p className={detail.quiet}>
          {pagination.total_count === 0 ? formatNoSubscriptions(subscriptions.kind, wallet) : 'No subscriptions on this page.'}
        </p>
      ) : (
        <SimpleTable label="Subscriptions" isLong rows={rows} keyOf={(row) => row.subscription_id} columns={columnsOf(slug)} />
      )}
      <PageSteps
        href={`/${slug}/players/${playerId}/subscriptions`}
        noun="subscriptions"
        offset={offset}
        shown={rows.length}
        total={pagination.total_count}
        pageSize={SUBSCRIPTIONS_PER_PAGE}
      />
    </>
  );
}

function columnsOf(slug: string): SimpleColumn<PlayerSubscriptions['subscriptions'][number]>[] {
  return [
    {
      label: 'Subscription',
      cell: (row) => (
        <>
          <Link href={`/${slug}/subscriptions/${encodeURIComponent(row.subscription_id)}`}>{formatItem(row.item_name)}</Link>
          <span className={detail.under}>{row.subscription_id}</span>
        </>
      ),
    },
    {
      label: 'Status',
      cell: (row) => {
        const status = subscriptionStatusText(row.status);
        return <Status tone={status.tone} word={status.label} />;
      },
    },
    { label: 'Price, USD', isFigure: true, cell: (row) => <Money amount={row.amount_usd} /> },
    { label: 'Access until', isWideOnly: true, cell: (row) => <When at={row.paid_through} missing="none" /> },
    {
      label: 'Next event',
      isWideOnly: true,
      cell: (row) => {
        const next = nextChargeText(row.status, row.cancel_at_period_end === true);
        return (
          <>
            <When at={row.next_charge_at} missing={next.none} />
            {row.next_charge_at !== null && <span className={detail.under}>{next.label}</span>}
          </>
        );
      },
    },
    { label: 'Created', isWideOnly: true, cell: (row) => <When at={row.created_at} missing="not reported" /> },
  ];
}

function When({ at, missing }: { at: string | null; missing: string }): ReactElement {
  return <span className={detail.when}>{at === null ? missing : formatUtc(at)}</span>;
}

function Known({ slug, known }: PlayerSubscriptionsProps): ReactElement {
  if (known.length === 0) return <p className={detail.quiet}>Not read: Invo couldn’t be reached, and no subscriptions are stored.</p>;
  return (
    <SimpleTable
      label="Stored subscriptions"
      rows={known}
      keyOf={({ subscriptionId }) => subscriptionId}
      columns={[
        {
          label: 'Subscription',
          cell: ({ subscriptionId, itemName }) => (
            <>
              <Link href={`/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`}>
                {itemName === null ? subscriptionId : showControls(itemName)}
              </Link>
              <span className={detail.under}>{subscriptionId}</span>
            </>
          ),
        },
        { label: 'Last known status', cell: ({ status, seenAt }) => `${subscriptionStatusText(status).label}, ${formatUtc(seenAt)}` },
      ]}
    />
  );
}
