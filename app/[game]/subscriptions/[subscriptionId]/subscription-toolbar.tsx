import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { signOfMoney } from '#lib/core/money.ts';
import { isSubscriptionEnded, periodStateOf } from '#lib/subscriptions/rules/subscription.ts';
import { NO_REFUNDABLE_PERIOD, PERIODS_NOT_READ } from '#lib/subscriptions/text.ts';
import type { PeriodRow } from './billing-periods.tsx';

interface SubscriptionToolbarProps {
  slug: string;
  subscriptionId: string;
  status: string | null;
  fundingRail: string | null;
  /** Those on the page, newest first; null when they couldn't be read. */
  periods: PeriodRow[] | null;
  person: Pick<Person, 'may'>;
}

/** What support can do with a subscription. What Invo would refuse is disabled, with the reason. */
export function SubscriptionToolbar({
  slug,
  subscriptionId,
  status,
  fundingRail,
  periods,
  person,
}: SubscriptionToolbarProps): ReactElement | null {
  const mayRefund = person.may('refunds.request');
  const mayChange = person.may('subscriptions.change');
  if (!mayRefund && !mayChange) return null;
  const base = `/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`;
  const refund = refundButtonOf(periods);
  const reasons = [
    ...(mayRefund && refund.reason !== null ? [refund.reason] : []),
    ...(mayChange && isSubscriptionEnded(status) ? ['Price and card: the subscription has ended, so they can’t be changed.'] : []),
    ...(mayChange && !isSubscriptionEnded(status) && fundingRail === 'pcstore' ? ['Card: the game store charges this subscription.'] : []),
  ];
  const isCardClosed = isSubscriptionEnded(status) || fundingRail === 'pcstore';
  return (
    <div className={detail.tools}>
      {mayRefund && <Tool word={refund.word} href={refund.periodId === null ? null : `/${slug}/periods/${refund.periodId}/refund`} />}
      {mayChange && (
        <>
          <Tool word="Cancel subscription…" href={`${base}/cancel`} />
          <Tool word="Change price…" href={isSubscriptionEnded(status) ? null : `${base}/price`} />
          <Tool word="Change card…" href={isCardClosed ? null : `${base}/card`} />
        </>
      )}
      {reasons.length > 0 && <p className={detail.quiet}>{reasons.join(' ')}</p>}
    </div>
  );
}

function Tool({ word, href }: { word: string; href: string | null }): ReactElement {
  return href === null ? <Button isDisabled>{word}</Button> : <LinkButton href={href}>{word}</LinkButton>;
}

/** The label of the refund button and its period. Without a period the button is disabled for the reason. */
interface RefundButtonState {
  word: string;
  periodId: number | null;
  reason: string | null;
}

/** Names the period that a refund from here is for: the newest on the page with an amount left. Without a number, Invo would choose one itself. */
export function refundButtonOf(periods: PeriodRow[] | null): RefundButtonState {
  const disabled = { word: 'Refund…', periodId: null };
  if (periods === null) return { ...disabled, reason: PERIODS_NOT_READ };
  const period = periods.find(isRefundable);
  if (period === undefined) return { ...disabled, reason: NO_REFUNDABLE_PERIOD };
  const name = period.period_seq === null ? `period ID ${period.period_id}` : `period ${period.period_seq}`;
  return { word: `Refund ${name}…`, periodId: period.period_id, reason: null };
}

/** Paid, with an amount left, and not charged by the game store; the page of the period checks the rest. */
function isRefundable(period: PeriodRow): boolean {
  const state = periodStateOf({ ...period, refunded_amount_usd: period.refund?.refunded_amount_usd ?? null });
  const byStore = period.funding?.pcstore_charged_usd ?? null;
  return (state === 'paid' || state === 'partly_refunded') && (byStore === null || signOfMoney(byStore) <= 0);
}
