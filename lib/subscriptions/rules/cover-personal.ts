import { maskEmailsIn } from '#lib/core/typed-text.ts';

// Twelve digits or more, in whatever script, parted as card numbers are (a time of day has colons): what a whole card number looks like.
const CARD_NUMBER = /\p{Nd}(?:[\s\p{Pd}\p{Cf}.]{0,3}\p{Nd}){11,}/gu;

/** A text with the last four digits alone of whatever may be the number of a card. */
export function coverCardNumbers(text: string): string {
  return text.replaceAll(CARD_NUMBER, (number) => `•••• ${(number.match(/\p{Nd}/gu) ?? []).slice(-4).join('')}`);
}

/** Free words fit to be kept on record: e-mails masked, and of what may be the number of a card the last four digits. */
export function coverPersonal(text: string): string {
  return coverCardNumbers(maskEmailsIn(text));
}
