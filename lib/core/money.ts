import Big from 'big.js';

// Strict: a JavaScript number is refused wherever an amount is expected. DP only bounds division, which money never needs.
const Exact = Big();
Exact.strict = true;
Exact.NE = -40;
Exact.PE = 40;

const GRAMMAR = /^-?\d{1,30}(\.\d{1,18})?$/;

/** Parses an amount: optional minus, digits, optional point and 1 to 18 digits; anything else is null. Returns the text unchanged. */
export function parseMoney(text: unknown): string | null {
  return typeof text === 'string' && GRAMMAR.test(text) ? text : null;
}

/** Adds amounts exactly; the sum has at least two places and as many as the most precise amount. The sum of nothing is 0.00. */
export function sumMoney(amounts: Iterable<string>): string {
  const { micros, places, others } = sumMicros(amounts);
  if (others.length === 0) return writeMicros(micros, places);
  let sum = new Exact(writeMicros(micros, 6));
  for (const amount of others) sum = sum.plus(amount);
  return sum.toFixed(others.reduce((most, each) => Math.max(most, placesOf(each)), places));
}

/** Subtracts one amount from another, exactly, in the places of the more precise one. */
export function subtractMoney(amount: string, less: string): string {
  const places = Math.max(2, placesOf(amount), placesOf(less));
  const [from, taken] = [toMicros(amount), toMicros(less)];
  if (from !== null && taken !== null) return writeMicros(from - taken, places);
  return new Exact(amount).minus(less).toFixed(places);
}

/** Orders two amounts: below zero, zero or above zero as the first is less, equal or more. 1.5 and 1.50 are equal. */
export function compareMoney(amount: string, other: string): -1 | 0 | 1 {
  const [one, two] = [toMicros(amount), toMicros(other)];
  if (one !== null && two !== null) return one < two ? -1 : one > two ? 1 : 0;
  return new Exact(amount).cmp(other);
}

/** The sign of an amount. */
export function signOfMoney(amount: string): -1 | 0 | 1 {
  return compareMoney(amount, '0');
}

/** The amount with the opposite sign; zero has no minus. */
export function negateMoney(amount: string): string {
  return subtractMoney('0', amount);
}

/** The size of an amount, without its sign. */
export function absoluteMoney(amount: string): string {
  return signOfMoney(amount) < 0 ? negateMoney(amount) : amount;
}

/** An amount times a whole number, exactly, with at least two places. */
export function multiplyMoney(amount: string, times: number): string {
  return new Exact(amount).times(String(times)).toFixed(Math.max(2, placesOf(amount)));
}

/** The whole cents of an amount that is not below zero: what can be paid of it. */
export function floorCents(amount: string): string {
  return new Exact(amount).round(2, Big.roundDown).toFixed(2);
}

/** An amount rounded to whole cents, a half to the even cent: for postings, whose remainder the next posting carries. Zero has no minus. */
export function roundHalfEven(amount: string): string {
  return new Exact(amount)
    .round(2, Big.roundHalfEven)
    .toFixed(2)
    .replace(/^-(?=0\.00$)/, '');
}

/** The smaller of two amounts. */
export function minMoney(amount: string, other: string): string {
  return compareMoney(amount, other) <= 0 ? amount : other;
}

/** The larger of two amounts. */
export function maxMoney(amount: string, other: string): string {
  return compareMoney(amount, other) >= 0 ? amount : other;
}

/** An amount in proportion of a part to a whole above zero, rounded half up to whole cents: for an estimate, never for a figure that is kept. */
export function prorateMoney(amount: string, part: string, whole: string): string {
  return new Exact(amount).times(part).div(whole).toFixed(2);
}

/** An amount with two places that is its own normal form already. */
const USUAL = /^(?:0|[1-9]\d{0,29})\.\d\d$/;

