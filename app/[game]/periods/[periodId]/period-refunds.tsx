import type { ReactElement } from 'react';
import { signOfMoney } from '../../../../lib/domain/money.ts';
import type { PeriodAnswer } from '../../../../lib/operations/look-up/read-period-detail.ts';
import { CopyButton } from '../../../_ui/controls/copy-button.tsx';
import { Instant } from '../../../_ui/figures/instant.tsx';
import { Money } from '../../../_ui/figures/money.tsx';
import { Card } from '../../../_ui/layout/card.tsx';
import { Flag } from '../../../_ui/words/status.tsx';
import detail from '../../_detail/detail.module.css';
import { InvoFacts } from '../../_detail/invo-facts.tsx';
import styles from './period-refunds.module.css';

type Refunds = NonNullable<PeriodAnswer['report']['refunds']>;

const BASES: Record<string, string> = {
  clawback: 'taken back from the partner',
  sale_fee_row_reversed: 'the sale’s own row was reversed',
  none: 'the partner’s leg was not touched',
};

/** The refunds of a period as Invo tells them, oldest first, each with what was refunded before and after it. */
export function PeriodRefunds({ report, timeZone }: { report: PeriodAnswer['report']; timeZone: string }): ReactElement {
  const { refunds } = report;
  if (refunds === null) return <Card title="Refunds at Invo">Invo does not tell about refunds of this period.</Card>;
  const isCoarse = refunds.basis === 'period_row' && refunds.refunded_to_date_usd !== null && signOfMoney(refunds.refunded_to_date_usd) > 0;
  return (
    <Card title="Refunds at Invo" aside={isCoarse && <Flag tone="wait" word="coarse, from the period’s own row" />}>
      {refunds.events.length === 0 && !isCoarse && <p className={detail.quiet}>None. Nothing of this period was given back.</p>}
      {isCoarse && <Coarse refunds={refunds} timeZone={timeZone} />}
      <ol className={styles.events}>
        {refunds.events.map((event) => (
          <li key={`${event.refunded_at} ${event.cumulative_refunded_after_usd}`} className={styles.event}>
            <p className={styles.when}>
              <Instant at={event.refunded_at} timeZone={timeZone} precision="second" />{' '}
              <Flag tone={event.is_full_refund ? 'bad' : 'wait'} word={event.is_full_refund ? 'completes the refund' : 'a part'} />
            </p>
            <InvoFacts facts={factsOf(event)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function factsOf(event: Refunds['events'][number]): Parameters<typeof InvoFacts>[0]['facts'] {
  const basis = event.partner_revenue_reversal_basis;
  return [
    { label: 'Given back, USD', value: <Money amount={event.refunded_amount_usd} size="fact" />, field: 'refunded_amount_usd' },
    {
      label: 'Refunded before',
      value: <Money amount={event.cumulative_refunded_before_usd} size="fact" />,
      field: 'cumulative_refunded_before_usd',
    },
    {
      label: 'Refunded after',
      value: <Money amount={event.cumulative_refunded_after_usd} size="fact" />,
      field: 'cumulative_refunded_after_usd',
    },
    {
      label: 'Partner’s leg reversed',
      value: <Money amount={event.partner_revenue_reversed_usd} size="fact" />,
      field: 'partner_revenue_reversed_usd',
      ...(basis === null ? {} : { note: BASES[basis] ?? basis }),
    },
    {
      label: 'Reversed from the recipient',
      value: <Money amount={event.reversed_attributed_usd} size="fact" />,
      field: 'reversed_attributed_usd',
    },
    {
      label: 'Transaction of the refund',
      value: event.refund_transaction_id && <CopyButton text={event.refund_transaction_id} what="transaction id of the refund" />,
      field: 'refund_transaction_id',
    },
  ];
}

function Coarse({ refunds, timeZone }: { refunds: Refunds; timeZone: string }): ReactElement {
  return (
    <>
      <p className={detail.sentence}>
        Invo has no receipts for these refunds. It reports them whole, in the window of the latest one, and shows no part of the partner’s
        leg taken back: that is unknown, not zero.
      </p>
      <InvoFacts
        facts={[
          {
            label: 'Refunded to date, USD',
            value: <Money amount={refunds.refunded_to_date_usd} size="fact" />,
            field: 'refunds.refunded_to_date_usd',
          },
          {
            label: 'Latest refund',
            value: refunds.latest_refund_at && <Instant at={refunds.latest_refund_at} timeZone={timeZone} />,
            field: 'refunds.latest_refund_at',
          },
          { label: 'Where the figures come from', value: refunds.basis, field: 'refunds.basis' },
        ]}
      />
    </>
  );
}
