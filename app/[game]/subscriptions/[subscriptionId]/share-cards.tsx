import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoFacts } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { negateMoney } from '#lib/core/money.ts';
import type { CyclesReport } from './cycle-row.ts';

interface ShareCardProps {
  slug: string;
  share: CyclesReport['current_revenue_share'];
  timeZone: string;
}

/** The share in force for renewals to come. It is no basis for paying anybody, and nothing here is multiplied by it. */
export function ShareCard({ slug, share, timeZone }: ShareCardProps): ReactElement {
  if (share === null)
    return (
      <Card title="Share, for future renewals only">
        <p className={detail.quiet}>None is configured: nobody earns anything on renewals to come.</p>
      </Card>
    );
  return (
    <Card title="Share, for future renewals only">
      <InvoFacts
        facts={[
          {
            label: 'Rate',
            value: `${share.percent} %`,
            field: 'current_revenue_share.percent',
            note: 'each renewal keeps the rate it settled with',
          },
          {
            label: 'To',
            value: <Link href={`/${slug}/players/${share.recipient_player_id}`}>Player {share.recipient_player_id}</Link>,
            field: 'current_revenue_share.recipient_player_id',
          },
          {
            label: 'In force since',
            value: share.updated_at && <Instant at={share.updated_at} timeZone={timeZone} />,
            field: 'current_revenue_share.updated_at',
          },
        ]}
      />
    </Card>
  );
}

/** Invo's sums over the whole life of the subscription; past its cap Invo gives none, which is not zero. */
export function LifetimeCard({ totals }: { totals: CyclesReport['lifetime_totals'] }): ReactElement {
  if (totals === null || totals === 'unreadable')
    return (
      <Card title="Over its whole life">
        <p className={detail.quiet}>
          {totals === null
            ? 'Not available: Invo adds up no more than 20,000 renewals of one subscription. The months hold the sums of their windows.'
            : 'Invo gave sums that cannot be read. The months hold the sums of their windows.'}
        </p>
      </Card>
    );
  const usd = (label: string, field: 'settled_gross_usd' | 'partner_revenue_usd' | 'gross_attributed_usd' | 'net_attributed_usd') => ({
    label,
    value: <Money amount={totals[field]} size="fact" />,
    field: `lifetime_totals.${field}`,
  });
  return (
    <Card title="Over its whole life" aside={<span className={detail.label}>USD</span>}>
      <InvoFacts
        facts={[
          { label: 'Renewals settled', value: formatCount(totals.renewals_settled), field: 'lifetime_totals.renewals_settled' },
          usd('Settled', 'settled_gross_usd'),
          usd('Partner’s leg, net of reversal', 'partner_revenue_usd'),
          usd('Attributed', 'gross_attributed_usd'),
          {
            label: 'Reversed',
            value: <Money amount={negateMoney(totals.reversed_attributed_usd)} size="fact" />,
            field: 'lifetime_totals.reversed_attributed_usd',
          },
          usd('Attributed, net', 'net_attributed_usd'),
        ]}
      />
    </Card>
  );
}
