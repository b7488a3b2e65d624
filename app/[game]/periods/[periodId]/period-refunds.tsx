import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoFacts } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { InvoField } from '#app/[game]/_subscriptions/invo-field.tsx';
import { signOfMoney } from '#lib/core/money.ts';
import { orderRefunds } from '#lib/refunds/rules/period.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';
import styles from './period-refunds.module.css';
import { isCoarse } from './walk/period-walk.ts';

type Refunds = NonNullable<PeriodAnswer['report']['refunds']>;

const BASES: Record<string, string> = {
  clawback: 'taken back from the partner',
  sale_fee_row_reversed: 'the sale’s own row was reversed',
  none: 'the partner’s leg was not touched',
};

interface PeriodRefundsProps {
  answer: Pick<PeriodAnswer, 'report' | 'facts'>;
  timeZone: string;
}

const SOURCES: Record<string, string> = { refund_receipts: 'a receipt of each refund', period_row: 'the period’s own row' };

// How a figure of one refund is called.
const EVENT = 'refunds.events[].';

/** The refunds of a period as Invo tells them, oldest first, each with what was refunded before and after it. */
export function PeriodRefunds({ answer, timeZone }: PeriodRefundsProps): ReactElement {
  const { report, facts } = answer;
  const { refunds } = report;
  if (refunds === null) return <Card title="Refunds at Invo">Invo does not tell about refunds of this period.</Card>;
  const hasNone =
    refunds.events.length === 0 && report.period.status !== 'refunded' && facts.refunds_told && !hasRefund(facts.refunded_to_date_usd);
  return (
    <Card title="Refunds at Invo" aside={isCoarse(report) && <Flag tone="wait" word="coarse, from the period’s own row" />}>
      {hasNone ? (
        <p className={detail.quiet}>None. Nothing of this period was given back.</p>
      ) : (
        <Together refunds={refunds} isCoarse={isCoarse(report)} timeZone={timeZone} />
      )}
      <ol className={styles.events}>
        {orderRefunds(refunds.events).map((event) => (
          <li key={`${event.refunded_at} ${event.cumulative_refunded_after_usd}`} className={styles.event}>
            <p className={styles.when}>
              <InvoField name={`${EVENT}refunded_at`}>
                <Instant at={event.refunded_at} timeZone={timeZone} precision="second" />
              </InvoField>{' '}
              {event.is_full_refund !== null && (
                <InvoField name={`${EVENT}is_full_refund`}>
                  <Flag tone={event.is_full_refund ? 'bad' : 'wait'} word={event.is_full_refund ? 'completes the refund' : 'a part'} />
                </InvoField>
              )}
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
    { label: 'Given back, USD', value: <Money amount={event.refunded_amount_usd} size="fact" />, field: `${EVENT}refunded_amount_usd` },
    {
      label: 'Refunded before',
      value: <Money amount={event.cumulative_refunded_before_usd} size="fact" />,
      field: `${EVENT}cumulative_refunded_before_usd`,
    },
    {
      label: 'Refunded after',
      value: <Money amount={event.cumulative_refunded_after_usd} size="fact" />,
      field: `${EVENT}cumulative_refunded_after_usd`,
    },
    {
      label: 'Partner’s leg reversed',
      value: <Money amount={event.partner_revenue_reversed_usd} size="fact" />,
      field: `${EVENT}partner_revenue_reversed_usd`,
    },
    {
      label: 'How it was reversed',
      value: basis === null ? null : (BASES[basis] ?? basis),
      field: `${EVENT}partner_revenue_reversal_basis`,
    },
    {
      label: 'Reversed from the recipient',
      value: <Money amount={event.reversed_attributed_usd} size="fact" />,
      field: `${EVENT}reversed_attributed_usd`,
    },
    {
      label: 'Transaction of the refund',
      value: event.refund_transaction_id && <CopyButton text={event.refund_transaction_id} what="transaction id of the refund" />,
      field: `${EVENT}refund_transaction_id`,
    },
  ];
}

/** What Invo tells of all of them together. */
function Together({ refunds, isCoarse, timeZone }: { refunds: Refunds; isCoarse: boolean; timeZone: string }): ReactElement {
  const { refund_count, refunded_to_date_usd, latest_refund_at, basis } = refunds;
  return (
    <>
      {isCoarse && (
        <p className={detail.sentence}>
          Invo has no receipts for these refunds. It reports them whole, in the window of the latest one, and shows no part of the partner’s
          leg taken back: that is unknown, not zero.
        </p>
      )}
      {!isCoarse && refunds.events.length === 0 && (
        <p className={detail.sentence}>Invo says that something was given back and lists no refund.</p>
      )}
      <InvoFacts
        facts={[
          { label: 'Refunds', value: refund_count, field: 'refunds.refund_count', ...(isCoarse ? { note: 'those with receipts' } : {}) },
          {
            label: 'Refunded to date, USD',
            value: <Money amount={refunded_to_date_usd} size="fact" />,
            field: 'refunds.refunded_to_date_usd',
          },
          {
            label: 'Latest refund',
            value: latest_refund_at && <Instant at={latest_refund_at} timeZone={timeZone} />,
            field: 'refunds.latest_refund_at',
          },
          { label: 'Where the figures come from', value: basis === null ? null : (SOURCES[basis] ?? basis), field: 'refunds.basis' },
        ]}
      />
    </>
  );
}

function hasRefund(refunded_to_date_usd: string | null): boolean {
  return refunded_to_date_usd !== null && signOfMoney(refunded_to_date_usd) > 0;
}
