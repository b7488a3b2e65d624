import { negateMoney, signOfMoney, sumMoney } from '../../../../lib/domain/money.ts';
import type { PeriodAnswer } from '../../../../lib/operations/look-up/read-period-detail.ts';

export interface WalkStep {
  label: string;
  /** Exact; what was taken is below zero. null: Invo did not say. */
  amount: string | null;
  /** Invo's own field. */
  field: string;
  note?: string;
  kind: 'whole' | 'taken' | 'end';
}

type Report = PeriodAnswer['report'];

/** The partner's way: from what the player was charged to what is left after every fee; nothing is clamped and nothing is added up by us. */
export function partnerSteps({ period, fee_legs: legs }: Report): WalkStep[] {
  const percentOf = (percent: string | null | undefined): { note?: string } =>
    typeof percent !== 'string' ? {} : { note: `${percent} %` };
  const taken = (label: string, amount: string | null | undefined, field: string, note?: string): WalkStep => ({
    label,
    amount: typeof amount !== 'string' ? null : negateMoney(amount),
    field,
    kind: 'taken',
    ...(note === undefined ? {} : { note }),
  });
  return [
    { label: 'Charged to the player', amount: period.amount_usd, field: 'period.amount_usd', kind: 'whole' },
    {
      ...taken('Invo fee, never given back', legs?.invo_fee_usd ?? period.invo_fee_usd, 'fee_legs.invo_fee_usd'),
      ...percentOf(legs?.invo_fee_percent),
    },
    {
      label: 'Partner leg, settled',
      amount: legs?.partner_revenue_settled_usd ?? period.partner_revenue_settled_usd,
      field: 'fee_legs.partner_revenue_settled_usd',
      kind: 'whole',
      ...percentOf(legs?.partner_revenue_percent),
    },
    taken(
      'Partner leg, reversed by refunds',
      legs?.partner_revenue_reversed_usd ?? period.partner_revenue_reversed_usd,
      'fee_legs.partner_revenue_reversed_usd',
    ),
    {
      label: 'Partner leg, net of reversal',
      amount: legs?.partner_revenue_usd ?? period.partner_revenue_usd,
      field: 'fee_legs.partner_revenue_usd',
      kind: 'whole',
    },
    taken('International card fee passed on', legs?.pass_through_fees_usd, 'fee_legs.pass_through_fees_usd'),
    taken('Chargeback fees', legs?.chargeback_fees_usd, 'fee_legs.chargeback_fees_usd'),
    taken('Held while a charge is disputed', legs?.disputed_amount_held_usd, 'fee_legs.disputed_amount_held_usd'),
    taken(
      'Card fee on refunds, charged to you',
      legs?.card_fee_charged_to_partner_usd,
      'fee_legs.card_fee_charged_to_partner_usd',
      'a payout line of its own',
    ),
    {
      label: 'You keep after fees, before the recipient',
      amount: legs?.partner_revenue_after_fees_usd ?? null,
      field: 'fee_legs.partner_revenue_after_fees_usd',
      kind: 'end',
    },
  ];
}

/** The recipient's part of it: base, share, what refunds took back. Empty when nothing was attributed. */
export function recipientSteps({ period, refunds }: Report): WalkStep[] {
  const { attribution } = period;
  if (attribution === null) return [];
  const parts = (refunds?.events ?? []).map(({ reversed_attributed_usd }) => reversed_attributed_usd);
  const isCoarse = refunds?.basis === 'period_row' && hasRefund(refunds.refunded_to_date_usd);
  const reversed = !isCoarse && parts.every((part) => part !== null) ? sumMoney(parts) : null;
  return [
    { label: 'Attribution base', amount: attribution.base_usd, field: 'attribution.base_usd', kind: 'whole', note: 'after the Invo fee' },
    {
      label: 'Attributed to the recipient',
      amount: attribution.attributed_amount_usd,
      field: 'attribution.attributed_amount_usd',
      kind: 'whole',
      note: `${attribution.percent_at_renewal} % in force then`,
    },
    {
      label: 'Reversed by refunds',
      amount: reversed === null ? null : negateMoney(reversed),
      field: 'refunds.events[].reversed_attributed_usd',
      kind: 'taken',
      note: isCoarse ? 'coarse: see the month of the latest refund' : 'all refunds added up',
    },
  ];
}

function hasRefund(amount: string | null): boolean {
  return amount !== null && signOfMoney(amount) > 0;
}
