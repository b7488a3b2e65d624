import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { formatDay, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { PageSteps } from '#app/[game]/_subscriptions/page-steps.tsx';
import { negateMoney, signOfMoney } from '#lib/core/money.ts';
import { PERIODS_PER_PAGE, type SubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { formatFunding, PERIOD_STATE_TEXT, periodStateOf } from '#lib/subscriptions/rules/period-state.ts';
import { reasonText } from '#lib/subscriptions/text.ts';

/** The subscription with its player, as the page draws it. */
export type SubscriptionReading = Extract<SubscriptionDetail['subscription'], { kind: 'live' }>['value'];
/** One page of cycles with the share and the totals. */
export type PeriodsReport = Extract<SubscriptionDetail['cycles'], { kind: 'live' }>['value'];
/** One cycle of it, in Invo's names. */
export type PeriodRow = PeriodsReport['periods'][number];

interface PeriodsTableProps {
  slug: string;
  subscriptionId: string;
  report: PeriodsReport;
  offset: number;
}

/** The billing cycles, newest first: never paid apart from paid but unattributed, partly refunded shown as billed. */
export function PeriodsTable({ slug, subscriptionId, report, offset }: PeriodsTableProps): ReactElement {
  const { periods, pagination } = report;
  return (
    <section>
      <div className={detail.tools}>
        <h2>Cycles</h2>
        {periods.length > 0 && <p className={detail.quiet}>{sayShown(periods.length, pagination.total_count)}</p>}
      </div>
      {periods.length === 0 ? (
        <p className={detail.quiet}>{pagination.total_count === 0 ? 'Nothing was ever billed.' : 'There are no cycles this far back.'}</p>
      ) : (
        <TableFrame label="Cycles" isLong>
          <thead>
            <tr>
              <th scope="col">
                <InvoField name="period_seq">Period</InvoField>
              </th>
              <th scope="col">
                <InvoField name="period_start, period_end">Billing window</InvoField>
              </th>
              <th scope="col">
                <InvoField name="status">State</InvoField>
              </th>
              <th scope="col">
                <InvoField name="funding">Paid by</InvoField>
              </th>
              <th scope="col" className="num">
                <InvoField name="amount_usd">Price, USD</InvoField>
              </th>
              <th scope="col" className="num">
                <InvoField name="refund.refunded_amount_usd">Refunded</InvoField>
              </th>
              <th scope="col" className="num">
                <InvoField name="attribution.attributed_amount_usd">Attributed</InvoField>
              </th>
              <th scope="col">
                <InvoField name="paid_at">Settled</InvoField>
              </th>
            </tr>
          </thead>
          <tbody>
            {periods.map((cycle) => (
              <Row key={cycle.period_id} slug={slug} cycle={cycle} />
            ))}
          </tbody>
        </TableFrame>
      )}
      <PageSteps
        href={`/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`}
        noun="cycles"
        offset={offset}
        shown={periods.length}
        total={pagination.total_count}
        pageSize={PERIODS_PER_PAGE}
      />
    </section>
  );
}

function Row({ slug, cycle }: { slug: string; cycle: PeriodRow }): ReactElement {
  const refunded = cycle.refund?.refunded_amount_usd ?? null;
  const words = PERIOD_STATE_TEXT[periodStateOf({ ...cycle, refunded_amount_usd: refunded })];
  // Of what was paid, no word about refunds is not none.
  const isNothingBack = refunded === null ? cycle.paid_at === null : signOfMoney(refunded) === 0;
  return (
    <tr>
      <th scope="row">
        <Link href={`/${slug}/periods/${cycle.period_id}`}>
          {cycle.period_seq === null ? cycle.period_id : `Number ${cycle.period_seq}`}
        </Link>
      </th>
      <td className={detail.when}>
        {day(cycle.period_start)} to {day(cycle.period_end)}
      </td>
      <td>
        <Status tone={words.tone} word={words.label} />
      </td>
      <td>{formatFunding(cycle.funding, cycle.paid_at !== null) ?? '–'}</td>
      <td className="num">
        <Money amount={cycle.amount_usd} />
      </td>
      <td className="num">{isNothingBack ? '–' : <Money amount={refunded} />}</td>
      <td className="num">
        <Attributed cycle={cycle} />
      </td>
      <td className={detail.when}>{cycle.paid_at === null ? 'never' : formatUtc(cycle.paid_at)}</td>
    </tr>
  );
}

function Attributed({ cycle: { paid_at, attribution, attribution_unavailable_reason: reason } }: { cycle: PeriodRow }): ReactElement {
  if (attribution !== null) return <Money amount={attribution.attributed_amount_usd} />;
  if (paid_at === null) return <>–</>;
  const words = reason === null ? null : reasonText(reason);
  return (
    <Flag tone={reason === 'no_revenue_share_configured' ? 'quiet' : 'wait'} word={words?.title ?? 'paid, unattributed, no reason given'} />
  );
}

function day(instant: string | null): string {
  return instant === null ? 'not recorded' : formatDay(instant);
}

function sayShown(shown: number, total: number): string {
  return `${shown < total ? `${formatCount(shown)} of ${formatCount(total)}` : formatCount(total)}, newest first`;
}

interface ShareCardProps {
  slug: string;
  share: PeriodsReport['current_revenue_share'];
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
export function LifetimeCard({ totals }: { totals: PeriodsReport['lifetime_totals'] }): ReactElement {
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
