const GRAMMAR = /^-?\d{1,30}(\.\d{1,18})?$/;

/** Parses an amount: optional minus, digits, optional point and 1 to 18 digits; anything else is null. Returns the text unchanged. */
export function parseMoney(text: unknown): string | null {
  return typeof text === 'string' && GRAMMAR.test(text) ? text : null;
}

/** Adds amounts exactly; the sum has at least two decimals and as many as the most precise amount. The sum of nothing is 0.00. */
export function sumMoney(amounts: Iterable<string>): string {
  let [units, cents, places] = [0n, 0, 2];
  for (const amount of amounts) {
    const usual = centsOf(amount);
    if (usual !== null) {
      cents += usual;
      if (cents < CENTS_MAX && cents > -CENTS_MAX) continue;
      units += scale(BigInt(cents), places - 2);
      cents = 0;
      continue;
    }
    const needed = placesOf(amount);
    if (needed > places) {
      units = scale(units, needed - places);
      places = needed;
    }
    units += unitsOf(amount, places);
  }
  return writeUnits(units + scale(BigInt(cents), places - 2), places);
}

/** Subtracts one amount from another, exactly, with the decimals of the more precise one. */
export function subtractMoney(amount: string, less: string): string {
  const places = Math.max(2, placesOf(amount), placesOf(less));
  return writeUnits(unitsOf(amount, places) - unitsOf(less, places), places);
}

/** Orders two amounts: below zero, zero or above zero as the first is less, equal or more. 1.5 and 1.50 are equal. */
export function compareMoney(amount: string, other: string): -1 | 0 | 1 {
  const [cents, otherCents] = [centsOf(amount), centsOf(other)];
  if (cents !== null && otherCents !== null) return order(cents, otherCents);
  const places = Math.max(placesOf(amount), placesOf(other));
  return order(unitsOf(amount, places), unitsOf(other, places));
}

function order<T extends number | bigint>(one: T, other: T): -1 | 0 | 1 {
  return one < other ? -1 : one > other ? 1 : 0;
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

/** An amount times a whole number, exactly, with at least two decimals. */
export function multiplyMoney(amount: string, times: number): string {
  const places = Math.max(2, placesOf(amount));
  return writeUnits(unitsOf(amount, places) * BigInt(times), places);
}

/** The whole cents of an amount that is not below zero: what can be paid of it. */
export function floorCents(amount: string): string {
  const places = Math.max(2, placesOf(amount));
  return writeUnits(unitsOf(amount, places) / scale(1n, places - 2), 2);
}

/** An amount rounded to whole cents, a half to the even cent: for postings, whose remainder the next posting carries. Zero has no minus. */
export function roundHalfEven(amount: string): string {
  const places = Math.max(2, placesOf(amount));
  const [units, cent] = [unitsOf(amount, places), scale(1n, places - 2)];
  const nearest = divideHalfUp(units, cent);
  const rest = nearest * cent - units;
  const isOddHalf = (rest * 2n === cent || rest * -2n === cent) && nearest % 2n !== 0n;
  return writeUnits(isOddHalf ? nearest - (units < 0n ? -1n : 1n) : nearest, 2);
}

/** The smaller of two amounts. */
export function minMoney(amount: string, other: string): string {
  return compareMoney(amount, other) <= 0 ? amount : other;
}

/** The larger of two amounts. */
export function maxMoney(amount: string, other: string): string {
  return compareMoney(amount, other) >= 0 ? amount : other;
}

/** An amount in proportion of a part to a whole above zero, rounded half up to whole cents: for an estimate, never for a figure that is stored. */
export function prorateMoney(amount: string, part: string, whole: string): string {
  const [ofAmount, ofParts] = [Math.max(2, placesOf(amount)), Math.max(placesOf(part), placesOf(whole))];
  const product = unitsOf(amount, ofAmount) * unitsOf(part, ofParts);
  return writeUnits(divideHalfUp(product, scale(unitsOf(whole, ofParts), ofAmount - 2)), 2);
}

/** An amount with two decimals that is its own normal form already. */
const USUAL = /^(?:0|[1-9]\d{0,29})\.\d\d$/;

/** One text for equal amounts: at least two decimals, no zeros beyond them, no minus before zero. A stored digest depends on it. */
export function normalizeMoney(amount: string): string {
  if (USUAL.test(amount)) return amount;
  return sumMoney([amount]).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** An amount for a file: the digits as reported, with at least two decimals. */
export function writeMoney(amount: string): string {
  const places = placesOf(amount);
  if (places >= 2) return amount;
  return places === 1 ? `${amount}0` : `${amount}.00`;
}

/** An amount for a person: thousands separated, true minus, at least two decimals, never rounded. */
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

/** What share one amount is of another, in percent with one decimal, for reading only; null when the whole is zero. */
export function formatShare(part: string, whole: string): string | null {
  if (signOfMoney(whole) === 0) return null;
  const places = Math.max(placesOf(part), placesOf(whole));
  const tenths = divideHalfUp(unitsOf(part, places) * 1000n, unitsOf(whole, places));
  return `${writeUnits(tenths, 1).replace('-', '−')} %`;
}

/** Decimal places of the most precise of some amounts, at least two, so that their decimal points can be aligned. */
export function mostPlaces(amounts: readonly string[]): number {
  return Math.max(2, ...amounts.map(placesOf));
}

function placesOf(amount: string): number {
  const point = amount.indexOf('.');
  return point < 0 ? 0 : amount.length - point - 1;
}

/** An amount as a whole number of units of so many decimals, at least its own. Errors: a text that is no plain decimal. */
function unitsOf(amount: string, places: number): bigint {
  if (typeof amount !== 'string' || !DECIMAL.test(amount)) throw new Error(`not an amount: ${JSON.stringify(amount)}`);
  const point = amount.indexOf('.');
  if (point < 0) return scale(BigInt(amount), places);
  const missing = places - (amount.length - point - 1);
  return scale(BigInt(amount.slice(0, point) + amount.slice(point + 1)), missing);
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function scale(units: bigint, places: number): bigint {
  return places === 0 ? units : units * 10n ** BigInt(places);
}

/** Units of so many decimals, above zero, as an amount. Zero has no minus. */
function writeUnits(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const point = digits.length - places;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A quotient rounded to a whole number, a half away from zero. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [size, by] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const rounded = (2n * size + by) / (2n * by);
  return isNegative ? -rounded : rounded;
}

/** Far enough from the largest safe integer to add one more usual amount. */
const CENTS_MAX = 8_000_000_000_000_000;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** The cents of a usual amount, of two decimals and at most twelve digits before them: a million of them are added as fast as they are read. Null: another amount. */
function centsOf(amount: string): number | null {
  const point = amount.length - 3;
  const isNegative = amount.charCodeAt(0) === MINUS;
  const first = isNegative ? 1 : 0;
  if (point <= first || point > 12 || amount.charCodeAt(point) !== POINT) return null;
  let cents = 0;
  for (let index = first; index < amount.length; index += 1) {
    const digit = amount.charCodeAt(index) - ZERO;
    if (digit >>> 0 < 10) cents = cents * 10 + digit;
    else if (index !== point) return null;
  }
  return isNegative ? 0 - cents : cents;
}
