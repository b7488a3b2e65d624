import type { ReactElement } from 'react';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { InvoField } from '#app/[game]/_subscriptions/invo-field.tsx';
import {
  type Access,
  accessOf,
  nextChargeWords,
  STAGED_PRICE_SENTENCES,
  stagedPriceOf,
  wordsOfSubscription,
} from '#lib/subscriptions/rules/subscription-status.ts';
import type { SubscriptionAnswered } from './cycle-row.ts';

interface SubscriptionAnswerProps {
  subscription: SubscriptionAnswered['subscription'];
  now: string;
  timeZone: string;
}

/** The answer support is asked for: is it running, has the player access and until when, what is charged next. */
export function SubscriptionAnswer({ subscription, now, timeZone }: SubscriptionAnswerProps): ReactElement {
  const words = wordsOfSubscription(subscription.status);
  const willEnd = subscription.cancel_at_period_end === true;
  const next = nextChargeWords(subscription.status, willEnd);
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

function stagedFact(subscription: SubscriptionAnswered['subscription']): InvoFact[] {
  const staged = stagedPriceOf(subscription);
  if (staged === null) return [];
  return [
    {
      label: 'Staged price, USD',
      value: <Money amount={subscription.pending_amount_usd} size="fact" />,
      field: 'pending_amount_usd',
      note: STAGED_PRICE_SENTENCES[staged],
    },
  ];
}

function intervalOf({ interval, interval_count }: SubscriptionAnswered['subscription']): string {
  if (interval === null) return 'how often is not recorded';
  return interval_count === null || interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`;
}
