import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { openLookUp } from '#app/_server/open-game-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { parseOffset } from '#app/[game]/_subscriptions/page-steps.tsx';
import { ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { listPlayerRecords } from '#db/players/reads.ts';
import { readPlayerDetail } from '#lib/players/read-player-detail.ts';
import { parseNumericId } from '#lib/search/rules/parse-search.ts';
import { PlayerSubscriptionsTable } from './player-subscriptions.tsx';
import { PlayerCard, PlayerNotice } from './player-summary.tsx';
import { PlayerCardsCard, PlayerWallet } from './player-wallet.tsx';

interface PlayerPageProps {
  params: Promise<{ game: string; playerId: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: PlayerPageProps): Promise<Metadata> {
  return { title: `Player ${(await params).playerId}` };
}

export default async function PlayerPage({ params, searchParams }: PlayerPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const { game: slug, playerId: text } = await params;
  const game = await requireGame(slug);
  const playerId = parseNumericId(text) ?? notFound();
  const offset = parseOffset((await searchParams)['from']);
  return (
    <>
      <PageHead title={`Player ${playerId}`}>Wallet, cards and subscriptions · {game.name}</PageHead>
      <Suspense key={offset} fallback={<LoadingFromInvo />}>
        <PlayerBody game={game} playerId={playerId} offset={offset} person={person} />
      </Suspense>
    </>
  );
}

interface PlayerBodyProps {
  game: Game;
  playerId: number;
  offset: number;
  person: Person;
}

/** Everything about one player, read from Invo by the stored email. */
async function PlayerBody({ game, playerId, offset, person }: PlayerBodyProps): Promise<ReactElement> {
  const canSeeEmails = person.may('emails.read');
  const [player, { subscriptions: known, refunds }] = await Promise.all([
    readPlayerDetail(openLookUp(game, person), playerId, { offset }),
    listPlayerRecords(db(), game.gameId, playerId),
  ]);
  if (player.kind === 'unknown') return <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={canSeeEmails} />;
  return (
    <>
      {player.kind === 'player' ? (
        <ReadNotices
          together="this player"
          reads={[
            { detail: player.subscriptions, what: 'the subscriptions' },
            { detail: player.balances, what: 'the wallet' },
            { detail: player.cards, what: 'the cards' },
          ]}
        />
      ) : (
        <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={canSeeEmails} />
      )}
      <FieldNames>
        <div className={detail.page}>
          <div className={detail.top}>
            <PlayerCard slug={game.slug} player={player} canSeeEmails={canSeeEmails} timeZone={game.timeZone} />
            {player.kind === 'player' && <PlayerWallet balances={player.balances} />}
          </div>
          {player.kind === 'player' && (
            <>
              <PlayerSubscriptionsTable
                slug={game.slug}
                playerId={playerId}
                subscriptions={player.subscriptions}
                wallet={player.balances.kind}
                known={known}
                offset={offset}
              />
              <PlayerCardsCard cards={player.cards} />
            </>
          )}
          <OwnRefunds slug={game.slug} refunds={refunds} />
        </div>
      </FieldNames>
    </>
  );
}
