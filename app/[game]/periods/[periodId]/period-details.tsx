import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { Coins, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { maskEmail } from '#lib/core/roles.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import { formatFunding } from '#lib/subscriptions/rules/period-state.ts';

/** How the period was paid for on each rail, and the charge with its attempts and ids. Coins are never dollars. */
export function PeriodFundingCards({ report, timeZone }: { report: PeriodAnswer['report']; timeZone: string }): ReactElement {
  const { period, charge } = report;
  const { funding } = period;
  const word = formatFunding(funding, period.paid_at !== null);
  const outcome = typeof charge?.outcome === 'string' ? charge.outcome : null;
  return (
    <div className={detail.halves}>
      <Card title={word === null ? 'How it was paid' : `Paid by ${word}`}>
        <InvoFacts
          facts={[
            { label: 'Rail', value: funding?.rail ?? null, field: 'funding.rail' },
            {
              label: 'Charged to the card, USD',
              value: <Money amount={funding?.card_charged_usd ?? null} size="fact" />,
              field: 'funding.card_charged_usd',
            },
            {
              label: 'Charged by the game store, USD',
              value: <Money amount={funding?.pcstore_charged_usd ?? null} size="fact" />,
              field: 'funding.pcstore_charged_usd',
            },
            {
              label: 'Taken from the wallet, coins',
              value: <Coins amount={funding?.balance_applied_coins ?? null} />,
              field: 'funding.balance_applied_coins',
            },
            { label: 'Price in coins', value: <Coins amount={funding?.amount_coins ?? null} />, field: 'funding.amount_coins' },
          ]}
        />
      </Card>
      <Card title="The charge">
        <InvoFacts
          facts={[
            { label: 'Attempts', value: charge?.attempts_for_period ?? null, field: 'charge.attempts_for_period' },
            {
              label: 'Paid by attempt',
              value: charge?.paid_attempt_no ?? (period.paid_at === null ? 'none' : null),
              field: 'charge.paid_attempt_no',
            },
            {
              label: 'That attempt was at',
              value: charge?.paid_attempt_at ? (
                <Instant at={charge.paid_attempt_at} timeZone={timeZone} precision="second" />
              ) : period.paid_at === null ? (
                'none'
              ) : null,
              field: 'charge.paid_attempt_at',
            },
            { label: 'Outcome', value: outcome, field: 'charge.outcome' },
            { label: 'Transaction', value: idOf(period.transaction_id, 'transaction id', period.paid_at), field: 'period.transaction_id' },
            {
              label: 'Order of the coins',
              value: idOf(period.mint_order_id, 'order id', period.paid_at),
              field: 'period.mint_order_id',
              ...(period.mint_order_id === null && period.paid_at !== null ? { note: 'none when the wallet covered the period' } : {}),
            },
            { label: 'Period', value: <CopyButton text={String(period.period_id)} what="period id" />, field: 'period.period_id' },
            {
              label: 'Subscription',
              value: <CopyButton text={period.subscription_id} what="subscription id" />,
              field: 'period.subscription_id',
            },
          ]}
        />
      </Card>
    </div>
  );
}

function idOf(id: string | null, what: string, paid_at: string | null): ReactElement | string | null {
  if (id !== null) return <CopyButton text={id} what={what} />;
  return paid_at === null ? 'none' : null;
}

/** Every field Invo gave of the period, as it came, folded away: what nobody needs daily is still to be had. */
export function AllFields({ answer, canSeeEmails }: { answer: PeriodAnswer; canSeeEmails: boolean }): ReactElement {
  const fields = listAllFields(answer, canSeeEmails);
  return (
    <section>
      <h2>The whole line</h2>
      <details className={detail.folded}>
        <summary>{fields.length} fields, each as Invo gave it</summary>
        <TableFrame label="The whole line">
          <thead>
            <tr>
              <th scope="col">Invo’s field</th>
              <th scope="col">As it came</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{value === null ? <span className={detail.missing}>not recorded</span> : <bdi>{showControls(value)}</bdi>}</td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </details>
    </section>
  );
}

/** One field of Invo's answer as it came, in Invo's words; null: absent or null. */
export interface ReportedField {
  name: string;
  value: string | null;
}

/**
 * Every field of a period report by its own name, in Invo's order: the line first, then legs, refunds together, the charge, the
 * subscription and its share. The single refunds and the notice stand elsewhere. E-mails come masked for who may not read them.
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

function fieldsOf(name: string, told: unknown): ReportedField[] {
  if (told === null || told === undefined) return [{ name, value: null }];
  if (typeof told !== 'object' || Array.isArray(told)) return [{ name, value: typeof told === 'string' ? told : JSON.stringify(told) }];
  return Object.entries(told).flatMap(([key, value]) => fieldsOf(`${name}.${key}`, value));
}
