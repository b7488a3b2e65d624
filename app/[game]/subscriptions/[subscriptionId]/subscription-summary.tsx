import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatItem, formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatEmail, formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { type InvoFact, InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { compareInstants } from '#lib/core/instant.ts';
import { type Access, accessOf, pendingPriceOf } from '#lib/subscriptions/rules/subscription.ts';
import { nextChargeText, PENDING_PRICE_TEXT, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import type { SubscriptionReading } from './billing-periods.tsx';

interface SubscriptionStatusCardProps {
  subscription: SubscriptionReading['subscription'];
  now: string;
  timeZone: string;
}

/** What players ask support first: the status, until when the player has access, and the next charge. */
export function SubscriptionStatusCard({ subscription, now, timeZone }: SubscriptionStatusCardProps): ReactElement {
  const status = subscriptionStatusText(subscription.status);
  const willEnd = subscription.cancel_at_period_end === true;
  const isPast = (instant: string): boolean => compareInstants(instant, now) <= 0;
  const next = nextChargeText(subscription.status, willEnd);
  const facts: InvoFact[] = [
    {
      label: next.label,
      value: subscription.next_charge_at === null ? next.none : <Instant at={subscription.next_charge_at} timeZone={timeZone} />,
      field: 'next_charge_at',
    },
    {
      label: 'Current price, USD',
      value: <Money amount={subscription.amount_usd} size="fact" />,
      field: 'amount_usd',
      note: intervalOf(subscription),
    },
    ...pendingPriceFact(subscription),
    ...(willEnd
      ? [
          {
            label: 'Cancellation',
            value:
              subscription.paid_through === null ? (
                'ends immediately'
              ) : (
                <>
                  {isPast(subscription.paid_through) ? 'ended' : 'ends'} on <Instant at={subscription.paid_through} timeZone={timeZone} />
                </>
              ),
            field: 'cancel_at_period_end',
            note: 'no more charges, no second notification',
          },
        ]
      : []),
  ];
  return (
    <Card isAnswer title={formatItem(subscription.item_name)}>
      <p className={detail.state}>
        <Status tone={status.tone} word={status.label} /> {willEnd && <Flag tone="wait" word="Set to end" />}
      </p>
      <InvoField name="paid_through">
        <p className={detail.answer}>{accessSentence(accessOf(subscription, now))}</p>
      </InvoField>
      <div className={detail.facts}>
        <InvoFacts facts={facts} />
      </div>
    </Card>
  );
}

function accessSentence(access: Access): string {
  if (access.kind === 'never') return 'No access: nothing is paid for';
  const date = formatUtc(access.at);
  if (access.kind === 'trial') return `Trial until ${date}; nothing charged yet`;
  return access.kind === 'until' ? `Access until ${date}` : `Access ended ${date}`;
}

function pendingPriceFact(subscription: SubscriptionReading['subscription']): InvoFact[] {
  const pending = pendingPriceOf(subscription);
  if (pending === null) return [];
  return [
    {
      label: 'Pending price, USD',
      value: <Money amount={subscription.pending_amount_usd} size="fact" />,
      field: 'pending_amount_usd',
      note: PENDING_PRICE_TEXT[pending],
    },
  ];
}

function intervalOf({ interval, interval_count }: SubscriptionReading['subscription']): string {
  if (interval === null) return 'billing interval not reported';
  return interval_count === null || interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`;
}

/** The player, the payment method, the current period and the dates of a subscription. */
export function SubscriptionDetailsCard({
  now,
  game,
  read: { subscription, player },
  canSeeEmails,
}: {
  now: string;
  game: Game;
  read: SubscriptionReading;
  canSeeEmails: boolean;
}): ReactElement {
  const date = (
    label: string,
    field: 'current_period_start' | 'current_period_end' | 'created_at' | 'trial_end' | 'canceled_at' | 'ended_at',
  ): InvoFact => ({ label, value: subscription[field] && <Instant at={subscription[field]} timeZone={game.timeZone} />, field });
  const happened = (['trial_end', 'canceled_at', 'ended_at'] as const).filter((field) => subscription[field] !== null);
  const email = player?.player_email ?? null;
  const facts: InvoFact[] = [
    {
      label: 'Player',
      value: (
        <Link href={`/${game.slug}/players/${subscription.player_id}`}>
          {formatPlayer(player?.player_name ?? null, subscription.player_id)}
        </Link>
      ),
      field: 'player_id',
      isWide: true,
      note: `player ${subscription.player_id}${email === null ? '' : `, ${formatEmail(email, canSeeEmails)}`}`,
    },
    { label: 'Payment method', value: payerOf(subscription), field: 'funding_rail' },
    ...(subscription.pcstore_agreement_status === null
      ? []
      : [{ label: 'Game store agreement', value: subscription.pcstore_agreement_status, field: 'pcstore_agreement_status' }]),
    date('Created', 'created_at'),
    { label: 'Current period', value: subscription.period_seq, field: 'period_seq', note: 'counted from 1, one per charge' },
    date('Current period start', 'current_period_start'),
    date('Current period end', 'current_period_end'),
    ...happened.map((field) => date(labelOfDate(field, subscription[field], now), field)),
    {
      label: 'Subscription ID',
      value: <CopyButton text={subscription.subscription_id} what="subscription ID" />,
      field: 'subscription_id',
    },
    {
      label: 'Idempotency key',
      value: subscription.client_request_id && <CopyButton text={subscription.client_request_id} what="client_request_id" />,
      field: 'client_request_id',
    },
  ];
  return (
    <Card title="Details">
      <InvoFacts facts={facts} />
    </Card>
  );
}

function labelOfDate(field: 'trial_end' | 'canceled_at' | 'ended_at', instant: string | null, now: string): string {
  const isPast = instant !== null && compareInstants(instant, now) <= 0;
  return { trial_end: isPast ? 'Trial ended' : 'Trial ends', canceled_at: 'Canceled', ended_at: isPast ? 'Ended' : 'Ends' }[field];
}

function payerOf({ funding_rail, wallet_only, has_payment_method }: SubscriptionReading['subscription']): string {
  if (funding_rail === 'pcstore') return 'wallet first, then game store';
  if (wallet_only === true) return 'wallet only, no card';
  if (has_payment_method === true) return 'wallet first, then saved card';
  return has_payment_method === false ? 'no card attached' : 'not reported';
}
