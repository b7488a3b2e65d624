import { capitalise } from '#lib/core/format-text.ts';

const UP_TO_NINETEEN =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const GROUPS = ['', ' thousand', ' million', ' billion', ' trillion'];

/** Whole cents, in at most five groups of three digits: up to 999 trillion. Zeros beyond the cents are no fraction. */
const PAYABLE = /^(?:0*)(\d{1,15})(?:\.(\d{1,2})0*)?$/;

/**
 * A payable sum in English words, beginning with a capital, so that an approver reads a misplaced digit; null for what no run pays: an amount below
 * zero, a fraction of a cent, a quadrillion or more.
 */
export function formatAmountInWords(amount_usd: string): string | null {
  const found = PAYABLE.exec(amount_usd);
  if (found === null) return null;
  const [dollars, cents] = [Number(found[1]), Number((found[2] ?? '').padEnd(2, '0'))];
  const text = `${countInWords(dollars, 'dollar')} and ${countInWords(cents, 'cent')}`;
  return capitalise(text);
}

function countInWords(count: number, noun: string): string {
  return `${inWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A whole number below a quadrillion, which a double holds exactly. */
function inWords(count: number): string {
  if (count === 0) return 'zero';
  const words: string[] = [];
  for (let [rest, group] = [count, 0]; rest > 0; rest = Math.floor(rest / 1000), group++)
    if (rest % 1000 > 0) words.unshift(`${hundredsInWords(rest % 1000)}${GROUPS[group]}`);
  return words.join(' ');
}

function hundredsInWords(count: number): string {
  const [hundreds, rest] = [Math.floor(count / 100), count % 100];
  const words = hundreds === 0 ? [] : [`${UP_TO_NINETEEN[hundreds]} hundred`];
  if (rest > 0) words.push(rest < 20 ? `${UP_TO_NINETEEN[rest]}` : tensInWords(rest));
  return words.join(' ');
}

function tensInWords(count: number): string {
  const tens = `${TENS[Math.floor(count / 10)]}`;
  return count % 10 === 0 ? tens : `${tens}-${UP_TO_NINETEEN[count % 10]}`;
}
