import { maskEmail } from './roles.ts';
import { storableText } from './storable-text.ts';

/** The longest reason Invo keeps of a refund or a cancel (document 2, Limits). */
export const REASON_LENGTH_MAX = 500;
/** How much may be said of why something is stopped or not done. */
export const WHY_LENGTH_MAX = 500;
/** How much may be said of what became of a refund. */
export const OUTCOME_LENGTH_MAX = 1_000;

/**
 * What a person wrote, as it is kept: nothing around it, letters no text column holds replaced, each end of a line one letter, as a
 * browser counts it. Null where nothing is left. Words that are too long are refused: half a sentence may say the opposite.
 */
export function readWords(text: string | null, length_max: number): { words: string | null } | 'too_long' {
  const words = storableText(text ?? '')
    .replace(/\r\n?/g, '\n')
    .trim();
  return words.length > length_max ? 'too_long' : { words: words || null };
}

/** Words with every e-mail in them masked. */
export function maskEmailsIn(text: string): string {
  return text.replace(/[^\s<>()"“”,;:]+@[^\s<>()"“”,;:]+/gu, maskEmail);
}
