import { maskEmailsIn } from '../people-words.ts';

// Twelve digits or more, however they are parted and in whatever script: what a whole card number looks like.
const CARD_NUMBER = /\p{Nd}(?:[\s\p{P}\p{Cf}]*\p{Nd}){11,}/gu;

/** A text with the last four digits alone of whatever may be the number of a card. */
export function coverCardNumbers(text: string): string {
  return text.replaceAll(CARD_NUMBER, (number) => `•••• ${(number.match(/\p{Nd}/gu) ?? []).slice(-4).join('')}`);
}

/** Free words fit to be kept on record: e-mails masked, and of what may be the number of a card the last four digits. */
export function coverPersonal(text: string): string {
  return coverCardNumbers(maskEmailsIn(text));
}
