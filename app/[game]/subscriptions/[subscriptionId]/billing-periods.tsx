import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, formatCount, formatDay, formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { PageSteps } from '#app/[game]/_subscriptions/page-steps.tsx';
import { negateMoney, signOfMoney } from '#lib/core/money.ts';
import { PERIODS_PER_PAGE, type SubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { formatFunding, periodStateOf } from '#lib/subscriptions/rules/subscription.ts';
import { PERIOD_STATE_TEXT, reasonTextOf } from '#lib/subscriptions/text.ts';

/** A subscription with its player. */
export type SubscriptionReading = Extract<SubscriptionDetail['subscription'], { kind: 'live' }>['value'];
/** One page of periods, with the revenue share and the totals. */
export type PeriodsReport = Extract<SubscriptionDetail['periods'], { kind: 'live' }>['value'];
/** One of its periods, with Invo's field names. */
export type PeriodRow = PeriodsReport['periods'][number];

interface PeriodsTableProps {
  slug: string;
  subscriptionId: string;
  report: PeriodsReport;
  offset: number;
}

/** The billing periods, newest first. Not paid and paid without attribution stay apart; partially refunded stays billed. */
export function PeriodsTable({ slug, subscriptionId, report, offset }: PeriodsTableProps): ReactElement {
  const { periods, pagination } = report;
  return (
    <section>
      <div className={detail.tools}>
        <h2>Periods</h2>
        {periods.length > 0 && <p className={detail.quiet}>{formatShown(periods.length, pagination.total_count)}</p>}
      </div>
      {periods.length === 0 ? (
        <p className={detail.quiet}>{pagination.total_count === 0 ? 'Nothing has been billed.' : 'No periods on this page.'}</p>
      ) : (
        <SimpleTable label="Periods" isLong columns={periodColumns(slug)} rows={periods} keyOf={({ period_id }) => period_id} />
      )}
      <PageSteps
        href={`/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`}
        noun="periods"
        offset={offset}
        shown={periods.length}
        total={pagination.total_count}
        pageSize={PERIODS_PER_PAGE}
      />
    </section>
  );
}

/** The head of a column, with Invo's field name. */
function named(label: string, field: string): Pick<SimpleColumn<PeriodRow>, 'label' | 'head'> {
  return { label, head: <InvoField name={field}>{label}</InvoField> };
}

function periodColumns(slug: string): SimpleColumn<PeriodRow>[] {
  return [
    {
      ...named('Period', 'period_seq'),
      cell: ({ period_id, period_seq, period_start }) => (
        <>
          <Link href={`/${slug}/periods/${period_id}`}>{period_seq === null ? `ID ${period_id}` : `Period ${period_seq}`}</Link>
          <NarrowNote>
            <span className={detail.when}>{day(period_start)}</span>
          </NarrowNote>
        </>
      ),
    },
    {
      ...named('Dates', 'period_start, period_end'),
      isWideOnly: true,
      cell: ({ period_start, period_end }) => (
        <span className={detail.when}>
          {day(period_start)} to {day(period_end)}
        </span>
      ),
    },
    { ...named('Status', 'status'), cell: (period) => <PeriodStatus period={period} /> },
    {
      ...named('Paid with', 'funding'),
      isWideOnly: true,
      cell: ({ funding, paid_at }) => formatFunding(funding, paid_at !== null) ?? (paid_at === null ? 'none' : 'not reported'),
    },
    { ...named('Price, USD', 'amount_usd'), isFigure: true, cell: ({ amount_usd }) => <Money amount={amount_usd} /> },
    { ...named('Refunded', 'refund.refunded_amount_usd'), isFigure: true, cell: (period) => <Refunded period={period} /> },
    {
      ...named('Attributed', 'attribution.attributed_amount_usd'),
      isWideOnly: true,
      isFigure: true,
      cell: (period) => <Attributed period={period} />,
    },
    {
      ...named('Settled', 'paid_at'),
      isWideOnly: true,
      cell: ({ paid_at }) => <span className={detail.when}>{paid_at === null ? 'not paid' : formatUtc(paid_at)}</span>,
    },
  ];
}

function PeriodStatus({ period }: { period: PeriodRow }): ReactElement {
  const text = PERIOD_STATE_TEXT[periodStateOf({ ...period, refunded_amount_usd: period.refund?.refunded_amount_usd ?? null })];
  return <Status tone={text.tone} word={text.label} />;
}

function Refunded({ period: { refund, paid_at } }: { period: PeriodRow }): ReactElement {
  const refunded = refund?.refunded_amount_usd ?? null;
  // A paid period without refunds reported isn't a period without refunds.
  const hasNone = refunded === null ? paid_at === null : signOfMoney(refunded) === 0;
  return hasNone ? <>none</> : <Money amount={refunded} />;
}

function Attributed({ period: { paid_at, attribution, attribution_unavailable_reason: reason } }: { period: PeriodRow }): ReactElement {
  if (attribution !== null) return <Money amount={attribution.attributed_amount_usd} />;
  if (paid_at === null) return <>none</>;
  const text = reason === null ? null : reasonTextOf(reason);
  return (
    <Flag tone={reason === 'no_revenue_share_configured' ? 'quiet' : 'wait'} word={text?.title ?? 'No attribution, no reason reported'} />
  );
}

function day(instant: string | null): string {
  return instant === null ? 'not reported' : formatDay(instant);
}

function formatShown(shown: number, total: number): string {
  return `${shown < total ? `${formatCount(shown)} of ${countNoun(total, 'period')}` : countNoun(total, 'period')}, newest first`;
}

interface ShareCardProps {
  slug: string;
  share: PeriodsReport['current_revenue_share'];
  timeZone: string;
}

/** The revenue share for future renewals. It is never used to compute what is owed for past ones. */
export function ShareCard({ slug, share, timeZone }: ShareCardProps): ReactElement {
  return (
    <Card title="Revenue share for future renewals">
      {share === null ? (
        <p className={detail.quiet}>None configured. Future renewals have no recipient.</p>
      ) : (
        <InvoFacts
          facts={[
            {
              label: 'Rate',
              value: `${share.percent}%`,
              field: 'current_revenue_share.percent',
              note: 'each renewal keeps the rate it settled with',
            },
            {
              label: 'Recipient',
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
      )}
    </Card>
  );
}

/** Invo's totals over the life of the subscription; above its cap Invo reports none, which isn't zero. */
export function LifetimeCard({ totals }: { totals: PeriodsReport['lifetime_totals'] }): ReactElement {
  if (totals === null || totals === 'unreadable')
    return (
      <Card title="Lifetime totals">
        <p className={detail.quiet}>
          {totals === null
            ? 'Not available: Invo totals at most 20,000 renewals per subscription. See the months for the totals of each month.'
            : 'Not available: Invo sent totals that can’t be read. See the months for the totals of each month.'}
        </p>
      </Card>
    );
  const usd = (label: string, field: 'settled_gross_usd' | 'partner_revenue_usd' | 'gross_attributed_usd' | 'net_attributed_usd') => ({
    label,
    value: <Money amount={totals[field]} size="fact" />,
    field: `lifetime_totals.${field}`,
  });
  return (
    <Card title="Lifetime totals" aside={<span className={detail.label}>USD</span>}>
      <InvoFacts
        facts={[
          { label: 'Renewals settled', value: formatCount(totals.renewals_settled), field: 'lifetime_totals.renewals_settled' },
          usd('Gross settled', 'settled_gross_usd'),
          usd('Partner revenue, net of reversals', 'partner_revenue_usd'),
          usd('Gross attributed', 'gross_attributed_usd'),
          {
            label: 'Reversed',
            value: <Money amount={negateMoney(totals.reversed_attributed_usd)} size="fact" />,
            field: 'lifetime_totals.reversed_attributed_usd',
          },
          usd('Net attributed', 'net_attributed_usd'),
        ]}
      />
    </Card>
  );
}
