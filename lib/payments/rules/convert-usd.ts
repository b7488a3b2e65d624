import { roundHalfEven, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { PaymentBatch, PaymentItem } from './payment.ts';

/** Plain decimals, at most 18 digits on either side. */
const DECIMAL = /^(\d{1,18})(?:\.(\d{1,18}))?$/;

/**
 * An amount of USD in EUR at a typed rate (USD for one EUR), divided exactly and rounded half-even to the cent. The total of a file is the sum of its rounded
 * amounts. Throws for an amount or a rate that isn't a plain decimal above zero.
 */
export function convertUsdToEur(amount_usd: string, usd_per_eur: string): string {
  // Both have 18 decimals, so their quotient is the amount in EUR.
  return quotientInCents(unitsOf(amount_usd), unitsOf(usd_per_eur));
}

/**
 * What banks withheld of a payment that came back, in USD: the part of its USD that is missing in the file's currency, rounded half-even to the cent. Throws unless less
 * came back than the file states.
 */
export function returnFee_usd({ amount_usd, amount }: Pick<PaymentItem, 'amount_usd' | 'amount'>, returned: string): string {
  const missing = unitsOf(subtractMoney(amount, returned));
  return quotientInCents(unitsOf(amount_usd) * missing, unitsOf(amount) * UNIT);
}

const UNIT = 10n ** 18n;

/** A quotient of two whole numbers, as an amount in cents, rounded half-even. */
function quotientInCents(part: bigint, whole: bigint): string {
  const [cents, rest] = [(part * 100n) / whole, (part * 100n) % whole];
  const isUp = rest * 2n > whole || (rest * 2n === whole && cents % 2n === 1n);
  const digits = String(cents + (isUp ? 1n : 0n)).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The total in EUR of amounts of USD, each converted and rounded by itself as files have them. */
export function sumInEur(amounts_usd: readonly string[], usd_per_eur: string): string {
  return sumMoney(amounts_usd.map((amount_usd) => convertUsdToEur(amount_usd, usd_per_eur)));
}

/** What a file states for an amount of USD: EUR at the typed rate for SEPA, otherwise the same USD. Null without a rate that SEPA needs. */
export function fileAmount(
  { method, rate }: Pick<PaymentBatch, 'method' | 'rate'>,
  amount_usd: string,
): Pick<PaymentItem, 'currency' | 'amount'> | null {
  if (method !== 'sepa') return { currency: 'USD', amount: amount_usd };
  return rate !== null && isRate(rate.usd_per_eur) ? { currency: 'EUR', amount: convertUsdToEur(amount_usd, rate.usd_per_eur) } : null;
}

/** Whether a text is a rate that amounts can be converted by. */
function isRate(text: string): boolean {
  return DECIMAL.test(text) && signOfMoney(text) > 0;
}

/** Whether an amount is whole cents above zero, with exactly two decimals: what a payment file can state. */
export function isPayableAmount(text: string): boolean {
  return /^(?:0|[1-9]\d{0,17})\.\d\d$/.test(text) && signOfMoney(text) > 0;
}

/** Totals of payments: USD, and the file's currency. */
export function sumPayments(items: readonly Pick<PaymentItem, 'amount_usd' | 'amount'>[]): { total_usd: string; total_file: string } {
  const sum = (amounts: string[]): string => roundHalfEven(sumMoney(amounts));
  return { total_usd: sum(items.map(({ amount_usd }) => amount_usd)), total_file: sum(items.map(({ amount }) => amount)) };
}

function unitsOf(text: string): bigint {
  const [, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const units = whole === '' ? 0n : BigInt(whole + fraction.padEnd(18, '0'));
  if (units === 0n) throw new Error(`not a decimal above zero: ${JSON.stringify(text)}`);
  return units;
}
