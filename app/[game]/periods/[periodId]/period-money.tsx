import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { negateMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import { reasonText } from '#lib/subscriptions/text.ts';
import styles from './period.module.css';

/** Where the money of one period went: the partner's leg down to what is left after fees, then the recipient's part of it. */
export function PeriodMoney({ report }: { report: PeriodAnswer['report'] }): ReactElement {
  const recipient = recipientSteps(report);
  const { attribution_unavailable_reason: reason, paid_at } = report.period;
  return (
    <Card title="Where the money went" aside={<span className={detail.label}>USD</span>}>
      <Steps
        caption={paid_at === null ? 'The partner’s leg, as Invo tells it without a payment' : 'The partner’s leg'}
        steps={partnerSteps(report)}
      />
      {recipient.length > 0 ? (
        <Steps caption="The recipient’s part, out of the partner’s leg" steps={recipient} />
      ) : (
        <p className={detail.sentence}>
          {paid_at === null ? (
            'Never paid, so nothing could be attributed.'
          ) : (
            <InvoField name="period.attribution_unavailable_reason">
              Paid, and attributed to nobody: {reason === null ? 'Invo gives no reason' : reasonText(reason).title}.{' '}
              {reason === null ? '' : reasonText(reason).playbook}
            </InvoField>
          )}
        </p>
      )}
      <BaseCheck report={report} />
    </Card>
  );
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

/** Whether the recorded base is the one Invo expects; the figure stays as recorded either way. */
function BaseCheck({ report }: { report: PeriodAnswer['report'] }): ReactElement | null {
  const check = report.period.reconciliation;
  if (typeof check?.base_matches_settled_fee !== 'boolean')
    return <p className={styles.check}>Base check: Invo made none on this period.</p>;
  const { expected_base_usd, recorded_base_usd, base_matches_settled_fee } = check;
  return (
    <p className={clsx(styles.check, !base_matches_settled_fee && styles.differs)}>
      Base check:{' '}
      <InvoField name="reconciliation.base_matches_settled_fee">
        {base_matches_settled_fee ? 'the recorded base is the expected one' : 'the recorded base differs from the expected one'}
      </InvoField>
      , recorded{' '}
      <InvoField name="reconciliation.recorded_base_usd">
        <Money amount={recorded_base_usd} size="fact" />
      </InvoField>
      , expected{' '}
      <InvoField name="reconciliation.expected_base_usd">
        <Money amount={expected_base_usd} size="fact" />
      </InvoField>
      . {!base_matches_settled_fee && 'The attributed amount stays as recorded; ask Invo before paying it.'}
    </p>
  );
}

export interface WalkStep {
  label: string;
  /** Exact; what was taken is below zero. null: Invo did not say. */
  amount: string | null;
  /** Invo's own field. */
  field: string;
  note?: string | undefined;
  /** Where the note is a figure of Invo's: its own field. */
  noteField?: string | undefined;
  kind: 'whole' | 'taken' | 'end';
}

export type Report = PeriodAnswer['report'];

/** Whether Invo has no receipts for what it refunded: it then shows no part of the partner's leg taken back (document 2, reversal_basis). */
export function isCoarse({ refunds }: Pick<Report, 'refunds'>): boolean {
  return refunds?.basis === 'period_row' && isAboveZero(refunds.refunded_to_date_usd);
}

/** The partner's way: from what the player was charged to what is left after every fee; nothing is clamped and nothing is added up by us. */
export function partnerSteps(report: Report): WalkStep[] {
  const { period, fee_legs: legs } = report;
  const reversed = legOf(report, 'partner_revenue_reversed_usd');
  // A coarse refund shows no clawback, so a zero here is silence.
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
      label: period.paid_at === null ? 'Price, never collected' : 'Charged to the player',
      amount: period.amount_usd,
      field: 'period.amount_usd',
      kind: 'whole',
    },
    {
      ...taken('Invo fee, never given back', legOf(report, 'invo_fee_usd')),
      ...percentNote(legs?.invo_fee_percent, 'fee_legs.invo_fee_percent'),
    },
    {
      ...whole('Partner leg, settled', legOf(report, 'partner_revenue_settled_usd')),
      ...percentNote(legs?.partner_revenue_percent, 'fee_legs.partner_revenue_percent'),
    },
    {
      ...taken('Partner leg, reversed by refunds', isUnknown ? { ...reversed, amount: null } : reversed),
      note: isUnknown ? 'for a refund without receipts' : undefined,
    },
    {
      ...whole('Partner leg, net of reversal', legOf(report, 'partner_revenue_usd')),
      note: isUnknown ? 'as Invo tells it, without what that refund took back' : undefined,
    },
    fee('International card fee passed on', 'pass_through_fees_usd'),
    fee('Chargeback fees', 'chargeback_fees_usd'),
    fee('Held while a charge is disputed', 'disputed_amount_held_usd'),
    fee('Card fee on refunds, charged to you', 'card_fee_charged_to_partner_usd', 'a payout line of its own'),
    {
      label: period.paid_at === null ? 'After fees; nothing was paid to keep' : 'You keep after fees, before the recipient',
      amount: legs?.partner_revenue_after_fees_usd ?? null,
      field: 'fee_legs.partner_revenue_after_fees_usd',
      kind: 'end',
      note: isUnknown ? 'as Invo tells it, without what that refund took back' : undefined,
    },
  ];
}

