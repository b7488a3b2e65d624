import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, formatDay, formatItem, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatUsd, signOfMoney } from '#lib/core/money.ts';
import type { BilledSubscription, PlayerBilling } from '#lib/players/read-billing.ts';
import { formatNoSubscriptions } from '#lib/players/text.ts';
import { periodStateOf } from '#lib/subscriptions/rules/subscription.ts';
import { nextChargeText, PERIOD_STATE_TEXT, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import { PartCard } from './part-card.tsx';

const SUBSCRIPTIONS_SHOWN = 6;

interface SubscriptionsCardProps {
  slug: string;
  timeZone: string;
  playerId: number;
  billing: PlayerBilling;
  /** How the wallet was read: only a wallet shows that the player exists. */
  wallet: Parameters<typeof formatNoSubscriptions>[1];
}

/** The subscriptions of the player, each with its last period and what was refunded of it. */
export function SubscriptionsCard({ slug, timeZone, playerId, billing, wallet }: SubscriptionsCardProps): ReactElement {
  const { list, subscriptions } = billing;
  const total = 'value' in list ? list.value.pagination.total_count : null;
  const shown = subscriptions.slice(0, SUBSCRIPTIONS_SHOWN);
  return (
    <PartCard
      title="Subscriptions"
      timeZone={timeZone}
      {...('readAt' in list ? { read: list } : {})}
      more={{ href: `/${slug}/players/${playerId}/subscriptions`, word: 'View all subscriptions and refunds' }}
    >
      {shown.length === 0 ? (
        <p className={detail.quiet}>
          {list.kind === 'live' || list.kind === 'stored'
            ? formatNoSubscriptions(list.kind, wallet)
            : 'Not read, and no subscriptions are stored.'}
        </p>
      ) : (
        <SimpleTable
          label="Subscriptions with their last period"
          isInset
          rows={shown}
          keyOf={({ subscriptionId }) => subscriptionId}
          columns={columnsOf(slug)}
        />
      )}
      {total === null && shown.length > 0 && <p className={detail.quiet}>Only subscriptions known to Sharebook. Invo may have more.</p>}
      {total !== null && total > shown.length && (
        <p className={detail.quiet}>
          Showing {shown.length} of {countNoun(total, 'subscription')}, newest first.
        </p>
      )}
    </PartCard>
  );
}

function columnsOf(slug: string): SimpleColumn<BilledSubscription>[] {
  return [
    {
      label: 'Subscription',
      cell: (each) => (
        <>
          <Link href={`/${slug}/subscriptions/${encodeURIComponent(each.subscriptionId)}`}>{formatItem(each.itemName)}</Link>
          <span className={detail.under}>{showControls(each.subscriptionId)}</span>
          <NarrowNote>
            <StatusNow subscription={each} />
          </NarrowNote>
        </>
      ),
    },
    { label: 'Status', isWideOnly: true, cell: (each) => <StatusNow subscription={each} /> },
    { label: 'Last period', cell: (each) => <LastPeriod slug={slug} subscription={each} /> },
    {
      label: 'Price, USD',
      isFigure: true,
      isWideOnly: true,
      cell: ({ reported }) =>
        reported === null ? <span className={detail.missing}>not read</span> : <Money amount={reported.amount_usd} />,
    },
    {
      label: 'Access until',
      isWideOnly: true,
      cell: ({ reported }) => {
        if (reported === null) return <span className={detail.missing}>not read</span>;
        return (
          <>
            <span className={detail.when}>{reported.paid_through === null ? 'none' : formatDay(reported.paid_through)}</span>
            {reported.next_charge_at !== null && (
              <span className={detail.under}>
                {nextChargeText(reported.status, reported.cancel_at_period_end === true).label}: {formatDay(reported.next_charge_at)}
              </span>
            )}
          </>
        );
      },
    },
  ];
}

function StatusNow({ subscription: { status, reported } }: { subscription: BilledSubscription }): ReactElement {
  const { label, tone } = subscriptionStatusText(status);
  return (
    <>
      <Status tone={tone} word={showControls(label)} />
      {reported === null && <span className={detail.under}>when last seen</span>}
    </>
  );
}

/** The newest period of a subscription: its state, and what Invo reports as refunded; not reported and not read aren't none. */
function LastPeriod({ slug, subscription: { periods } }: { slug: string; subscription: BilledSubscription }): ReactElement {
  if (periods === null || periods.kind === 'nothing') return <span className={detail.missing}>not read</span>;
  if (periods.kind === 'not_found') return <span className={detail.missing}>not reported</span>;
  const [last] = periods.value.periods;
  if (last === undefined) return <span className={detail.missing}>none</span>;
  const refunded = last.refund?.refunded_amount_usd ?? null;
  const { label, tone } = PERIOD_STATE_TEXT[periodStateOf({ ...last, refunded_amount_usd: refunded })];
  return (
    <>
      <Status tone={tone} word={label} />
      <span className={clsx(detail.under, detail.when)}>
        <Link href={`/${slug}/periods/${last.period_id}`}>
          {last.period_seq === null ? `Period ID ${last.period_id}` : `Period ${last.period_seq}`}
        </Link>
        {last.period_start !== null && `, ${formatDay(last.period_start)}`}
      </span>
      {last.paid_at !== null && <span className={detail.under}>{formatRefunded(refunded)}</span>}
    </>
  );
}

function formatRefunded(amount: string | null): string {
  if (amount === null) return 'refunds not reported';
  return signOfMoney(amount) === 0 ? 'not refunded' : `${formatUsd(amount)} refunded`;
}
