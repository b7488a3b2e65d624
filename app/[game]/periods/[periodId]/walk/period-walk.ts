import { negateMoney, signOfMoney } from '#lib/core/money.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';

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
