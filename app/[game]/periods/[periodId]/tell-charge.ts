import { subtractMoney } from '#lib/core/money.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';
import { CYCLE_WORDS, type CycleState, cycleStateOf } from '#lib/subscriptions/rules/cycle-state.ts';

/** What became of a charge and what went back of it; null: Invo said nothing of refunds, which is not zero. */
export interface ChargeTold {
  state: CycleState;
  sentence: string;
  refunded: string | null;
  /** Invo's own field of it: the report's sum, else the line's. */
  refundedField: string;
  left: string | null;
}

/** Tells the charge of a period and its refunds, as far as Invo tells them. */
export function tellCharge({ report: { period, refunds }, facts }: PeriodAnswer): ChargeTold {
  const refunded = facts.refunds_told ? facts.refunded_to_date_usd : null;
  const state = cycleStateOf({ ...period, refunded_amount_usd: refunded });
  const isSilent = refunded === null && state === 'paid';
  const isLeftKnown = refunded !== null && period.paid_at !== null && period.amount_usd !== null;
  return {
    state,
    sentence: isSilent ? 'It was collected. Whether anything was given back, Invo does not tell.' : CYCLE_WORDS[state].sentence,
    refunded,
    refundedField: refunds === null && refunded !== null ? 'period.refund.refunded_amount_usd' : 'refunds.refunded_to_date_usd',
    left: isLeftKnown ? subtractMoney(period.amount_usd ?? '0', refunded) : null,
  };
}
