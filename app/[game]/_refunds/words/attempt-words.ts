import type { Tone } from '#app/_ui/words/status.tsx';
import type { AttemptClass } from '#lib/refunds/rules/attempt.ts';

/** What one call to Invo came to, for the colleague who reads the story of a refund. */
export const ATTEMPT_WORDS: Record<AttemptClass, { word: string; tone: Tone }> = {
  landed: { word: 'carried out', tone: 'good' },
  replayed: { word: 'carried out by an earlier try, the stored receipt came', tone: 'good' },
  reduced: { word: 'said to be carried out already, without a receipt', tone: 'wait' },
  refused: { word: 'refused', tone: 'bad' },
  wait: { word: 'Invo asked to wait', tone: 'wait' },
  no_access: { word: 'Invo did not let the game in', tone: 'bad' },
  not_sent: { word: 'nothing could be sent', tone: 'wait' },
  retry: { word: 'failed at Invo, outcome not known', tone: 'wait' },
  paused: { word: 'paused at Invo, outcome not known', tone: 'wait' },
  no_answer: { word: 'no answer, outcome not known', tone: 'wait' },
  attention: { word: 'Invo asks for a person', tone: 'bad' },
  contradiction: { word: 'the receipt is of something else, or does not add up', tone: 'bad' },
};
