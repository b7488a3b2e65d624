import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { type InvoFact, InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { maskEmail } from '#lib/core/roles.ts';
import {
  type Access,
  accessOf,
  nextChargeText,
  STAGED_PRICE_TEXT,
  stagedPriceOf,
  subscriptionStatusText,
} from '#lib/subscriptions/rules/subscription.ts';
import type { SubscriptionReading } from './billing-periods.tsx';

interface SubscriptionStatusCardProps {
  subscription: SubscriptionReading['subscription'];
  now: string;
  timeZone: string;
}

/** The answer support is asked for: is it running, has the player access and until when, what is charged next. */
export function SubscriptionStatusCard({ subscription, now, timeZone }: SubscriptionStatusCardProps): ReactElement {
  const words = subscriptionStatusText(subscription.status);
  const willEnd = subscription.cancel_at_period_end === true;
  const next = nextChargeText(subscription.status, willEnd);
  const facts: InvoFact[] = [
    {
      label: next.label,
      value: subscription.next_charge_at === null ? next.none : <Instant at={subscription.next_charge_at} timeZone={timeZone} />,
      field: 'next_charge_at',
    },
    {
      label: 'Price now, USD',
      value: <Money amount={subscription.amount_usd} size="fact" />,
      field: 'amount_usd',
      note: intervalOf(subscription),
    },
    ...stagedFact(subscription),
    ...(willEnd
      ? [
          {
            label: 'Cancellation',
            value:
              subscription.paid_through === null ? (
                'ends at once'
              ) : (
                <>
                  ends on <Instant at={subscription.paid_through} timeZone={timeZone} />
                </>
              ),
            field: 'cancel_at_period_end',
            note: 'no further charge, no second notice',
          },
        ]
      : []),
  ];
  return (
    <Card isAnswer title={subscription.item_name === null ? 'Item not recorded' : showControls(subscription.item_name)}>
      <p className={detail.state}>
        <Status tone={words.tone} word={words.label} /> {willEnd && <Flag tone="wait" word="will end" />}
      </p>
      <p className={detail.label}>Access, which is not the billing window</p>
      <InvoField name="paid_through">
        <p className={detail.answer}>{accessSentence(accessOf(subscription.paid_through, now))}</p>
      </InvoField>
      <div className={detail.facts}>
        <InvoFacts facts={facts} />
      </div>
    </Card>
  );
}

function accessSentence(access: Access): string {
  if (access.kind === 'never') return 'No access: nothing is paid for';
  const at = formatUtc(access.at);
  return access.kind === 'until' ? `Has access until ${at}` : `Access ended ${at}`;
}

function stagedFact(subscription: SubscriptionReading['subscription']): InvoFact[] {
  const staged = stagedPriceOf(subscription);
  if (staged === null) return [];
  return [
    {
      label: 'Staged price, USD',
      value: <Money amount={subscription.pending_amount_usd} size="fact" />,
      field: 'pending_amount_usd',
      note: STAGED_PRICE_TEXT[staged],
    },
  ];
}

function intervalOf({ interval, interval_count }: SubscriptionReading['subscription']): string {
  if (interval === null) return 'how often is not recorded';
  return interval_count === null || interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`;
}

interface SubscriptionFactsProps {
  game: Game;
  read: SubscriptionReading;
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

function payerOf({ funding_rail, wallet_only, has_payment_method }: SubscriptionReading['subscription']): string {
  if (funding_rail === 'pcstore') return 'the game store, wallet first';
  if (wallet_only === true) return 'the wallet alone, no card';
  if (has_payment_method === true) return 'a saved card, wallet first';
  return has_payment_method === false ? 'no card is attached' : 'not recorded';
}
