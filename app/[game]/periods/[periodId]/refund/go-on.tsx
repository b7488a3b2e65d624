import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { Hint } from '#app/_ui/forms/hint.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import { limitOf, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import styles from './refund-form.module.css';

export interface GoOnProps {
  estimate: RefundEstimate | null;
  role: Role;
  limits: RefundLimits;
  wantsSecond: boolean;
  /** Nothing is sent before a stop is lifted. */
  isStopped: boolean;
  /** Somebody came back from the confirmation. */
  isReturned: boolean;
}

/** The way to the confirmation, and who has to agree. */
export function GoOn({ estimate, role, limits, wantsSecond, isStopped, isReturned }: GoOnProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const wasReturned = useRef(isReturned);
  useEffect(() => {
    if (isReturned && !wasReturned.current) place.current?.querySelector('button')?.focus();
    wasReturned.current = isReturned;
  }, [isReturned]);
  const limit = limitOf(role, limits);
  return (
    <div ref={place} className={styles.goOn}>
      <Hint>
        {estimate !== null &&
          (wantsSecond
            ? `A second person has to approve it: your limit is ${limit === null ? 'nothing' : `${formatMoney(limit)} USD`}. It counts all that is refunded of a period.`
            : `Within your limit of ${formatMoney(limit ?? '0')} USD: it is sent ${isStopped ? 'once the stop is lifted' : 'at once after you confirm'}.`)}
      </Hint>
      <Button kind="main" type="submit">
        {estimate === null ? 'Refund…' : `Refund ${formatMoney(estimate.refunded_amount_usd)} USD…`}
      </Button>
    </div>
  );
}
