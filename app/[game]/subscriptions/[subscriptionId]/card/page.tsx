import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { formatCardWithExpiry } from '#app/[game]/_subscriptions/format-names.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { type CardFacts, readCardFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findCardBlocker } from '#lib/subscriptions/rules/changes.ts';
import { CARD_BLOCKERS, nextChargeText } from '#lib/subscriptions/text.ts';
import { ChangePage, type ChangeParams, labelsOf, targetOf } from '../_change/change-page.tsx';
import type { ClosedView } from '../_change/change-state.ts';
import { formatCardPreview, formatInZone } from '../_change/text.ts';
import { CardTool, type OpenCard } from './card-form.tsx';

export const metadata: Metadata = { title: 'Change card' };

export default function CardPage({ params }: ChangeParams): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change card"
      intro="The new card is used for all charges from now on. Nothing is charged now, and nothing is sent until you confirm."
      read={readCardFacts}
      tool={CardTool}
      viewOf={viewOf}
    />
  );
}

function viewOf(read: CardFacts, game: Game): { closed: ClosedView | null; open: OpenCard | null; more: InvoFact[] } {
  const { subscription, cards } = read;
  const blocker = findCardBlocker(subscription, cards?.length ?? null);
  const open = {
    target: targetOf(game, read),
    labels: labelsOf(read),
    cards: (cards ?? []).map((card) => ({ id: card.id, name: formatCardWithExpiry(card) })),
    isWalletOnly: subscription.wallet_only === true,
    effect: formatCardPreview(subscription, game.timeZone),
  };
  return {
    closed: blocker && { kind: 'closed', ...CARD_BLOCKERS[blocker] },
    open: blocker === null ? open : null,
    more: factsOf(read, game.timeZone),
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
