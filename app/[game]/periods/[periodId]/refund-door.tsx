import type { ReactElement } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { findRefundBlocker } from '#lib/refunds/rules/limits.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import { BLOCKER_TEXT } from '#lib/refunds/text.ts';

/** The way to a refund of the period; where Invo would refuse one, the reason stands beside the closed door. */
export function RefundDoor({ href, facts, mayRefund }: { href: string; facts: PeriodFacts; mayRefund: boolean }): ReactElement | null {
  if (!mayRefund) return null;
  const hindrance = findRefundBlocker(facts);
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
