import type { ReactElement } from 'react';
import { REFUND_STATE_WORDS, type RefundState } from '../../../../lib/domain/refund/refund-state.ts';
import { Status, type Tone } from '../../../_ui/words/status.tsx';

const TONES: Record<(typeof REFUND_STATE_WORDS)[RefundState]['tone'], Tone> = { good: 'good', waiting: 'wait', bad: 'bad', quiet: 'quiet' };

/** The state of a refund in its words. */
export function StateStatus({ state }: { state: RefundState }): ReactElement {
  return <Status tone={toneOf(state)} word={REFUND_STATE_WORDS[state].label} />;
}

/** The tone of a state. */
export function toneOf(state: RefundState): Tone {
  return TONES[REFUND_STATE_WORDS[state].tone];
}
