import { type RawBuilder, sql } from 'kysely';
import { formatPaymentReference, REFERENCE_DIGITS } from '../rules/payment-reference.ts';

const BASE = REFERENCE_DIGITS.length;

/**
 * The payment reference of an item of one run as text, from its number: for sheets. As `formatPaymentReference` writes it: the letters of game and run are constant,
 * and so is their part of the check sum (Luhn mod 32, every other digit from the right is doubled and its two digits are added).
 */
export function referenceSql({ gameId, runNo }: { gameId: number; runNo: number }, itemNo: string): RawBuilder<string> {
  const prefix = formatPaymentReference({ gameId, runNo, itemNo: 0 }).slice(0, 5);
  const digit = (power: number): RawBuilder<number> => sql`(${sql.ref(itemNo)} / ${sql.lit(BASE ** power)}) % ${sql.lit(BASE)}`;
  const letter = (value: RawBuilder<number>): RawBuilder<string> => sql`substr(${sql.lit(REFERENCE_DIGITS)}, (${value})::int + 1, 1)`;
  const doubled = (value: RawBuilder<number>): RawBuilder<number> =>
    sql`(2 * (${value}) / ${sql.lit(BASE)} + 2 * (${value}) % ${sql.lit(BASE)})`;
  // From the right: the item's four digits, doubled and not in turn, then the five constant ones.
  const constant = [...prefix].toReversed().reduce((sum, each, index) => {
    const addend = REFERENCE_DIGITS.indexOf(each) * (index % 2 === 0 ? 2 : 1);
    return sum + Math.floor(addend / BASE) + (addend % BASE);
  }, 0);
  const sum = sql<number>`(${sql.lit(constant)} + ${doubled(digit(0))} + ${digit(1)} + ${doubled(digit(2))} + ${digit(3)})`;
  const check = sql<number>`((${sql.lit(BASE)} - ${sum} % ${sql.lit(BASE)}) % ${sql.lit(BASE)})`;
  return sql<string>`(${sql.lit(prefix)} || ${sql.join(
    [3, 2, 1, 0].map((power) => letter(digit(power))),
    sql` || `,
  )} || ${letter(check)})`;
}
