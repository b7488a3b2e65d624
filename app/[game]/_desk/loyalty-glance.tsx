import type { ReactElement } from 'react';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import type { LoyaltyCard } from '#lib/invo/routes/loyalty.ts';
import type { LoyaltyDetail } from '#lib/players/read-player.ts';
import { cardStatusText, NO_CARDS, rewardStateText } from '#lib/players/text.ts';
import styles from './glance.module.css';

const CARDS_SHOWN = 4;

interface LoyaltyGlanceProps {
  read: LoyaltyDetail;
  timeZone: string;
}

/** The loyalty programs in a line each: status, steps, deadline and rewards as reported, or why there are none. */
export function LoyaltyGlance({ read, timeZone }: LoyaltyGlanceProps): ReactElement {
  if (read.kind === 'nothing') return <ReadNotice detail={read} what="loyalty" isUnstored />;
  if (read.kind !== 'live') return <p className={detail.quiet}>{NO_CARDS[read.kind].sentence}</p>;
  const { cards } = read.value;
  if (cards.length === 0) return <p className={detail.quiet}>{NO_CARDS.none.sentence}</p>;
  return (
    <>
      <ul className={styles.list}>
        {cards.slice(0, CARDS_SHOWN).map((each, index) =>
          each.kind === 'known' ? (
            <Program key={`${index} ${each.card.program_id}`} card={each.card} timeZone={timeZone} />
          ) : (
            <li key={`${index} other`}>
              {showControls(each.raw.title ?? 'Program without a title')}
              <span className={detail.under}>Sharebook can’t interpret this card.</span>
            </li>
          ),
        )}
      </ul>
      {cards.length > CARDS_SHOWN && (
        <p className={detail.quiet}>
          Showing {CARDS_SHOWN} of {countNoun(cards.length, 'card')}.
        </p>
      )}
    </>
  );
}

function Program({ card, timeZone }: { card: LoyaltyCard; timeZone: string }): ReactElement {
  const { label, tone } = cardStatusText(card.status);
  const { steps_complete: done, steps_required: needed } = card;
  const date = card.completed_at ?? card.window_ends_at;
  const rewards = (card.rewards ?? []).map((reward) =>
    reward === null ? 'not readable' : showControls(rewardStateText(reward.state).label),
  );
  return (
    <li>
      <span className={styles.line}>
        <span>{showControls(card.title ?? 'Program without a title')}</span>
        <Status tone={tone} word={showControls(label)} />
      </span>
      <span className={detail.under}>
        {done === null || needed === null ? 'Steps not reported' : `${done} of ${needed} steps complete`}
        {date !== null && (
          <>
            {card.completed_at === null ? ' · complete by ' : ' · completed '}
            <Instant at={date} timeZone={timeZone} />
          </>
        )}
      </span>
      {rewards.length > 0 && <span className={detail.under}>Rewards: {rewards.join(' · ')}</span>}
    </li>
  );
}
