/** What of our own reasons can end a pull without a statement. */
const PULL_STOPS = [
  'pages_disagree',
  'instant_too_large',
  'too_many_recipients',
  'clocks_disagree',
  'not_storable',
  'gave_up',
  'another_game',
] as const;
export type PullStop = (typeof PULL_STOPS)[number];

/** The evidence contradicts itself in a way no statement can be built on, or the work was taken away. The sentence is for the person who must act. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
  readonly code: PullStop;

  constructor(code: PullStop, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
