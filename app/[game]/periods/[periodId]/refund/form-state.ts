import type { FormResult } from '#app/_ui/forms/form.tsx';
import type { AccountRefusal } from '#lib/approvals/rules/approval.ts';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-input.ts';
import type { RequestResult } from '#lib/refunds/request-refund.ts';
import { BLOCKER_TEXT, formatAmountError } from '#lib/refunds/text.ts';

/** The result of sending the refund form. A refund that was stored leads to its page and has no result here. */
export type RefundFormState = FormResult<
  FormField,
  /** The period is no longer what the form showed; the page brings the new facts with this result. */
  { kind: 'changed' } | { kind: 'another_open'; refundId: number }
>;

/** Where a refusal is shown: beside a field, or above the form. */
type FormField = 'amount' | 'reason' | 'risk' | 'button';

export const REASON_TOO_LONG = `Use ${REASON_LENGTH_MAX} characters or fewer.`;

/** The result of a form whose amount was not confirmed on the second step. */
export const UNCONFIRMED: RefundFormState = {
  kind: 'refused',
  at: 'button',
  sentence: 'The form was sent before you reviewed the refund. Check the amount and confirm it.',
};

const REFUND_ACCOUNT_TEXT: Record<AccountRefusal, string> = {
  unconfirmed: `Unconfirmed accounts can’t refund. ${ACCOUNT_TEXT.unconfirmed}`,
  too_new: `This amount needs a second approver. ${ACCOUNT_TEXT.too_new}`,
};

/** Where the form shows a refusal, and in which words. */
export function formatRefusal(refused: Extract<RequestResult, { ok: false }>): RefundFormState {
  switch (refused.reason) {
    case 'changed':
      return { kind: 'changed' };
    case 'another_open':
      return { kind: 'another_open', refundId: refused.refundId };
    case 'no_answer':
      return { kind: 'failed', sentence: refused.sentence, errorId: refused.errorId };
    case 'amount':
      return { kind: 'refused', at: 'amount', sentence: formatAmountError(refused.error) };
    case 'blocked':
      return { kind: 'refused', at: 'button', sentence: BLOCKER_TEXT[refused.blocker] };
    case 'reason_too_long':
      return { kind: 'refused', at: 'reason', sentence: REASON_TOO_LONG };
    case 'risk':
      return {
        kind: 'refused',
        at: 'risk',
        sentence: 'The wallet or a dispute changed after you opened the form. Review the effects and confirm again.',
      };
    case 'unconfirmed':
    case 'too_new':
      return { kind: 'refused', at: 'button', sentence: REFUND_ACCOUNT_TEXT[refused.reason] };
    case 'not_allowed':
      return { kind: 'refused', at: 'button', sentence: 'Your role can no longer request refunds. Nothing was saved.' };
  }
}
