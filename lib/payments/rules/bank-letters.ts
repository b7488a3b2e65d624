import { isFormula } from '#lib/core/csv.ts';

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

/** Letters that are no Latin letter with an accent, by scripts, with their spelling in Latin letters: pairs of a letter and its spelling, capitals first. */
const SPELLINGS = [
  // Latin letters of their own, as their languages write them without them.
  'ß ss ẞ SS Æ Ae æ ae Œ Oe œ oe Ø O ø o Ł L ł l Đ D đ d Ð D ð d Þ Th þ th Ħ H ħ h Ŧ T ŧ t Ŋ N ŋ n ı i ĸ k ſ s Ə A ə a',
  // Signs of typography.
  "‘ ' ’ ' ‚ , ‛ ' “ ' ” ' „ , ‟ ' ′ ' ʼ ' ʻ ' « ' » ' ‹ ' › ' ‐ - ‑ - ‒ - – - — - ― - − - · . • . … ...",
  // Greek, by ISO 843, with its one pair that a name's letters alone don't give.
  'Α A Β V Γ G Δ D Ε E Ζ Z Η I Θ Th Ι I Κ K Λ L Μ M Ν N Ξ X Ο O Π P Ρ R Σ S Τ T Υ Y Φ F Χ Ch Ψ Ps Ω O',
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o ου ou Ου Ou ΟΥ OU',
  // Cyrillic: Bulgarian and Russian as in passports, Ukrainian, Belarusian, Serbian and Macedonian letters of their own.
  'А A Б B В V Г G Д D Е E Ж Zh З Z И I Й Y К K Л L М M Н N О O П P Р R С S Т T У U Ф F Х Kh Ц Ts Ч Ch Ш Sh Щ Shch Ъ A Ы Y Ь Y Э E Ю Yu Я Ya',
  'а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ a ы y ь y э e ю yu я ya',
  'Ё E ё e Є Ye є ye І I і i Ї Yi ї yi Ґ G ґ g Ў U ў u Ђ Dj ђ dj Ј J ј j Љ Lj љ lj Њ Nj њ nj Ћ C ћ c Џ Dz џ dz Ѓ G ѓ g Ќ K ќ k Ѕ Dz ѕ dz',
];

/** The spelling of a letter in Latin letters. Letters that only carry accents are not in it. */
const LATIN_LETTERS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.flatMap((line) => {
    const words = line.split(' ');
    return words.flatMap((word, index): [string, string][] => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : []));
  }),
);

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

/** A letter with its accents is one, and Greek ου; an accent alone is a letter, which has no spelling. */
function lettersOf(typed: string): string[] {
  return typed.normalize('NFC').match(/[Οο][ΥΎυύ](?!\p{M})|\P{M}\p{M}*|\p{M}/gsu) ?? [];
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
  return LATIN_LETTERS.get(bare) ?? [...bare].map((each) => LATIN_LETTERS.get(each) ?? each).join('');
}

/**
 * Whether the CSV of a payment provider can hold a text unchanged. An apostrophe before what a spreadsheet could take for a formula would break an address, so
 * such a text is refused: no control or format characters, and nothing that a spreadsheet takes for a formula.
 */
export function isPlainCell(text: string): boolean {
  return writeBankLetters(text, 'unicode').unwritten.length === 0 && !isFormula(text);
}
