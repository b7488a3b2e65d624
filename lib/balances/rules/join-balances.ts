/** Which currency a balance is of, as Invo names it. */
interface OfCurrency {
  currencyId: string | null;
  currencyName: string | null;
}

/**
 * Adds balances that came later to those of the same player: another currency is one more balance, the same one again replaces the earlier figure.
 * `replacedCount`: how many were replaced.
 */
export function joinBalances<Balance extends OfCurrency>(
  earlier: readonly Balance[],
  later: readonly Balance[],
): { balances: Balance[]; replacedCount: number } {
  const balances = new Map(earlier.map((balance) => [currencyOf(balance), balance]));
  const replacedCount = later.filter((balance) => balances.has(currencyOf(balance))).length;
  for (const balance of later) balances.set(currencyOf(balance), balance);
  return { balances: [...balances.values()], replacedCount };
}

function currencyOf({ currencyId, currencyName }: OfCurrency): string {
  return JSON.stringify([currencyId, currencyName]);
}
