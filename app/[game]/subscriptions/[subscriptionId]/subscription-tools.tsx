import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { isSubscriptionEnded } from '#lib/subscriptions/rules/subscription-status.ts';
import type { CycleRow } from './cycle-row.ts';
import { sayRefundTool } from './say-refund-tool.ts';

interface SubscriptionToolsProps {
  slug: string;
  subscriptionId: string;
  status: string | null;
  fundingRail: string | null;
  /** Newest first, as far as they are on the page; null: they could not be read. */
  cycles: CycleRow[] | null;
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
  const refund = sayRefundTool(cycles);
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
