import type { ReactElement } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { findRefundHindrance } from '#lib/refunds/rules/find-hindrance.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period-facts.ts';
import { BLOCKER_TEXT } from '#lib/refunds/text.ts';

/** The way to a refund of the period; where Invo would refuse one, the reason stands beside the closed door. */
export function RefundDoor({ href, facts, mayRefund }: { href: string; facts: PeriodFacts; mayRefund: boolean }): ReactElement | null {
  if (!mayRefund) return null;
  const hindrance = findRefundHindrance(facts);
  if (hindrance === null)
    return (
      <LinkButton kind="main" href={href}>
        Refund…
      </LinkButton>
    );
  return (
    <div className={detail.tools}>
      <Button isDisabled>Refund…</Button>
      <p className={detail.quiet}>{BLOCKER_TEXT[hindrance]}</p>
    </div>
  );
}
