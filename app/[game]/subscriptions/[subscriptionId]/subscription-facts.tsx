import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { maskEmail } from '#lib/core/roles.ts';
import type { SubscriptionAnswered } from './cycle-row.ts';

interface SubscriptionFactsProps {
  game: Game;
  read: SubscriptionAnswered;
  canSeeEmails: boolean;
}

/** Who holds the subscription, what pays for it, its billing window and its dates. */
export function SubscriptionFacts({ game, read: { subscription, player }, canSeeEmails }: SubscriptionFactsProps): ReactElement {
  const at = (
    label: string,
    field: 'current_period_start' | 'current_period_end' | 'created_at' | 'trial_end' | 'canceled_at' | 'ended_at',
  ): InvoFact => ({
    label,
    value: subscription[field] && <Instant at={subscription[field]} timeZone={game.timeZone} />,
    field,
  });
  const happened = (['trial_end', 'canceled_at', 'ended_at'] as const).filter((field) => subscription[field] !== null);
  const email = player?.player_email ?? null;
  const facts: InvoFact[] = [
    {
      label: 'Player',
      value: (
        <Link href={`/${game.slug}/players/${subscription.player_id}`}>
          {showControls(player?.player_name ?? `Player ${subscription.player_id}`)}
        </Link>
      ),
      field: 'player_id',
      isWide: true,
      note: `player ${subscription.player_id}${email === null ? '' : `, ${canSeeEmails ? showControls(email) : maskEmail(email)}`}`,
    },
    { label: 'Paid by', value: payerOf(subscription), field: 'funding_rail' },
    ...(subscription.pcstore_agreement_status === null
      ? []
      : [{ label: 'Agreement with the game store', value: subscription.pcstore_agreement_status, field: 'pcstore_agreement_status' }]),
    at('Billing window, from', 'current_period_start'),
    at('Billing window, to', 'current_period_end'),
    {
      label: 'Current period number',
      value: subscription.period_seq,
      field: 'period_seq',
      note: 'counted from 1, one more with each charge',
    },
    at('Begun', 'created_at'),
    ...happened.map((field) => at({ trial_end: 'Trial until', canceled_at: 'Canceled', ended_at: 'Ended' }[field], field)),
    { label: 'Subscription', value: <CopyButton text={subscription.subscription_id} what="subscription id" />, field: 'subscription_id' },
    {
      label: 'Made with the key',
      value: subscription.client_request_id && <CopyButton text={subscription.client_request_id} what="client_request_id" />,
      field: 'client_request_id',
    },
  ];
  return (
    <Card title="Who, and how it is billed">
      <InvoFacts facts={facts} />
    </Card>
  );
}

function payerOf({ funding_rail, wallet_only, has_payment_method }: SubscriptionAnswered['subscription']): string {
  if (funding_rail === 'pcstore') return 'the game store, wallet first';
  if (wallet_only === true) return 'the wallet alone, no card';
  if (has_payment_method === true) return 'a saved card, wallet first';
  return has_payment_method === false ? 'no card is attached' : 'not recorded';
}
