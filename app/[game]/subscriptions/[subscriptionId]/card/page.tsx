import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { formatCardWithExpiry } from '#app/[game]/_subscriptions/format-names.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { NotInGame } from '#app/[game]/_subscriptions/read-notices.tsx';
import { type CardFacts, readCardFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findCardBlocker } from '#lib/subscriptions/rules/changes.ts';
import { CARD_BLOCKERS, nextChargeText } from '#lib/subscriptions/text.ts';
import styles from '../_change/change.module.css';
import { closedBy, labelsOf, targetOf } from '../_change/change-answers.ts';
import { type ChangeOf, ChangePage, SubscriptionNow } from '../_change/change-page.tsx';
import { formatCardPreview, formatInZone } from '../_change/text.ts';
import { CardTool, type OpenCard } from './card-form.tsx';

export const metadata: Metadata = { title: 'Change card' };

export default function CardPage({ params }: { params: Promise<{ game: string; subscriptionId: string }> }): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change card"
      intro="The new card is used for all charges from now on. Nothing is charged now, and nothing is sent until you confirm."
      body={(change) => <CardBody {...change} />}
    />
  );
}

/** A subscription and its card form, or why there is none. */
async function CardBody({ game, subscriptionId, context }: ChangeOf): Promise<ReactElement> {
  const read = await readCardFacts(context, subscriptionId);
  if (read.kind === 'not_found') return <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  const blocker = isRead ? findCardBlocker(read.subscription, read.cards?.length ?? null) : null;
  return (
    <div className={styles.page}>
      <CardTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? blocker && { kind: 'closed', ...CARD_BLOCKERS[blocker] } : closedBy(read)}
        open={isRead && blocker === null ? openOf(game, read) : null}
      />
      {isRead && <SubscriptionNow game={game} read={read} more={factsOf(read, game.timeZone)} />}
    </div>
  );
}

function openOf(game: Game, read: CardFacts): OpenCard {
  const { subscription, cards } = read;
  return {
    target: targetOf(game.slug, read),
    labels: labelsOf(read),
    cards: (cards ?? []).map((card) => ({ id: card.id, name: formatCardWithExpiry(card) })),
    isWalletOnly: subscription.wallet_only === true,
    effect: formatCardPreview(subscription, game.timeZone),
  };
}

const PAYERS: Record<string, string> = { true: 'wallet first, then saved card', false: 'no card attached', null: 'not reported' };

function factsOf({ subscription }: CardFacts, timeZone: string): InvoFact[] {
  const { wallet_only, has_payment_method, next_charge_at } = subscription;
  const next = nextChargeText(subscription.status, subscription.cancel_at_period_end === true);
  return [
    {
      label: 'Payment method',
      value: wallet_only === true ? 'wallet only' : PAYERS[`${has_payment_method}`],
      field: 'has_payment_method',
      note: has_payment_method === true ? 'Invo doesn’t report which card' : undefined,
    },
    { label: next.label, value: next_charge_at === null ? next.none : formatInZone(next_charge_at, timeZone), field: 'next_charge_at' },
  ];
}
