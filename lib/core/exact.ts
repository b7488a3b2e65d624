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
export function sumMicros(amounts: Iterable<string>): { micros: bigint; places: number; others: string[] } {
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
export function writeMicros(micros: bigint | number, places: number): string {
  const text = String(micros < 0 ? -micros : micros).padStart(PLACES + 1, '0');
  const point = text.length - PLACES;
  return `${micros < 0 ? '-' : ''}${text.slice(0, point)}.${text.slice(point, point + places)}`;
}
