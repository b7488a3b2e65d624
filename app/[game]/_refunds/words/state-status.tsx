import type { ReactElement } from 'react';
import { Status } from '#app/_ui/words/status.tsx';
import { REFUND_STATE_WORDS, type RefundState } from '#lib/refunds/rules/refund-state.ts';

/** The state of a refund in its words. */
export function StateStatus({ state }: { state: RefundState }): ReactElement {
  const { tone, label } = REFUND_STATE_WORDS[state];
  return <Status tone={tone} word={label} />;
}
