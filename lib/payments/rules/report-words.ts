import type { ReportedState } from './reported-states.ts';

/** The words of PayPal, of Wise and of generic reports, in lower case. Banks use the codes below. */
const WORDS: ReadonlyMap<string, ReportedState> = new Map(
  Object.entries<ReportedState>({
    completed: 'paid',
    success: 'paid',
    succeeded: 'paid',
    paid: 'paid',
    booked: 'paid',
    settled: 'paid',
    unclaimed: 'pending',
    pending: 'pending',
    processing: 'pending',
    new: 'pending',
    'on hold': 'pending',
    onhold: 'pending',
    held: 'pending',
    denied: 'failed',
    failed: 'failed',
    blocked: 'failed',
    canceled: 'failed',
    cancelled: 'failed',
    rejected: 'failed',
    returned: 'returned',
    return: 'returned',
    refund: 'returned',
    reversal: 'returned',
    chargeback: 'returned',
    refunded: 'returned',
    reversed: 'returned',
  }),
);

/** ISO 20022 status codes of a payment, a batch or a message. Name-check codes and others aren't listed: they change nothing. */
const ISO_CODES: ReadonlyMap<string, ReportedState> = new Map(
  Object.entries<ReportedState>({
    ACSC: 'paid',
    ACCC: 'paid',
    ACSP: 'pending',
    ACCP: 'pending',
    ACTC: 'pending',
    ACWC: 'pending',
    ACWP: 'pending',
    RCVD: 'pending',
    PDNG: 'pending',
    PART: 'pending',
    RJCT: 'failed',
    CANC: 'failed',
  }),
);

/** The state that a word of a report means; null: the word isn't known. */
export function stateOfWord(word: string): ReportedState | null {
  return WORDS.get(word.trim().toLowerCase()) ?? null;
}

/** The state that an ISO 20022 status code means; null: the code changes nothing. */
export function stateOfIsoCode(code: string): ReportedState | null {
  return ISO_CODES.get(code.trim().toUpperCase()) ?? null;
}

/** The state that an ACH return code means: R01 to R60 are returns, R61 and above are about a return itself. */
export function stateOfReturnCode(code: string): ReportedState | null {
  const number = /^R(\d\d)$/.exec(code)?.[1];
  return number !== undefined && Number(number) >= 1 && Number(number) <= 60 ? 'returned' : null;
}

/** Words that negate a status or make it planned, conditional or partial: “cannot be paid”, “paid back”, “will be paid if”. */
const UNCLEAR =
  /^(?:not?|never|cannot|unable|without|will|would|should|could|may|might|must|be|being|if|unless|until|before|yet|expected|awaiting|back|partly|partially|partial)$|n[’']t$/i;

/** Words that negate a status in the other languages of banks that pay in euros. */
const NEGATED =
  /^(?:nicht|nie|kein\p{L}*|ohne|niet|geen|zonder|non|ne|pas|jamais|sans|mai|senza|nunca|jamás|sin|não|nao|sem|nej|nei|ikke|inte|ei|bez|brak|nu|fără|není)$/iu;

/** The word of a text that means a state; empty: none does, two contradict, or another word makes it unclear. */
export function findWord(text: string): string {
  const words = wordsOf(text);
  const known = words.filter((word) => stateOfWord(word) !== null);
  const isClear = new Set(known.map(stateOfWord)).size === 1 && !words.some((word) => UNCLEAR.test(word) || NEGATED.test(word));
  return isClear ? (known[0] ?? '') : '';
}

/** Whether a text has a word that means a state, clear or not. */
export function hasWord(text: string): boolean {
  return wordsOf(text).some((word) => stateOfWord(word) !== null);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}’']+(?: hold)?/giu) ?? [];
}
