/** What the form of a refund is answered. A refund that was stored leads to its page and is not answered here. */
export type RefundFormState =
  | { kind: 'idle' }
  | { kind: 'refused'; at: FormField; sentence: string }
  /** The period is not what the form showed any more; the page brings the new facts with this answer. */
  | { kind: 'changed' }
  | { kind: 'another_open'; refundId: number }
  | { kind: 'no_answer'; sentence: string; errorId: string | null }
  /** Sharebook's own answer was lost: the refund may have been stored. */
  | { kind: 'lost' };

/** Where a refusal stands: beside a field, or beside the button. */
type FormField = 'amount' | 'reason' | 'wallet' | 'button';
