import { useState } from 'react';
import { type TypedAmountError } from '#lib/core/typed-input.ts';
import { estimateRefund, type RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import { parseRefundAmount } from '#lib/refunds/rules/limits.ts';
import { type RefundFacts, remainingOf } from '#lib/refunds/rules/period.ts';
import type { RefundReason } from '#lib/refunds/rules/request.ts';

/** What has been filled in so far. */
interface Draft {
  /** The full remaining amount, or a part that is typed. */
  share: 'rest' | 'part';
  typed: string;
  reason: RefundReason | '';
  words: string;
  /** The risk to the wallet that was confirmed; another one must be confirmed again. */
  confirmedWallet: string | null;
}

/** The draft and its estimate. `estimate` is null while there is no amount to estimate; `error` says what is wrong with a typed one. */
export interface DraftWithEstimate {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  remaining: string;
  amountText: string;
  estimate: RefundEstimate | null;
  error: TypedAmountError | null;
}

const EMPTY: Draft = { share: 'rest', typed: '', reason: '', words: '', confirmedWallet: null };

/** Keeps what is filled in while results arrive, and estimates it again with every change of the amount or of the facts. */
export function useDraft(facts: RefundFacts, when: { now: string; timeZone: string }): DraftWithEstimate {
  const [draft, setDraft] = useState(EMPTY);
  const remaining = remainingOf(facts.period) ?? '0.00';
  const amountText = draft.share === 'rest' ? remaining : draft.typed;
  const read = amountText.trim() === '' ? null : parseRefundAmount(amountText, facts.period);
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    remaining,
    amountText,
    estimate: read !== null && 'amount_usd' in read ? estimateRefund(facts, read.amount_usd, when) : null,
    error: read !== null && 'error' in read ? read.error : null,
  };
}
