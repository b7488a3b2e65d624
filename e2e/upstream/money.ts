/** US dollars in ten-thousandths: four decimal places are exact. */
export type Usd = bigint;

/** Formats an amount with two decimal places, or with four when needed. */
export function formatUsd(amount: Usd): string {
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % 10_000n).toString().padStart(4, '0');
  return `${amount < 0n ? '-' : ''}${size / 10_000n}.${fraction.endsWith('00') ? fraction.slice(0, 2) : fraction}`;
}

/** Parses an amount of zero or more with at most four decimal places; null for anything else. */
export function parseUsd(text: string): Usd | null {
  const match = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(text);
  if (match === null) return null;
  return BigInt(match[1] ?? '0') * 10_000n + BigInt((match[2] ?? '').padEnd(4, '0'));
}

/** The amount of a literal in the world's tables. Throws for a malformed one. */
export function usd(text: string): Usd {
  const amount = parseUsd(text);
  if (amount === null) throw new Error(`not an amount: ${text}`);
  return amount;
}

/** `amount × part ÷ whole`, rounded half up to two or four decimals. */
export function portion(amount: Usd, part: bigint, whole: bigint, places: 2 | 4): Usd {
  const step = places === 2 ? 100n : 1n;
  return ((2n * amount * part + whole * step) / (2n * whole * step)) * step;
}

/** A percentage of an amount, in hundredths of a percent. */
export function percentOf(amount: Usd, percentBp: number, places: 2 | 4): Usd {
  return portion(amount, BigInt(percentBp), 10_000n, places);
}

/** "12.50" for 1250 hundredths of a percent. */
export function formatPercent(percentBp: number): string {
  return formatUsd(BigInt(percentBp) * 100n);
}
