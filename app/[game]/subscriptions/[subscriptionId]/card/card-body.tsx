import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { NotHere } from '#app/[game]/_subscriptions/not-here.tsx';
import { type CardFacts, readCardFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findCardHindrance } from '#lib/subscriptions/rules/find-card-hindrance.ts';
import { nextChargeWords } from '#lib/subscriptions/rules/subscription-status.ts';
import styles from '../_change/change.module.css';
import { closedBy, targetOf, tellSubscription } from '../_change/change-words.ts';
import { sayInstant } from '../_change/say.ts';
import { SubscriptionNow } from '../_change/subscription-now.tsx';
import { CardTool, type OpenCard } from './card-tool.tsx';
import { CARD_HINDRANCES, sayCardEffect, sayCardUntil } from './card-words.ts';

/** A subscription and the form that changes its card, or why there is none. */
export async function CardBody({ game, subscriptionId }: { game: Game; subscriptionId: string }): Promise<ReactElement> {
  const read = await readCardFacts(await openGameContext(game), subscriptionId);
  if (read.kind === 'not_found') return <NotHere game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  const hindrance = isRead ? findCardHindrance(read.subscription, read.cards?.length ?? null) : null;
  return (
    <div className={styles.page}>
      <CardTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? hindrance && { kind: 'closed', ...CARD_HINDRANCES[hindrance] } : closedBy(read)}
        open={isRead && hindrance === null ? openOf(game, read) : null}
      />
      {isRead && <SubscriptionNow game={game} read={read} more={factsOf(read, game.timeZone)} />}
    </div>
  );
}

function openOf(game: Game, read: CardFacts): OpenCard {
  const { subscription, cards } = read;
  return {
    target: targetOf(game.slug, read),
    told: tellSubscription(read),
    cards: (cards ?? []).map((card) => ({ id: card.id, name: sayCardUntil(card) })),
    isWalletOnly: subscription.wallet_only === true,
    effect: sayCardEffect(subscription, game.timeZone),
  };
}

const PAYERS: Record<string, string> = { true: 'the wallet first, then a card', false: 'no card is attached', null: 'not recorded' };

function factsOf({ subscription }: CardFacts, timeZone: string): InvoFact[] {
  const { wallet_only, has_payment_method, next_charge_at } = subscription;
  const next = nextChargeWords(subscription.status, subscription.cancel_at_period_end === true);
  return [
    {
      label: 'Paid by',
      value: wallet_only === true ? 'the wallet alone' : PAYERS[`${has_payment_method}`],
      field: 'has_payment_method',
      note: has_payment_method === true ? 'Invo never shows which card' : undefined,
    },
    {
      label: next.label,
      value: next_charge_at === null ? next.none : sayInstant(next_charge_at, timeZone),
      field: 'next_charge_at',
    },
  ];
}