/** One text for equal amounts: at least two places, no zeros beyond them, no minus before zero. A stored digest depends on it. */
export function normalizeMoney(amount: string): string {
  if (USUAL.test(amount)) return amount;
  const micros = toMicros(amount);
  const text = micros === null ? writeMoney(sumMoney([amount])) : writeMicros(micros, 6);
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** An amount for a file: the digits as reported, with at least two places. */
export function writeMoney(amount: string): string {
  const places = placesOf(amount);
  if (places >= 2) return amount;
  return places === 1 ? `${amount}0` : `${amount}.00`;
}

/** An amount for a person: thousands separated, true minus, at least two places, never rounded. */
export function formatMoney(amount: string): string {
  const [whole = '0', cents = '00'] = writeMoney(amount).replace('-', '').split('.');
  const minus = signOfMoney(amount) < 0 ? '−' : '';
  return `${minus}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}

/** An amount of USD in a sentence: `$1,234.50`, `−$1,234.50`; never rounded. */
export function formatUsd(amount: string): string {
  const text = formatMoney(amount);
  return text.startsWith('−') ? `−$${text.slice(1)}` : `$${text}`;
}

/** What share one amount is of another, in percent with one place, for reading only; null when the whole is zero. */
export function formatShare(part: string, whole: string): string | null {
  if (signOfMoney(whole) === 0) return null;
  const share = new Exact(part)
    .times('100')
    .div(whole)
    .toFixed(1)
    .replace(/^-(?=0\.0$)/, '')
    .replace('-', '−');
  return `${share} %`;
}

function placesOf(amount: string): number {
  const point = amount.indexOf('.');
  return point < 0 ? 0 : amount.length - point - 1;
}

/** Amounts of up to six places and fifteen digits are added as millionths in safe integers; others are left to exact decimals. */
const PLACES = 6;
const DIGITS_MAX = 15;
const SCALES = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1] as const;

/** Far from the largest safe integer, by more than one amount can add. */
const SPILL = 4_000_000_000_000_000;

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** An amount in millionths, as a safe integer; null when it has more than six places, is too large for one, or is no plain decimal text. */
export function toMicros(amount: string): number | null {
  const { length } = amount;
  const isNegative = amount.charCodeAt(0) === MINUS;
  const first = isNegative ? 1 : 0;
  let value = 0;
  let point = -1;
  for (let at = first; at < length; at += 1) {
    const code = amount.charCodeAt(at);
    if (code >= ZERO && code <= ZERO + 9) value = value * 10 + code - ZERO;
    else if (code === POINT && point < 0 && at > first) point = at;
    else return null;
  }
  const places = point < 0 ? 0 : length - point - 1;
  const digits = length - first - (point < 0 ? 0 : 1);
  if (digits === 0 || point === length - 1 || places > PLACES || digits + PLACES - places > DIGITS_MAX) return null;
  value *= SCALES[places] ?? 1;
  return isNegative ? 0 - value : value;
}

/** The sum of the amounts that fit millionths, exactly, and the others for exact decimals to add. */
function sumMicros(amounts: Iterable<string>): { micros: bigint; places: number; others: string[] } {
  const others: string[] = [];
  let [spilled, sum, most] = [0n, 0, 2];
  // The loop of `toMicros` for the usual amount, digits with two places: a call for each would double the time of a million.
  for (const amount of amounts) {
    const point = amount.length - 3;
    let value = 0;
    let isPlain = point > 0 && point <= 9 && amount.charCodeAt(point) === POINT;
    for (let at = 0; at < amount.length; at += 1) {
      const digit = amount.charCodeAt(at) - ZERO;
      if (digit >>> 0 < 10) value = value * 10 + digit;
      else if (at !== point) isPlain = false;
    }
    if (isPlain) {
      sum += value * 10_000;
    } else {
      const micros = toMicros(amount);
      if (micros === null) {
        others.push(amount);
        continue;
      }
      sum += micros;
      const places = amount.includes('.') ? amount.length - 1 - amount.lastIndexOf('.') : 0;
      if (places > most) most = places;
    }
    if (sum > SPILL || sum < -SPILL) {
      spilled += BigInt(sum);
      sum = 0;
    }
  }
  return { micros: spilled + BigInt(sum), places: most, others };
}

/** Writes millionths with so many places, from two to six; the digits beyond them must be zero. */
function writeMicros(micros: bigint | number, places: number): string {
  const text = String(micros < 0 ? -micros : micros).padStart(PLACES + 1, '0');
  const point = text.length - PLACES;
  return `${micros < 0 ? '-' : ''}${text.slice(0, point)}.${text.slice(point, point + places)}`;
}
