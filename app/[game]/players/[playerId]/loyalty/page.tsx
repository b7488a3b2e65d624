import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { FirstOf } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { RefreshButton } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ReadLine } from '#app/[game]/_subscriptions/read-notices.tsx';
import { readPlayerLoyalty } from '#lib/players/read-player.ts';
import { NO_CARDS } from '#lib/players/text.ts';
import { findShownPlayer, openTab, type PlayerParams, PlayerTab, type ReadTab } from '../player-tab.tsx';
import styles from './loyalty.module.css';
import { LoyaltyCard, OtherVersionCard } from './loyalty-card.tsx';
import { VaultButton } from './vault-button.tsx';

// Cards the page shows at most.
const CARDS_SHOWN = 100;

export default async function LoyaltyPage({ params }: PlayerParams): Promise<ReactElement> {
  return <PlayerTab tab={await openTab({ params })} body={showLoyalty} />;
}

/** The loyalty cards as Invo reports them now; nothing of them is stored. */
async function showLoyalty({ game, person, playerId, context, player }: ReadTab): Promise<ReactElement> {
  const read = await readPlayerLoyalty(context, player);
  const errorId = 'error' in read ? read.error.errorId : null;
  const copyErrorId = errorId !== null && <CopyButton text={errorId} what="error ID" />;
  if (read.kind !== 'live' && read.kind !== 'nothing')
    return (
      <EmptyState title={NO_CARDS[read.kind].title} action={copyErrorId}>
        {NO_CARDS[read.kind].sentence}
      </EmptyState>
    );
  if (read.kind === 'nothing') {
    const isWaiting = read.error.code === 'rate_limited';
    const { title, sentence } = NO_CARDS[isWaiting ? 'waiting' : 'away'];
    const actions = (
      <>
        <RefreshButton word="Try again" />
        {copyErrorId}
      </>
    );
    return (
      <Notice voice={isWaiting ? 'wait' : 'bad'} title={title} actions={actions}>
        {read.error.sentence} {sentence}
      </Notice>
    );
  }
  const { cards } = read.value;
  const found = await findShownPlayer({ game, playerId });
  const mayRedeem = person.may('actions.request') && found?.beside.isOn.rewards === true;
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
                  redeemHref={mayRedeem ? `/${game.slug}/players/${playerId}/loyalty` : null}
                />
              ) : (
                <OtherVersionCard key={`${index} other`} raw={each.raw} />
              ),
            )}
        </div>
      )}
      {person.may('actions.request') && found?.beside.isOn.milestones === true && (
        <p>
          <LinkButton href={`/${game.slug}/players/${playerId}/milestone`}>Report a milestone…</LinkButton>
        </p>
      )}
      {mayRedeem && <VaultButton slug={game.slug} playerId={playerId} />}
      <FirstOf shown={CARDS_SHOWN} count={cards.length} noun="cards" />
    </div>
  );
}
