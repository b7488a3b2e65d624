import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { FirstOf } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo, RefreshButton } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { ReadLine } from '#app/[game]/_subscriptions/read-notices.tsx';
import { NO_CARDS } from '#lib/loyalty/text.ts';
import { readPlayer, readPlayerLoyalty } from '#lib/players/read-player.ts';
import { type OpenTab, openTab, type PlayerParams } from '../open-tab.ts';
import { PlayerNotice } from '../player-notice.tsx';
import styles from './loyalty.module.css';
import { LoyaltyCard, OtherVersionCard } from './loyalty-card.tsx';

// Cards the page shows at most.
const CARDS_SHOWN = 100;

export default async function LoyaltyPage({ params }: PlayerParams): Promise<ReactElement> {
  const tab = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <Loyalty {...tab} />
    </Suspense>
  );
}

/** The loyalty cards as Invo reports them now; nothing of them is stored. */
async function Loyalty({ game, person, playerId }: OpenTab): Promise<ReactElement> {
  const context = openLookUp(game, person);
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player')
    return <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={person.may('emails.read')} />;
  const read = await readPlayerLoyalty(context, player);
  if (read.kind !== 'live' && read.kind !== 'nothing') {
    const errorId = 'error' in read ? read.error.errorId : null;
    return (
      <EmptyState title={NO_CARDS[read.kind].title} action={errorId !== null && <CopyButton text={errorId} what="error ID" />}>
        {NO_CARDS[read.kind].sentence}
      </EmptyState>
    );
  }
  if (read.kind === 'nothing') {
    const { title, sentence } = NO_CARDS[read.error.code === 'rate_limited' ? 'waiting' : 'away'];
    const { errorId } = read.error;
    return (
      <Notice
        voice={read.error.code === 'rate_limited' ? 'wait' : 'bad'}
        title={title}
        actions={
          <>
            <RefreshButton word="Try again" />
            {errorId !== null && <CopyButton text={errorId} what="error ID" />}
          </>
        }
      >
        {read.error.sentence} {sentence}
      </Notice>
    );
  }
  const { cards } = read.value;
  return (
    <div className={detail.page}>
      <ReadLine detail={read} timeZone={game.timeZone} note="Loyalty data isn’t stored." />
      {cards.length === 0 ? (
        <EmptyState title={NO_CARDS.none.title}>{NO_CARDS.none.sentence}</EmptyState>
      ) : (
        <div className={styles.cards}>
          {cards
            .slice(0, CARDS_SHOWN)
            .map((each, index) =>
              each.kind === 'known' ? (
                <LoyaltyCard
                  key={`${index} ${each.card.program_id}`}
                  card={each.card}
                  unreadable={each.unreadable}
                  timeZone={game.timeZone}
                />
              ) : (
                <OtherVersionCard key={`${index} other`} raw={each.raw} />
              ),
            )}
        </div>
      )}
      <FirstOf shown={CARDS_SHOWN} count={cards.length} noun="cards" />
    </div>
  );
}
