import { LATIN_LETTERS } from './latin-letters.ts';

/** The letters of a layout: EPC's for pain.001, NACHA's in upper case, and all of Unicode for files in UTF-8. */
export type BankAlphabet = 'epc' | 'nacha' | 'unicode';

/** A text in the letters of a layout. */
export interface BankText {
  text: string;
  /** Letters that have no spelling in the layout, each once: the text doesn't have them, so nothing may be paid under it. */
  unwritten: string[];
}

/**
 * EPC: SEPA's Latin letters. NACHA: letters and signs that banks agree on. Unicode: everything but control and format characters, halves of a pair and private
 * letters; the two joiners are part of the spelling of Persian and Indic names.
 */
const ALPHABET: Readonly<Record<BankAlphabet, RegExp>> = {
  epc: /^[A-Za-z0-9/\-?:().,'+ ]$/,
  nacha: /^[A-Z0-9/\-().,'& ]$/,
  unicode: /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]$|^[\u200c\u200d]$/u,
};

/** Signs that a layout lacks, with what banks write for them. */
const SIGNS: Readonly<Record<BankAlphabet, Readonly<Record<string, string>>>> = {
  epc: { '&': '+', _: '-', '"': "'", '`': "'", ';': ',', '[': '(', ']': ')', '{': '(', '}': ')', '\\': '/', '|': '/', '@': '(at)' },
  nacha: {
    '+': '&',
    _: '-',
    '"': "'",
    '`': "'",
    ';': ',',
    ':': '.',
    '[': '(',
    ']': ')',
    '{': '(',
    '}': ')',
    '\\': '/',
    '|': '/',
    '@': '(AT)',
  },
  unicode: {},
};

/**
 * Writes a text in the letters of a layout: letters with accents without them, other scripts of Europe in Latin letters, runs of spaces as one. The same
 * text always gives the same letters, and a letter without a spelling is reported, never dropped silently.
 */
export function writeBankLetters(typed: string, alphabet: BankAlphabet): BankText {
  const letters = alphabet === 'unicode' ? [...typed] : lettersOf(typed);
  const unwritten = new Set<string>();
  const written = letters.map((letter) => {
    const spelling = spell(letter, alphabet);
    if (spelling === null) unwritten.add(letter);
    return spelling ?? '';
  });
  return { text: written.join('').replace(/ +/g, ' ').trim(), unwritten: [...unwritten] };
}

/** A letter with its accents is one; an accent alone is a letter, which has no spelling. */
function lettersOf(typed: string): string[] {
  return typed.normalize('NFC').match(/\P{M}\p{M}*|\p{M}/gsu) ?? [];
}

function spell(letter: string, alphabet: BankAlphabet): string | null {
  if (alphabet === 'unicode') return ALPHABET.unicode.test(letter) ? letter : null;
  if (/^\p{Zs}$/u.test(letter)) return ' ';
  const spelling = LATIN_LETTERS.get(letter) ?? latinOf(letter);
  const cased = alphabet === 'nacha' ? spelling.toUpperCase() : spelling;
  const written = [...cased].map((each) => SIGNS[alphabet][each] ?? each);
  return written.length > 0 && written.every((each) => [...each].every((one) => ALPHABET[alphabet].test(one))) ? written.join('') : null;
}

/** The letters below the accents, each in Latin letters; compatibility forms such as ﬁ and Ａ are those they stand for. */
function latinOf(letter: string): string {
  const bare = letter.normalize('NFKD').replace(/(?<=\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic})\p{M}+/gu, '');
  return [...bare].map((each) => LATIN_LETTERS.get(each) ?? each).join('');
}
