import Link from 'next/link';
import type { ReactElement } from 'react';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { sayCharged, sayPeriodSpan } from '#app/[game]/_refunds/words/period-words.ts';
import { signOfMoney } from '#lib/core/money.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import { remainingOf } from '#lib/refunds/rules/period.ts';

/** The period a refund is about, as Invo tells it now. */
export function PeriodFactsCard({ slug, period, readAt }: { slug: string; period: PeriodFacts; readAt: string }): ReactElement {
  const left = remainingOf(period);
  const isCoinsOnly = period.rail === 'pcstore' && signOfMoney(period.pcstore_charged_usd ?? '0') === 0;
  return (
    <Card title={`The period, as Invo told it at ${formatUtc(readAt, 'second')}`}>
      <Facts
        columns={4}
        facts={[
          { label: 'Item', value: <bdi>{period.item_name ?? 'not recorded'}</bdi> },
          {
            label: 'Period',
            value: (
              <Link href={`/${slug}/periods/${period.period_id}`}>
                {period.period_seq === null ? 'Number not known' : `Number ${period.period_seq}`}
              </Link>
            ),
            note: sayPeriodSpan(period),
          },
          {
            label: 'Subscription',
            value: <Link href={`/${slug}/subscriptions/${period.subscription_id}`}>{period.subscription_id}</Link>,
            isWide: true,
          },
          { label: 'Paid', value: period.paid_at === null ? 'never' : formatUtc(period.paid_at) },
          {
            label: 'Price',
            value: sayUsd(period.amount_usd),
            note: `Charged ${sayCharged(period)}${isCoinsOnly ? '. Refunds in coins only.' : ''}`,
          },
          { label: 'Refunded so far', value: sayUsd(period.refunds_told ? period.refunded_to_date_usd : null) },
          { label: 'Left to refund', value: sayUsd(period.refunds_told ? left : null) },
        ]}
      />
    </Card>
  );
}
