import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { NotInGame } from '#app/[game]/_subscriptions/read-notices.tsx';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findPriceBlocker } from '#lib/subscriptions/rules/changes.ts';
import { PRICE_BLOCKERS } from '#lib/subscriptions/text.ts';
import styles from '../_change/change.module.css';
import { closedBy, labelsOf, targetOf } from '../_change/change-answers.ts';
import { type ChangeOf, ChangePage, SubscriptionNow } from '../_change/change-page.tsx';
import { formatInZone } from '../_change/text.ts';
import { type OpenPrice, PriceTool } from './price-form.tsx';

export const metadata: Metadata = { title: 'Change price' };

export default function PricePage({ params }: { params: Promise<{ game: string; subscriptionId: string }> }): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change price"
      intro="A new price applies at the next renewal. Nothing is charged now, and nothing is sent until you confirm."
      body={(change) => <PriceBody {...change} />}
    />
  );
}

/** A subscription and its price form, or why there is none. */
async function PriceBody({ game, subscriptionId, context }: ChangeOf): Promise<ReactElement> {
  const read = await readChangeFacts(context, subscriptionId);
  if (read.kind === 'not_found') return <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  const blocker = isRead ? findPriceBlocker(read.subscription) : null;
  return (
    <div className={styles.page}>
      <PriceTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? blocker && { kind: 'closed', ...PRICE_BLOCKERS[blocker] } : closedBy(read)}
        open={isRead && blocker === null ? openOf(game, read) : null}
      />
      {isRead && <SubscriptionNow game={game} read={read} more={factsOf(read, game.timeZone)} />}
    </div>
  );
}

function openOf(game: Game, read: ChangeFacts): OpenPrice | null {
  const { amount_usd, current_period_end, paid_through, ...others } = read.subscription;
  if (amount_usd === null) return null;
  const { status, cancel_at_period_end, pending_amount_usd, funding_rail } = others;
  const periodEnd = paid_through === null || current_period_end === null ? null : formatInZone(current_period_end, game.timeZone);
  return {
    target: targetOf(game.slug, read),
    labels: labelsOf(read),
    priced: { status, cancel_at_period_end, amount_usd, pending_amount_usd, funding_rail },
    periodEnd,
  };
}

function factsOf({ subscription: { current_period_end } }: ChangeFacts, timeZone: string): InvoFact[] {
  return [
    { label: 'Last agreed price', value: 'not reported', note: 'the current price is used instead' },
    { label: 'Current period ends', value: current_period_end && formatInZone(current_period_end, timeZone), field: 'current_period_end' },
  ];
}
