import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatUsd } from '#lib/core/money.ts';
import type { WaitingGroup, WaitingRecipient } from '#lib/payments/reads/waiting-items.ts';
import { fileAmount } from '#lib/payments/rules/convert-usd.ts';
import { fileBlocker } from '#lib/payments/rules/payment-blocker.ts';
import { formatPaymentBlocker, PAYMENT_METHOD_TEXT } from '#lib/payments/text.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';

/** Payments that wait and can enter no file, with the first of their recipients. */
interface StuckGroup extends WaitingGroup {
  recipients: readonly WaitingRecipient[];
}

/** Whether payments of a run can enter no file: nothing says where they go, or they are paid in euros and the run was approved without a rate. */
export function isStuck({ eurRate: rate }: Pick<Run, 'eurRate'>, { method }: Pick<WaitingGroup, 'method'>): boolean {
  return method === null || fileAmount({ method, rate }, '1.00') === null;
}

interface StuckPaymentsProps {
  slug: string;
  group: StuckGroup;
  mayPrepare: boolean;
  /** The ID of the list of payments on the page. */
  listId: string;
}

/** Payments that can enter no file: why, what to do, and whose they are. */
export function StuckPayments({ slug, group, mayPrepare, listId }: StuckPaymentsProps): ReactElement {
  const { method, count, total_usd, recipients } = group;
  const payments = countNoun(count, 'payment');
  return (
    <Notice
      voice="wait"
      title={
        method === null
          ? `${payments} to recipients without payment details`
          : `${payments} by ${PAYMENT_METHOD_TEXT[method]}, ${formatUsd(total_usd)}, can’t enter a file`
      }
    >
      <p>
        {method !== null && formatPaymentBlocker(fileBlocker('rate_missing'))}
        {method === null && !mayPrepare && 'They enter no file.'}
        {method === null && mayPrepare && 'Enter payment details and have them confirmed, or record the payments as paid elsewhere.'}{' '}
        {mayPrepare && <a href={`#${listId}`}>Select payments</a>}
      </p>
      <ul>
        {recipients.map(({ recipientId, name }) => (
          <li key={recipientId}>
            <Link href={`/${slug}/payouts/payees/${recipientId}`}>{name === null ? `Player ${recipientId}` : showControls(name)}</Link>
          </li>
        ))}
        {count > recipients.length && <li>and {count - recipients.length} more</li>}
      </ul>
    </Notice>
  );
}