type LegName = 'invo_fee_usd' | 'partner_revenue_settled_usd' | 'partner_revenue_reversed_usd' | 'partner_revenue_usd';
type FeeName = 'pass_through_fees_usd' | 'chargeback_fees_usd' | 'disputed_amount_held_usd' | 'card_fee_charged_to_partner_usd';
type Figure = Pick<WalkStep, 'amount' | 'field'>;

// The legs of the report speak first, the line itself where they are silent; the name is of the one that spoke.
function legOf({ period, fee_legs }: Report, name: LegName): Figure {
  const amount = fee_legs?.[name] ?? null;
  return amount === null && period[name] !== null
    ? { amount: period[name], field: `period.${name}` }
    : { amount, field: `fee_legs.${name}` };
}

/** A figure that something is taken from, or what is left of it. */
export function whole(label: string, figure: Figure): WalkStep {
  return { label, ...figure, kind: 'whole' };
}

/** What was taken: below zero. */
export function taken(label: string, { amount, field }: Figure): WalkStep {
  return { label, amount: takenOf(amount), field, kind: 'taken' };
}

function takenOf(amount: string | null | undefined): string | null {
  return typeof amount === 'string' ? negateMoney(amount) : null;
}

function percentNote(percent: string | null | undefined, noteField: string): Pick<WalkStep, 'note' | 'noteField'> {
  return typeof percent === 'string' ? { note: `${percent} %`, noteField } : {};
}

function isAboveZero(amount: string | null): boolean {
  return amount !== null && signOfMoney(amount) > 0;
}

/** The recipient's part of it: base, share, what refunds took back. Empty when nothing was attributed. */
export function recipientSteps(report: Report): WalkStep[] {
  const { attribution } = report.period;
  if (attribution === null) return [];
  const reversed = reversedFromRecipient(report);
  return [
    { label: 'Attribution base', amount: attribution.base_usd, field: 'attribution.base_usd', kind: 'whole', note: 'after the Invo fee' },
    {
      ...whole('Attributed to the recipient', {
        amount: attribution.attributed_amount_usd,
        field: 'attribution.attributed_amount_usd',
      }),
      note: `${attribution.percent_at_renewal} % in force then`,
      noteField: 'attribution.percent_at_renewal',
    },
    { ...taken('Reversed by refunds', { amount: reversed, field: 'refunds.events[].reversed_attributed_usd' }), note: noteOf(report) },
  ];
}

// What no refund is told of cannot be added up: no word about refunds is not zero.
function reversedFromRecipient(report: Report): string | null {
  const parts = (report.refunds?.events ?? []).map(({ reversed_attributed_usd }) => reversed_attributed_usd);
  if (isCoarse(report) || (parts.length === 0 && !isToldUnrefunded(report))) return null;
  return parts.every((part) => part !== null) ? sumMoney(parts) : null;
}

function isToldUnrefunded({ period, refunds }: Report): boolean {
  const told = refunds?.refunded_to_date_usd ?? period.refund?.refunded_amount_usd ?? null;
  return told === null ? refunds !== null : signOfMoney(told) === 0;
}

function noteOf(report: Report): string {
  if (isCoarse(report)) return 'coarse: see the month of the latest refund';
  if ((report.refunds?.events ?? []).length > 0) return 'all refunds added up';
  return isToldUnrefunded(report) ? 'no refund so far' : 'Invo does not list the refunds';
}
