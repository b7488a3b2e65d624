/** One thing rows are ordered by: a value for each place, all of them numbers or all texts. */
export interface OrderKey {
  values: ArrayLike<number> | ArrayLike<bigint> | ArrayLike<string>;
  /** It runs against the direction asked for: net descending goes with the ID ascending. */
  isReversed?: true;
}

/** The places 0 to `count` − 1 in ascending order of their keys; rows with equal keys keep the order they were sent in. */
export function orderPlaces(count: number, keys: OrderKey[]): Uint32Array {
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place += 1) places[place] = place;
  sortPlaces(places, keys);
  return places;
}

/** Runs up to this length aren't worth packing. */
const SHORT = 32;

/** Sorts places by keys. Whole numbers are sorted without a comparison function, which takes most of a first sort; what is equal then goes by the next key. */
function sortPlaces(places: Uint32Array, keys: OrderKey[]): void {
  const [key, ...rest] = keys;
  if (key === undefined || places.length < 2) return;
  const packed = places.length <= SHORT ? null : packNumbers(places, key);
  if (packed === null) {
    places.sort(compareBy(keys));
    return;
  }
  const before = places.slice();
  const { length } = places;
  packed.sort();
  let start = 0;
  for (let index = 0; index < length; index += 1) {
    const of = packed[index] ?? 0;
    places[index] = before[of % length] ?? 0;
    const next = index + 1 < length ? Math.floor((packed[index + 1] ?? 0) / length) : -1;
    if (next === Math.floor(of / length)) continue;
    if (index > start) sortPlaces(places.subarray(start, index + 1), rest);
    start = index + 1;
  }
}

/** Each value with the position of its place behind it, in one exact number; null where that isn't possible. */
function packNumbers(places: Uint32Array, { values, isReversed }: OrderKey): Float64Array | null {
  let [least, most] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  for (const place of places) {
    const value = values[place];
    if (value === Number.NEGATIVE_INFINITY) continue;
    if (!Number.isSafeInteger(value)) return null;
    if ((value as number) < least) least = value as number;
    if ((value as number) > most) most = value as number;
  }
  // One below the least is for what isn't reported.
  const steps = most < least ? 1 : most - least + 2;
  if (!Number.isSafeInteger(steps * places.length)) return null;
  const packed = new Float64Array(places.length);
  for (let position = 0; position < places.length; position += 1) {
    const value = values[places[position] ?? 0] as number;
    const step = value === Number.NEGATIVE_INFINITY ? 0 : value - least + 1;
    packed[position] = (isReversed ? steps - 1 - step : step) * places.length + position;
  }
  return packed;
}

function compareBy(keys: OrderKey[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const { values, isReversed } of keys) {
      // Both are of one list, so of one type; < and === hold for numbers, bigints and texts alike.
      const [one, other] = [values[a], values[b]] as [number, number];
      if (one !== other) return one < other === (isReversed !== true) ? -1 : 1;
    }
    return a - b;
  };
}

/**
 * Amounts as exact integers of one scale, so that comparing them is exact: numbers while all of them are safe integers, otherwise bigints.
 * What isn’t reported comes before every amount.
 */
export function scaleAmounts(amounts: (string | null)[]): Float64Array | bigint[] {
  const places = amounts.reduce((most, amount) => Math.max(most, placesOf(amount)), 0);
  const scaled = new Float64Array(amounts.length);
  for (const [index, amount] of amounts.entries()) {
    const integer = amount === null ? Number.NEGATIVE_INFINITY : Number(digitsOf(amount, places));
    if (amount !== null && !Number.isSafeInteger(integer))
      return amounts.map((each) => (each === null ? LEAST : BigInt(digitsOf(each, places))));
    // −0 would not equal 0.
    scaled[index] = integer === 0 ? 0 : integer;
  }
  return scaled;
}

/** Below every amount the grammar of money allows: 30 digits and 18 decimal places. */
const LEAST = -(10n ** 60n);

function placesOf(amount: string | null): number {
  const point = amount?.indexOf('.') ?? -1;
  return point < 0 || amount === null ? 0 : amount.length - point - 1;
}

function digitsOf(amount: string, places: number): string {
  return `${amount.replace('.', '')}${'0'.repeat(places - placesOf(amount))}`;
}

/** Instants as reported, UTC ending in Z, as texts in the order of time. What isn’t reported comes first. */
export function sortableInstants(instants: (string | null)[]): string[] {
  return instants.map((instant) => {
    if (instant === null) return '';
    const [seconds = '', fraction = ''] = instant.slice(0, -1).split('.');
    return `${seconds}.${fraction.replace(/0+$/, '')}`;
  });
}

/** Names as texts for an order that ignores case. */
export function sortableTexts(texts: (string | null)[]): string[] {
  return texts.map((text) => inCodePointOrder((text ?? '').toLowerCase().slice(0, 200)));
}

/** A text that compares by its code points, as the database orders it: JavaScript puts those above U+FFFF before U+E000. */
export function inCodePointOrder(text: string): string {
  return text.replace(/[\uD800-\uFFFF]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000);
  });
}
