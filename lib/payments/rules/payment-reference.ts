/** Crockford's 32 digits: no I, L, O and U, which are misread. */
export const REFERENCE_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A game's number is raised by this, so that a reference begins with a letter: a spreadsheet drops no leading zero and reads no exponent. */
const GAME_OFFSET = 320;

/** The highest numbers that two, three and four digits can carry. */
const GAME_ID_MAX = REFERENCE_DIGITS.length ** 2 - 1 - GAME_OFFSET;
const RUN_NO_MAX = REFERENCE_DIGITS.length ** 3 - 1;
const ITEM_NO_MAX = REFERENCE_DIGITS.length ** 4 - 1;

/** The numbers that a payment reference carries. */
export interface PaymentReference {
  /** 0 to 703. */
  gameId: number;
  runNo: number;
  itemNo: number;
}

/**
 * The ten letters that lead from a line of a bank statement back to an item: game (2), run (3), item (4) and a check letter (Luhn mod 32). Game 2, run 7, item 1868
 * is `A200701TC8`. Throws for a number that the letters can't carry.
 */
export function formatPaymentReference({ gameId, runNo, itemNo }: PaymentReference): string {
  const letters =
    write('game', gameId, GAME_ID_MAX, GAME_OFFSET, 2) + write('run', runNo, RUN_NO_MAX, 0, 3) + write('item', itemNo, ITEM_NO_MAX, 0, 4);
  return letters + checkLetterOf(letters);
}

/** Reads a payment reference in upper or lower case; null for any other text, and where the check letter differs. */
export function parsePaymentReference(text: string): PaymentReference | null {
  const letters = text.toUpperCase();
  if (!SHAPE.test(text) || checkLetterOf(letters.slice(0, -1)) !== letters.at(-1)) return null;
  const [gameId, runNo, itemNo] = [read(letters.slice(0, 2)) - GAME_OFFSET, read(letters.slice(2, 5)), read(letters.slice(5, 9))];
  return { gameId, runNo, itemNo };
}

/** The payment references in a text, in upper case and in their order, each once. Only whole words count: no letter, digit or accent touches them. */
export function findPaymentReferences(text: string): string[] {
  return [...new Set(wordsOf(text).flatMap((word) => (parsePaymentReference(word) === null ? [] : word.toUpperCase())))];
}

/**
 * The payment references in a line of a bank that broke them over two lines or glued other text to them, in upper case and in their order, each once. Anything may touch
 * them, so only those of the first 1,023 runs and 32,767 payments of a run count: they have two zeros.
 */
export function findBrokenReferences(text: string): string[] {
  const joined = text.replaceAll(/\s/g, '').toUpperCase();
  const found = [...joined.matchAll(/(?=([A-HJKMNP-TV-Z].0..0....))/g)].map(([, letters]) => letters ?? '');
  return [...new Set(found.filter((letters) => parsePaymentReference(letters) !== null))];
}

/** Whether a word of a text looks like a payment reference whose check letter differs: some letter is wrong. */
export function hasMistypedReference(text: string): boolean {
  return wordsOf(text).some((word) => SHAPE.test(word) && /^..(?:0|...0)/.test(word) && parsePaymentReference(word) === null);
}

/** The words of a text that may be a payment reference with one wrong letter, in upper case, each once: ten letters and digits that are none. */
export function findMistypedWords(text: string): string[] {
  return [
    ...new Set(
      wordsOf(text).flatMap((word) => (/^[0-9A-Z]{10}$/i.test(word) && parsePaymentReference(word) === null ? word.toUpperCase() : [])),
    ),
  ];
}

/** The payments of a game whose reference is a word but for one letter: for each of its ten letters one at most. */
export function listLikelyPayments(word: string, gameId: number): PaymentReference[] {
  if (gameId > GAME_ID_MAX) return [];
  const game = write('game', gameId, GAME_ID_MAX, GAME_OFFSET, 2);
  // Most words of a report are another game's or none: only one letter may differ from this game's two.
  if (word[0] !== game[0] && word[1] !== game[1]) return [];
  const letters = [...word].flatMap((_, index) =>
    [...REFERENCE_DIGITS].map((letter) => word.slice(0, index) + letter + word.slice(index + 1)),
  );
  return letters.flatMap((each) => parsePaymentReference(each) ?? []).filter((each) => each.gameId === gameId);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** The first letter is no digit, since the smallest game number is 10 × 32. */
const SHAPE = /^[A-HJKMNP-TV-Za-hjkmnp-tv-z][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{9}$/;

function write(part: string, number: number, highest: number, offset: number, length: number): string {
  if (!Number.isInteger(number) || number < 0 || number > highest) throw new Error(`no payment reference has the ${part} number ${number}`);
  let [letters, rest] = ['', number + offset];
  for (let index = 0; index < length; index++) {
    letters = digit(rest % REFERENCE_DIGITS.length) + letters;
    rest = Math.floor(rest / REFERENCE_DIGITS.length);
  }
  return letters;
}

function read(letters: string): number {
  return [...letters].reduce((number, letter) => number * REFERENCE_DIGITS.length + REFERENCE_DIGITS.indexOf(letter), 0);
}

/** Luhn mod N: from the right, every other digit is doubled and its two digits are added. */
function checkLetterOf(letters: string): string {
  const size = REFERENCE_DIGITS.length;
  const sum = [...letters].toReversed().reduce((total, letter, index) => {
    const addend = REFERENCE_DIGITS.indexOf(letter) * (index % 2 === 0 ? 2 : 1);
    return total + Math.floor(addend / size) + (addend % size);
  }, 0);
  return digit((size - (sum % size)) % size);
}

function digit(value: number): string {
  return REFERENCE_DIGITS.charAt(value);
}
