import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';
import type { RefundRequested } from '#lib/refunds/request-refund.ts';
import { BLOCKER_SENTENCES } from '#lib/refunds/text.ts';
import { AMOUNT_SENTENCES } from './amount-sentences.ts';
import type { RefundFormState } from './form-state.ts';

type Refused = Extract<RefundRequested, { ok: false }>;

/** Where the form says a refusal, and in which words. */
export function answerRefused(refused: Refused): RefundFormState {
  switch (refused.reason) {
    case 'changed':
      return { kind: 'changed' };
    case 'another_open':
      return { kind: 'another_open', refundId: refused.refundId };
    case 'no_answer':
      return { kind: 'no_answer', sentence: refused.sentence, errorId: refused.errorId };
    case 'amount':
      return { kind: 'refused', at: 'amount', sentence: AMOUNT_SENTENCES[refused.trouble] };
    case 'blocked':
      return { kind: 'refused', at: 'button', sentence: BLOCKER_SENTENCES[refused.blocker] };
    case 'reason_too_long':
      return { kind: 'refused', at: 'reason', sentence: `Invo takes ${REASON_LENGTH_MAX} characters at most.` };
    case 'wallet':
      return {
        kind: 'refused',
        at: 'wallet',
        sentence: 'The wallet is not what it was when the form was opened. Look at what the refund does to it, and confirm that as well.',
      };
    case 'not_allowed':
      return { kind: 'refused', at: 'button', sentence: 'Your role has changed and may not ask for refunds. Nothing was stored.' };
  }
}
