import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { Coins, type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { maskEmail } from '#lib/core/mask-email.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import { formatFunding } from '#lib/subscriptions/rules/subscription.ts';
import { moneyFact } from './period-money.tsx';

/** How the period was paid, and the charge with its attempts and IDs. Coins are never shown as dollars. */
export function PeriodFundingCards({ report, timeZone }: { report: PeriodAnswer['report']; timeZone: string }): ReactElement {
  const { period, charge } = report;
  const { funding } = period;
  const word = formatFunding(funding, period.paid_at !== null);
  const outcome = typeof charge?.outcome === 'string' ? charge.outcome : null;
  return (
    <div className={detail.halves}>
      <Card title={word === null ? 'Payment' : `Paid with ${word}`}>
        <InvoFacts
          facts={[
            { label: 'Rail', value: funding?.rail ?? null, field: 'funding.rail' },
            moneyFact('Charged to card, USD', funding?.card_charged_usd ?? null, 'funding.card_charged_usd'),
            moneyFact('Charged by game store, USD', funding?.pcstore_charged_usd ?? null, 'funding.pcstore_charged_usd'),
            coinsFact('Paid from wallet, coins', funding?.balance_applied_coins, 'funding.balance_applied_coins'),
            coinsFact('Price, coins', funding?.amount_coins, 'funding.amount_coins'),
          ]}
        />
      </Card>
      <Card title="Charge">
        <InvoFacts
          facts={[
            { label: 'Attempts', value: charge?.attempts_for_period ?? null, field: 'charge.attempts_for_period' },
            {
              label: 'Successful attempt',
              value: charge?.paid_attempt_no ?? (period.paid_at === null ? 'none' : null),
              field: 'charge.paid_attempt_no',
            },
            {
              label: 'Attempted at',
              value: charge?.paid_attempt_at ? (
                <Instant at={charge.paid_attempt_at} timeZone={timeZone} precision="second" />
              ) : period.paid_at === null ? (
                'none'
              ) : null,
              field: 'charge.paid_attempt_at',
            },
            { label: 'Outcome', value: outcome, field: 'charge.outcome' },
            {
              label: 'Transaction ID',
              value: idOf(period.transaction_id, 'transaction ID', period.paid_at),
              field: 'period.transaction_id',
            },
            {
              label: 'Coin order ID',
              value: idOf(period.mint_order_id, 'order ID', period.paid_at),
              field: 'period.mint_order_id',
              ...(period.mint_order_id === null && period.paid_at !== null ? { note: 'none when the wallet covers the period' } : {}),
            },
            { label: 'Period ID', value: <CopyButton text={String(period.period_id)} what="period ID" />, field: 'period.period_id' },
            {
              label: 'Subscription ID',
              value: <CopyButton text={period.subscription_id} what="subscription ID" />,
              field: 'period.subscription_id',
            },
          ]}
        />
      </Card>
    </div>
  );
}

function coinsFact(label: string, amount: string | null | undefined, field: string): InvoFact {
  return { label, value: <Coins amount={amount ?? null} />, field };
}

function idOf(id: string | null, what: string, paid_at: string | null): ReactElement | string | null {
  if (id !== null) return <CopyButton text={id} what={what} />;
  return paid_at === null ? 'none' : null;
}

/** Every field Invo reports for the period, unchanged and folded. */
export function AllFields({ answer, canSeeEmails }: { answer: PeriodAnswer; canSeeEmails: boolean }): ReactElement {
  const fields = listAllFields(answer, canSeeEmails);
  return (
    <section>
      <h2>All fields</h2>
      <details className={detail.folded}>
        <summary>{fields.length} fields as reported by Invo</summary>
        <SimpleTable
          label="All fields"
          rows={fields}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Field', cell: ({ name }) => <code>{name}</code> },
            {
              label: 'Value',
              cell: ({ value }) =>
                value === null ? <span className={detail.missing}>not reported</span> : <bdi>{showControls(value)}</bdi>,
            },
          ]}
        />
      </details>
    </section>
  );
}

/** One field of Invo's answer, unchanged; null when it is absent or null. */
export interface ReportedField {
  name: string;
  value: string | null;
}

/**
 * Every field of a period report by name, in Invo's order: the period, then fees, refunds together, the charge, the subscription and its
 * share. Single refunds and the notice are shown elsewhere. Emails are masked for roles that can't see them.
 */
export function listAllFields({ report }: Pick<PeriodAnswer, 'report'>, canSeeEmails: boolean): ReportedField[] {
  const { period, fee_legs, refunds, charge, subscription, current_revenue_share } = report;
  const { events: _, ...together } = refunds ?? { events: [] };
  return [
    ...fieldsOf('period', period),
    ...fieldsOf('fee_legs', fee_legs),
    ...fieldsOf('refunds', refunds === null ? null : together),
    ...fieldsOf('charge', charge),
    ...fieldsOf('subscription', subscription),
    ...fieldsOf('current_revenue_share', current_revenue_share),
  ].map(({ name, value }) => ({
    name,
    value: value !== null && name.endsWith('.player_email') && !canSeeEmails ? maskEmail(value) : value,
  }));
}

function fieldsOf(name: string, reported: unknown): ReportedField[] {
  if (reported === null || reported === undefined) return [{ name, value: null }];
  if (typeof reported !== 'object' || Array.isArray(reported))
    return [{ name, value: typeof reported === 'string' ? reported : JSON.stringify(reported) }];
  return Object.entries(reported).flatMap(([key, value]) => fieldsOf(`${name}.${key}`, value));
}
