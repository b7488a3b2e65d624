import Link from 'next/link';
import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { type InvoFact, InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { signOfMoney } from '#lib/core/money.ts';
import { orderRefunds } from '#lib/refunds/rules/order-refunds.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import type { RefundElsewhere } from '#lib/webhooks/reads/period-of-event.ts';
import { isHiddenKey } from '#lib/webhooks/rules/event.ts';
import styles from './period.module.css';
import { isCoarse, moneyFact } from './period-money.tsx';

type Refunds = NonNullable<PeriodAnswer['report']['refunds']>;

const BASES: Record<string, string> = {
  clawback: 'Clawed back from partner revenue',
  sale_fee_row_reversed: 'Fee row of the sale reversed',
  none: 'Partner revenue unchanged',
};

const SOURCES: Record<string, string> = { refund_receipts: 'Refund receipts', period_row: 'Period row' };

// The prefix of the field names of one refund.
const EVENT = 'refunds.events[].';

/** The refunds Invo reports for a period, oldest first, each with the amount refunded before and after it. */
export function PeriodRefunds({ answer, timeZone }: { answer: Pick<PeriodAnswer, 'report' | 'facts'>; timeZone: string }): ReactElement {
  const { report, facts } = answer;
  const { refunds } = report;
  if (refunds === null) return <Card title="Refunds reported by Invo">Not reported for this period.</Card>;
  const hasNone =
    refunds.events.length === 0 && report.period.status !== 'refunded' && facts.refunds_told && !hasRefund(facts.refunded_to_date_usd);
  return (
    <Card title="Refunds reported by Invo" aside={isCoarse(report) && <Flag tone="wait" word="Period row, no receipts" />}>
      {hasNone ? (
        <p className={detail.quiet}>No refunds for this period.</p>
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
                  <Flag tone={event.is_full_refund ? 'bad' : 'wait'} word={event.is_full_refund ? 'Completes the refund' : 'Partial'} />
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

function factsOf(event: Refunds['events'][number]): InvoFact[] {
  const { partner_revenue_reversal_basis: basis, refund_transaction_id: id } = event;
  const moneyOf = (label: string, name: AmountName): InvoFact => moneyFact(label, event[name], `${EVENT}${name}`);
  return [
    moneyOf('Refunded, USD', 'refunded_amount_usd'),
    moneyOf('Refunded before', 'cumulative_refunded_before_usd'),
    moneyOf('Refunded after', 'cumulative_refunded_after_usd'),
    moneyOf('Partner revenue reversed', 'partner_revenue_reversed_usd'),
    { label: 'Reversal basis', value: basis === null ? null : (BASES[basis] ?? basis), field: `${EVENT}partner_revenue_reversal_basis` },
    moneyOf('Reversed from the recipient', 'reversed_attributed_usd'),
    {
      label: 'Refund transaction',
      value: id && <CopyButton text={id} what="refund transaction ID" />,
      field: `${EVENT}refund_transaction_id`,
    },
  ];
}

type AmountName = Extract<keyof Refunds['events'][number], `${string}_usd`>;

/** What Invo reports about all refunds together. */
function Together({ refunds, isCoarse, timeZone }: { refunds: Refunds; isCoarse: boolean; timeZone: string }): ReactElement {
  const { refund_count, refunded_to_date_usd, latest_refund_at, basis } = refunds;
  return (
    <>
      {isCoarse && (
        <p className={detail.sentence}>
          Invo has no receipts for these refunds. It reports them together, in the window of the latest one, and doesn’t report how much
          partner revenue was reversed. Not reported doesn’t mean zero.
        </p>
      )}
      {!isCoarse && refunds.events.length === 0 && <p className={detail.sentence}>Invo reports a refunded amount but lists no refunds.</p>}
      <InvoFacts
        facts={[
          { label: 'Refunds', value: refund_count, field: 'refunds.refund_count', ...(isCoarse ? { note: 'with receipts only' } : {}) },
          moneyFact('Refunded to date, USD', refunded_to_date_usd, 'refunds.refunded_to_date_usd'),
          {
            label: 'Latest refund',
            value: latest_refund_at && <Instant at={latest_refund_at} timeZone={timeZone} />,
            field: 'refunds.latest_refund_at',
          },
          { label: 'Source', value: basis === null ? null : (SOURCES[basis] ?? basis), field: 'refunds.basis' },
        ]}
      />
    </>
  );
}

function hasRefund(refunded_to_date_usd: string | null): boolean {
  return refunded_to_date_usd !== null && signOfMoney(refunded_to_date_usd) > 0;
}

/** The refunds of a period that Invo reported by webhook and that were not made in Sharebook; nothing when there are none. */
export function RefundsElsewhere({
  slug,
  refunds,
  mayReadDeliveries,
}: {
  slug: string;
  refunds: RefundElsewhere[];
  mayReadDeliveries: boolean;
}): ReactElement | null {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h2>Refunded elsewhere</h2>
      <SimpleTable
        label="Refunded elsewhere"
        rows={refunds}
        keyOf={({ client_request_id: key }) => key}
        columns={[
          { label: 'Reported by webhook', cell: ({ receivedAt }) => <span className={detail.when}>{formatUtc(receivedAt)}</span> },
          {
            label: 'Idempotency key',
            cell: ({ client_request_id: key }) =>
              isHiddenKey(key) ? 'Contains an email, not stored' : <CopyButton text={key} what="idempotency key" />,
          },
          ...(mayReadDeliveries
            ? [
                {
                  label: 'Delivery',
                  cell: ({ deliveryId }: RefundElsewhere) => <Link href={`/${slug}/webhooks/${deliveryId}`}>Delivery {deliveryId}</Link>,
                },
              ]
            : []),
        ]}
      />
      <p className={detail.quiet}>Not requested in Sharebook. The amounts are on this page as Invo reports them for the period.</p>
    </section>
  );
}
