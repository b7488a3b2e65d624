import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { parseOffset } from '#app/[game]/_subscriptions/page-steps.tsx';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { readPlayer, readPlayerSubscriptions } from '#lib/players/read-player.ts';
import { listPlayerRecords } from '#lib/players/reads.ts';
import { type OpenTab, openTab, type PlayerParams } from '../open-tab.ts';
import { PlayerNotice } from '../player-notice.tsx';
import { PlayerSubscriptionsTable } from '../player-subscriptions.tsx';

export default async function SubscriptionsPage({
  params,
  searchParams,
}: PlayerParams & { searchParams: SearchParams }): Promise<ReactElement> {
  const tab = await openTab({ params });
  const offset = parseOffset((await searchParams)['from']);
  return (
    <Suspense key={offset} fallback={<LoadingFromInvo />}>
      <Subscriptions {...tab} offset={offset} />
    </Suspense>
  );
}

async function Subscriptions({ game, person, playerId, offset }: OpenTab & { offset: number }): Promise<ReactElement> {
  const context = openLookUp(game, person);
  const canSeeEmails = person.may('emails.read');
  const [player, { subscriptions: known, refunds }] = await Promise.all([
    readPlayer(context, playerId),
    listPlayerRecords(db(), game.gameId, playerId),
  ]);
  const ownRefunds = <OwnRefunds slug={game.slug} refunds={refunds} />;
  if (player.kind !== 'player')
    return (
      <>
        <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={canSeeEmails} />
        {ownRefunds}
      </>
    );
  const list = await readPlayerSubscriptions(context, player, { offset });
  if (list.kind === 'other_player')
    return <PlayerNotice player={{ ...list, stored: player.stored }} game={game} playerId={playerId} canSeeEmails={canSeeEmails} />;
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
