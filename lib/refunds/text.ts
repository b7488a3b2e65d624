import type { RefundBlocker } from './rules/limits.ts';
import type { RefundState } from './rules/state.ts';

/** How a state is shown: its label, its tone, and what is safe to know or to do. */
export interface StateText {
  label: string;
  tone: 'good' | 'wait' | 'bad' | 'quiet';
  sentence: string;
}

export const REFUND_STATE_TEXTS: Record<RefundState, StateText> = {
  awaiting_approval: {
    label: 'Awaiting approval',
    tone: 'wait',
    sentence: 'Nothing has been refunded yet. An approver must approve it before it is sent to Invo.',
  },
  approved: { label: 'Queued', tone: 'wait', sentence: 'Approved and queued. Sharebook sends it to Invo automatically.' },
  sending: { label: 'Sending', tone: 'wait', sentence: 'The request is on its way to Invo. You can leave this page.' },
  waiting: {
    label: 'Retrying',
    tone: 'wait',
    sentence: 'Invo hasn’t refunded it yet. Sharebook sends the same request again automatically. You don’t need to do anything.',
  },
  unknown: {
    label: 'Unknown',
    tone: 'wait',
    sentence:
      'Invo may have refunded it. Sharebook repeats the same request with the same idempotency key, which can’t refund twice. Don’t refund this period anywhere else.',
  },
  verifying: {
    label: 'Checking',
    tone: 'wait',
    sentence:
      'Sending ended without a conclusive answer. Sharebook reads the period at Invo to find the outcome. Don’t refund this period anywhere else.',
  },
  attention: {
    label: 'Needs attention',
    tone: 'bad',
    sentence:
      'The outcome can’t be determined automatically. Two people must check at Invo and record it. Don’t refund this period anywhere else.',
  },
  landed: { label: 'Refunded', tone: 'good', sentence: 'Invo refunded it once.' },
  refused: { label: 'Refused', tone: 'bad', sentence: 'Invo refused it. No money moved.' },
  not_landed: { label: 'Not refunded', tone: 'quiet', sentence: 'Two people confirmed that Invo never refunded it.' },
  rejected: { label: 'Rejected', tone: 'quiet', sentence: 'An approver rejected it. Nothing was sent.' },
  withdrawn: { label: 'Withdrawn', tone: 'quiet', sentence: 'It was withdrawn. No money moved.' },
};

export const BLOCKER_SENTENCES: Record<RefundBlocker, string> = {
  never_collected: 'This period was never paid, so there is nothing to refund.',
  nothing_charged: 'Nothing was charged for this period, so there is nothing to refund.',
  already_refunded: 'This period is already fully refunded.',
  store_charged: 'The game store charged this period. Invo can’t refund store charges; the player must ask the store.',
  number_unknown: 'Invo doesn’t report this period’s number, and Sharebook sends no refund without it.',
  price_unknown: 'Invo doesn’t report what this period cost, and Sharebook sends no refund without an amount.',
  funding_unknown: 'Invo doesn’t report whether the game store charged this period. Store charges can’t be refunded.',
  refunds_unknown: 'Invo’s figure for earlier refunds of this period is missing or invalid, so the remaining amount is unknown.',
};
