import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { NotHere } from '#app/[game]/_subscriptions/not-here.tsx';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findPriceHindrance } from '#lib/subscriptions/rules/foresee-price.ts';
import styles from '../_change/change.module.css';
import { closedBy, targetOf, tellSubscription } from '../_change/change-words.ts';
import { sayInstant } from '../_change/say.ts';
import { SubscriptionNow } from '../_change/subscription-now.tsx';
import { type OpenPrice, PriceTool } from './price-tool.tsx';
import { HINDRANCE_VIEWS } from './price-words.ts';

/** A subscription and the form that changes its price, or why there is none. */
export async function PriceBody({ game, subscriptionId }: { game: Game; subscriptionId: string }): Promise<ReactElement> {
  const read = await readChangeFacts(await openGameContext(game), subscriptionId);
  if (read.kind === 'not_found') return <NotHere game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  const hindrance = isRead ? findPriceHindrance(read.subscription) : null;
  return (
    <div className={styles.page}>
      <PriceTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? hindrance && { kind: 'closed', ...HINDRANCE_VIEWS[hindrance] } : closedBy(read)}
        open={isRead && hindrance === null ? openOf(game, read) : null}
      />
      {isRead && <SubscriptionNow game={game} read={read} more={factsOf(read, game.timeZone)} />}
    </div>
  );
}

function openOf(game: Game, read: ChangeFacts): OpenPrice | null {
  const { amount_usd, current_period_end, paid_through, ...others } = read.subscription;
  if (amount_usd === null) return null;
  const { status, cancel_at_period_end, pending_amount_usd, funding_rail } = others;
  const windowEnd = paid_through === null || current_period_end === null ? null : sayInstant(current_period_end, game.timeZone);
  return {
    target: targetOf(game.slug, read),
    told: tellSubscription(read),
    priced: { status, cancel_at_period_end, amount_usd, pending_amount_usd, funding_rail },
    windowEnd,
  };
}

function factsOf({ subscription: { current_period_end } }: ChangeFacts, timeZone: string): InvoFact[] {
  return [
    { label: 'Price last agreed to', value: 'not told by Invo', note: 'the price now stands for it' },
    { label: 'Billing window ends', value: current_period_end && sayInstant(current_period_end, timeZone), field: 'current_period_end' },
  ];
}
