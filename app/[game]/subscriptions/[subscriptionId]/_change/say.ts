import { formatMoney } from '../../../../../lib/domain/money.ts';
import { formatInstant } from '../../../../_ui/figures/format-instant.ts';

/** An instant in words: UTC, and in the game's own zone where that is another. */
export function sayInstant(instant: string, timeZone: string): string {
  const utc = `${formatInstant(instant, 'UTC')} UTC`;
  return timeZone === 'UTC' ? utc : `${utc} (${formatInstant(instant, timeZone)} ${timeZone})`;
}

/** An amount in words; null was not said. */
export function sayUsd(amount: string | null): string {
  return amount === null ? 'not recorded' : `${formatMoney(amount)} USD`;
}

/** A statement of Invo's in a word; null was not said. */
export function sayFlag(flag: boolean | null): string {
  if (flag === null) return 'not said';
  return flag ? 'yes' : 'no';
}
