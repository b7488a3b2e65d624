/** One currency of a wallet: coins as reported, below zero too, as text; null: not reported. */
export interface WalletBalance {
  currencyId: string | null;
  currencyName: string | null;
  available: string;
  reserved: string | null;
  total: string | null;
}

/**
 * Adds balances that came later to those of the same player: another currency is one more balance, the same one again replaces the earlier figure.
 * `replacedCount`: how many were replaced.
 */
export function joinBalances(
  earlier: readonly WalletBalance[],
  later: readonly WalletBalance[],
): { balances: WalletBalance[]; replacedCount: number } {
  const balances = new Map(earlier.map((balance) => [currencyOf(balance), balance]));
  const replacedCount = later.filter((balance) => balances.has(currencyOf(balance))).length;
  for (const balance of later) balances.set(currencyOf(balance), balance);
  return { balances: [...balances.values()], replacedCount };
}

function currencyOf({ currencyId, currencyName }: WalletBalance): string {
  return JSON.stringify([currencyId, currencyName]);
}
