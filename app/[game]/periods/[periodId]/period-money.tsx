import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { type InvoFact, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { negateMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import { reasonTextOf } from '#lib/subscriptions/text.ts';
import styles from './period.module.css';

/** Where the money of one period went: from the charge to partner revenue after fees, then the recipient's share of it. */
export function PeriodMoney({ report }: { report: PeriodAnswer['report'] }): ReactElement {
  const recipient = recipientSteps(report);
  const { attribution_unavailable_reason: reason, paid_at } = report.period;
  return (
    <Card title="Where the money went" aside={<span className={detail.label}>USD</span>}>
      <Steps caption={paid_at === null ? 'Partner revenue, reported without a payment' : 'Partner revenue'} steps={partnerSteps(report)} />
      {recipient.length > 0 ? (
        <Steps caption="Recipient share, out of partner revenue" steps={recipient} />
      ) : (
        <p className={detail.sentence}>
          {paid_at === null ? (
            'Not paid, so nothing is attributed.'
          ) : (
            <InvoField name="period.attribution_unavailable_reason">
              Paid without attribution: {reason === null ? 'no reason reported' : reasonTextOf(reason).title}.{' '}
              {reason === null ? '' : reasonTextOf(reason).advice}
            </InvoField>
          )}
        </p>
      )}
      <BaseCheck report={report} />
    </Card>
  );
}

/** An amount in USD as a fact with Invo's field name. */
export function moneyFact(label: string, amount: string | null, field: string): InvoFact {
  return { label, value: <Money amount={amount} size="fact" />, field };
}

function Steps({ caption, steps }: { caption: string; steps: WalkStep[] }): ReactElement {
  return (
    <table className={styles.walk}>
      <caption className={styles.caption}>{caption}</caption>
      <tbody>
        {steps.map(({ label, amount, field, note, noteField, kind }) => (
          <tr key={label} className={clsx(kind === 'end' && styles.end, kind === 'taken' && styles.taken)}>
            <th scope="row" className={styles.label}>
              {label}
              {note !== undefined && (
                <span className={styles.note}> {noteField === undefined ? note : <InvoField name={noteField}>{note}</InvoField>}</span>
              )}
            </th>
            <td className={styles.amount}>
              <InvoField name={field}>
                <Money amount={amount} isStrong={kind !== 'taken'} />
              </InvoField>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the recorded base is the one Invo expects. The figures stay as recorded either way. */
function BaseCheck({ report }: { report: PeriodAnswer['report'] }): ReactElement | null {
  const check = report.period.reconciliation;
  if (typeof check?.base_matches_settled_fee !== 'boolean')
    return <p className={styles.check}>Base check: not reported for this period.</p>;
  const { base_matches_settled_fee } = check;
  const amountOf = (name: 'expected_base_usd' | 'recorded_base_usd'): ReactElement => (
    <InvoField name={`reconciliation.${name}`}>
      <Money amount={check[name]} size="fact" />
    </InvoField>
  );
  return (
    <p className={clsx(styles.check, !base_matches_settled_fee && styles.differs)}>
      Base check:{' '}
      <InvoField name="reconciliation.base_matches_settled_fee">
        {base_matches_settled_fee ? 'the recorded base matches' : 'the recorded base doesn’t match'}
      </InvoField>
      , recorded {amountOf('recorded_base_usd')}, expected {amountOf('expected_base_usd')}.{' '}
      {!base_matches_settled_fee && 'The attributed amount stays as recorded. Ask Invo before paying it.'}
    </p>
  );
}

export interface WalkStep {
  label: string;
  /** Exact; deductions are negative. null: not reported. */
  amount: string | null;
  /** Invo's field name. */
  field: string;
  note?: string | undefined;
  /** The field name of the note, when the note is a figure. */
  noteField?: string | undefined;
  kind: 'whole' | 'taken' | 'end';
}

type Report = PeriodAnswer['report'];

/** Whether Invo has no receipts for a refund; it then reports no reversal of partner revenue (document 2, reversal_basis). */
export function isCoarse({ refunds }: Pick<Report, 'refunds'>): boolean {
  return refunds?.basis === 'period_row' && isAboveZero(refunds.refunded_to_date_usd);
}

/** The steps from the charge to partner revenue after all fees, as Invo reports them: nothing is clamped or computed. */
export function partnerSteps(report: Report): WalkStep[] {
  const { period, fee_legs: legs } = report;
  const reversed = legOf(report, 'partner_revenue_reversed_usd');
  // Without receipts Invo reports no reversal, so a zero here isn't a reported zero.
  const isUnknown = isCoarse(report) && reversed.amount !== null && !isAboveZero(reversed.amount);
  const fee = (label: string, name: FeeName, note?: string): WalkStep => ({
    label,
    amount: takenOf(legs?.[name]),
    field: `fee_legs.${name}`,
    kind: 'taken',
    note,
  });
  return [
    {
      label: period.paid_at === null ? 'Price, not collected' : 'Charged to the player',
      amount: period.amount_usd,
      field: 'period.amount_usd',
      kind: 'whole',
    },
    {
      ...taken('Invo fee, not refundable', legOf(report, 'invo_fee_usd')),
      ...percentNote(legs?.invo_fee_percent, 'fee_legs.invo_fee_percent'),
    },
    {
      ...whole('Partner revenue, settled', legOf(report, 'partner_revenue_settled_usd')),
      ...percentNote(legs?.partner_revenue_percent, 'fee_legs.partner_revenue_percent'),
    },
    {
      ...taken('Partner revenue, reversed by refunds', isUnknown ? { ...reversed, amount: null } : reversed),
      note: isUnknown ? 'for a refund without receipts' : undefined,
    },
    {
      ...whole('Partner revenue, net of reversals', legOf(report, 'partner_revenue_usd')),
      note: isUnknown ? 'without the reversal by that refund' : undefined,
    },
    fee('International card fee', 'pass_through_fees_usd'),
    fee('Chargeback fees', 'chargeback_fees_usd'),
    fee('Held for disputes', 'disputed_amount_held_usd'),
    fee('Card fee on refunds, charged to you', 'card_fee_charged_to_partner_usd', 'a separate payout line'),
    {
      label: period.paid_at === null ? 'After fees, nothing collected' : 'Your revenue after fees, before the recipient',
      amount: legs?.partner_revenue_after_fees_usd ?? null,
      field: 'fee_legs.partner_revenue_after_fees_usd',
      kind: 'end',
      note: isUnknown ? 'without the reversal by that refund' : undefined,
    },
  ];
}

type LegName = 'invo_fee_usd' | 'partner_revenue_settled_usd' | 'partner_revenue_reversed_usd' | 'partner_revenue_usd';
type FeeName = 'pass_through_fees_usd' | 'chargeback_fees_usd' | 'disputed_amount_held_usd' | 'card_fee_charged_to_partner_usd';
type Figure = Pick<WalkStep, 'amount' | 'field'>;

// The report's own figures come first, the period's when those are missing; the field name is that of the one used.
function legOf({ period, fee_legs }: Report, name: LegName): Figure {
  const amount = fee_legs?.[name] ?? null;
  return amount === null && period[name] !== null
    ? { amount: period[name], field: `period.${name}` }
    : { amount, field: `fee_legs.${name}` };
}

/** A total or a subtotal. */
function whole(label: string, figure: Figure): WalkStep {
  return { label, ...figure, kind: 'whole' };
}

/** A deduction, as a negative amount. */
function taken(label: string, { amount, field }: Figure): WalkStep {
  return { label, amount: takenOf(amount), field, kind: 'taken' };
}

function takenOf(amount: string | null | undefined): string | null {
  return typeof amount === 'string' ? negateMoney(amount) : null;
}

function percentNote(percent: string | null | undefined, noteField: string): Pick<WalkStep, 'note' | 'noteField'> {
  return typeof percent === 'string' ? { note: `${percent}%`, noteField } : {};
}

function isAboveZero(amount: string | null): boolean {
  return amount !== null && signOfMoney(amount) > 0;
}

/** The recipient's share: base, attributed amount, reversals. Empty when nothing was attributed. */
export function recipientSteps(report: Report): WalkStep[] {
  const { attribution } = report.period;
  if (attribution === null) return [];
  const reversed = reversedFromRecipient(report);
  return [
    { label: 'Attribution base', amount: attribution.base_usd, field: 'attribution.base_usd', kind: 'whole', note: 'after the Invo fee' },
    {
      ...whole('Attributed to the recipient', { amount: attribution.attributed_amount_usd, field: 'attribution.attributed_amount_usd' }),
      note: `${attribution.percent_at_renewal}% at renewal`,
      noteField: 'attribution.percent_at_renewal',
    },
    { ...taken('Reversed by refunds', { amount: reversed, field: 'refunds.events[].reversed_attributed_usd' }), note: noteOf(report) },
  ];
}

// Refunds that aren't listed can't be summed, and refunds that aren't reported aren't zero.
function reversedFromRecipient(report: Report): string | null {
  const parts = (report.refunds?.events ?? []).map(({ reversed_attributed_usd }) => reversed_attributed_usd);
  if (isCoarse(report) || (parts.length === 0 && !isReportedUnrefunded(report))) return null;
  return parts.every((part) => part !== null) ? sumMoney(parts) : null;
}

function isReportedUnrefunded({ period, refunds }: Report): boolean {
  const reported = refunds?.refunded_to_date_usd ?? period.refund?.refunded_amount_usd ?? null;
  return reported === null ? refunds !== null : signOfMoney(reported) === 0;
}

function noteOf(report: Report): string {
  if (isCoarse(report)) return 'see the month of the latest refund';
  if ((report.refunds?.events ?? []).length > 0) return 'sum of all refunds';
  return isReportedUnrefunded(report) ? 'no refunds' : 'Invo doesn’t list the refunds';
}
