import { useState } from 'react';
import { estimateRefund, type RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import { type AmountError, parseRefundAmount } from '#lib/refunds/rules/limits.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import { remainingOf } from '#lib/refunds/rules/period.ts';
import type { RefundReason } from '#lib/refunds/rules/request.ts';

/** What somebody has filled in so far. */
interface Draft {
  /** All that is left, or a part that is typed. */
  share: 'rest' | 'part';
  typed: string;
  reason: RefundReason | '';
  words: string;
  /** The risk to the wallet that was confirmed; another one has to be confirmed anew. */
  confirmedWallet: string | null;
}

/** The draft and what it comes to. `estimate` is null while there is no amount to estimate; `trouble` says what is wrong with one typed. */
export interface DraftInHand {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  remaining: string;
  amountText: string;
  estimate: RefundEstimate | null;
  trouble: AmountError | null;
}

const EMPTY: Draft = { share: 'rest', typed: '', reason: '', words: '', confirmedWallet: null };

/** Keeps what is filled in while answers come and go, and estimates it anew with every change of the amount or of the facts. */
export function useDraft(facts: RefundFacts, when: { now: string; timeZone: string }): DraftInHand {
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
    trouble: read !== null && 'trouble' in read ? read.trouble : null,
  };
}
