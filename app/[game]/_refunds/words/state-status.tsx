import type { ReactElement } from 'react';
import { Status } from '#app/_ui/words/status.tsx';
import { type RefundState } from '#lib/refunds/rules/state.ts';
import { REFUND_STATE_TEXTS } from '#lib/refunds/text.ts';

/** The state of a refund in its words. */
export function StateStatus({ state }: { state: RefundState }): ReactElement {
  const { tone, label } = REFUND_STATE_TEXTS[state];
  return <Status tone={tone} word={label} />;
}
