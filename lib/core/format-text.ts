/** What a state means: the colour of its label. */
export type Tone = 'good' | 'wait' | 'bad' | 'busy' | 'quiet';

/** A text with a capital first letter. */
export function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
