import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, formatDay, formatItem, formatTime, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import styles from '#app/[game]/_desk/glance.module.css';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import { formatUsd } from '#lib/core/money.ts';
import type { PlayerOrders } from '#lib/orders/find-player-orders.ts';
import { orderStatusText } from '#lib/orders/text.ts';
import type { PlayerBilling } from '#lib/players/read-billing.ts';
import { type Charge, type ChargeGroup, composeCharges, countUncompared } from '#lib/players/rules/charges.ts';
import {
  formatAlike,
  formatChargeCoverage,
  formatNoneAlike,
  formatUncompared,
  LIKENESS_TEXT,
  REFUND_FACT_TEXT,
} from '#lib/players/text.ts';
import type { RefundSummary } from '#lib/refunds/reads/refund-preconditions.ts';
import { refundStatusText } from '#lib/refunds/text.ts';
import { formatFunding } from '#lib/subscriptions/rules/subscription.ts';
import { PartCard } from './part-card.tsx';

const CHARGES_SHOWN = 30;

interface ChargesCardProps {
  slug: string;
  timeZone: string;
  billing: PlayerBilling;
  orders: PlayerOrders;
  /** Whether Invo just named this player for the email. An empty list names nobody, so without it it isn't an answer about them. */
  isConfirmed: boolean;
}

/** The charges of the player, newest first, those that are alike next to each other, and whether any are. */
export function ChargesCard({ slug, timeZone, billing, orders, isConfirmed }: ChargesCardProps): ReactElement {
  const { list, subscriptions, refunds } = billing;
  const reports = subscriptions.flatMap(({ periods }) => (periods !== null && 'value' in periods ? [periods.value] : []));
  const groups = composeCharges({
    periods: reports.flatMap(({ periods }) => periods),
    unreadPeriods: orders.minted,
    purchases: orders.read.filter(({ book }) => book === 'currency'),
    named: orders.named,
  });
  const alike = groups.filter(({ likeness }) => likeness !== null);
  const rows = groups.flatMap(({ likeness, charges }) => charges.map((charge) => ({ charge, likeness })));
  const isListed = 'value' in list && (isConfirmed || list.value.subscriptions.length > 0);
  const coverage = formatChargeCoverage({
    read: reports.length,
    total: isListed ? list.value.pagination.total_count : null,
    hasOlder: reports.some(({ pagination }) => pagination.has_more),
  });
  return (
    <PartCard title="Charges" {...oldestRead(billing)} timeZone={timeZone} note={coverage}>
      <BillingNotices billing={billing} />
      {rows.length > 1 && <Likenesses alike={alike} uncompared={countUncompared(groups)} timeZone={timeZone} />}
      {rows.length === 0 ? (
        <p className={detail.quiet}>No charge is known.</p>
      ) : (
        <SimpleTable
          label="Charges by date"
          isInset
          rows={rows.slice(0, CHARGES_SHOWN)}
          keyOf={({ charge }) => keyOf(charge)}
          toneOf={({ likeness }) => (likeness === null ? null : 'wait')}
          columns={chargeColumns({ slug, timeZone, refunds })}
        />
      )}
      {rows.length > CHARGES_SHOWN && (
        <p className={detail.quiet}>
          Showing {CHARGES_SHOWN} of {countNoun(rows.length, 'charge')}, newest first. Open a subscription for its older periods.
        </p>
      )}
    </PartCard>
  );
}

/** Why something wasn't read; when Invo couldn't be reached for the list, that says it for the periods too. */
function BillingNotices({ billing: { list, subscriptions } }: Pick<ChargesCardProps, 'billing'>): ReactElement | null {
  if ('error' in list) return <ReadNotice detail={list} what="the subscriptions" />;
  const failed = subscriptions.filter(({ periods }) => periods !== null && 'error' in periods);
  const [first] = failed;
  if (!first?.periods) return null;
  return <ReadNotice detail={first.periods} what={`the periods of ${countNoun(failed.length, 'subscription')}`} />;
}

/** The oldest of the answers a card shows. */
function oldestRead({ list, subscriptions }: PlayerBilling): { read?: { kind: string; readAt: string; age_s?: number } } {
  const reads = [list, ...subscriptions.map(({ periods }) => periods)].flatMap((read) => (read !== null && 'readAt' in read ? [read] : []));
  const [oldest] = reads.toSorted((a, b) => (b.age_s ?? 0) - (a.age_s ?? 0));
  return oldest === undefined ? {} : { read: oldest };
}

/** Whether charges are alike, before anybody compares rows. */
function Likenesses({ alike, uncompared, timeZone }: { alike: ChargeGroup[]; uncompared: number; timeZone: string }): ReactElement {
  const [first, ...others] = alike.map((group) => formatAlike(group, timeZone));
  if (first === undefined) return <p className={styles.lead}>{formatNoneAlike(uncompared)}</p>;
  if (others.length === 0)
    return (
      <Notice voice="wait" title={first.title}>
        {first.refunds} {formatUncompared(uncompared)}
      </Notice>
    );
  return (
    <Notice voice="wait" title={`${alike.length} groups of charges are alike`}>
      {[first, ...others].map(({ title, refunds }) => (
        <p key={title}>
          {title}. {refunds}
        </p>
      ))}
      {uncompared > 0 && <p>{formatUncompared(uncompared)}</p>}
    </Notice>
  );
}

