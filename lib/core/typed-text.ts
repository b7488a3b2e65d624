import { maskEmail } from './roles.ts';

/** The longest reason of a refund or a cancel that Invo accepts (document 2, Limits). */
export const REASON_LENGTH_MAX = 500;
/** The longest reason for a pause or a rejection. */
export const WHY_LENGTH_MAX = 500;
/** The longest note on the outcome of a refund. */
export const OUTCOME_LENGTH_MAX = 1_000;

/**
 * Text a person typed, as it is stored: trimmed, with characters no text column holds replaced, and each line break as one character, as
 * a browser counts it. Null for an empty text. Text that is too long is refused, not cut: half a sentence can mean the opposite.
 */
export function parseTypedText(typed: string | null, length_max: number): { text: string | null } | 'too_long' {
  const text = storableText(typed ?? '')
    .replace(/\r\n?/g, '\n')
    .trim();
  return text.length > length_max ? 'too_long' : { text: text || null };
}

/** Text with every email in it masked. */
export function maskEmailsIn(text: string): string {
  return text.replace(/[^\s<>()"“”,;:]+@[^\s<>()"“”,;:]+/gu, maskEmail);
}

/** Text as a text column can hold it: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.toWellFormed().replaceAll('\0', '\uFFFD') : text;
}
