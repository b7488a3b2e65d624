import type { RefundForm, RefundReason } from './refund.ts';

/** A refund that the demo requests of the simulated Invo. Its draft is fixed, so that it is requested once, whatever restarts. */
export type DemoRefund = Omit<RefundForm, 'baseline' | 'confirmedRisk'>;

/** Who requests the demo refunds: the demo person for support. */
export const DEMO_REQUESTER = 'support@starfall.example';

/**
 * The demo's refunds, one for each state a newcomer should see. The simulated Invo decides by the period what becomes of each: see
 * "People for support" in `.github/docs/simulated-invo.md`.
 */
export const DEMO_REFUNDS: readonly DemoRefund[] = [
  // Refunded in part.
  demoRefund(2_024_128_015, '12.00', 'goodwill', 'Two evenings lost to the server move'),
  // Refunded in full.
  demoRefund(2_024_128_016, '18.00', 'duplicate_charge'),
  // Above the auto-approval limit of support: awaiting approval.
  demoRefund(2_024_128_017, '180.00', 'requested_by_player', 'Canceled within the first week and never played'),
  // Invo finds no record of the card charge: refused.
  demoRefund(2_024_128_018, '22.00', 'not_delivered'),
  // Invo fails each time without saying what happened: unknown, and tried again.
  demoRefund(2_024_128_019, '26.00', 'charged_by_mistake'),
  // Invo requests manual attention: needs attention.
  demoRefund(2_024_128_020, '35.00', 'fraud'),
];

function demoRefund(periodId: number, amountText: string, reason_code: RefundReason, reason_text: string | null = null): DemoRefund {
  return { draftId: `00000000-0000-4000-8000-${String(periodId).padStart(12, '0')}`, periodId, amountText, reason_code, reason_text };
}