interface ChargeRow {
  charge: Charge;
  likeness: ChargeGroup['likeness'];
}

function keyOf(charge: Charge): string {
  switch (charge.kind) {
    case 'period':
      return `period ${charge.period.period_id}`;
    case 'unread_period':
      return `order ${charge.unread.orderId}`;
    case 'purchase':
      return `order ${charge.purchase.orderId}`;
    case 'unread_order':
      return `order ${charge.orderId}`;
  }
}

function chargeColumns({
  slug,
  timeZone,
  refunds,
}: {
  slug: string;
  timeZone: string;
  refunds: RefundSummary[];
}): SimpleColumn<ChargeRow>[] {
  return [
    {
      label: timeZone === 'UTC' ? 'Charged, UTC' : `Charged, ${timeZone}`,
      cell: ({ charge: { at, kind } }) =>
        at === null ? (
          <span className={detail.missing}>{kind === 'period' || kind === 'purchase' ? 'not reported' : 'not read'}</span>
        ) : (
          <>
            <span className={detail.when}>{formatDay(at, timeZone)}</span>
            <span className={detail.under}>
              {formatTime(at, timeZone, 'minute')}
              {kind === 'unread_order' && ', webhook'}
            </span>
          </>
        ),
    },
    {
      label: 'For',
      cell: ({ charge, likeness }) => (
        <>
          <Subject slug={slug} charge={charge} />
          {likeness !== null && <Flag tone="wait" word={LIKENESS_TEXT[likeness]} />}
          <NarrowNote>
            <RefundCell slug={slug} charge={charge} refunds={refunds} />
          </NarrowNote>
        </>
      ),
    },
    {
      label: 'USD',
      isFigure: true,
      cell: ({ charge: { amount_usd, kind } }) =>
        amount_usd === null && kind !== 'period' && kind !== 'purchase' ? (
          <span className={detail.missing}>not read</span>
        ) : (
          <Money amount={amount_usd} />
        ),
    },
    { label: 'Paid with', isWideOnly: true, cell: ({ charge }) => paidWith(charge) },
    { label: 'Refund', isWideOnly: true, cell: ({ charge }) => <RefundCell slug={slug} charge={charge} refunds={refunds} /> },
  ];
}

function paidWith(charge: Charge): string {
  if (charge.kind === 'period') return formatFunding(charge.period.funding, true) ?? 'not reported';
  return charge.kind === 'purchase' ? 'not stored' : 'not read';
}

/** What a charge was for, which leads to its page. */
function Subject({ slug, charge }: { slug: string; charge: Charge }): ReactElement {
  const order = (id: string, what: string): ReactElement => (
    <>
      <Link href={`/${slug}/orders/${encodeURIComponent(id)}`}>{what}</Link>
      <span className={detail.under}>{showControls(id)}</span>
    </>
  );
  switch (charge.kind) {
    case 'period': {
      const { period_id, period_seq, item_name } = charge.period;
      return (
        <>
          <Link href={`/${slug}/periods/${period_id}`}>{formatItem(item_name)}</Link>
          <span className={detail.under}>{period_seq === null ? `period ID ${period_id}` : `period ${period_seq}`}</span>
        </>
      );
    }
    case 'unread_period':
      return (
        <>
          <Link href={`/${slug}/periods/${charge.unread.periodId}`}>Renewal</Link>
          <span className={detail.under}>period ID {charge.unread.periodId}</span>
        </>
      );
    case 'purchase':
      return order(charge.purchase.orderId, 'Currency purchase');
    case 'unread_order':
      return order(charge.orderId, 'Order named by a webhook');
  }
}

/** What Invo reports of refunds of a charge, and those requested here. */
function RefundCell({ slug, charge, refunds }: { slug: string; charge: Charge; refunds: RefundSummary[] }): ReactElement {
  const text = REFUND_FACT_TEXT[charge.refund];
  const periodId = charge.kind === 'period' ? charge.period.period_id : charge.kind === 'unread_period' ? charge.unread.periodId : null;
  return (
    <>
      {text !== null ? <Status tone={text.tone} word={text.label} /> : <Unknown charge={charge} />}
      {charge.kind === 'period' && charge.refund === 'partial' && (
        <span className={detail.under}>{formatUsd(charge.period.refund?.refunded_amount_usd ?? '0')} refunded</span>
      )}
      {refunds
        .filter(({ period_id }) => period_id === periodId)
        .map((refund) => (
          <span key={refund.refundId} className={detail.under}>
            <Link href={`/${slug}/refunds/${refund.refundId}`}>Refund {refund.refundId}</Link>: {refundStatusText(refund).label}
          </span>
        ))}
    </>
  );
}

function Unknown({ charge }: { charge: Charge }): ReactElement {
  if (charge.kind === 'purchase') {
    const { label, tone } = orderStatusText(charge.purchase.status, 'currency');
    return <Status tone={tone} word={showControls(label)} />;
  }
  return <span className={detail.missing}>{charge.kind === 'period' ? 'not reported' : 'not read'}</span>;
}
