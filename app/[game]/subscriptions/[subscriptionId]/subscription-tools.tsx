import type { ReactElement } from 'react';
import { signOfMoney } from '../../../../lib/domain/money.ts';
import { cycleStateOf } from '../../../../lib/domain/subscription/cycle-state.ts';
import { isSubscriptionEnded } from '../../../../lib/domain/subscription/subscription-status.ts';
import type { Person } from '../../../_server/session.ts';
import { Button, LinkButton } from '../../../_ui/controls/button.tsx';
import detail from '../../_detail/detail.module.css';
import type { CycleRow } from './cycle-row.ts';

interface SubscriptionToolsProps {
  slug: string;
  subscriptionId: string;
  status: string | null;
  fundingRail: string | null;
  /** Newest first, as far as they are on the page. */
  cycles: CycleRow[];
  person: Pick<Person, 'may'>;
}

/** What support may do with a subscription; each leads to a page that restates the facts. What Invo would refuse is closed, with the reason. */
export function SubscriptionTools({
  slug,
  subscriptionId,
  status,
  fundingRail,
  cycles,
  person,
}: SubscriptionToolsProps): ReactElement | null {
  const mayRefund = person.may('refunds.request');
  const mayChange = person.may('subscriptions.change');
  if (!mayRefund && !mayChange) return null;
  const base = `/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`;
  const refundable = cycles.find(isRefundable);
  const reasons = [
    ...(mayRefund && refundable === undefined
      ? ['Refund: no period on this page was paid, has something left and was not charged by the game store.']
      : []),
    ...(mayChange && isSubscriptionEnded(status) ? ['Price and card: Invo changes neither once a subscription has ended.'] : []),
    ...(mayChange && !isSubscriptionEnded(status) && fundingRail === 'pcstore'
      ? ['Card: this subscription is paid through the game store.']
      : []),
  ];
  const isCardClosed = isSubscriptionEnded(status) || fundingRail === 'pcstore';
  return (
    <div className={detail.tools}>
      {mayRefund && <Tool word="Refund…" href={refundable === undefined ? null : `/${slug}/periods/${refundable.period_id}/refund`} />}
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

/** Paid, with something left, and not charged by the game store; the period's own page knows the rest. */
function isRefundable(cycle: CycleRow): boolean {
  const state = cycleStateOf({ ...cycle, refunded_amount_usd: cycle.refund?.refunded_amount_usd ?? null });
  const byStore = cycle.funding?.pcstore_charged_usd ?? null;
  return (state === 'paid' || state === 'partly_refunded') && (byStore === null || signOfMoney(byStore) <= 0);
}
