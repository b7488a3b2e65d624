import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { openDesk } from '#app/_server/desk.ts';
import type { Game } from '#app/_server/game.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { NotInGame } from '#app/[game]/_subscriptions/read-notices.tsx';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findPriceBlocker } from '#lib/subscriptions/rules/price.ts';
import styles from '../_change/change.module.css';
import { closedBy, labelsOf, targetOf } from '../_change/change-answers.ts';
import { ChangePage, SubscriptionNow } from '../_change/change-page.tsx';
import { formatInZone, PRICE_BLOCKERS } from '../_change/text.ts';
import { type OpenPrice, PriceTool } from './price-form.tsx';

export const metadata: Metadata = { title: 'Change the price' };

interface PricePageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
}

export default function PricePage({ params }: PricePageProps): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change the price"
      words="A new price is staged and charges nothing now. Nothing is sent before you have confirmed it."
      body={(game, subscriptionId) => <PriceBody game={game} subscriptionId={subscriptionId} />}
    />
  );
}

/** A subscription and the form that changes its price, or why there is none. */
export async function PriceBody({ game, subscriptionId }: { game: Game; subscriptionId: string }): Promise<ReactElement> {
  const read = await readChangeFacts(await openDesk(game), subscriptionId);
  if (read.kind === 'not_found') return <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  const hindrance = isRead ? findPriceBlocker(read.subscription) : null;
  return (
    <div className={styles.page}>
      <PriceTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? hindrance && { kind: 'closed', ...PRICE_BLOCKERS[hindrance] } : closedBy(read)}
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
  const windowEnd = paid_through === null || current_period_end === null ? null : formatInZone(current_period_end, game.timeZone);
  return {
    target: targetOf(game.slug, read),
    told: labelsOf(read),
    priced: { status, cancel_at_period_end, amount_usd, pending_amount_usd, funding_rail },
    windowEnd,
  };
}

function factsOf({ subscription: { current_period_end } }: ChangeFacts, timeZone: string): InvoFact[] {
  return [
    { label: 'Price last agreed to', value: 'not told by Invo', note: 'the price now stands for it' },
    { label: 'Billing window ends', value: current_period_end && formatInZone(current_period_end, timeZone), field: 'current_period_end' },
  ];
}
