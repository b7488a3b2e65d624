import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { signOfMoney } from '#lib/core/money.ts';
import { periodStateOf } from '#lib/subscriptions/rules/period-state.ts';
import { isSubscriptionEnded } from '#lib/subscriptions/rules/subscription.ts';
import type { PeriodRow } from './billing-periods.tsx';

interface SubscriptionToolbarProps {
  slug: string;
  subscriptionId: string;
  status: string | null;
  fundingRail: string | null;
  /** Newest first, as far as they are on the page; null: they could not be read. */
  cycles: PeriodRow[] | null;
  person: Pick<Person, 'may'>;
}

/** What support may do with a subscription; each leads to a page that restates the facts. What Invo would refuse is closed, with the reason. */
export function SubscriptionToolbar({
  slug,
  subscriptionId,
  status,
  fundingRail,
  cycles,
  person,
}: SubscriptionToolbarProps): ReactElement | null {
  const mayRefund = person.may('refunds.request');
  const mayChange = person.may('subscriptions.change');
  if (!mayRefund && !mayChange) return null;
  const base = `/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`;
  const refund = refundButtonOf(cycles);
  const reasons = [
    ...(mayRefund && refund.reason !== null ? [refund.reason] : []),
    ...(mayChange && isSubscriptionEnded(status) ? ['Price and card: Invo changes neither once a subscription has ended.'] : []),
    ...(mayChange && !isSubscriptionEnded(status) && fundingRail === 'pcstore'
      ? ['Card: this subscription is paid through the game store.']
      : []),
  ];
  const isCardClosed = isSubscriptionEnded(status) || fundingRail === 'pcstore';
  return (
    <div className={detail.tools}>
      {mayRefund && <Tool word={refund.word} href={refund.periodId === null ? null : `/${slug}/periods/${refund.periodId}/refund`} />}
      {mayChange && (
        <>
          <Tool word="Cancel…" href={`${base}/cancel`} />
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

/** What the refund button says and which period it leads to; null: it is closed, for this reason. */
export interface RefundButtonState {
  word: string;
  periodId: number | null;
  reason: string | null;
}

/** Says which period a refund from here would be of: the newest on the page that has something left, by its number (trap R2). */
export function refundButtonOf(cycles: PeriodRow[] | null): RefundButtonState {
  const closed = { word: 'Refund…', periodId: null };
  if (cycles === null)
    return {
      ...closed,
      reason: 'Refund: the cycles could not be read, so no period can be offered. Load the page again, or look the period up.',
    };
  const cycle = cycles.find(isRefundable);
  if (cycle === undefined)
    return { ...closed, reason: 'Refund: no period on this page was paid, has something left and was not charged by the game store.' };
  const name = cycle.period_seq === null ? `period ${cycle.period_id}` : `number ${cycle.period_seq}`;
  return { word: `Refund ${name}…`, periodId: cycle.period_id, reason: null };
}

/** Paid, with something left, and not charged by the game store; the period's own page knows the rest. */
function isRefundable(cycle: PeriodRow): boolean {
  const state = periodStateOf({ ...cycle, refunded_amount_usd: cycle.refund?.refunded_amount_usd ?? null });
  const byStore = cycle.funding?.pcstore_charged_usd ?? null;
  return (state === 'paid' || state === 'partly_refunded') && (byStore === null || signOfMoney(byStore) <= 0);
}
