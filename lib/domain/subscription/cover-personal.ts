import { maskEmailsIn } from '../people-words.ts';

/** Free words fit to be kept on record: e-mails masked, and of what may be the number of a card the last four digits. */
export function coverPersonal(text: string): string {
  return maskEmailsIn(text).replace(/\d(?:[ -]?\d){11,18}/g, (digits) => `•••• ${digits.replace(/\D/g, '').slice(-4)}`);
}
