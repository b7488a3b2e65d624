import { SUPPORT_PEOPLE } from './support-people.ts';

/** Asa Venn's number; the world's transfers go to it. */
const ASA_PHONE = '+4915112345678';

/** Dara Finch plays with a number that is on file under another email. */
const DARA = { email: 'dara.finch@players.example', owner: 'orin.finch@players.example' } as const;

/** The number a person plays with, in any game; null: the world knows none. */
export function phoneOf(email: string): string | null {
  if (email === SUPPORT_PEOPLE['asa.venn'].email) return ASA_PHONE;
  const person = Object.values(SUPPORT_PEOPLE).find((each) => each.email === email);
  return person === undefined ? null : `+4915100${person.playerId}`;
}

/** The email under which a number is on file; null: under none. */
export function ownerOf(phone: string): string | null {
  if (phone === phoneOf(DARA.email)) return DARA.owner;
  return Object.values(SUPPORT_PEOPLE).find(({ email }) => phoneOf(email) === phone)?.email ?? null;
}

/** A number as the service stores it: a plus and 10 to 15 digits, whatever separates them; null: none. */
export function canonicalPhone(value: unknown): string | null {
  const digits =
    typeof value === 'string'
      ? value
          .trim()
          .replace(/^00/, '+')
          .replaceAll(/[\s().-]/g, '')
      : '';
  return /^\+\d{10,15}$/.test(digits) ? digits : null;
}
