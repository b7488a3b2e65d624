import { CLOCKS_APART_MS, toMicroseconds } from './instant.ts';
import { compareMoney, parseMoney } from './money.ts';

/** An amount, an instant or a word as text, a flag, or null. */
export type Figure = string | boolean | null;

/** One figure: the expected value and the one Invo reported (`reported`). `agrees` is null where one side is unknown. */
export interface Compared<Field extends string = string> {
  field: Field;
  expected: Figure;
  reported: Figure;
  agrees: boolean | null;
}

export interface CompareRules {
  /** Whether two texts mean the same; left out: letter by letter. */
  isSame?: (expected: string, reported: string) => boolean;
  /** Null means none, so it can agree or not; otherwise null means unknown. */
  isNullKnown?: boolean;
}

/** Compares the expected value of one figure with the one Invo reported. */
export function compareField<Field extends string>(
  field: Field,
  expected: Figure,
  reported: Figure,
  { isSame = (one, other) => one === other, isNullKnown = false }: CompareRules = {},
): Compared<Field> {
  const isKnown = isNullKnown || (expected !== null && reported !== null);
  const areTexts = typeof expected === 'string' && typeof reported === 'string';
  return { field, expected, reported, agrees: isKnown ? (areTexts ? isSame(expected, reported) : expected === reported) : null };
}

/** Whether two texts are the same amount, in whatever digits; what is no amount is compared letter by letter. */
export function isSameAmount(one: string, other: string): boolean {
  return parseMoney(one) === null || parseMoney(other) === null ? one === other : compareMoney(one, other) === 0;
}

/** Whether two instants are the same moment, within a quarter of an hour. */
export function isSameMoment(one: string, other: string): boolean {
  const apart = toMicroseconds(one) - toMicroseconds(other);
  return (apart < 0n ? -apart : apart) <= BigInt(CLOCKS_APART_MS) * 1000n;
}
